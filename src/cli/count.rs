//! `dovemate count`: how many mates, wins in one or stuck positions there are, by number of doves.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::game::GameArguments;
use super::job::JobArguments;
use super::output::{OutputFile, check_distinct};
use super::progress::Progress;
use super::rules::RuleArguments;
use super::table::{Table, grouped, seconds};
use super::{Failure, count_game};
use dovemate::gpu::{Fault, FaultKind, FaultPlace};
use dovemate::mates::{Method, Question, What};
use dovemate::run::{self, Job, Report};
use dovemate::tally::{Comparison, Row, Tally};

/// Count all mates, or wins in one, by number of doves on the board.
///
/// A mate is a position in which every action of the mover that does not lose by itself lets the opponent win at once, and
/// there is such an action. Positions are counted up to symmetry and from the mover's side. Every position is decided; nothing
/// is sampled.
#[derive(Args)]
#[command(after_help = "Examples:\n  dovemate count\n  dovemate count --doves 2..8 --backend cpu --csv mates.csv\n  \
                  dovemate count --kinds AYM\n  dovemate count --what wins --red AY --green MT")]
pub struct Arguments {
    /// What to count: mates, wins in one, or positions in which every action loses by itself (or there is none)
    #[arg(long, value_enum, default_value_t)]
    what: WhatName,
    #[command(flatten)]
    job: JobArguments,
    /// How assignments are decided: with permanents, or every single one in turn
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    #[command(flatten)]
    game: GameArguments,
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
enum WhatName {
    #[default]
    Mates,
    Wins,
    Stuck,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodName {
    #[default]
    Factored,
    Exhaustive,
}

impl MethodName {
    /// The method of this name.
    pub fn method(self) -> Method {
        match self {
            MethodName::Factored => Method::Factored,
            MethodName::Exhaustive => Method::Exhaustive,
        }
    }

    /// As it is written on the command line.
    pub fn text(self) -> String {
        self.to_possible_value().expect("no method is skipped").get_name().to_owned()
    }
}

impl Arguments {
    fn job(&self) -> Job {
        let question = Question {
            what: match self.what {
                WhatName::Mates => What::Mates,
                WhatName::Wins => What::Wins,
                WhatName::Stuck => What::Stuck,
            },
            rules: self.game.rules.rules(),
            method: self.method.method(),
        };
        Job { fault: self.inject_fault, ..self.job.job(question) }
    }

    /// Refuses combinations that make no sense.
    fn check(&self) -> Result<(), Failure> {
        self.job.check()?;
        if let Some(game) = self.game.named() {
            self.job.check_cpu_only("a game with fewer doves (--kinds, --red, --green)")?;
            count_game::doves_of(&game, &self.job.doves)?;
        }
        check_distinct(&self.csv, &self.json)
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.check()?;
    let open = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::open).transpose();
    let csv = open(&arguments.csv)?;
    let json = open(&arguments.json)?;
    if let Some(game) = arguments.game.named() {
        let Question { what, method, .. } = arguments.job().question;
        let job = count_game::Job {
            game,
            what,
            method,
            method_name: arguments.method.text(),
            doves: &arguments.job.doves,
            threads: arguments.job().threads,
            quiet: arguments.quiet,
        };
        return count_game::run(&job, csv, json);
    }

    let progress = Progress::new(arguments.quiet);
    let report = run::run(&arguments.job(), &progress);
    progress.finish();
    let report = report?;
    let comparison = report.tally.compare(arguments.game.rules.rules());

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
            grouped(report.tally.total().positions),
            grouped(published)
        ))),
        _ => Ok(()),
    }
}

/// The tally as a table for people.
fn table(tally: &Tally) -> String {
    let mut table = Table::new(&["doves", "shapes", "boss placements", "assignments", tally.what.name()]);
    let mut add = |name: String, row: &Row| {
        table.add(name, &[row.shapes, row.boss_placements, row.assignments, row.positions]);
    };
    for row in &tally.rows {
        add(row.doves.to_string(), row);
    }
    if tally.rows.len() > 1 {
        add("total".to_owned(), &tally.total());
    }
    table.to_string()
}

/// What it comes to, what ran where, and how long.
fn summary(arguments: &Arguments, report: &Report, comparison: Comparison) -> String {
    let total = grouped(report.tally.total().positions);
    let mut text = match comparison {
        Comparison::Agrees => format!("{total} – agrees with the published figure\n"),
        Comparison::Contradicts(published) => {
            format!("{total} – CONTRADICTS the published figure, {}\n", grouped(published))
        }
        Comparison::Unpublished => format!("{total} – no figure is published for this\n"),
    };
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
        arguments.method.text(),
        seconds(report.counting),
        seconds(report.start_up)
    );
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "the GPU failed: {failure}");
    }
    text
}

/// The JSON export.
#[derive(Serialize)]
struct Document<'a> {
    program: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
    method: MethodName,
    rules: RuleArguments,
    backend: &'static str,
    adapter: Option<AdapterDocument<'a>>,
    /// Boss placements counted on the GPU, of all.
    boss_placements_on_gpu: usize,
    gpu_failure: Option<String>,
    threads: usize,
    start_up_seconds: f64,
    counting_seconds: f64,
    what: &'static str,
    rows: Vec<serde_json::Value>,
    total: u64,
    agrees_with_published: Option<bool>,
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
            rules: arguments.game.rules,
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
            what: report.tally.what.name(),
            rows: report.tally.rows.iter().map(|row| row_document(row, report.tally.what)).collect(),
            total: report.tally.total().positions,
            agrees_with_published: match comparison {
                Comparison::Agrees => Some(true),
                Comparison::Contradicts(_) => Some(false),
                Comparison::Unpublished => None,
            },
        }
    }
}

/// A row with the names of the CSV's columns.
fn row_document(row: &Row, what: What) -> serde_json::Value {
    serde_json::json!({
        "doves": row.doves,
        "shapes": row.shapes,
        "boss_placements": row.boss_placements,
        "assignments": row.assignments,
        what.name(): row.positions,
    })
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
