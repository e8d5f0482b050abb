//! `dovemate bench`: measures CPU and GPU side by side, in one process.

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
use crate::options::job::BackendArguments;
use crate::options::parse::{named, number, parse_doves};
use crate::options::threads::ThreadArguments;
use dovemate::Backend;
use dovemate::Count;
use dovemate::TallyRow;
use dovemate::internals::count::Method;
use dovemate::internals::count::tally::ALL_DOVES;
use dovemate::internals::gpu::AdapterDescription;
use dovemate::internals::run::Runner;
use dovemate::report::{NoGpu, Report};

/// Measured runs of each processor if time allows.
const RUNS: u16 = 5;
/// Without `--runs`, no further run begins after this long, warm-up included: both methods then stay within a
/// minute.
const ENOUGH: Duration = Duration::from_secs(20);
/// The default range of the exhaustive method: 7,545,848,240 assignments, a fourteenth of all.
const EXHAUSTIVE_DOVES: RangeInclusive<u32> = 2..=9;
/// The format number of the JSON export: it changes when a field changes its name or meaning.
const FORMAT: u32 = 1;
/// The share of the CPU that other programs may use before a measurement is worth little.
const BUSY: f64 = 0.1;

/// Measure CPU and GPU side by side.
///
/// The CPU is measured in any case, and a GPU beside it, as --backend says. Both are started and warmed up
/// first; then they take turns, so that other load on the machine slows both alike. If their results differ,
/// nothing is reported. GPU time is measured by the GPU's timestamps, if it has them. Without options, the
/// CPU is measured by the factored method, and CPU and GPU are compared by the exhaustive one on up to 9
/// doves, within a minute. The last line sums everything up for a report.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate bench\n  dovemate bench --backend cpu --method exhaustive --doves 2..8 --runs 5"
)]
pub struct Arguments {
    #[command(flatten)]
    engine: BackendArguments,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in
    /// 2..12 [default: 2..12, for the exhaustive method 2..9]
    #[arg(long, value_name = "N or N..N", value_parser = parse_doves)]
    doves: Option<RangeInclusive<u32>>,
    /// The method of counting; a GPU has the exhaustive one only [default: both, one after the other]
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
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// The runs of a method on one processor.
struct Series<'a> {
    backend: Backend,
    method: Method,
    doves: RangeInclusive<u32>,
    runner: Runner<'a>,
    /// The warm-up is not among them.
    reports: Vec<Report>,
}

/// One measured run. In the CSV, [`Host`] and [`GpuColumns`] follow.
#[derive(Serialize)]
struct MeasuredRun {
    backend: &'static str,
    run: usize,
    seconds: f64,
    gpu_seconds: Option<f64>,
    method: &'static str,
    doves: String,
    threads: usize,
}

/// The GPU of a run, if it has one.
#[derive(Serialize)]
struct GpuColumns<'a> {
    adapter: Option<&'a str>,
    driver: Option<&'a str>,
}

/// A series, summed up.
#[derive(Serialize)]
struct Summary {
    backend: &'static str,
    method: &'static str,
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
    /// How many times as fast as the CPU by the same method, by medians.
    ratio: f64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { engine, method, .. } = arguments;
    engine.check()?;
    if *method == Some(Method::Factored) && (engine.backend == Backend::Gpu || engine.adapter.is_some()) {
        let message =
            "the factored method counts on the CPU only; write --method exhaustive, or leave out the GPU";
        return Err(Failure::Usage(message.to_owned()));
    }
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    let (host, busy) = (Host::now(), Host::busy());
    if let Some(busy) = busy.filter(|&busy| busy > BUSY) {
        complain(format_args!(
            "warning: other programs use {:.0} % of the CPU, so the times will be too long and unsteady; end them and \
             measure again",
            100.0 * busy
        ));
    }
    let progress = Progress::without_bar(arguments.quiet);
    let (mut all, mut summaries, mut no_gpu) = (Vec::new(), Vec::new(), None);
    for method in Method::ALL.into_iter().filter(|one| method.is_none_or(|method| method == *one)) {
        let mut series = prepared(arguments, method, &progress, &mut no_gpu)?;
        take_turns(arguments, &mut series)?;
        summaries.extend(series.iter().map(|one| one.summary(&series[0])));
        all.extend(series);
    }

    if let Some(file) = csv {
        file.finish(&mut |writer| {
            let mut csv = csv::Writer::from_writer(writer);
            for series in &all {
                let gpu = series.adapter();
                let columns = GpuColumns {
                    adapter: gpu.map(|gpu| &gpu.name[..]),
                    driver: gpu.map(|gpu| &gpu.driver[..]),
                };
                series.runs().try_for_each(|run| csv.serialize((run, &host, &columns)))?;
            }
            csv.flush()
        })?;
    }
    let gpu = all.iter().find_map(Series::adapter);
    if let Some(file) = json {
        let mut machine = serde_json::json!(host);
        machine["threads"] = all[0].reports[0].threads.into();
        machine["adapter"] = gpu.map(|gpu| &gpu.name[..]).into();
        machine["driver"] = gpu.map(|gpu| &gpu.driver[..]).into();
        machine["busy"] = busy.into();
        let runs: Vec<MeasuredRun> = all.iter().flat_map(Series::runs).collect();
        file.finish_json(&serde_json::json!({
            "format": FORMAT, "machine": machine, "summaries": summaries, "runs": runs
        }))?;
    }
    text::print(arguments, &all, &summaries, gpu, no_gpu.as_ref(), &host)
}

/// The CPU and, by the exhaustive method, a GPU, ready to count; or why there is no GPU, if one was wanted.
fn prepared<'a>(
    arguments: &Arguments,
    method: Method,
    progress: &'a Progress,
    no_gpu: &mut Option<NoGpu>,
) -> Result<Vec<Series<'a>>, Failure> {
    let doves = arguments.doves.clone().unwrap_or(match method {
        Method::Exhaustive => EXHAUSTIVE_DOVES,
        _ => ALL_DOVES,
    });
    let count = Count::mates().method(method).doves(doves.clone()).threads(arguments.threads.number());
    let count = count.observer(progress);
    let series =
        |backend, runner| Series { backend, method, doves: doves.clone(), runner, reports: Vec::new() };
    let mut all = vec![series(Backend::Cpu, Runner::new(&count)?)];
    let BackendArguments { backend, adapter } = arguments.engine.clone();
    if method == Method::Exhaustive && backend != Backend::Cpu {
        let runner = Runner::new(&count.on(backend, adapter))?;
        *no_gpu = runner.no_gpu().cloned();
        all.extend(no_gpu.is_none().then(|| series(Backend::Gpu, runner)));
    }
    Ok(all)
}

/// Lets processors take turns.
fn take_turns(arguments: &Arguments, all: &mut [Series]) -> Result<(), Failure> {
    let most = arguments.runs.unwrap_or(RUNS);
    let began = Instant::now();
    let mut expected = None;
    // Run 0 warms up caches, compiled shaders and the GPU's batch sizes.
    for run in 0..=most {
        if arguments.runs.is_none() && run > 1 && began.elapsed() > ENOUGH {
            break;
        }
        for Series { backend, method, runner, reports, .. } in &mut *all {
            if !arguments.quiet {
                let which = if run == 0 { "warm-up".to_owned() } else { format!("run {run} of {most}") };
                complain(format_args!("{backend}, {method}: {which}"));
            }
            let report = runner.run()?;
            if let Some(failure) = report.confirmation.as_ref().and_then(|on_gpu| on_gpu.failure.as_ref()) {
                let message = format!("nothing is measured, as {}", failure.describe("the GPU"));
                let is_loss = failure.is_loss();
                return Err(if is_loss {
                    Failure::Failed(anyhow!(message))
                } else {
                    Failure::Contradiction(message)
                });
            }
            let expected = expected.get_or_insert_with(|| report.tally.clone());
            if *expected != report.tally {
                let [found, before] = [&report.tally, expected].map(|tally| grouped(tally.total().positions));
                let message = format!(
                    "{backend} finds {found} mates where {before} were found before; nothing is reported"
                );
                return Err(Failure::Contradiction(message));
            }
            if run > 0 {
                reports.push(report);
            }
        }
    }
    Ok(())
}

impl Series<'_> {
    fn total(&self) -> TallyRow {
        self.reports[0].tally.total()
    }

    /// The numbers of doves.
    fn doves(&self) -> String {
        format!("{}..{}", self.doves.start(), self.doves.end())
    }

    /// The GPU that has counted.
    fn adapter(&self) -> Option<&AdapterDescription> {
        self.reports[0].confirmation.as_ref().map(|on_gpu| &on_gpu.adapter)
    }

    fn runs(&self) -> impl Iterator<Item = MeasuredRun> {
        let run = |(run, report): (usize, &Report)| MeasuredRun {
            backend: self.backend.name(),
            run,
            seconds: report.counting.as_secs_f64(),
            gpu_seconds: report
                .confirmation
                .as_ref()
                .and_then(|on_gpu| Some(on_gpu.device_time?.as_secs_f64())),
            method: self.method.name(),
            doves: self.doves(),
            threads: report.threads,
        };
        (1..).zip(&self.reports).map(run)
    }

    fn median_seconds(&self) -> f64 {
        median(self.runs().map(|run| run.seconds)).expect("at least one run")
    }

    /// Sums the series up, and compares it with the CPU's.
    fn summary(&self, cpu: &Series) -> Summary {
        let (total, median_seconds) = (self.total(), self.median_seconds());
        let Report { threads, start_up, .. } = &self.reports[0];
        let start_up_seconds = start_up.as_secs_f64();
        Summary {
            backend: self.backend.name(),
            method: self.method.name(),
            doves: self.doves(),
            name: self.adapter().map_or_else(|| cpu_threads(*threads), |adapter| adapter.name.clone()),
            boss_placements_per_second: total.boss_placements as f64 / median_seconds,
            assignments_per_second: total.assignments as f64 / median_seconds,
            runs: self.reports.len(),
            median_seconds,
            minimum_seconds: self.runs().map(|run| run.seconds).fold(f64::INFINITY, f64::min),
            maximum_seconds: self.runs().map(|run| run.seconds).fold(0.0, f64::max),
            median_gpu_seconds: median(self.runs().filter_map(|run| run.gpu_seconds)),
            start_up_seconds,
            start_up_share: start_up_seconds / (start_up_seconds + median_seconds),
            ratio: cpu.median_seconds() / median_seconds,
        }
    }
}

/// The median; if there are two numbers in the middle, their mean. `None` if there are no numbers.
fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let (low, high) = (numbers.get(numbers.len().saturating_sub(1) / 2)?, numbers.get(numbers.len() / 2)?);
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        let median = |numbers: &[f64]| median(numbers.iter().copied());
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[5.0, 1.0, 3.0]), Some(3.0));
        assert_eq!(median(&[5.0, 1.0, 4.0, 2.0]), Some(3.0));
    }
}
