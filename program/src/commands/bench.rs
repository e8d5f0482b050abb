//! `dovemate bench`: measures the backends side by side in one process, in counting or in solving.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::solve::usual_game;
use crate::io::about_gpu::{ONLY_IF_NAMED, advised, in_a_line, in_two_lines, program};
use crate::io::failure::{Failure, complain};
use crate::io::host::Host;
use crate::io::output::{OutputFile, open_exports};
use crate::io::progress::{Progress, Rounds};
use crate::io::run_columns::method_name;
use crate::io::streams;
use crate::io::text_table::{TextTable, cpu_threads, grouped};
use crate::io::times::{Times, median, turns};
use crate::options::game::GameArguments;
use crate::options::memory_limit::{MemoryLimit, OpenOptions};
use crate::options::parse::{number, parse_doves};
use crate::options::threads::ThreadArguments;
use dovemate::internals::count::tally::{ALL_DOVES, Tally, Workload};
use dovemate::internals::count::{Category, Method};
use dovemate::internals::gpu::{AdapterDescription, GpuError, Selection};
use dovemate::internals::run::{Backend, NoGpu, PATIENCE, RunError, Runner};
use dovemate::internals::solve::solved::Solution;
use dovemate::internals::solve::{self, Options, Round};
use dovemate::rules::{Game, Rules};
use dovemate::{Count, Solve};

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
/// Memory for a solve, which is in memory and knows all distances.
const IN_MEMORY: OpenOptions = OpenOptions { names_gpu: false, may_use_files: false, may_drop_distances: false };

/// Measure CPU and GPU side by side.
///
/// Every backend is started and warmed up first; then they take turns, so that other load on the machine slows all of
/// them alike. If their results differ, nothing is reported. GPU time is measured by the GPU's timestamps, if it has
/// them. Without options, the CPU is measured by the factored method, and CPU and GPU are compared by the exhaustive one
/// on up to 9 doves, within a minute. The last line sums everything up for a report.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate bench\n  dovemate bench --backends cpu --method exhaustive --doves 2..8 --runs 5\n  \
                  dovemate bench --solve --kinds AYT"
)]
pub struct Arguments {
    /// Backends to measure, in this order [default: cpu, and gpu if one can be used]
    #[arg(long, value_enum, value_delimiter = ',')]
    backends: Vec<BackendName>,
    /// Measure the solver instead, on the game with the given dove sets [default: A Y M for both]
    #[arg(long, conflicts_with_all = ["doves", "method"])]
    solve: bool,
    #[command(flatten)]
    game: GameArguments,
    /// The GPU to use: an index from `dovemate adapters`, or part of a name
    #[arg(long, value_name = "N or NAME")]
    adapter: Option<Selection>,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in 2..12
    /// [default: 2..12, for the exhaustive method 2..9]
    #[arg(long, value_name = "N or N..N", value_parser = parse_doves)]
    doves: Option<RangeInclusive<u32>>,
    /// The method of counting; a GPU has the exhaustive one only [default: both, one after the other]
    #[arg(long, value_enum)]
    method: Option<MethodName>,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum BackendName {
    Cpu,
    Gpu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    Factored,
    Exhaustive,
}

/// What is measured.
enum Bout {
    /// Counting mates with these numbers of doves.
    Count(Method, RangeInclusive<u32>),
    /// Solving a game in memory, with all distances, within a limit.
    Solve(Game, MemoryLimit),
}

/// A backend that takes part in a bout.
struct Contender<'a> {
    name: BackendName,
    work: Prepared<'a>,
    runs: Vec<Run>,
    start_ups: Vec<f64>,
}

/// What a contender has prepared.
enum Prepared<'a> {
    Count(Box<Runner<'a>>),
    Solve(Game, Backend, Option<Selection>, MemoryLimit),
}

/// The result of one run.
struct FinishedRun {
    result: BenchResult,
    adapter: Option<AdapterDescription>,
    seconds: Duration,
    gpu_seconds: Option<Duration>,
    start_up: Duration,
}

/// What was counted or solved.
#[derive(Clone, PartialEq)]
enum BenchResult {
    Count(Tally),
    Solve { solution: Solution, rounds: u32 },
}

/// One measured run.
#[derive(Clone, Serialize)]
struct Run {
    backend: BackendName,
    method: String,
    doves: String,
    run: u16,
    seconds: f64,
    gpu_seconds: Option<f64>,
}

/// A backend's runs in a bout, summed up.
#[derive(Serialize)]
struct Summary {
    backend: BackendName,
    method: String,
    doves: String,
    name: String,
    #[serde(flatten)]
    times: Times,
    #[serde(skip_serializing_if = "Option::is_none")]
    boss_placements_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignments_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions_per_second: Option<f64>,
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

/// The result of a bout.
struct Measured {
    bout: Bout,
    found: BenchResult,
    summaries: Vec<Summary>,
    runs: Vec<Run>,
    no_gpu: Option<NoGpu>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    check_backends(arguments)?;
    if !arguments.solve && (arguments.game.named().is_some() || arguments.game.rules.rules() != Rules::default()) {
        return Err(Failure::Usage(
            "bench takes dove sets and rules only for the solver; add --solve or leave them out".to_owned(),
        ));
    }
    let bouts = bouts(arguments)?;
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    let pool = arguments.threads.pool()?;
    let mut machine = Machine::now(pool.current_num_threads());
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
        write_csv(file, &runs, &machine)?;
    }
    if let Some(file) = json {
        let summaries: Vec<&Summary> = measured.iter().flat_map(|measured| &measured.summaries).collect();
        file.finish_json(&serde_json::json!({
            "format": FORMAT, "machine": machine, "summaries": summaries, "runs": runs
        }))?;
    }
    print(arguments, &measured, &machine)
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

/// The bouts to measure: without options, counting by both methods.
fn bouts(arguments: &Arguments) -> Result<Vec<Bout>, Failure> {
    if arguments.solve {
        let game = arguments.game.named().unwrap_or_else(|| usual_game(arguments.game.rules.rules()));
        let memory = MemoryLimit::of(None);
        let needed = solve::memory(&game, Options { distances: true });
        memory.check(&game, needed, &IN_MEMORY).map_err(Failure::Usage)?;
        return Ok(vec![Bout::Solve(game, memory)]);
    }
    let has_cpu = arguments.backends.is_empty() || arguments.backends.contains(&BackendName::Cpu);
    if arguments.method == Some(MethodName::Factored) && !has_cpu {
        return Err(Failure::Usage(
            "the factored method counts on the CPU only; write --method exhaustive, or add cpu to --backends"
                .to_owned(),
        ));
    }
    let factored = Bout::Count(Method::Factored, arguments.doves.clone().unwrap_or(ALL_DOVES));
    let exhaustive = Bout::Count(Method::Exhaustive, arguments.doves.clone().unwrap_or(EXHAUSTIVE_DOVES));
    Ok(match arguments.method {
        None if has_cpu => vec![factored, exhaustive],
        Some(MethodName::Factored) => vec![factored],
        None | Some(MethodName::Exhaustive) => vec![exhaustive],
    })
}

/// Lets the backends take turns.
fn measure(arguments: &Arguments, bout: Bout, machine: &mut Machine) -> Result<Measured, Failure> {
    let progress = Progress::without_bar(arguments.quiet);
    let mut contenders = Vec::new();
    let mut no_gpu = None;
    for (name, backend) in backends(arguments, &bout) {
        match Prepared::new(arguments, &bout, backend, &progress)? {
            Ok(work) => contenders.push(Contender { name, work, runs: Vec::new(), start_ups: Vec::new() }),
            // The GPU was optional.
            Err(reason) => no_gpu = Some(reason),
        }
    }

    let mut expected: Option<BenchResult> = None;
    let most = arguments.runs.unwrap_or(RUNS);
    // Run 0 warms up caches, compiled shaders and the GPU's batch sizes.
    for run in turns(arguments.runs, RUNS, ENOUGH) {
        for contender in &mut contenders {
            if !arguments.quiet {
                let which = if run == 0 { "warm-up".to_owned() } else { format!("run {run} of {most}") };
                complain(format_args!("{}, {}: {which}", contender.name.text(), bout.method()));
            }
            let finished = match contender.work.run(arguments.quiet)? {
                Ok(finished) => finished,
                Err(reason) => {
                    // The GPU was optional.
                    no_gpu = Some(reason);
                    continue;
                }
            };
            let expected = expected.get_or_insert_with(|| finished.result.clone());
            if *expected != finished.result {
                return Err(Failure::Contradiction(format!(
                    "{} finds {} where {} were found before; nothing is reported",
                    contender.name.text(),
                    finished.result.text(),
                    expected.text()
                )));
            }
            machine.note(finished.adapter);
            contender.start_ups.push(finished.start_up.as_secs_f64());
            if run > 0 {
                contender.runs.push(Run {
                    backend: contender.name,
                    method: bout.method(),
                    doves: bout.doves(),
                    run,
                    seconds: finished.seconds.as_secs_f64(),
                    gpu_seconds: finished.gpu_seconds.as_ref().map(Duration::as_secs_f64),
                });
            }
        }
        contenders.retain(|contender| no_gpu.is_none() || contender.name == BackendName::Cpu);
    }
    let found = expected.expect("at least one backend has run");
    let summaries = summaries(&bout, &contenders, &found, machine);
    let runs = contenders.into_iter().flat_map(|contender| contender.runs).collect();
    Ok(Measured { bout, found, summaries, runs, no_gpu })
}

/// The given backends; if none are given, the CPU and a GPU if there is one. No GPU counts by the factored method.
fn backends(arguments: &Arguments, bout: &Bout) -> Vec<(BackendName, Backend)> {
    let named = &arguments.backends;
    let backends = if named.is_empty() { &[BackendName::Cpu, BackendName::Gpu][..] } else { named };
    let is_cpu_only = matches!(bout, Bout::Count(Method::Factored, _));
    let backend = |&name: &BackendName| match name {
        BackendName::Cpu => Some((name, Backend::Cpu)),
        BackendName::Gpu if is_cpu_only => None,
        BackendName::Gpu => Some((name, if named.is_empty() { Backend::Auto } else { Backend::Gpu })),
    };
    backends.iter().filter_map(backend).collect()
}

impl<'a> Prepared<'a> {
    /// Prepares a backend, or says why there is no GPU for it.
    fn new(
        arguments: &Arguments,
        bout: &Bout,
        backend: Backend,
        progress: &'a Progress,
    ) -> Result<Result<Prepared<'a>, NoGpu>, Failure> {
        let adapter = arguments.adapter.clone().filter(|_| backend != Backend::Cpu);
        match bout {
            Bout::Count(method, doves) => {
                let count = Count::mates().method(*method).doves(doves.clone()).threads(arguments.threads.number());
                let runner = Runner::new(&count.on(backend, adapter).observer(progress))?;
                Ok(runner.no_gpu().cloned().map_or_else(|| Ok(Prepared::Count(Box::new(runner))), Err))
            }
            Bout::Solve(game, memory) => Ok(Ok(Prepared::Solve(*game, backend, adapter, *memory))),
        }
    }

    /// One run, or why there is no GPU for it.
    fn run(&mut self, quiet: bool) -> Result<Result<FinishedRun, NoGpu>, Failure> {
        let failed = |failure: &Option<GpuError>| failure.as_ref().map_or(Ok(()), |it| Err(Failure::of_measuring(it)));
        match self {
            Prepared::Count(runner) => {
                let report = runner.run();
                let on_gpu = report.confirmation;
                if let Some(on_gpu) = &on_gpu {
                    failed(&on_gpu.failure)?;
                }
                Ok(Ok(FinishedRun {
                    result: BenchResult::Count(report.tally),
                    seconds: report.counting,
                    gpu_seconds: on_gpu.as_ref().and_then(|on_gpu| on_gpu.device_time),
                    adapter: on_gpu.map(|on_gpu| on_gpu.adapter),
                    start_up: report.start_up,
                }))
            }
            Prepared::Solve(game, backend, adapter, memory) => {
                let watch = Rounds::without_bar(quiet);
                let solve = Solve::new(*game).on(*backend, adapter.clone()).within(memory.bounds()).measured();
                let report = solve.observer(&watch).report(&|_: Round| ());
                watch.finish();
                let report = report.map_err(|error| match error {
                    RunError::Halted(halted) => Failure::Failed(anyhow!(memory.halted(game, &halted, &IN_MEMORY))),
                    error => error.into(),
                })?;
                if let (None, Some(reason)) = (&report.gpu, report.no_gpu) {
                    return Ok(Err(reason));
                }
                if let Some(gpu) = &report.gpu {
                    failed(&gpu.failure)?;
                }
                let (solution, rounds) = (report.solved.solution().clone(), report.solved.rounds());
                Ok(Ok(FinishedRun {
                    result: BenchResult::Solve { solution, rounds },
                    seconds: report.solving,
                    gpu_seconds: report.gpu.as_ref().and_then(|gpu| gpu.device_time),
                    adapter: report.gpu.map(|gpu| gpu.adapter),
                    start_up: report.start_up,
                }))
            }
        }
    }
}

impl BenchResult {
    fn text(&self) -> String {
        match self {
            BenchResult::Count(tally) => format!("{} mates", grouped(tally.total().positions)),
            BenchResult::Solve { solution, rounds } => {
                format!("{} positions in {rounds} rounds", grouped(solution.count(|_| true)))
            }
        }
    }
}

impl Bout {
    fn method(&self) -> String {
        match self {
            Bout::Count(method, _) => method_name(*method).to_owned(),
            Bout::Solve(game, _) => format!("solve {game}"),
        }
    }

    fn doves(&self) -> String {
        match self {
            Bout::Count(_, doves) => format!("{}..{}", doves.start(), doves.end()),
            Bout::Solve(game, _) => format!("2..{}", game.most_doves()),
        }
    }
}

fn summaries(bout: &Bout, contenders: &[Contender], found: &BenchResult, machine: &Machine) -> Vec<Summary> {
    let mut summaries: Vec<Summary> = Vec::new();
    for contender in contenders {
        let seconds: Vec<f64> = contender.runs.iter().map(|run| run.seconds).collect();
        let gpu_seconds: Vec<f64> = contender.runs.iter().filter_map(|run| run.gpu_seconds).collect();
        let start_up = median(&contender.start_ups).expect("it has run");
        let times = Times::of(&seconds, &gpu_seconds, start_up, summaries.first().map(|first| &first.times));
        let a_second = |number: u64| Some(number as f64 / times.median_seconds);
        let (placements, assignments, positions) = match found {
            BenchResult::Count(tally) => {
                (a_second(tally.total().boss_placements), a_second(tally.total().assignments), None)
            }
            BenchResult::Solve { solution, .. } => (None, None, a_second(solution.count(|_| true))),
        };
        summaries.push(Summary {
            backend: contender.name,
            method: bout.method(),
            doves: bout.doves(),
            name: machine.name(contender.name),
            boss_placements_per_second: placements,
            assignments_per_second: assignments,
            positions_per_second: positions,
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
            run.method.clone(),
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

fn print(arguments: &Arguments, all: &[Measured], machine: &Machine) -> Result<(), Failure> {
    let mut out = streams::stdout();
    for Measured { bout, found, .. } in all {
        match (bout, found) {
            (Bout::Count(method, _), BenchResult::Count(tally)) => {
                let total = tally.total();
                writeln!(
                    out,
                    "{} method, {} doves: {} mates, {} assignments on {} boss placements",
                    method_name(*method),
                    bout.doves(),
                    grouped(total.positions),
                    grouped(total.assignments),
                    grouped(total.boss_placements)
                )?;
            }
            _ => writeln!(out, "{}: {}", bout.method(), found.text())?,
        }
    }
    let rate = if arguments.solve { "positions/s" } else { "assignments/s" };
    let mut table = TextTable::new(&[
        "method", "doves", "on", "median", "minimum", "maximum", "runs", "GPU time", "start-up", rate, "ratio",
    ]);
    for summary in all.iter().flat_map(|measured| &measured.summaries) {
        table.add_cells(cells(summary));
    }
    writeln!(out, "\n{table}")?;
    let no_gpu = all.iter().find_map(|measured| measured.no_gpu.as_ref());
    if let Some(reason) = no_gpu {
        writeln!(out, "no GPU used: {}", advised(reason))?;
    }
    let exhaustive = || all.iter().filter(|measured| !matches!(measured.bout, Bout::Count(Method::Factored, _)));
    if let Some(gpu) = &machine.gpu {
        writeln!(out, "{}", in_two_lines(gpu))?;
        let checked = match arguments.solve {
            true => "and samples of every round by the literal rules",
            false => "and its count on every boss placement is the CPU's",
        };
        writeln!(out, "tested  it has passed its self-test, {checked}")?;
    }
    let on_gpu = exhaustive().flat_map(|measured| &measured.summaries).find(|it| it.backend == BackendName::Gpu);
    // What was not measured says nothing about the default, nor does a GPU that was named.
    let is_default = arguments.backends.is_empty() && arguments.adapter.is_none() && exhaustive().next().is_some();
    let speed = on_gpu.and_then(|summary| summary.assignments_per_second);
    if let Some(auto) = auto(machine.gpu.as_ref(), speed, is_default) {
        writeln!(out, "auto    {auto}")?;
    }
    writeln!(out, "\nFor a report, all in one line:\n{}", in_one_line(all, machine, no_gpu))?;
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
        summary.method.clone(),
        summary.doves.clone(),
        summary.name.clone(),
        seconds(median_seconds),
        seconds(minimum_seconds),
        seconds(maximum_seconds),
        runs.to_string(),
        gpu_time,
        format!("{} ({:.0} %)", seconds(start_up_seconds), 100.0 * summary.times.start_up_share),
        grouped(summary.assignments_per_second.or(summary.positions_per_second).unwrap_or(0.0) as u64),
        format!("{:.2}", summary.times.ratio),
    ]
}

/// What `count` and `solve` do on this machine by default; `speed` is the GPU's assignments a second, if it has
/// counted. `None` if that is not known, as what was measured is not the default.
fn auto(gpu: Option<&AdapterDescription>, speed: Option<f64>, is_default: bool) -> Option<String> {
    match gpu {
        Some(gpu) if gpu.is_only_for_names() => return Some(ONLY_IF_NAMED.to_owned()),
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
            "this GPU tests as many numbers of doves as take {patience} s, since all {assignments} assignments take about \
             {time:.0} s"
        ),
    };
    Some(format!(
        "count takes the CPU, and {confirmed}; solve takes this GPU for games that \
         take the CPU long, if they fit on it and it was faster in its self-test"
    ))
}

/// All that a bug report needs, in one line.
fn in_one_line(all: &[Measured], machine: &Machine, no_gpu: Option<&NoGpu>) -> String {
    let gpu = match (&machine.gpu, no_gpu) {
        (Some(gpu), _) => in_a_line(gpu),
        (None, Some(reason)) => format!("no GPU: {reason}"),
        (None, None) => "GPU not measured".to_owned(),
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
    let of_bout = |measured: &Measured| {
        let times: Vec<String> = measured.summaries.iter().map(of_summary).collect();
        format!("{} {}: {}", measured.bout.method(), measured.bout.doves(), times.join(", "))
    };
    let Host { cpu, cores, system, .. } = &machine.host;
    let host = format!("{cpu}, {cores} cores, {} threads, {system}", machine.threads);
    let parts = [program(), gpu, host].into_iter().chain(all.iter().map(of_bout));
    parts.collect::<Vec<_>>().join(" | ")
}

impl Machine {
    fn now(threads: usize) -> Machine {
        let busy = Host::busy();
        Machine { host: Host::now(), threads, adapter: None, driver: None, gpu: None, busy }
    }

    fn note(&mut self, adapter: Option<AdapterDescription>) {
        if let Some(adapter) = adapter {
            self.adapter = Some(adapter.name.clone());
            self.driver = Some(adapter.driver.clone());
            self.gpu = Some(adapter);
        }
    }

    fn name(&self, backend: BackendName) -> String {
        match (backend, &self.adapter) {
            (BackendName::Gpu, Some(adapter)) => adapter.clone(),
            _ => cpu_threads(self.threads),
        }
    }
}

impl BackendName {
    fn text(self) -> &'static str {
        match self {
            BackendName::Cpu => "cpu",
            BackendName::Gpu => "gpu",
        }
    }
}
