//! Compares the solver on a GPU with the one on the CPU, on every position, value and distance, and writes one line per
//! game: `results/compared-gpu.csv`.
//!
//!     cargo result compare_gpu -- 3 results/compared-gpu.csv llvmpipe
//!
//! It solves all games with up to KINDS kinds per player, under all six rule variants, on the named adapter: the ruling
//! of the rule book first, and within each variant the small games first. A pair of dove sets is taken in one order
//! only, because exchanging the players gives the same game. Games already in the file are skipped, so a run can be
//! interrupted and continued. Differing values end it with an error before their game is written; so does an adapter
//! that fails.
//!
//! Both solvers share the boss placements and actions, which `compare_solvers` compares with the literal rules. This
//! program tests the rounds and the shaders. The seconds on the GPU are those of solving alone; those on the CPU
//! include gathering the actions.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use dovemate::internals::run::Observer;
use dovemate::internals::solve::space::layout::GroupId;
use dovemate::internals::solve::{Options, Solved, solve};
use dovemate::rules::{Game, Rules};
use dovemate::{LookupError, Solve};
use rayon::prelude::*;
use rows::{Rows, pairs};

mod rows;

/// The columns after those that name the game.
const HEADS: [&str; 8] =
    ["adapter", "positions", "groups", "different", "rounds", "gpu_bytes", "gpu_seconds", "cpu_seconds"];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kinds, path, adapter] = &arguments[..] else {
        bail!("usage: compare_gpu KINDS FILE ADAPTER");
    };
    let kinds: u32 = kinds.parse().context("the number of kinds")?;
    let mut rows = Rows::open(path, &HEADS)?;
    let mut pairs = pairs();
    pairs.retain(|(red, green)| red.len().max(green.len()) <= kinds);
    let mut variants: Vec<Rules> = Rules::variants().collect();
    variants.sort_by_key(|rules| rules.both_surrounded != Rules::default().both_surrounded);
    let games = variants.iter().flat_map(|&rules| pairs.iter().map(move |&(red, green)| Game { red, green, rules }));
    for game in games {
        if rows.have(&game) {
            continue;
        }
        rows.write(&game, compare(game, adapter)?)?;
    }
    Ok(())
}

/// Solves a game on both; returns the fields that follow its name.
fn compare(game: Game, adapter: &str) -> Result<Vec<String>> {
    let report = Solve::new(game).adapter(adapter.parse()?).observer(&Warnings).report(&|_| {})?;
    let on_gpu = report.gpu.context("no GPU was used")?;
    if let Some(failure) = on_gpu.failure {
        return Err(failure).with_context(|| format!("{game} on {}", on_gpu.adapter));
    }
    let began = Instant::now();
    let on_cpu = solve(game, Options { distances: true }, &|_| {});
    let cpu_time = began.elapsed();
    let groups = on_cpu.layout().all_groups();
    let differs = |&group: &GroupId| Ok::<bool, LookupError>(on_cpu.group(group)? != report.solved.group(group)?);
    let differing = groups.par_iter().map(differs).collect::<Result<Vec<bool>, LookupError>>()?;
    let different = differing.into_iter().filter(|&differs| differs).count();
    ensure!(different == 0, "{game}: {different} groups of positions have different values");
    let [cpu, gpu] = [&*on_cpu, &*report.solved].map(|solved: &dyn Solved| (solved.rounds(), solved.solution()));
    ensure!(cpu == gpu, "{game}: the values are the same, but not how many there are of each");
    let positions = report.solved.solution().count(|_| true);
    let mut row = vec![on_gpu.adapter.name, positions.to_string(), groups.len().to_string(), different.to_string()];
    row.extend([report.solved.rounds().to_string(), on_gpu.bytes.to_string()]);
    row.extend([report.solving, cpu_time].map(|time| format!("{:.3}", time.as_secs_f64())));
    Ok(row)
}

/// An observer that prints only warnings.
struct Warnings;

impl Observer for Warnings {
    fn warn(&self, message: &str) {
        eprintln!("{message}");
    }
}
