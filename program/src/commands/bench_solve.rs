//! `dovemate bench --solve`: measures the solver on the CPU and on a GPU, side by side on the same game.
//!
//! Bytes are those of both planes, one bit for each place, once for every round: the least that a round that skips
//! nothing must read. They are compared with the speed at which the memory copies.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use serde::Serialize;

use super::bench::Arguments;
use super::solve::usual_game;
use crate::io::about_gpu::{self, advised};
use crate::io::failure::{Failure, complain};
use crate::io::host::Host;
use crate::io::output::OutputFile;
use crate::io::progress::Rounds;
use crate::io::text_table::grouped;
use crate::io::times::{Times, median, turns};
use crate::options::memory_limit::{MemoryLimit, OpenOptions};
use dovemate::gpu::AdapterDescription;
use dovemate::rules::Game;
use dovemate::run::solve::{SolveJob, SolveReport};
use dovemate::run::{self, Backend, NoGpu, RunError};
use dovemate::solve::solved::Solution;
use dovemate::solve::{self, Options, Round};

/// Measured runs of each backend if time allows.
const RUNS: u16 = 3;
/// Without `--runs`, no further run begins after this long.
const ENOUGH: Duration = Duration::from_secs(30);
/// The format number of the JSON export.
const FORMAT: u32 = 1;

/// One measured run.
#[derive(Serialize)]
struct Run {
    backend: String,
    run: u16,
    seconds: f64,
    gpu_seconds: Option<f64>,
    start_up_seconds: f64,
    /// Blocks that the rounds looked at, if known.
    blocks: Option<u64>,
}

/// A backend's runs, summed up.
#[derive(Serialize)]
struct Summary {
    backend: String,
    #[serde(flatten)]
    times: Times,
    positions_per_second: f64,
    bytes_per_second: f64,
    /// Bytes that the memory reads and writes a second while copying, if measured.
    memory_bytes_per_second: Option<f64>,
    /// Blocks that the rounds of a run looked at, for wins and for losses.
    blocks: Option<u64>,
}

/// The size of a game.
struct Size {
    positions: u64,
    places: u64,
    /// Blocks in one plane.
    blocks: u64,
    rounds: u32,
}

impl Size {
    /// Bytes of both planes in all rounds.
    fn bytes(&self) -> f64 {
        2.0 * self.places as f64 / 8.0 * f64::from(self.rounds)
    }
}

/// Measures, and writes the runs to `csv`, a document to `json` and a summary to standard output.
pub fn run(
    arguments: &Arguments,
    csv: Option<OutputFile>,
    json: Option<OutputFile>,
    pool: &rayon::ThreadPool,
) -> Result<(), Failure> {
    let game = arguments.game.named().unwrap_or_else(|| usual_game(arguments.game.rules.rules()));
    let Measured { runs, size, no_gpu, memory, adapter } = pool.install(|| measure(arguments, game))?;
    let threads = pool.current_num_threads();
    let summaries = summaries(&runs, &size, &memory);
    let host = Host::now();
    if let Some(file) = csv {
        file.finish(&mut |writer| {
            let mut csv = csv::Writer::from_writer(writer);
            runs.iter().try_for_each(|run| csv.serialize(run))?;
            csv.flush()
        })?;
    }
    if let Some(file) = json {
        file.finish_json(&serde_json::json!({
            "format": FORMAT,
            "game": game.to_string(),
            "positions": size.positions,
            "places": size.places,
            "blocks": size.blocks,
            "rounds": size.rounds,
            "bytes": size.bytes(),
            "summaries": summaries,
            "runs": runs,
            "threads": threads,
            "date": host.date,
            "version": host.version,
            "commit": host.commit,
            "system": host.system,
            "cpu": host.cpu,
            "cores": host.cores,
        }))?;
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{game}: {} positions, {} places, {} rounds",
        grouped(size.positions),
        grouped(size.places),
        size.rounds
    )?;
    writeln!(out, "bytes: both planes, a bit a place, once a round: {} in all", grouped(size.bytes() as u64))?;
    for summary in &summaries {
        print(&mut out, summary, &summaries[0], &size)?;
    }
    writeln!(out)?;
    if let Some(reason) = &no_gpu {
        writeln!(out, "no GPU used: {}", advised(reason))?;
    }
    if let Some(gpu) = &adapter {
        writeln!(out, "{}", about_gpu::in_two_lines(gpu))?;
        writeln!(out, "tested  it has passed its self-test, and samples of every round by the literal rules")?;
        if gpu.is_software {
            writeln!(out, "auto    {}", about_gpu::SOFTWARE)?;
        } else if arguments.adapter.is_none() {
            writeln!(out, "auto    solve takes this GPU")?;
        }
    }
    let gpu = match (&adapter, &no_gpu) {
        (Some(gpu), _) => about_gpu::in_a_line(gpu),
        (None, Some(_)) => "no GPU".to_owned(),
        (None, None) => "GPU not measured".to_owned(),
    };
    let times =
        summaries.iter().map(|it| format!("{} {:.4} s", it.backend, it.times.median_seconds)).collect::<Vec<_>>();
    let parts = [
        about_gpu::program(),
        gpu,
        format!("{}, {threads} threads", about_gpu::machine(&host)),
        format!("{game}: {}", times.join(", ")),
    ];
    writeln!(out, "\nFor a report, all in one line:\n{}", parts.join(" | "))?;
    Ok(out.flush()?)
}

/// The result of a measurement.
struct Measured {
    runs: Vec<Run>,
    size: Size,
    no_gpu: Option<NoGpu>,
    /// Bytes a second that each backend's memory reads and writes while copying.
    memory: Vec<(String, f64)>,
    /// The GPU, if one was used.
    adapter: Option<AdapterDescription>,
}

/// Lets the backends take turns.
fn measure(arguments: &Arguments, game: Game) -> Result<Measured, Failure> {
    let mut backends: Vec<Backend> = arguments.backends.iter().map(|backend| backend.backend()).collect();
    if backends.is_empty() {
        backends = vec![Backend::Cpu, Backend::Auto];
    }
    let (mut no_gpu, mut adapter) = (None, None);
    let mut expected: Option<Solution> = None;
    let (mut size, mut runs, mut memory) =
        (Size { positions: 0, places: 0, blocks: 0, rounds: 0 }, Vec::new(), Vec::new());
    let (limit, options) = (MemoryLimit::of(None), Options { distances: true });
    let hints = OpenOptions { names_gpu: false, may_use_files: false, may_drop_distances: false };
    limit.check(&game, solve::memory(&game, options), &hints).map_err(Failure::Usage)?;
    for run in turns(1, arguments.runs, RUNS, ENOUGH) {
        for backend in backends.clone() {
            let mut job = SolveJob::new(game, options);
            job.bounds = limit.bounds();
            job.backend = backend;
            job.measures_memory = run == 1;
            job.adapter = arguments.adapter.clone().filter(|_| backend != Backend::Cpu);
            let watch = Rounds::without_bar(arguments.quiet);
            let report = run::solve(&job, &watch, &|_: Round| ());
            watch.finish();
            let SolveReport { solved, gpu, no_gpu: reason, start_up, solving } =
                report.map_err(|error| match error {
                    RunError::Halted(halted) => Failure::Failed(anyhow!(limit.halted(&game, &halted, &hints))),
                    error => error.into(),
                })?;
            if let Some(failure) = gpu.as_ref().and_then(|gpu| gpu.failure.as_ref()) {
                return Err(Failure::of_measuring(failure));
            }
            if backend == Backend::Auto && gpu.is_none() {
                // The GPU was optional.
                no_gpu = reason;
                backends.retain(|backend| *backend != Backend::Auto);
                continue;
            }
            let solution = solved.solution();
            if expected.get_or_insert_with(|| solution.clone()) != solution {
                let message = "the backends solve the game differently; nothing is reported".to_owned();
                return Err(Failure::Contradiction(message));
            }
            let classes = solved.layout().classes.iter();
            size = Size {
                positions: solution.count(|_| true),
                places: solved.places(),
                blocks: classes.map(|class| (class.placements * class.sets) as u64).sum(),
                rounds: solved.rounds(),
            };
            let name = gpu.as_ref().map_or_else(|| "CPU".to_owned(), |gpu| gpu.adapter.name.clone());
            adapter = gpu.as_ref().map(|gpu| gpu.adapter.clone()).or(adapter);
            if let Some(copying) = gpu.as_ref().and_then(|gpu| gpu.copying)
                && run == 1
            {
                memory.push((name.clone(), copying));
            }
            if !arguments.quiet {
                complain(format_args!("{name}: run {run}, {:.2} s", solving.as_secs_f64()));
            }
            runs.push(Run {
                backend: name,
                run,
                seconds: solving.as_secs_f64(),
                gpu_seconds: gpu.as_ref().and_then(|gpu| gpu.device_time).map(|time| time.as_secs_f64()),
                start_up_seconds: start_up.as_secs_f64(),
                blocks: gpu.map(|gpu| gpu.looked_at.iter().sum()),
            });
        }
    }
    memory.push(("CPU".to_owned(), copying()));
    Ok(Measured { runs, size, no_gpu, memory, adapter })
}

/// Bytes a second that all threads together read and write while copying.
fn copying() -> f64 {
    const BYTES: usize = 1 << 26;
    const ALL_BYTES: usize = 1 << 30;
    const TIMES: usize = 4;
    let threads = rayon::current_num_threads();
    // Enough to go past the caches, but little beside what a machine with so many threads has.
    let bytes = BYTES.min(ALL_BYTES / threads);
    let began = Instant::now();
    let seconds = rayon::broadcast(|_| {
        let from = vec![1u8; bytes];
        let mut to = vec![0u8; bytes];
        let began = Instant::now();
        for _ in 0..TIMES {
            to.copy_from_slice(black_box(&from));
            black_box(&mut to);
        }
        began.elapsed().as_secs_f64()
    });
    let longest = seconds.into_iter().fold(0.0, f64::max).min(began.elapsed().as_secs_f64());
    (2 * bytes * TIMES * threads) as f64 / longest.max(1e-9)
}

fn summaries(runs: &[Run], size: &Size, memory: &[(String, f64)]) -> Vec<Summary> {
    let mut summaries: Vec<Summary> = Vec::new();
    for Run { backend, .. } in runs {
        if summaries.iter().any(|summary| summary.backend == *backend) {
            continue;
        }
        let of: Vec<&Run> = runs.iter().filter(|run| run.backend == *backend).collect();
        let seconds: Vec<f64> = of.iter().map(|run| run.seconds).collect();
        let gpu_seconds: Vec<f64> = of.iter().filter_map(|run| run.gpu_seconds).collect();
        let start_up: Vec<f64> = of.iter().map(|run| run.start_up_seconds).collect();
        let start_up = median(&start_up).expect("at least one run");
        let times = Times::of(&seconds, &gpu_seconds, start_up, summaries.first().map(|first| &first.times));
        summaries.push(Summary {
            backend: backend.clone(),
            positions_per_second: size.positions as f64 / times.median_seconds,
            bytes_per_second: size.bytes() / times.median_seconds,
            memory_bytes_per_second: memory.iter().find(|(whose, _)| whose == backend).map(|(_, speed)| *speed),
            blocks: of.last().and_then(|run| run.blocks),
            times,
        });
    }
    summaries
}

fn print(out: &mut impl Write, summary: &Summary, first: &Summary, size: &Size) -> io::Result<()> {
    let Summary { backend, times, .. } = summary;
    let Times { median_seconds, minimum_seconds, maximum_seconds, runs, .. } = times;
    writeln!(out, "\n{backend}")?;
    writeln!(
        out,
        "  median     {median_seconds:.4} s   (minimum {minimum_seconds:.4} s, maximum {maximum_seconds:.4} s, runs {runs})"
    )?;
    if let Some(time) = times.median_gpu_seconds {
        writeln!(out, "  GPU time   {time:.4} s")?;
    }
    if times.start_up_seconds > 0.0 {
        let share = 100.0 * times.start_up_share;
        writeln!(out, "  start-up   {:.4} s, {share:.0} % of a process that solves once", times.start_up_seconds)?;
    }
    writeln!(out, "  solved     {} positions a second", grouped(summary.positions_per_second as u64))?;
    let gb = summary.bytes_per_second / 1e9;
    match summary.memory_bytes_per_second {
        Some(memory) => writeln!(
            out,
            "  planes     {gb:.3} GB a second, {:.1} % of the {:.1} GB that its memory reads and writes in copying",
            100.0 * summary.bytes_per_second / memory,
            memory / 1e9
        )?,
        None => writeln!(out, "  planes     {gb:.3} GB a second")?,
    }
    if let Some(blocks) = summary.blocks {
        let all = 2 * size.blocks * u64::from(size.rounds);
        writeln!(out, "  looked at  {} blocks, of {} in both planes and all rounds", grouped(blocks), grouped(all))?;
    }
    writeln!(out, "  ratio      {:.2} × {}", times.ratio, first.backend)
}
