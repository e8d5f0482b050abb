//! Compares the values, with distances, that the solver and the literal one give every position of a game, and writes
//! one line per game: `results/compared.csv`.
//!
//!     cargo result compare_solvers -- 6 results/compared.csv AYM/A AYM/AYM
//!
//! It solves all games with up to DOVES doves, bosses included, under all six rule variants, the small ones first; then
//! the named games, also under all variants. It solves each pair of dove sets in one order only, because exchanging the
//! players gives the same game. Games already in the file are skipped, so a run can be interrupted and continued. If
//! values differ, it ends with an error and writes no line for that game. With 8 doves, the literal solver takes
//! gigabytes.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use dovemate::rules::{Game, Rules};
use dovemate_results::games;
use dovemate_results::rows::Rows;
use dovemate_solver::{Known, Lookup, Value, solve};
use literal::{LiteralPosition, LiteralSolution};
use rayon::prelude::*;

#[allow(dead_code, reason = "the solver's tests use more of it")]
#[path = "../../../solver/tests/literal/mod.rs"]
mod literal;

/// The columns after those that name the game.
const HEADS: [&str; 4] = ["positions", "different", "fast_seconds", "literal_seconds"];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [doves, path, named @ ..] = &arguments[..] else {
        bail!("usage: compare_solvers DOVES FILE [RED/GREEN...]");
    };
    let doves: u32 = doves.parse().context("the number of doves")?;
    let named: Vec<Game> = named.iter().map(|name| games::game(name)).collect::<Result<_>>()?;
    let mut rows = Rows::open(path, &HEADS)?;
    let small = games::all().into_iter().filter(|game| game.most_doves() <= doves);
    for pair in small.chain(named) {
        for rules in Rules::variants() {
            let game = Game { rules, ..pair };
            if rows.have(&game) {
                continue;
            }
            let compared = Compared::of(game)?;
            ensure!(
                compared.different == 0,
                "{game}: {} positions have different values",
                compared.different
            );
            rows.write(&game, compared.row())?;
        }
    }
    Ok(())
}

/// The comparison of both solvers on a game.
struct Compared {
    positions: usize,
    /// Positions with different values, or to which the fast solver gives none.
    different: usize,
    fast: Duration,
    literal: Duration,
}

impl Compared {
    fn of(game: Game) -> Result<Compared> {
        let (fast, fast_time) = timed(|| solve(game));
        let fast = fast?;
        let (literal, literal_time) = timed(|| LiteralSolution::new(game));
        let positions: Vec<(LiteralPosition, Value)> = literal.iter().collect();
        let differs = |(position, value): &&(LiteralPosition, Value)| {
            // In the code the mover is red; if that is green, the board is recoloured.
            let mover = position.mover();
            let board = position.code().canonical(mover).board();
            !fast.probe(&board, mover).is_ok_and(|known| known.and_then(Known::exact) == Some(*value))
        };
        let different = positions.par_iter().filter(differs).count();
        Ok(Compared { positions: positions.len(), different, fast: fast_time, literal: literal_time })
    }

    fn row(&self) -> impl Iterator<Item = String> {
        let counts = [self.positions, self.different].map(|number| number.to_string());
        let times = [self.fast, self.literal].map(|time| format!("{:.3}", time.as_secs_f64()));
        counts.into_iter().chain(times)
    }
}

/// Runs `work`; returns its result and how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed())
}
