//! `dovemate bench`: measures the backends side by side in one process.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::bench_solve;
use crate::io::about_gpu::{SOFTWARE, advised, in_a_line, in_two_lines, program};
use crate::io::failure::{Failure, complain};
use crate::io::host::Host;
use crate::io::output::{OutputFile, open_exports};
use crate::io::progress::Progress;
use crate::io::run_columns::method_name;
use crate::io::text_table::{Table, cpu_threads, grouped};
use crate::io::times::{Times, turns};
use crate::options::game::GameArguments;
use crate::options::parse::{number, parse_doves};
use crate::options::threads::ThreadArguments;
use dovemate::count::tally::{ALL_DOVES, Tally, Workload};
use dovemate::count::{Category, Method, Question};
use dovemate::gpu::{AdapterDescription, Selection};
use dovemate::rules::Rules;
use dovemate::run::{Backend, Job, NoGpu, PATIENCE, Runner};

/// Measured runs of each backend if time allows.
const RUNS: u16 = 5;
/// Without `--runs`, no further run begins after this long, warm-up included: two methods then stay within a minute.
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
/// them alike. If their counts differ, nothing is reported. GPU time is measured by the GPU's timestamps, if it has
/// them. Without options, CPU and GPU are compared on both methods within a minute, with the exhaustive method on up to
/// 9 doves. The last line sums everything up for a report.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate bench\n  dovemate bench --backends cpu --method exhaustive --doves 2..8 --runs 5\n  \
                  dovemate bench --solve --kinds AYT"
)]
pub struct Arguments {
    /// Backends to measure, in this order [default: cpu, and gpu if one can be used]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) backends: Vec<BackendName>,
    /// Measure the solver instead, on the game with the given dove sets [default: A Y M for both]
    #[arg(long, conflicts_with_all = ["doves", "method"])]
    solve: bool,
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The GPU to use: an index from `dovemate adapters`, or part of a name
    #[arg(long, value_name = "N or NAME")]
    pub(super) adapter: Option<Selection>,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in 2..12
    /// [default: 2..12, for the exhaustive method 2..9]
    #[arg(long, value_name = "N or N..N", value_parser = parse_doves)]
    doves: Option<RangeInclusive<u32>>,
    /// The method of counting [default: both, one after the other]
    #[arg(long, value_enum)]
    method: Option<MethodName>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Measured runs of each backend [default: 5, or with --solve 3; fewer if they take long]
    #[arg(long, value_name = "N", value_parser = number(1..=1000_u16))]
    pub(super) runs: Option<u16>,
    /// Write every run as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write every run, the machine and the summary as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BackendName {
    Cpu,
    Gpu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    Factored,
    Exhaustive,
}

/// One measured run.
#[derive(Clone, Serialize)]
struct Run {
    backend: BackendName,
    method: &'static str,
    doves: String,
    run: u16,
    seconds: f64,
    gpu_seconds: Option<f64>,
}

/// A backend's runs by one method, summed up.
#[derive(Serialize)]
struct Summary {
    backend: BackendName,
    method: &'static str,
    doves: String,
    name: String,
    #[serde(flatten)]
    times: Times,
    boss_placements_per_second: f64,
    assignments_per_second: f64,
}

/// The machine and program of a measurement.
#[derive(Clone, Serialize)]
struct Machine {
    #[serde(flatten)]
    host: Host,
    threads: usize,
    adapter: Option<String>,
    driver: Option<String>,
    /// The adapter's full description.
    #[serde(skip)]
    gpu: Option<AdapterDescription>,
    /// The share of the CPU that other programs used before the measurement, if known.
    busy: Option<f64>,
}

/// A method on a range of numbers of doves.
struct Bout {
    method: Method,
    doves: RangeInclusive<u32>,
}

/// The result of a bout.
struct Outcome {
    method: Method,
    tally: Tally,
    summaries: Vec<Summary>,
    runs: Vec<Run>,
    no_gpu: Option<NoGpu>,
}

/// A backend that has been started.
struct Contender<'a> {
    name: BackendName,
    runner: Runner<'a>,
    runs: Vec<Run>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    check_backends(arguments)?;
    if !arguments.solve && (arguments.game.named().is_some() || arguments.game.rules.rules() != Rules::default()) {
        return Err(Failure::Usage(
            "bench takes dove sets and rules only for the solver; add --solve or leave them out".to_owned(),
        ));
    }
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    if arguments.solve {
        return bench_solve::run(arguments, csv, json, &arguments.threads.pool()?);
    }
    let mut machine = Machine::now();
    if let Some(busy) = machine.busy.filter(|&busy| busy > BUSY) {
        complain(format_args!(
            "warning: other programs use {:.0} % of the CPU, so the times will be too long and unsteady; end them and \
             measure again",
            100.0 * busy
        ));
    }
    let mut outcomes = Vec::new();
    for bout in bouts(arguments) {
        outcomes.push(measure(arguments, &bout, &mut machine)?);
    }

    let runs: Vec<&Run> = outcomes.iter().flat_map(|outcome| &outcome.runs).collect();
    if let Some(file) = csv {
        write_csv(file, &runs, &machine)?;
    }
    if let Some(file) = json {
        let summaries: Vec<&Summary> = outcomes.iter().flat_map(|outcome| &outcome.summaries).collect();
        file.finish_json(&serde_json::json!({
            "format": FORMAT, "machine": machine, "summaries": summaries, "runs": runs
        }))?;
    }
    print(arguments, &outcomes, &machine)
}

/// The bouts to measure: both methods if none is given.
fn bouts(arguments: &Arguments) -> Vec<Bout> {
    let methods = match arguments.method {
        None => vec![Method::Factored, Method::Exhaustive],
        Some(MethodName::Factored) => vec![Method::Factored],
        Some(MethodName::Exhaustive) => vec![Method::Exhaustive],
    };
    let doves = |method| match (&arguments.doves, method) {
        (Some(doves), _) => doves.clone(),
        (None, Method::Factored) => ALL_DOVES,
        (None, Method::Exhaustive) => EXHAUSTIVE_DOVES,
    };
    methods.into_iter().map(|method| Bout { method, doves: doves(method) }).collect()
}

/// Lets the backends take turns.
fn measure(arguments: &Arguments, bout: &Bout, machine: &mut Machine) -> Result<Outcome, Failure> {
    let progress = Progress::without_bar(arguments.quiet);
    let jobs = jobs(arguments, bout);
    let mut contenders = Vec::new();
    let mut no_gpu = None;
    for (name, job) in &jobs {
        let runner = Runner::new(job, &progress)?;
        match runner.no_gpu() {
            // The GPU was optional.
            Some(reason) => no_gpu = Some(reason.clone()),
            None => contenders.push(Contender { name: *name, runner, runs: Vec::new() }),
        }
    }

    let mut expected: Option<Tally> = None;
    let most = arguments.runs.unwrap_or(RUNS);
    // Run 0 warms up caches, compiled shaders and the GPU's batch sizes.
    for run in turns(0, arguments.runs, RUNS, ENOUGH) {
        for contender in &mut contenders {
            if !arguments.quiet {
                let which = if run == 0 { "warm-up".to_owned() } else { format!("run {run} of {most}") };
                complain(format_args!("{}, {}: {which}", contender.name.text(), method_name(bout.method)));
            }
            let report = contender.runner.run(&progress);
            if let Some(failure) = report.failure {
                return Err(Failure::of_measuring(&failure));
            }
            let expected = expected.get_or_insert_with(|| report.tally.clone());
            if *expected != report.tally {
                return Err(Failure::Contradiction(format!(
                    "{} counts {} mates where {} were counted before; nothing is reported",
                    contender.name.text(),
                    grouped(report.tally.total().positions),
                    grouped(expected.total().positions)
                )));
            }
            machine.note(&report.adapter, report.threads);
            if run > 0 {
                contender.runs.push(Run {
                    backend: contender.name,
                    method: method_name(bout.method),
                    doves: bout.doves_text(),
                    run,
                    seconds: report.counting.as_secs_f64(),
                    gpu_seconds: report.device_time.as_ref().map(Duration::as_secs_f64),
                });
            }
        }
    }
    let tally = expected.expect("at least one backend has run");
    let summaries = summaries(bout, &contenders, &tally, machine);
    let runs = contenders.into_iter().flat_map(|contender| contender.runs).collect();
    Ok(Outcome { method: bout.method, tally, summaries, runs, no_gpu })
}

fn check_backends(arguments: &Arguments) -> Result<(), Failure> {
    let backends = &arguments.backends;
    if (1..backends.len()).any(|place| backends[..place].contains(&backends[place])) {
        return Err(Failure::Usage("--backends names one backend twice; name each once, as in cpu,gpu".to_owned()));
    }
    match &arguments.adapter {
        Some(adapter) if !backends.is_empty() && !backends.contains(&BackendName::Gpu) => Err(Failure::Usage(format!(
            "--adapter {adapter} is of no use without gpu among --backends; add it or leave out --adapter"
        ))),
        _ => Ok(()),
    }
}

/// The jobs of the given backends; if none are given, of the CPU and of a GPU if there is one.
fn jobs(arguments: &Arguments, bout: &Bout) -> Vec<(BackendName, Job)> {
    let named = &arguments.backends;
    let backends = if named.is_empty() { &[BackendName::Cpu, BackendName::Gpu][..] } else { named };
    let job = |&backend: &BackendName| {
        let mut job = Job::new(Question { category: Category::Mates, rules: Rules::default(), method: bout.method });
        job.doves = bout.doves.clone();
        job.backend = match backend {
            BackendName::Gpu if named.is_empty() => Backend::Auto,
            backend => backend.backend(),
        };
        job.adapter = arguments.adapter.clone().filter(|_| backend == BackendName::Gpu);
        job.threads = arguments.threads.number();
        (backend, job)
    };
    backends.iter().map(job).collect()
}

fn summaries(bout: &Bout, contenders: &[Contender], tally: &Tally, machine: &Machine) -> Vec<Summary> {
    let total = tally.total();
    let mut summaries: Vec<Summary> = Vec::new();
    for contender in contenders {
        let seconds: Vec<f64> = contender.runs.iter().map(|run| run.seconds).collect();
        let gpu_seconds: Vec<f64> = contender.runs.iter().filter_map(|run| run.gpu_seconds).collect();
        let start_up = contender.runner.start_up().as_secs_f64();
        let times = Times::of(&seconds, &gpu_seconds, start_up, summaries.first().map(|first| &first.times));
        summaries.push(Summary {
            backend: contender.name,
            method: method_name(bout.method),
            doves: bout.doves_text(),
            name: machine.name(contender.name),
            boss_placements_per_second: total.boss_placements as f64 / times.median_seconds,
            assignments_per_second: total.assignments as f64 / times.median_seconds,
            times,
        });
    }
    summaries
}

fn write_csv(file: OutputFile, runs: &[&Run], machine: &Machine) -> anyhow::Result<()> {
    let columns = [
        "backend",
        "run",
        "seconds",
        "gpu_seconds",
        "method",
        "doves",
        "threads",
        "date",
        "version",
        "commit",
        "system",
        "cpu",
        "cores",
        "adapter",
        "driver",
    ];
    let Machine { host, threads, adapter, driver, .. } = machine;
    let record = |run: &&Run| {
        let of_gpu =
            |text: &Option<String>| text.clone().filter(|_| run.backend == BackendName::Gpu).unwrap_or_default();
        [
            run.backend.text().to_owned(),
            run.run.to_string(),
            run.seconds.to_string(),
            run.gpu_seconds.map(|seconds| seconds.to_string()).unwrap_or_default(),
            run.method.to_owned(),
            run.doves.clone(),
            threads.to_string(),
            host.date.clone(),
            host.version.to_owned(),
            host.commit.unwrap_or_default().to_owned(),
            host.system.clone(),
            host.cpu.clone(),
            host.cores.to_string(),
            of_gpu(adapter),
            of_gpu(driver),
        ]
    };
    file.finish_csv(&columns, runs.iter().map(record))
}

fn print(arguments: &Arguments, outcomes: &[Outcome], machine: &Machine) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for Outcome { method, tally, summaries, .. } in outcomes {
        let total = tally.total();
        writeln!(
            out,
            "{} method, {} doves: {} mates, {} assignments on {} boss placements",
            method_name(*method),
            summaries[0].doves,
            grouped(total.positions),
            grouped(total.assignments),
            grouped(total.boss_placements)
        )?;
    }
    let heads = [
        "method",
        "doves",
        "on",
        "median",
        "minimum",
        "maximum",
        "runs",
        "GPU time",
        "start-up",
        "assignments/s",
        "ratio",
    ];
    let mut table = Table::new(&heads);
    for summary in outcomes.iter().flat_map(|outcome| &outcome.summaries) {
        table.add_cells(cells(summary));
    }
    writeln!(out, "\n{table}")?;
    // Both methods have the same reason, unless only one of them fails the self-test.
    let mut reasons: Vec<&NoGpu> = outcomes.iter().filter_map(|outcome| outcome.no_gpu.as_ref()).collect();
    reasons.dedup();
    for reason in &reasons {
        writeln!(out, "no GPU used: {}", advised(reason))?;
    }
    if let Some(gpu) = &machine.gpu {
        let with_cpu = outcomes.iter().all(|outcome| outcome.summaries.len() > 1);
        let totals = if with_cpu { ", and its totals are those of the CPU" } else { "" };
        writeln!(out, "{}", in_two_lines(gpu))?;
        let which = if reasons.is_empty() { "by each method above" } else { "by one of the methods above" };
        writeln!(out, "tested  it has passed its self-test {which}{totals}")?;
    }
    let exhaustive = || outcomes.iter().filter(|outcome| outcome.method == Method::Exhaustive);
    let on_gpu = exhaustive().flat_map(|outcome| &outcome.summaries).find(|it| it.backend == BackendName::Gpu);
    let is_refused = exhaustive().any(|outcome| outcome.no_gpu.is_some());
    let gpu = machine.gpu.as_ref().filter(|_| !is_refused);
    // What was not measured says nothing about the default, nor does a GPU that was named.
    let is_default = arguments.backends.is_empty() && arguments.adapter.is_none();
    if let Some(auto) = auto(gpu, on_gpu.map(|summary| summary.assignments_per_second), is_default) {
        writeln!(out, "auto    {auto}")?;
    }
    writeln!(out, "\nFor a report, all in one line:\n{}", in_one_line(outcomes, machine, &reasons))?;
    Ok(out.flush()?)
}

/// A row of the table.
fn cells(summary: &Summary) -> [String; 11] {
    let seconds = |seconds: f64| format!("{seconds:.4} s");
    let Times { runs, median_seconds, minimum_seconds, maximum_seconds, start_up_seconds, .. } = summary.times;
    let gpu_time = match (summary.backend, summary.times.median_gpu_seconds) {
        (BackendName::Cpu, _) => "–".to_owned(),
        (BackendName::Gpu, time) => time.map_or("not known".to_owned(), seconds),
    };
    [
        summary.method.to_owned(),
        summary.doves.clone(),
        summary.name.clone(),
        seconds(median_seconds),
        seconds(minimum_seconds),
        seconds(maximum_seconds),
        runs.to_string(),
        gpu_time,
        format!("{} ({:.0} %)", seconds(start_up_seconds), 100.0 * summary.times.start_up_share),
        grouped(summary.assignments_per_second as u64),
        format!("{:.2}", summary.times.ratio),
    ]
}

/// What `count` and `solve` do on this machine by default; `speed` is the GPU's assignments a second by the exhaustive
/// method. `None` if that is not known, as what was measured is not the default.
fn auto(gpu: Option<&AdapterDescription>, speed: Option<f64>, is_default: bool) -> Option<String> {
    match gpu {
        Some(gpu) if gpu.is_software => return Some(SOFTWARE.to_owned()),
        _ if !is_default => return None,
        None => return Some("count and solve take the CPU".to_owned()),
        Some(_) => {}
    }
    let all = Workload::new(&ALL_DOVES, Category::Mates).assignments();
    let (assignments, patience) = (grouped(all), PATIENCE.as_secs());
    let confirmed = match speed.map(|speed| all as f64 / speed) {
        None => format!("this GPU tests all {assignments} assignments if that takes at most {patience} s"),
        Some(time) if time <= PATIENCE.as_secs_f64() => {
            format!("this GPU tests all {assignments} assignments, in about {time:.1} s")
        }
        Some(time) => format!(
            "this GPU does not test all {assignments} assignments, as that takes about {time:.0} s, more than {patience}"
        ),
    };
    Some(format!(
        "count takes the CPU by the factored method, and {confirmed}; solve takes this GPU if the game fits on it"
    ))
}

/// All that a bug report needs, in one line.
fn in_one_line(outcomes: &[Outcome], machine: &Machine, reasons: &[&NoGpu]) -> String {
    let gpu = match (&machine.gpu, reasons) {
        (Some(gpu), _) => in_a_line(gpu),
        (None, [reason, ..]) => format!("no GPU: {reason}"),
        (None, []) => "GPU not measured".to_owned(),
    };
    let of_summary = |summary: &Summary| {
        let Times { median_seconds, median_gpu_seconds, start_up_seconds, .. } = summary.times;
        match summary.backend {
            BackendName::Cpu => format!("CPU {median_seconds:.4} s"),
            BackendName::Gpu => {
                let time = median_gpu_seconds.map_or("not known".to_owned(), |time| format!("{time:.4} s"));
                format!("GPU {median_seconds:.4} s (its time {time}, start-up {start_up_seconds:.2} s)")
            }
        }
    };
    let of_method = |outcome: &Outcome| {
        let times: Vec<String> = outcome.summaries.iter().map(of_summary).collect();
        format!("{} {}: {}", method_name(outcome.method), outcome.summaries[0].doves, times.join(", "))
    };
    let Host { cpu, cores, system, .. } = &machine.host;
    let host = format!("{cpu}, {cores} cores, {} threads, {system}", machine.threads);
    let parts = [program(), gpu, host].into_iter().chain(outcomes.iter().map(of_method));
    parts.collect::<Vec<_>>().join(" | ")
}

impl Machine {
    fn now() -> Machine {
        let busy = Host::busy();
        Machine { host: Host::now(), threads: 0, adapter: None, driver: None, gpu: None, busy }
    }

    fn note(&mut self, adapter: &Option<AdapterDescription>, threads: usize) {
        self.threads = threads;
        if let Some(adapter) = adapter {
            self.adapter = Some(adapter.name.clone());
            self.driver = Some(adapter.driver.clone());
            self.gpu = Some(adapter.clone());
        }
    }

    fn name(&self, backend: BackendName) -> String {
        match (backend, &self.adapter, self.threads) {
            (BackendName::Gpu, Some(adapter), _) => adapter.clone(),
            (_, _, threads) => cpu_threads(threads),
        }
    }
}

impl BackendName {
    pub(super) fn backend(self) -> Backend {
        match self {
            BackendName::Cpu => Backend::Cpu,
            BackendName::Gpu => Backend::Gpu,
        }
    }

    fn text(self) -> &'static str {
        match self {
            BackendName::Cpu => "cpu",
            BackendName::Gpu => "gpu",
        }
    }
}

impl Bout {
    fn doves_text(&self) -> String {
        format!("{}..{}", self.doves.start(), self.doves.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half an hour for all assignments is too long, half a minute is not.
    #[test]
    fn auto_is_as_patient_as_count() {
        let gpu = |is_software| AdapterDescription {
            index: 0,
            card: 0,
            name: "a GPU".to_owned(),
            backend: "Vulkan".to_owned(),
            kind: if is_software { "software" } else { "discrete GPU" },
            driver: String::new(),
            is_software,
            largest_buffer: 1 << 27,
            memory: None,
        };
        assert_eq!(auto(None, None, true).as_deref(), Some("count and solve take the CPU"));
        assert_eq!(auto(Some(&gpu(true)), Some(1e12), false).as_deref(), Some(SOFTWARE));
        assert_eq!((auto(None, None, false), auto(Some(&gpu(false)), Some(1e10), false)), (None, None));
        for (speed, told) in [
            (None, "tests all 104,674,309,040 assignments if"),
            (Some(1e10), "tests all 104,674,309,040 assignments, in about 10.5 s"),
            (Some(1e9), "does not test all 104,674,309,040 assignments, as that takes about 105 s"),
        ] {
            let auto = auto(Some(&gpu(false)), speed, true).expect("it is the default");
            assert!(auto.contains(told) && auto.contains("solve takes this GPU"), "{auto}");
        }
    }
}
