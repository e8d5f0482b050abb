//! `dovemate count`: counts mates, wins in one or stuck positions by number of doves.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::count_game;
use crate::cli::io::about_gpu::advised;
use crate::cli::io::failure::Failure;
use crate::cli::io::output::{OutputFile, check_distinct};
use crate::cli::io::progress::Progress;
use crate::cli::io::run_columns::{RunColumns, method_name};
use crate::cli::io::tally_table::{FORMAT, row_document, table};
use crate::cli::io::text_table::{cpu_threads, grouped, seconds};
use crate::cli::options::game::GameArguments;
use crate::cli::options::job::JobArguments;
use crate::cli::options::parse::named;
use crate::cli::options::rules::RuleArguments;
use dovemate::count::tally::{Comparison, Tally};
use dovemate::count::{Category, Method, Question};
use dovemate::gpu::AdapterDescription;
use dovemate::run::{self, Confirmation, Job, Observer, Report};

/// Count all mates, wins in one or stuck positions.
///
/// In a mate, the mover has an action that does not lose outright, and after every such action the opponent can win at
/// once. Positions are counted up to symmetry and from the mover's side. Every position is decided; nothing is sampled.
#[derive(Args)]
#[command(after_help = "Examples:\n  dovemate count\n  dovemate count --doves 2..8 --backend cpu --csv mates.csv\n  \
                  dovemate count --kinds AYM\n  dovemate count --what wins --red AY --green MT\n  \
                  dovemate count --kinds AY --csv ay.csv --with-run")]
pub struct Arguments {
    /// What to count: mates, wins in one, or stuck positions, in which every action loses outright or there is none
    #[arg(long, default_value_t = Category::Mates, value_parser = named::<Category>(Category::ALL.map(Category::name)))]
    what: Category,
    #[command(flatten)]
    job: JobArguments,
    /// How to count: factored uses permanents, exhaustive tests every assignment. auto counts by the factored method on
    /// the CPU and confirms the count on a hardware GPU, or the one of --adapter, by the exhaustive method or else the
    /// factored one, if that is forecast to take at most half a minute
    #[arg(long, value_enum, default_value_t)]
    method: MethodChoice,
    #[command(flatten)]
    game: GameArguments,
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Begin each row of the CSV with version, what was counted, method, dove sets, rules and mover, and name the last
    /// column positions, so that files of several runs can be joined
    #[arg(long, requires = "csv")]
    with_run: bool,
    /// Write the table and how it was made as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// A method, or the choice of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum MethodChoice {
    #[default]
    Auto,
    Factored,
    Exhaustive,
}

impl Arguments {
    fn job(&self) -> Job {
        let question = Question {
            category: self.what,
            rules: self.game.rules.rules(),
            method: match self.method {
                MethodChoice::Auto | MethodChoice::Factored => Method::Factored,
                MethodChoice::Exhaustive => Method::Exhaustive,
            },
        };
        let mut job = self.job.job(question);
        job.chooses_method = self.method == MethodChoice::Auto;
        job
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

/// Shows progress, and the table as soon as it is complete.
struct Watch {
    progress: Progress,
    /// The result of writing the table, if it was written.
    shown: Mutex<Option<io::Result<()>>>,
}

impl Observer for Watch {
    fn begin(&self, assignments: u64) {
        self.progress.begin(assignments);
    }

    fn advance(&self, assignments: u64) {
        self.progress.advance(assignments);
    }

    fn counted(&self, tally: &Tally) {
        self.progress.finish();
        let mut out = io::stdout().lock();
        let result = write!(out, "{}", table(tally)).and_then(|()| out.flush());
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    fn warn(&self, message: &str) {
        self.progress.warn(message);
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.check()?;
    let open = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::open).transpose();
    let csv = open(&arguments.csv)?;
    let json = open(&arguments.json)?;
    if let Some(game) = arguments.game.named() {
        let Question { category, method, .. } = arguments.job().question;
        let job = count_game::Job {
            game,
            category,
            method,
            doves: &arguments.job.doves,
            threads: arguments.job().threads,
            quiet: arguments.quiet,
            has_run_columns: arguments.with_run,
        };
        return count_game::run(&job, csv, json);
    }

    let watch = Watch { progress: Progress::new(arguments.quiet), shown: Mutex::new(None) };
    let report = run::count(&arguments.job(), &watch);
    watch.progress.finish();
    let shown = watch.shown.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The table has been shown, even if what follows fails.
    let shown = shown.transpose()?.is_some();
    let report = report?;
    let comparison = report.tally.compare(arguments.game.rules.rules());

    if let Some(file) = csv {
        let Tally { category, rows, .. } = &report.tally;
        let run = RunColumns { category: *category, method: report.method, game: arguments.game.game() };
        file.finish(&mut |writer| match arguments.with_run {
            true => run.write(rows.iter().map(|row| (None, row)), writer),
            false => report.tally.write_csv(writer),
        })?;
    }
    if let Some(file) = json {
        let document = Document::new(arguments, &report, comparison);
        file.finish(&mut |writer| {
            serde_json::to_writer_pretty(&mut *writer, &document)?;
            writeln!(writer)
        })?;
    }
    let mut out = io::stdout().lock();
    if !shown {
        write!(out, "{}", table(&report.tally))?;
    }
    write!(out, "\n{}", summary(&report, comparison))?;
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

/// The total, what ran where, what checked it, and the times.
fn summary(report: &Report, comparison: Comparison) -> String {
    let total = grouped(report.tally.total().positions);
    let mut text = match comparison {
        Comparison::Agrees => format!("{total} – agrees with the published figure\n"),
        Comparison::Contradicts(published) => {
            format!("{total} – CONTRADICTS the published figure, {}\n", grouped(published))
        }
        Comparison::Unpublished => format!("{total} – no figure is published for this\n"),
    };
    let all = grouped(report.placements as u64);
    let threads = cpu_threads(report.threads);
    let place = match (&report.adapter, &report.failure) {
        (None, _) => threads,
        (Some(adapter), None) => adapter.name.clone(),
        (Some(adapter), Some(failure)) if failure.is_loss() => {
            let on_gpu = grouped(report.on_gpu as u64);
            format!("{}, which failed after {on_gpu} of {all} boss placements, and {threads}", adapter.name)
        }
        (Some(adapter), Some(_)) => format!("{threads}, as nothing that {} counted is believed", adapter.name),
    };
    let _ = writeln!(
        text,
        "counted on {place} with the {} method in {}, start-up {}",
        method_name(report.method),
        seconds(report.counting),
        seconds(report.start_up)
    );
    if report.on_gpu > 0 {
        let _ = match report.compared {
            compared if compared == report.placements => {
                writeln!(text, "checked against the CPU's factored count on every one of {all} boss placements")
            }
            compared => writeln!(
                text,
                "checked against the CPU's factored count on {} of {all} boss placements",
                grouped(compared as u64)
            ),
        };
    }
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "{}", failure.told_of("the GPU"));
    }
    if let Some(confirmation) = &report.confirmation {
        text += &confirmed(confirmation, report.placements);
    }
    if let Some(no_gpu) = &report.no_gpu {
        let _ = writeln!(text, "no GPU used: {}", advised(no_gpu));
    }
    text
}

/// The result of the confirming count.
fn confirmed(confirmation: &Confirmation, placements: usize) -> String {
    let Confirmation { adapter, failure, counting, .. } = confirmation;
    let (agreeing, all) = (grouped(confirmation.placements as u64), grouped(placements as u64));
    let tested = match confirmation.method {
        Method::Exhaustive => format!("each of {} assignments tested, and ", grouped(confirmation.assignments)),
        Method::Factored => String::new(),
    };
    match failure {
        None => format!(
            "confirmed on {} with the {} method in {}: {tested}the same count on every one of {all} boss placements\n",
            adapter.name,
            method_name(confirmation.method),
            seconds(*counting)
        ),
        Some(failure) if failure.is_loss() => {
            format!("confirmed on {agreeing} of {all} boss placements; then {}\n", failure.told_of(&adapter.name))
        }
        Some(failure) => format!("not confirmed, as {}\n", failure.told_of(&adapter.name)),
    }
}

/// The JSON export.
#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    program: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
    method: &'static str,
    rules: RuleArguments,
    red: String,
    green: String,
    backend: &'static str,
    adapter: Option<AdapterDocument<'a>>,
    /// Boss placements counted on the GPU.
    boss_placements_on_gpu: usize,
    gpu_failure: Option<String>,
    /// Boss placements counted on the GPU and on the CPU.
    boss_placements_compared: usize,
    /// A GPU's count that confirms the CPU's factored count.
    confirmation: Option<ConfirmationDocument<'a>>,
    no_gpu: Option<String>,
    threads: usize,
    start_up_seconds: f64,
    counting_seconds: f64,
    what: &'static str,
    rows: Vec<serde_json::Value>,
    total: u64,
    agrees_with_published: Option<bool>,
}

#[derive(Serialize)]
struct ConfirmationDocument<'a> {
    adapter: AdapterDocument<'a>,
    method: &'static str,
    boss_placements: usize,
    assignments: u64,
    gpu_failure: Option<String>,
    counting_seconds: f64,
    gpu_seconds: Option<f64>,
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
            format: FORMAT,
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("DOVEMATE_COMMIT"),
            method: method_name(report.method),
            rules: arguments.game.rules,
            red: arguments.game.game().red.to_string(),
            green: arguments.game.game().green.to_string(),
            backend: match (&report.adapter, &report.failure) {
                (None, _) => "cpu",
                (Some(_), None) => "gpu",
                (Some(_), Some(_)) if report.on_gpu > 0 => "gpu and cpu",
                (Some(_), Some(_)) => "cpu",
            },
            adapter: report.adapter.as_ref().map(AdapterDocument::new),
            boss_placements_on_gpu: report.on_gpu,
            gpu_failure: report.failure.as_ref().map(ToString::to_string),
            boss_placements_compared: report.compared,
            confirmation: report.confirmation.as_ref().map(|confirmation| ConfirmationDocument {
                adapter: AdapterDocument::new(&confirmation.adapter),
                method: method_name(confirmation.method),
                boss_placements: confirmation.placements,
                assignments: confirmation.assignments,
                gpu_failure: confirmation.failure.as_ref().map(ToString::to_string),
                counting_seconds: confirmation.counting.as_secs_f64(),
                gpu_seconds: confirmation.device_time.as_ref().map(Duration::as_secs_f64),
            }),
            no_gpu: report.no_gpu.as_ref().map(ToString::to_string),
            threads: report.threads,
            start_up_seconds: report.start_up.as_secs_f64(),
            counting_seconds: report.counting.as_secs_f64(),
            what: report.tally.category.name(),
            rows: report.tally.rows.iter().map(|row| row_document(row, report.tally.category)).collect(),
            total: report.tally.total().positions,
            agrees_with_published: match comparison {
                Comparison::Agrees => Some(true),
                Comparison::Contradicts(_) => Some(false),
                Comparison::Unpublished => None,
            },
        }
    }
}

impl AdapterDocument<'_> {
    fn new(adapter: &AdapterDescription) -> AdapterDocument<'_> {
        AdapterDocument { name: &adapter.name, backend: &adapter.backend, kind: adapter.kind, driver: &adapter.driver }
    }
}
