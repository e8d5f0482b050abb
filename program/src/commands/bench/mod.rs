//! `dovemate bench`: measures the backends side by side in one process.

mod text;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use serde::Serialize;

use crate::io::failure::{Failure, complain};
use crate::io::host::Host;
use crate::io::output::open_exports;
use crate::io::progress::Progress;
use crate::io::text_table::{cpu_threads, grouped};
use crate::options::parse::{named, number, parse_doves};
use crate::options::threads::ThreadArguments;
use dovemate::Count;
use dovemate::internals::count::Method;
use dovemate::internals::count::tally::{ALL_DOVES, Tally};
use dovemate::internals::gpu::{AdapterDescription, GpuError, Selection};
use dovemate::internals::run::{Backend, NoGpu, Runner};

/// Measured runs of each backend if time allows.
const RUNS: u16 = 5;
/// Without `--runs`, no further run begins after this long, warm-up included: two bouts then stay within a minute.
const ENOUGH: Duration = Duration::from_secs(20);
/// The default range of the exhaustive method: 7,545,848,240 assignments, a fourteenth of all.
const EXHAUSTIVE_DOVES: RangeInclusive<u32> = 2..=9;
/// The format number of the JSON export: it changes when a field changes its name or meaning.
const FORMAT: u32 = 1;
/// The share of the CPU that other programs may use before a measurement is worth little.
const BUSY: f64 = 0.1;

/// Measure CPU and GPU side by side.
///
/// Every backend is started and warmed up first; then they take turns, so that other load on the machine slows all of
/// them alike. If their results differ, nothing is reported. GPU time is measured by the GPU's timestamps, if it has
/// them. Without options, the CPU is measured by the factored method, and CPU and GPU are compared by the exhaustive one
/// on up to 9 doves, within a minute. The last line sums everything up for a report.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate bench\n  dovemate bench --backends cpu --method exhaustive --doves 2..8 --runs 5"
)]
pub struct Arguments {
    /// Backends to measure, in this order [default: cpu, and gpu if one can be used]
    #[arg(long, value_delimiter = ',', value_parser = named::<Backend>([Backend::Cpu, Backend::Gpu].map(Backend::name)))]
    backends: Vec<Backend>,
    /// The GPU to use: an index from `dovemate adapters`, or part of a name
    #[arg(long, value_name = "N or NAME")]
    adapter: Option<Selection>,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in 2..12
    /// [default: 2..12, for the exhaustive method 2..9]
    #[arg(long, value_name = "N or N..N", value_parser = parse_doves)]
    doves: Option<RangeInclusive<u32>>,
    /// The method of counting; a GPU has the exhaustive one only [default: both, one after the other]
    #[arg(long, value_parser = named::<Method>(Method::ALL.map(Method::name)))]
    method: Option<Method>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Measured runs of each backend [default: 5, fewer if they take long]
    #[arg(long, value_name = "N", value_parser = number(1..=1000_u16))]
    runs: Option<u16>,
    /// Write every run as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write every run, the machine and the summary as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// What is measured: counting mates with these numbers of doves.
struct Bout {
    method: Method,
    doves: RangeInclusive<u32>,
}

/// A backend that takes part in a bout.
struct Contender<'a> {
    /// The CPU or a GPU.
    backend: Backend,
    work: Work<'a>,
    runs: Vec<Run>,
    start_ups: Vec<f64>,
}

/// Runs once, or says why there is no GPU for it.
type Work<'a> = Box<dyn FnMut() -> Result<Result<FinishedRun, NoGpu>, Failure> + 'a>;

/// The result of one run.
struct FinishedRun {
    tally: Tally,
    adapter: Option<AdapterDescription>,
    seconds: Duration,
    gpu_seconds: Option<Duration>,
    start_up: Duration,
}

/// The columns of the CSV: a run, then the machine.
const COLUMNS: &str = "backend,run,seconds,gpu_seconds,method,doves,threads,date,version,commit,system,cpu,cores,\
                       adapter,driver";

/// One measured run.
#[derive(Clone, Serialize)]
struct Run {
    backend: &'static str,
    run: u16,
    seconds: f64,
    gpu_seconds: Option<f64>,
    method: String,
    doves: String,
}

/// A backend's runs in a bout, summed up.
#[derive(Serialize)]
struct Summary {
    backend: &'static str,
    method: String,
    doves: String,
    name: String,
    boss_placements_per_second: f64,
    assignments_per_second: f64,
    runs: usize,
    median_seconds: f64,
    minimum_seconds: f64,
    maximum_seconds: f64,
    /// `None` if the GPU did not report it, or there was none.
    median_gpu_seconds: Option<f64>,
    start_up_seconds: f64,
    /// The share of start-up in a process that runs once.
    start_up_share: f64,
    /// How many times as fast as the first backend, by medians.
    ratio: f64,
}

/// The machine and program of a measurement.
struct Machine {
    host: Host,
    threads: usize,
    /// The GPU that was measured.
    gpu: Option<AdapterDescription>,
    /// The share of the CPU that other programs used before the measurement, if known.
    busy: Option<f64>,
}

/// The result of a bout.
struct Measured {
    bout: Bout,
    found: Tally,
    summaries: Vec<Summary>,
    runs: Vec<Run>,
    no_gpu: Option<NoGpu>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let may_use_gpu = arguments.backends.is_empty() || arguments.backends.contains(&Backend::Gpu);
    if let (false, Some(adapter)) = (may_use_gpu, &arguments.adapter) {
        return Err(Failure::Usage(format!(
            "--adapter {adapter} is of no use without gpu among --backends; add it or leave out --adapter"
        )));
    }
    let bouts = bouts(arguments)?;
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    let pool = arguments.threads.pool()?;
    let busy = Host::busy();
    let mut machine = Machine { host: Host::now(), threads: pool.current_num_threads(), gpu: None, busy };
    if let Some(busy) = machine.busy.filter(|&busy| busy > BUSY) {
        complain(format_args!(
            "warning: other programs use {:.0} % of the CPU, so the times will be too long and unsteady; end them and \
             measure again",
            100.0 * busy
        ));
    }
    let measured = pool.install(|| {
        bouts.into_iter().map(|bout| measure(arguments, bout, &mut machine)).collect::<Result<Vec<_>, _>>()
    })?;

    let runs: Vec<&Run> = measured.iter().flat_map(|measured| &measured.runs).collect();
    if let Some(file) = csv {
        let rows = runs.iter().map(|run| {
            let gpu = machine.gpu.as_ref().filter(|_| run.backend == Backend::Gpu.name());
            (run, machine.threads, &machine.host, gpu.map(|gpu| &gpu.name), gpu.map(|gpu| &gpu.driver))
        });
        file.finish_csv(COLUMNS, rows)?;
    }
    if let Some(file) = json {
        let summaries: Vec<&Summary> = measured.iter().flat_map(|measured| &measured.summaries).collect();
        let Machine { host, threads, gpu, busy } = &machine;
        let mut about = serde_json::json!(host);
        about["threads"] = (*threads).into();
        about["adapter"] = gpu.as_ref().map(|gpu| gpu.name.clone()).into();
        about["driver"] = gpu.as_ref().map(|gpu| gpu.driver.clone()).into();
        about["busy"] = (*busy).into();
        file.finish_json(&serde_json::json!({
            "format": FORMAT, "machine": about, "summaries": summaries, "runs": runs
        }))?;
    }
    text::print(arguments, &measured, &machine)
}

/// The bouts to measure: without options, counting by both methods.
fn bouts(arguments: &Arguments) -> Result<Vec<Bout>, Failure> {
    let has_cpu = arguments.backends.is_empty() || arguments.backends.contains(&Backend::Cpu);
    if arguments.method == Some(Method::Factored) && !has_cpu {
        return Err(Failure::Usage(
            "the factored method counts on the CPU only; write --method exhaustive, or add cpu to --backends"
                .to_owned(),
        ));
    }
    let bout = |method, doves| Bout { method, doves: arguments.doves.clone().unwrap_or(doves) };
    let (factored, exhaustive) = (bout(Method::Factored, ALL_DOVES), bout(Method::Exhaustive, EXHAUSTIVE_DOVES));
    Ok(match arguments.method {
        None if has_cpu => vec![factored, exhaustive],
        Some(Method::Factored) => vec![factored],
        None | Some(Method::Exhaustive) => vec![exhaustive],
    })
}

/// Lets the backends take turns.
fn measure(arguments: &Arguments, bout: Bout, machine: &mut Machine) -> Result<Measured, Failure> {
    let progress = Progress::without_bar(arguments.quiet);
    let mut contenders = Vec::new();
    let mut no_gpu = None;
    for backend in backends(arguments, &bout) {
        match prepared(arguments, &bout, backend, &progress)? {
            Ok(work) => contenders.push(Contender { backend, work, runs: Vec::new(), start_ups: Vec::new() }),
            // The GPU was optional.
            Err(reason) => no_gpu = Some(reason),
        }
    }

    let mut expected: Option<Tally> = None;
    let most = arguments.runs.unwrap_or(RUNS);
    let began = Instant::now();
    // Run 0 warms up caches, compiled shaders and the GPU's batch sizes.
    for run in 0..=most {
        if arguments.runs.is_none() && run > 1 && began.elapsed() > ENOUGH {
            break;
        }
        for contender in &mut contenders {
            if !arguments.quiet {
                let which = if run == 0 { "warm-up".to_owned() } else { format!("run {run} of {most}") };
                complain(format_args!("{}, {}: {which}", contender.backend, bout.method));
            }
            let finished = match (contender.work)()? {
                Ok(finished) => finished,
                Err(reason) => {
                    // The GPU was optional.
                    no_gpu = Some(reason);
                    continue;
                }
            };
            let expected = expected.get_or_insert_with(|| finished.tally.clone());
            if *expected != finished.tally {
                return Err(Failure::Contradiction(format!(
                    "{} finds {} mates where {} were found before; nothing is reported",
                    contender.backend,
                    grouped(finished.tally.total().positions),
                    grouped(expected.total().positions)
                )));
            }
            machine.gpu = finished.adapter.or(machine.gpu.take());
            contender.start_ups.push(finished.start_up.as_secs_f64());
            if run > 0 {
                contender.runs.push(Run {
                    backend: contender.backend.name(),
                    method: bout.method.to_string(),
                    doves: bout.doves(),
                    run,
                    seconds: finished.seconds.as_secs_f64(),
                    gpu_seconds: finished.gpu_seconds.as_ref().map(Duration::as_secs_f64),
                });
            }
        }
        contenders.retain(|contender| no_gpu.is_none() || contender.backend == Backend::Cpu);
    }
    let found = expected.expect("at least one backend has run");
    let summaries = summaries(&bout, &contenders, &found, machine);
    let runs = contenders.into_iter().flat_map(|contender| contender.runs).collect();
    Ok(Measured { bout, found, summaries, runs, no_gpu })
}

/// The given backends; if none are given, the CPU and a GPU if there is one. No GPU counts by the factored method.
fn backends(arguments: &Arguments, bout: &Bout) -> Vec<Backend> {
    let mut backends = arguments.backends.clone();
    if backends.is_empty() {
        backends = vec![Backend::Cpu, Backend::Gpu];
    }
    backends.retain(|&backend| backend == Backend::Cpu || bout.method == Method::Exhaustive);
    backends
}

/// Prepares a backend, or says why there is no GPU for it.
fn prepared<'a>(
    arguments: &Arguments,
    bout: &Bout,
    backend: Backend,
    progress: &'a Progress,
) -> Result<Result<Work<'a>, NoGpu>, Failure> {
    let adapter = arguments.adapter.clone().filter(|_| backend != Backend::Cpu);
    // A GPU that nobody named is optional.
    let backend = if backend == Backend::Gpu && arguments.backends.is_empty() { Backend::Auto } else { backend };
    // Nothing is measured if the GPU failed or gave a wrong answer.
    let check = |failure: Option<&GpuError>| {
        let Some(failure) = failure else { return Ok(()) };
        let message = format!("nothing is measured, as {}", failure.describe("the GPU"));
        Err(if failure.is_loss() { Failure::Failed(anyhow!(message)) } else { Failure::Contradiction(message) })
    };
    let count = Count::mates().method(bout.method).doves(bout.doves.clone()).threads(arguments.threads.number());
    let mut runner = Runner::new(&count.on(backend, adapter).observer(progress))?;
    if let Some(reason) = runner.no_gpu() {
        return Ok(Err(reason.clone()));
    }
    Ok(Ok(Box::new(move || {
        let report = runner.run();
        let on_gpu = report.confirmation;
        check(on_gpu.as_ref().and_then(|on_gpu| on_gpu.failure.as_ref()))?;
        Ok(Ok(FinishedRun {
            tally: report.tally,
            seconds: report.counting,
            gpu_seconds: on_gpu.as_ref().and_then(|on_gpu| on_gpu.device_time),
            adapter: on_gpu.map(|on_gpu| on_gpu.adapter),
            start_up: report.start_up,
        }))
    })))
}

impl Bout {
    fn doves(&self) -> String {
        format!("{}..{}", self.doves.start(), self.doves.end())
    }
}

/// Sums up the runs of every backend.
fn summaries(bout: &Bout, contenders: &[Contender], found: &Tally, machine: &Machine) -> Vec<Summary> {
    let mut summaries: Vec<Summary> = Vec::new();
    for contender in contenders {
        let seconds: Vec<f64> = contender.runs.iter().map(|run| run.seconds).collect();
        let gpu_seconds: Vec<f64> = contender.runs.iter().filter_map(|run| run.gpu_seconds).collect();
        let median_seconds = median(&seconds).expect("at least one run");
        let start_up_seconds = median(&contender.start_ups).expect("at least one run");
        summaries.push(Summary {
            backend: contender.backend.name(),
            method: bout.method.to_string(),
            doves: bout.doves(),
            name: match (contender.backend, &machine.gpu) {
                (Backend::Gpu, Some(gpu)) => gpu.name.clone(),
                _ => cpu_threads(machine.threads),
            },
            boss_placements_per_second: found.total().boss_placements as f64 / median_seconds,
            assignments_per_second: found.total().assignments as f64 / median_seconds,
            runs: seconds.len(),
            median_seconds,
            minimum_seconds: seconds.iter().copied().fold(f64::INFINITY, f64::min),
            maximum_seconds: seconds.iter().copied().fold(0.0, f64::max),
            median_gpu_seconds: median(&gpu_seconds),
            start_up_seconds,
            start_up_share: start_up_seconds / (start_up_seconds + median_seconds),
            ratio: summaries.first().map_or(1.0, |first| first.median_seconds / median_seconds),
        });
    }
    summaries
}

/// The median; if there are two numbers in the middle, their mean. `None` if there are no numbers.
fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.get(sorted.len().saturating_sub(1) / 2)?, sorted.get(sorted.len() / 2)?);
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[5.0, 1.0, 3.0]), Some(3.0));
        assert_eq!(median(&[5.0, 1.0, 4.0, 2.0]), Some(3.0));
    }
}
