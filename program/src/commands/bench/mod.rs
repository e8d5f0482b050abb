//! `dovemate bench`: measures CPU and GPU side by side, in one process.

mod export;
#[cfg(test)]
mod tests;
mod text;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use serde::Serialize;

use crate::io::{Failure, Host, OutputFile, Progress, check_distinct, complain, grouped};
use crate::options::{BackendArguments, ThreadArguments, named, number, parse_doves};
use dovemate::clock::Instant;
use dovemate::count::{ALL_DOVES, Workload};
use dovemate::report::{AdapterDescription, Counted, NoGpu, Processor, Report};
use dovemate::{Backend, Category, Count, Method, Runner, Tally};

/// Measured runs of each processor, if time allows.
const USUAL_RUNS: u16 = 5;
/// Without `--runs`, no further turn with a method begins after this time. The warm-up and the first measured turn
/// always take place.
const MAX_METHOD_TIME: Duration = Duration::from_secs(20);
/// Without `--doves`, the numbers of doves of the first exhaustive run. The slower processor's time on them gives the
/// largest range that should take at most `MAX_RUN_TIME`.
const FIRST_DOVES: RangeInclusive<u32> = 2..=8;
const MAX_RUN_TIME: Duration = Duration::from_secs(4);
/// If other programs use a larger share of the CPU, measurements are unreliable.
const MAX_OTHER_SHARE: f64 = 0.1;

/// Measure CPU and GPU side by side.
///
/// The CPU is measured with both methods, and a GPU, if --backend allows one, with the exhaustive method. CPU and GPU
/// are started and warmed up first, then take turns, so that other load on the machine slows both alike. If their
/// results differ, nothing is reported. GPU time is measured by the GPU's timestamps, if it has them. Without options,
/// the exhaustive method covers the largest range of doves that both are expected to test within four seconds, but at
/// least 2..8. The last line sums everything up for a report.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate bench\n  dovemate bench --markdown bench.md\n  dovemate bench --backend cpu --method exhaustive \
                  --doves 2..8 --runs 5"
)]
pub struct Arguments {
    #[command(flatten)]
    engine: BackendArguments,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in
    /// 2..12 [default: 2..12, or what the exhaustive method is expected to test within four seconds]
    #[arg(long, value_name = "N or N..N", value_parser = parse_doves)]
    doves: Option<RangeInclusive<u32>>,
    /// The counting method; a GPU supports only the exhaustive one [default: both, one after the other]
    #[arg(long, value_parser = named::<Method>(Method::ALL.map(Method::name)))]
    method: Option<Method>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Measured runs of each processor [default: 5, fewer if they take long]
    #[arg(long, value_name = "N", value_parser = number(1..=1000_u16))]
    runs: Option<u16>,
    /// Write every run as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write every run, the machine and the summary as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the summary as Markdown to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// A method on one processor.
struct Runs<'a> {
    /// The processor and the method.
    name: String,
    runner: Runner<'a>,
    doves: RangeInclusive<u32>,
    /// The reports of the measured runs, without the warm-up.
    reports: Vec<Report>,
}

/// The measurements, and the machine.
struct Measured {
    series: Vec<Series>,
    no_gpu: Option<NoGpu>,
    host: Host,
    /// The share of the CPU that other programs used before the measurements.
    busy: Option<f64>,
}

/// The summary of a method on one processor, as in the JSON, and its runs.
#[derive(Serialize)]
struct Series {
    backend: &'static str,
    method: Method,
    doves: String,
    /// The name of a GPU, or the number of threads.
    name: String,
    boss_placements: u64,
    assignments: u64,
    runs: usize,
    median_seconds: f64,
    minimum_seconds: f64,
    maximum_seconds: f64,
    /// By the GPU's timestamps; `None` on the CPU, or if the GPU has no timestamps.
    median_gpu_seconds: Option<f64>,
    start_up_seconds: f64,
    #[serde(skip)]
    mates: u64,
    #[serde(skip)]
    adapter: Option<AdapterDescription>,
    #[serde(skip)]
    measured: Vec<MeasuredRun>,
}

/// The first columns of a CSV row; those of the machine and the GPU follow.
#[derive(Serialize)]
struct MeasuredRun {
    backend: &'static str,
    run: usize,
    seconds: f64,
    gpu_seconds: Option<f64>,
    method: Method,
    doves: String,
    threads: Option<usize>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { engine, method, .. } = arguments;
    engine.check()?;
    if *method == Some(Method::Factored) && (engine.backend == Backend::Gpu || engine.adapter.is_some()) {
        let message =
            "the factored method runs only on the CPU; write --method exhaustive, or leave out the GPU";
        return Err(Failure::Usage(message.to_owned()));
    }
    let exports =
        [("--csv", &arguments.csv), ("--json", &arguments.json), ("--markdown", &arguments.markdown)];
    check_distinct(&exports)?;
    let csv = OutputFile::open_given(&arguments.csv)?;
    let json = OutputFile::open_given(&arguments.json)?;
    let markdown = OutputFile::open_given(&arguments.markdown)?;
    let progress = Progress::new(arguments.quiet);
    let mut measured = Measured { series: Vec::new(), no_gpu: None, host: Host::now(), busy: Host::busy() };
    if let Some(busy) = measured.busy.filter(|&busy| busy > MAX_OTHER_SHARE) {
        complain(format_args!(
            "warning: other programs use {:.0} % of the CPU, so the times will be too long and unsteady; end them and \
             measure again",
            100.0 * busy
        ));
    }
    for method in Method::ALL.into_iter().filter(|one| method.is_none_or(|method| method == *one)) {
        let mut all = prepared(arguments, method, &progress, &mut measured.no_gpu)?;
        take_turns(arguments, &mut all)?;
        measured.series.extend(all.into_iter().map(Series::of));
    }
    progress.finish();
    if let Some(file) = csv {
        file.finish(&mut |writer| measured.write_csv(writer))?;
    }
    if let Some(file) = json {
        file.finish_json(&measured.json())?;
    }
    if let Some(file) = markdown {
        file.finish_text(&measured.markdown())?;
    }
    text::print(arguments, &measured)
}

/// The CPU and, for the exhaustive method, a GPU if `--backend` allows one, each after a first run. If `--backend auto`
/// finds no GPU to use, sets `no_gpu` to the reason.
fn prepared<'a>(
    arguments: &Arguments,
    method: Method,
    progress: &'a Progress,
    no_gpu: &mut Option<NoGpu>,
) -> Result<Vec<Runs<'a>>, Failure> {
    let is_exhaustive = method == Method::Exhaustive;
    let first = if is_exhaustive { FIRST_DOVES } else { ALL_DOVES };
    let doves = arguments.doves.clone().unwrap_or(first);
    let count = Count::mates().method(method).doves(doves.clone()).threads(arguments.threads.number());
    let count = count.observer(progress);
    let BackendArguments { backend, adapter } = arguments.engine.clone();
    let with_gpu = (is_exhaustive && backend != Backend::Cpu).then(|| count.clone().on(backend, adapter));
    let mut all = Vec::new();
    let mut slowest = Duration::ZERO;
    for count in [count].into_iter().chain(with_gpu) {
        let mut runner = Runner::new(&count)?;
        let report = checked(runner.run()?)?;
        if report.no_gpu.is_some() {
            *no_gpu = report.no_gpu;
            continue;
        }
        let Counted { by, time, .. } = &report.counted;
        slowest = slowest.max(*time);
        all.push(Runs { name: format!("{by}, {method}"), runner, doves: doves.clone(), reports: Vec::new() });
    }
    if is_exhaustive && arguments.doves.is_none() {
        let doves = doves_within(MAX_RUN_TIME, slowest);
        for runs in &mut all {
            runs.runner.set_doves(doves.clone());
            runs.doves = doves.clone();
        }
    }
    Ok(all)
}

/// The largest range of numbers of doves that should be tested within `longest`, if [`FIRST_DOVES`] took `first`; at
/// least [`FIRST_DOVES`].
fn doves_within(longest: Duration, first: Duration) -> RangeInclusive<u32> {
    let assignments = |most| Workload::new(&(2..=most), Category::Mates).assignments() as f64;
    let time = |most| first.as_secs_f64() * assignments(most) / assignments(*FIRST_DOVES.end());
    let most = ALL_DOVES.rev().find(|&most| time(most) <= longest.as_secs_f64());
    *FIRST_DOVES.start()..=most.unwrap_or(0).max(*FIRST_DOVES.end())
}

/// Runs the processors in turn.
fn take_turns(arguments: &Arguments, all: &mut [Runs]) -> Result<(), Failure> {
    let most = arguments.runs.unwrap_or(USUAL_RUNS);
    let began = Instant::now();
    let mut expected: Option<Tally> = None;
    // Run 0 warms up caches, compiled shaders and the GPU's batch sizes.
    for run in 0..=most {
        if arguments.runs.is_none() && run > 1 && began.elapsed() > MAX_METHOD_TIME {
            break;
        }
        for Runs { name, runner, doves, reports } in &mut *all {
            if !arguments.quiet {
                let which = if run == 0 { "warm-up".to_owned() } else { format!("run {run} of {most}") };
                complain(format_args!("{name}, {}..{} doves: {which}", doves.start(), doves.end()));
            }
            let report = checked(runner.run()?)?;
            let expected = expected.get_or_insert_with(|| report.tally.clone());
            if *expected != report.tally {
                let [found, before] = [&report.tally, expected].map(|tally| grouped(tally.total().positions));
                let by = &report.counted.by;
                let message =
                    format!("{by}: {found} mates where {before} were found before; nothing is reported");
                return Err(Failure::Contradiction(message));
            }
            if run > 0 {
                reports.push(report);
            }
        }
    }
    Ok(())
}

/// A report, unless a GPU has failed.
fn checked(report: Report) -> Result<Report, Failure> {
    let Some(failure) = report.confirmation.as_ref().and_then(|on_gpu| on_gpu.failure.as_ref()) else {
        return Ok(report);
    };
    let message = format!("nothing is measured, as {}", failure.describe("the GPU"));
    Err(if failure.is_loss() { Failure::Failed(anyhow!(message)) } else { Failure::Contradiction(message) })
}

impl Measured {
    /// The GPU that has counted.
    fn adapter(&self) -> Option<&AdapterDescription> {
        self.series.iter().find_map(|series| series.adapter.as_ref())
    }

    /// The series of a method, on a GPU or on the CPU.
    fn of(&self, method: Method, on_gpu: bool) -> Option<&Series> {
        self.series.iter().find(|series| series.method == method && series.adapter.is_some() == on_gpu)
    }
}

impl Series {
    /// The series of these runs, of which there must be at least one.
    fn of(Runs { doves, reports, .. }: Runs) -> Series {
        let Report { counted: Counted { by, method, .. }, tally, start_up, .. } = &reports[0];
        let (total, backend, doves) =
            (tally.total(), by.backend(), format!("{}..{}", doves.start(), doves.end()));
        let threads = if let Processor::Cpu(threads) = by { Some(*threads) } else { None };
        let measured: Vec<MeasuredRun> = (1..)
            .zip(reports.iter().map(|report| &report.counted))
            .map(|(run, counted)| MeasuredRun {
                backend,
                run,
                seconds: counted.time.as_secs_f64(),
                gpu_seconds: counted.device_time.map(|time| time.as_secs_f64()),
                method: *method,
                doves: doves.clone(),
                threads,
            })
            .collect();
        let times = sorted(measured.iter().map(|run| run.seconds));
        Series {
            backend,
            method: *method,
            doves,
            name: by.to_string(),
            boss_placements: total.boss_placements,
            assignments: total.assignments,
            runs: times.len(),
            median_seconds: median(&times).expect("at least one run"),
            minimum_seconds: times[0],
            maximum_seconds: times[times.len() - 1],
            median_gpu_seconds: median(&sorted(measured.iter().filter_map(|run| run.gpu_seconds))),
            start_up_seconds: start_up.as_secs_f64(),
            mates: total.positions,
            adapter: by.adapter().cloned(),
            measured,
        }
    }
}

fn sorted(seconds: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut seconds: Vec<f64> = seconds.collect();
    seconds.sort_by(f64::total_cmp);
    seconds
}

/// The median of sorted numbers; if there are two in the middle, their mean. `None` if there are no numbers.
fn median(sorted: &[f64]) -> Option<f64> {
    let (low, high) = (sorted.get(sorted.len().saturating_sub(1) / 2)?, sorted.get(sorted.len() / 2)?);
    Some((low + high) / 2.0)
}
