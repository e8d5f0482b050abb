//! `dovemate count`: how many mates there are, by number of doves.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use serde::Serialize;

use super::Failure;
use super::output::{OutputFile, resolved};
use super::progress::Progress;
use dovemate::gpu::{Fault, FaultKind, FaultPlace, Selection};
use dovemate::mates::Method;
use dovemate::rules::{BothSurrounded, Rules};
use dovemate::run::{self, Backend, Job, Report, RunError};
use dovemate::tally::{ALL_DOVES, Comparison, Row, Tally};

/// Count all mates, by number of doves on the board.
///
/// A mate is a position, counted up to symmetry and from the mover's side, in which every action of the mover that does not
/// lose by itself lets the opponent win at once. Every position is decided; nothing is sampled.
#[derive(Args)]
#[command(after_help = "Examples:\n  dovemate count\n  dovemate count --doves 2..8 --backend cpu --csv mates.csv")]
pub struct Arguments {
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in 2..12
    #[arg(long, value_name = "N or N..N", default_value = "2..12", value_parser = parse_doves)]
    doves: RangeInclusive<u32>,
    /// Where to count; auto takes a hardware GPU if one passes its self-test, else the CPU
    #[arg(long, value_enum, default_value_t)]
    backend: BackendName,
    /// The GPU to use: an index from `dovemate adapters`, or a part of a name
    #[arg(long, value_name = "N or NAME")]
    adapter: Option<Selection>,
    /// CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How assignments are decided: with permanents, or every single one in turn
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    /// Without the optional rule that doves may be returned to the hand
    #[arg(long)]
    no_return: bool,
    /// The ruling on an action that surrounds both bosses
    #[arg(long, value_enum, default_value_t)]
    both_surrounded: RulingName,
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table and how it was made as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
    /// Let the GPU fail, to see that the CPU finishes
    #[arg(long, hide = true, value_name = "KIND@PLACE", value_parser = parse_fault)]
    inject_fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum BackendName {
    #[default]
    Auto,
    Cpu,
    Gpu,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum MethodName {
    #[default]
    Factored,
    Exhaustive,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum RulingName {
    #[default]
    MoverLoses,
    MoverWins,
    Draw,
}

impl Arguments {
    fn rules(&self) -> Rules {
        let both_surrounded = match self.both_surrounded {
            RulingName::MoverLoses => BothSurrounded::MoverLoses,
            RulingName::MoverWins => BothSurrounded::MoverWins,
            RulingName::Draw => BothSurrounded::Draw,
        };
        Rules { returns: !self.no_return, both_surrounded }
    }

    fn job(&self) -> Job {
        Job {
            doves: self.doves.clone(),
            rules: self.rules(),
            method: match self.method {
                MethodName::Factored => Method::Factored,
                MethodName::Exhaustive => Method::Exhaustive,
            },
            backend: match self.backend {
                BackendName::Auto => Backend::Auto,
                BackendName::Cpu => Backend::Cpu,
                BackendName::Gpu => Backend::Gpu,
            },
            adapter: self.adapter.clone(),
            threads: self.threads.map(usize::from),
            fault: self.inject_fault,
        }
    }

    /// Refuses combinations that make no sense.
    fn check(&self) -> Result<(), Failure> {
        if let (BackendName::Cpu, Some(adapter)) = (self.backend, &self.adapter) {
            let message =
                format!("--backend cpu uses no adapter, but --adapter {adapter} names one; leave out one of the two");
            return Err(Failure::Usage(message));
        }
        if self.csv.is_some() && self.csv.as_deref().map(resolved) == self.json.as_deref().map(resolved) {
            return Err(Failure::Usage("--csv and --json name the same file; give each its own".to_owned()));
        }
        Ok(())
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.check()?;
    let open = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::open).transpose();
    let csv = open(&arguments.csv)?;
    let json = open(&arguments.json)?;

    let progress = Progress::new(arguments.quiet);
    let report = run::run(&arguments.job(), &progress);
    progress.finish();
    let report = report.map_err(|error| match error {
        RunError::Selection(error) => Failure::Usage(format!("--adapter: {error}")),
        other => Failure::Failed(anyhow!(other)),
    })?;
    let comparison = report.tally.compare(arguments.rules());

    if let Some(file) = csv {
        file.finish(|writer| report.tally.write_csv(writer))?;
    }
    if let Some(file) = json {
        let document = Document::new(arguments, &report, comparison);
        file.finish(|writer| {
            serde_json::to_writer_pretty(&mut *writer, &document)?;
            writeln!(writer)
        })?;
    }
    let mut out = io::stdout().lock();
    write!(out, "{}\n{}", table(&report.tally), summary(arguments, &report, comparison))?;
    out.flush()?;
    match comparison {
        Comparison::Contradicts(published) => Err(Failure::Contradiction(format!(
            "{} mates contradict the published {}; please report this with the adapter's and the program's version",
            HumanCount(report.tally.total().mates),
            HumanCount(published)
        ))),
        _ => Ok(()),
    }
}

/// The tally as a table for people.
fn table(tally: &Tally) -> String {
    let cells = |name: String, row: &Row| {
        [name, grouped(row.shapes), grouped(row.boss_placements), grouped(row.assignments), grouped(row.mates)]
    };
    let header = ["doves", "shapes", "boss placements", "assignments", "mates"].map(str::to_owned);
    let rows = tally.rows.iter().map(|row| cells(row.doves.to_string(), row));
    let total = (tally.rows.len() > 1).then(|| cells("total".to_owned(), &tally.total()));
    let lines: Vec<[String; 5]> = std::iter::once(header).chain(rows).chain(total).collect();

    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: [usize; 5] = std::array::from_fn(width);
    let mut table = String::new();
    for line in lines {
        let padded: Vec<String> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        table += &padded.join("  ");
        table += "\n";
    }
    table
}

/// What it comes to, what ran where, and how long.
fn summary(arguments: &Arguments, report: &Report, comparison: Comparison) -> String {
    let mates = grouped(report.tally.total().mates);
    let mut text = match comparison {
        Comparison::Agrees => format!("{mates} – agrees with the published figure\n"),
        Comparison::Contradicts(published) => {
            format!("{mates} – CONTRADICTS the published figure, {}\n", grouped(published))
        }
        Comparison::Unpublished => format!("{mates} – no figure is published for this\n"),
    };
    let method = arguments.method.to_possible_value().expect("no method is skipped");
    let threads = match report.threads {
        1 => "1 CPU thread".to_owned(),
        threads => format!("{threads} CPU threads"),
    };
    let place = match &report.adapter {
        None => threads,
        Some(adapter) if report.failure.is_none() => adapter.name.clone(),
        Some(adapter) => {
            let (gpu, all) = (grouped(report.on_gpu as u64), grouped(report.placements as u64));
            format!("{}, which failed after {gpu} of {all} boss placements, and {threads}", adapter.name)
        }
    };
    let _ = writeln!(
        text,
        "counted on {place} with the {} method in {}, start-up {}",
        method.get_name(),
        seconds(report.counting),
        seconds(report.start_up)
    );
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "the GPU failed: {failure}");
    }
    text
}

fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}

/// The JSON export.
#[derive(Serialize)]
struct Document<'a> {
    program: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
    method: MethodName,
    rules: RulesDocument,
    backend: &'static str,
    adapter: Option<AdapterDocument<'a>>,
    /// Boss placements counted on the GPU, of all.
    boss_placements_on_gpu: usize,
    gpu_failure: Option<String>,
    threads: usize,
    start_up_seconds: f64,
    counting_seconds: f64,
    rows: &'a [Row],
    total_mates: u64,
    agrees_with_published: Option<bool>,
}

#[derive(Serialize)]
struct RulesDocument {
    returns: bool,
    both_surrounded: RulingName,
}

#[derive(Serialize)]
struct AdapterDocument<'a> {
    name: &'a str,
    backend: &'a str,
    kind: &'a str,
    driver: &'a str,
}

impl Document<'_> {
    fn new<'a>(arguments: &Arguments, report: &'a Report, comparison: Comparison) -> Document<'a> {
        Document {
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("DOVEMATE_COMMIT"),
            method: arguments.method,
            rules: RulesDocument { returns: !arguments.no_return, both_surrounded: arguments.both_surrounded },
            backend: match (&report.adapter, &report.failure) {
                (None, _) => "cpu",
                (Some(_), None) => "gpu",
                (Some(_), Some(_)) => "gpu and cpu",
            },
            adapter: report.adapter.as_ref().map(|adapter| AdapterDocument {
                name: &adapter.name,
                backend: &adapter.backend,
                kind: adapter.kind,
                driver: &adapter.driver,
            }),
            boss_placements_on_gpu: report.on_gpu,
            gpu_failure: report.failure.as_ref().map(ToString::to_string),
            threads: report.threads,
            start_up_seconds: report.start_up.as_secs_f64(),
            counting_seconds: report.counting.as_secs_f64(),
            rows: &report.tally.rows,
            total_mates: report.tally.total().mates,
            agrees_with_published: match comparison {
                Comparison::Agrees => Some(true),
                Comparison::Contradicts(_) => Some(false),
                Comparison::Unpublished => None,
            },
        }
    }
}

fn parse_doves(text: &str) -> Result<RangeInclusive<u32>, String> {
    let form = "write one number from 2 to 12, as in 7, or a range with both ends, as in 2..12";
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("'{text}' is no number of doves; {form}"));
    let (first, last) =
        text.split_once("..").map_or((text, text), |(first, last)| (first, last.trim_start_matches('=')));
    let (first, last) = (number(first)?, number(last)?);
    if let Some(outside) = [first, last].into_iter().find(|doves| !ALL_DOVES.contains(doves)) {
        return Err(format!("there are never {outside} doves on the board; {form}"));
    }
    if first > last {
        return Err(format!("the range is empty; write {last}..{first}"));
    }
    Ok(first..=last)
}

fn parse_fault(text: &str) -> Result<Fault, String> {
    let (kind, place) = text.split_once('@').ok_or("write KIND@PLACE, as in lost@middle")?;
    let kind = match kind {
        "lost" => FaultKind::Lost,
        "undone" => FaultKind::Undone,
        "excess" => FaultKind::Excess,
        "wrong" => FaultKind::Wrong,
        _ => return Err("kinds are lost, undone, excess and wrong".to_owned()),
    };
    let place = match place {
        "first" => FaultPlace::First,
        "middle" => FaultPlace::Middle,
        "last" => FaultPlace::Last,
        _ => return Err("places are first, middle and last".to_owned()),
    };
    Ok(Fault { kind, place })
}
