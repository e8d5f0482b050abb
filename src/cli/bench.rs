//! `dovemate bench`: the backends side by side in one process.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::count::MethodName;
use super::host::Host;
use super::output::{OutputFile, check_distinct};
use super::progress::Progress;
use super::table::grouped;
use super::values::parse_doves;
use super::{Failure, complain};
use dovemate::gpu::{AdapterDescription, Adapters, Selection};
use dovemate::mates::{Question, What};
use dovemate::rules::Rules;
use dovemate::run::{Backend, Job, Runner};
use dovemate::tally::Tally;

/// Measure how fast the backends count all mates, side by side.
///
/// Every backend is made ready and warmed up first; then they take turns, so that a machine that is busy now and then is busy for
/// all of them. Nothing is reported if they count differently. The GPU's own time is measured by its timestamps, where it has
/// them.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate bench\n  dovemate bench --backends cpu --method exhaustive --doves 2..8 --runs 5"
)]
pub struct Arguments {
    /// What to measure, in this order [default: cpu, and gpu if there is one or --adapter names one]
    #[arg(long, value_enum, value_delimiter = ',')]
    backends: Vec<BackendName>,
    /// The GPU: an index from `dovemate adapters`, or a part of a name
    #[arg(long, value_name = "N or NAME")]
    adapter: Option<Selection>,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in 2..12
    #[arg(long, value_name = "N or N..N", default_value = "2..12", value_parser = parse_doves)]
    doves: RangeInclusive<u32>,
    /// How assignments are decided
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    /// CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Measured runs of each backend
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    runs: u16,
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

/// One measured run.
#[derive(Clone, Serialize)]
struct Run {
    backend: BackendName,
    run: u16,
    seconds: f64,
    gpu_seconds: Option<f64>,
}

/// A backend's runs, summed up.
#[derive(Serialize)]
struct Summary {
    backend: BackendName,
    name: String,
    start_up_seconds: f64,
    median_seconds: f64,
    minimum_seconds: f64,
    maximum_seconds: f64,
    median_gpu_seconds: Option<f64>,
    boss_placements_per_second: f64,
    assignments_per_second: f64,
    /// How many times as fast as the first backend, by medians.
    ratio: f64,
}

/// Where and with what it was measured.
#[derive(Clone, Serialize)]
struct Machine {
    date: String,
    version: &'static str,
    commit: Option<&'static str>,
    system: String,
    cpu: String,
    cores: usize,
    threads: usize,
    adapter: Option<String>,
    driver: Option<String>,
    method: MethodName,
    doves: String,
}

/// A backend made ready.
struct Contender<'a> {
    name: BackendName,
    runner: Runner<'a>,
    runs: Vec<Run>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    check_distinct(&arguments.csv, &arguments.json)?;
    let csv = arguments.csv.as_deref().map(OutputFile::open).transpose()?;
    let json = arguments.json.as_deref().map(OutputFile::open).transpose()?;
    let jobs: Vec<(BackendName, Job)> =
        backends(arguments)?.into_iter().map(|backend| (backend, job(arguments, backend))).collect();
    let progress = Progress::new(true);
    let mut contenders = Vec::new();
    for (name, job) in &jobs {
        let runner = Runner::new(job, &progress)?;
        contenders.push(Contender { name: *name, runner, runs: Vec::new() });
    }

    let mut expected: Option<Tally> = None;
    let mut machine = Machine::of(arguments);
    // Run 0 warms up: caches, compiled shaders, the GPU's batch sizes.
    for run in 0..=arguments.runs {
        for contender in &mut contenders {
            if !arguments.quiet {
                let which = if run == 0 { "warm-up".to_owned() } else { format!("run {run} of {}", arguments.runs) };
                complain(format_args!("{}: {which}", contender.name.text()));
            }
            let report = contender.runner.run(&progress);
            if let Some(failure) = report.failure {
                return Err(Failure::Failed(anyhow!("the GPU failed, so nothing is measured: {failure}")));
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
                    run,
                    seconds: report.counting.as_secs_f64(),
                    gpu_seconds: report.device_time.as_ref().map(Duration::as_secs_f64),
                });
            }
        }
    }
    let tally = expected.expect("at least one backend has run");
    let summaries = summaries(&contenders, &tally, &machine);
    let runs: Vec<Run> = contenders.into_iter().flat_map(|contender| contender.runs).collect();
    if let Some(file) = csv {
        file.finish(|writer| write_csv(writer, &runs, &machine))?;
    }
    if let Some(file) = json {
        let document = serde_json::json!({ "machine": machine, "summaries": summaries, "runs": runs });
        file.finish(|writer| writeln!(writer, "{document:#}"))?;
    }
    print(&summaries, &tally, &machine)
}

/// The backends that are asked for, or that there are.
fn backends(arguments: &Arguments) -> Result<Vec<BackendName>, Failure> {
    let mut backends = arguments.backends.clone();
    if backends.is_empty() {
        backends.push(BackendName::Cpu);
        if arguments.adapter.is_some() || !Adapters::find().hardware().is_empty() {
            backends.push(BackendName::Gpu);
        }
    }
    if (1..backends.len()).any(|place| backends[..place].contains(&backends[place])) {
        return Err(Failure::Usage("--backends names one backend twice; name each once, as in cpu,gpu".to_owned()));
    }
    if let (Some(adapter), false) = (&arguments.adapter, backends.contains(&BackendName::Gpu)) {
        let message =
            format!("--adapter {adapter} is of no use without gpu among --backends; add it or leave out --adapter");
        return Err(Failure::Usage(message));
    }
    Ok(backends)
}

fn job(arguments: &Arguments, backend: BackendName) -> Job {
    let question = Question { what: What::Mates, rules: Rules::default(), method: arguments.method.method() };
    Job {
        doves: arguments.doves.clone(),
        question,
        backend: match backend {
            BackendName::Cpu => Backend::Cpu,
            BackendName::Gpu => Backend::Gpu,
        },
        adapter: arguments.adapter.clone().filter(|_| backend == BackendName::Gpu),
        threads: arguments.threads.map(usize::from),
        fault: None,
    }
}

fn summaries(contenders: &[Contender], tally: &Tally, machine: &Machine) -> Vec<Summary> {
    let total = tally.total();
    let seconds = |contender: &Contender| sorted(contender.runs.iter().map(|run| run.seconds));
    let reference = median(&seconds(&contenders[0]));
    let summary = |contender: &Contender| {
        let seconds = seconds(contender);
        let gpu_seconds = sorted(contender.runs.iter().filter_map(|run| run.gpu_seconds));
        let median_seconds = median(&seconds);
        Summary {
            backend: contender.name,
            name: machine.name(contender.name),
            start_up_seconds: contender.runner.start_up().as_secs_f64(),
            median_seconds,
            minimum_seconds: seconds[0],
            maximum_seconds: seconds[seconds.len() - 1],
            median_gpu_seconds: (!gpu_seconds.is_empty()).then(|| median(&gpu_seconds)),
            boss_placements_per_second: total.boss_placements as f64 / median_seconds,
            assignments_per_second: total.assignments as f64 / median_seconds,
            ratio: reference / median_seconds,
        }
    };
    contenders.iter().map(summary).collect()
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Of sorted values, at least one.
fn median(values: &[f64]) -> f64 {
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

fn write_csv(writer: &mut dyn Write, runs: &[Run], machine: &Machine) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(writer);
    let header = [
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
    csv.write_record(header)?;
    for run in runs {
        let gpu = run.backend == BackendName::Gpu;
        let of_gpu = |text: &Option<String>| text.clone().filter(|_| gpu).unwrap_or_default();
        csv.write_record([
            run.backend.text().to_owned(),
            run.run.to_string(),
            run.seconds.to_string(),
            run.gpu_seconds.map(|seconds| seconds.to_string()).unwrap_or_default(),
            machine.method.text(),
            machine.doves.clone(),
            machine.threads.to_string(),
            machine.date.clone(),
            machine.version.to_owned(),
            machine.commit.unwrap_or_default().to_owned(),
            machine.system.clone(),
            machine.cpu.clone(),
            machine.cores.to_string(),
            of_gpu(&machine.adapter),
            of_gpu(&machine.driver),
        ])?;
    }
    csv.flush()
}

fn print(summaries: &[Summary], tally: &Tally, machine: &Machine) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let total = tally.total();
    writeln!(
        out,
        "{} mates, {} assignments on {} boss placements, {} method",
        grouped(total.positions),
        grouped(total.assignments),
        grouped(total.boss_placements),
        machine.method.text()
    )?;
    for summary in summaries {
        writeln!(out, "\n{}", summary.name)?;
        writeln!(
            out,
            "  median     {:.4} s   (minimum {:.4} s, maximum {:.4} s)",
            summary.median_seconds, summary.minimum_seconds, summary.maximum_seconds
        )?;
        if summary.backend == BackendName::Gpu {
            let text =
                summary.median_gpu_seconds.map_or("not known, no timestamps".to_owned(), |time| format!("{time:.4} s"));
            writeln!(out, "  GPU time   {text}")?;
        }
        writeln!(out, "  start-up   {:.4} s", summary.start_up_seconds)?;
        writeln!(
            out,
            "  decided    {} assignments and {} boss placements a second",
            grouped(summary.assignments_per_second as u64),
            grouped(summary.boss_placements_per_second as u64)
        )?;
        writeln!(out, "  ratio      {:.2} × {}", summary.ratio, summaries[0].name)?;
    }
    writeln!(out, "\n{}, {} cores, {}; dovemate {}", machine.cpu, machine.cores, machine.system, machine.version)?;
    Ok(out.flush()?)
}

impl Machine {
    fn of(arguments: &Arguments) -> Machine {
        let Host { date, commit, system, cpu, cores } = Host::now();
        Machine {
            date,
            version: env!("CARGO_PKG_VERSION"),
            commit,
            system,
            cpu,
            cores,
            threads: 0,
            adapter: None,
            driver: None,
            method: arguments.method,
            doves: format!("{}..{}", arguments.doves.start(), arguments.doves.end()),
        }
    }

    fn note(&mut self, adapter: &Option<AdapterDescription>, threads: usize) {
        self.threads = threads;
        if let Some(adapter) = adapter {
            self.adapter = Some(adapter.name.clone());
            self.driver = Some(adapter.driver.clone());
        }
    }

    fn name(&self, backend: BackendName) -> String {
        match (backend, &self.adapter, self.threads) {
            (BackendName::Gpu, Some(adapter), _) => adapter.clone(),
            (_, _, 1) => "1 CPU thread".to_owned(),
            (_, _, threads) => format!("{threads} CPU threads"),
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
