//! `dovemate count`: counts mates, wins in one or stuck positions by number of doves.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::io::about_gpu::advised;
use crate::io::failure::Failure;
use crate::io::output::{OutputFile, open_exports};
use crate::io::progress::Progress;
use crate::io::run_columns::{COLUMNS, RunColumns, method_name};
use crate::io::tally_table::{FORMAT, row_document, table};
use crate::io::text_table::{cpu_threads, grouped, seconds};
use crate::options::game::GameArguments;
use crate::options::job::JobArguments;
use crate::options::parse::named;
use dovemate::count::tally::{ALL_DOVES, Comparison, Row, Tally};
use dovemate::count::{Category, Method, Question};
use dovemate::gpu::AdapterDescription;
use dovemate::rules::{Color, Game, Rules};
use dovemate::run::count::game::{self, GameReport, GameTally};
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

/// The files of `--csv` and `--json`.
type Files = (Option<OutputFile>, Option<OutputFile>);

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

    /// Refuses combinations that make no sense. Returns the job, and the game if dove sets are given.
    fn checked(&self) -> Result<(Job, Option<Game>), Failure> {
        self.job.place.check()?;
        let mut job = self.job();
        let game = self.game.named().filter(|game| *game != Game::whole(game.rules));
        if let Some(game) = &game {
            self.job.check_cpu_only("a game with fewer doves (--kinds, --red, --green)")?;
            job.doves = doves_of(game, &job.doves)?;
        }
        Ok((job, game))
    }

    /// Writes the table to the files that were asked for.
    fn write(
        &self,
        (csv, json): Files,
        tallies: &[GameTally],
        method: Method,
        document: impl Serialize,
    ) -> Result<(), Failure> {
        let rows = || tallies.iter().flat_map(|of| of.tally.rows.iter().map(|row| (of.mover, row)));
        match csv {
            Some(file) if self.with_run => {
                let run = RunColumns { category: self.what, method, game: self.game.game() };
                file.finish_csv(&COLUMNS, rows().map(|(mover, row)| run.record(mover, row)))?;
            }
            Some(file) => {
                // The mover is named only where it makes a difference.
                let mover = (tallies.len() > 1).then_some("mover");
                let columns: Vec<&str> = mover.into_iter().chain(Row::columns(self.what)).collect();
                let cells = |(mover, row): (Option<Color>, &Row)| {
                    let mover = mover.map(|mover| mover.name().to_owned());
                    mover.into_iter().chain(row.numbers().map(|number| number.to_string())).collect::<Vec<_>>()
                };
                file.finish_csv(&columns, rows().map(cells))?;
            }
            None => {}
        }
        Ok(json.map_or(Ok(()), |file| file.finish_json(&document))?)
    }
}

/// The numbers of doves of a game to count. The default, 2 to 12, is cut to the most doves that the game has.
fn doves_of(game: &Game, doves: &RangeInclusive<u32>) -> Result<RangeInclusive<u32>, Failure> {
    let most = game.most_doves();
    let end = if *doves == ALL_DOVES { most } else { *doves.end() };
    if end > most {
        return Err(Failure::Usage(format!(
            "--doves goes up to {end}, but with these dove sets there are at most {most} doves on the board, bosses included"
        )));
    }
    Ok(*doves.start()..=end)
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

    fn say(&self, message: &str) {
        self.progress.say(message);
    }

    fn warn(&self, message: &str) {
        self.progress.warn(message);
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (job, game) = arguments.checked()?;
    let files = open_exports(&arguments.csv, &arguments.json)?;
    match game {
        Some(game) => count_game(arguments, &job, &game, files),
        None => count(arguments, &job, files),
    }
}

/// Counts positions of Tokyo Doves itself.
fn count(arguments: &Arguments, job: &Job, files: Files) -> Result<(), Failure> {
    let watch = Watch { progress: Progress::new(arguments.quiet), shown: Mutex::new(None) };
    let report = run::count(job, &watch);
    watch.progress.finish();
    let report = report?;
    let comparison = report.tally.compare(arguments.game.rules.rules());

    let tallies = [GameTally { mover: None, tally: report.tally.clone() }];
    let document = Document::of(arguments, &tallies, &report, comparison);
    arguments.write(files, &tallies, report.method, document)?;
    // Files are written even if nobody reads the table any more.
    let shown = watch.shown.into_inner().unwrap_or_else(PoisonError::into_inner).transpose()?;
    let mut out = io::stdout().lock();
    if shown.is_none() {
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

/// Counts positions of a game with fewer doves, on the CPU.
fn count_game(arguments: &Arguments, job: &Job, game: &Game, files: Files) -> Result<(), Failure> {
    let progress = Progress::new(arguments.quiet);
    let report = game::run(job, game, &progress);
    progress.finish();
    let GameReport { tallies, threads, counting } = report?;

    let method = job.question.method;
    let document = Document::of_tallies(arguments, &tallies, method, threads, counting);
    // Keys are sorted here, but not for the whole game: both keep the order that they have always had.
    let document = serde_json::to_value(document).map_err(anyhow::Error::from)?;
    arguments.write(files, &tallies, method, document)?;
    let mut out = io::stdout().lock();
    for GameTally { mover, tally } in &tallies {
        if let Some(mover) = mover {
            writeln!(out, "{} to move", mover.name())?;
        }
        writeln!(out, "{}", table(tally))?;
    }
    writeln!(
        out,
        "{} with {} against {} – no figure is published for this\ncounted on {} with the {} method in {}; games with \
         dove sets are counted on the CPU only",
        grouped(total(&tallies)),
        game.red,
        game.green,
        cpu_threads(threads),
        method_name(method),
        seconds(counting)
    )?;
    Ok(out.flush()?)
}

fn total(tallies: &[GameTally]) -> u64 {
    tallies.iter().map(|of| of.tally.total().positions).sum()
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
    rules: Rules,
    red: String,
    green: String,
    backend: &'static str,
    #[serde(flatten)]
    gpu: Option<GpuDocument<'a>>,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_up_seconds: Option<f64>,
    counting_seconds: f64,
    what: &'static str,
    rows: Vec<serde_json::Value>,
    total: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees_with_published: Option<Option<bool>>,
}

/// What a GPU did. Games with fewer doves have none of these fields.
#[derive(Serialize)]
struct GpuDocument<'a> {
    adapter: Option<AdapterDocument<'a>>,
    /// Boss placements counted on the GPU.
    boss_placements_on_gpu: usize,
    gpu_failure: Option<String>,
    /// Boss placements counted on the GPU and on the CPU.
    boss_placements_compared: usize,
    /// A GPU's count that confirms the CPU's factored count.
    confirmation: Option<ConfirmationDocument<'a>>,
    no_gpu: Option<String>,
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
    /// The fields that all counts have.
    fn of_tallies<'a>(
        arguments: &Arguments,
        tallies: &[GameTally],
        method: Method,
        threads: usize,
        counting: Duration,
    ) -> Document<'a> {
        let game = arguments.game.game();
        let rows = tallies.iter().flat_map(|of| of.tally.rows.iter().map(move |row| (of, row)));
        Document {
            format: FORMAT,
            program: env!("CARGO_BIN_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("DOVEMATE_COMMIT"),
            method: method_name(method),
            rules: arguments.game.rules.rules(),
            red: game.red.to_string(),
            green: game.green.to_string(),
            backend: "cpu",
            gpu: None,
            threads,
            start_up_seconds: None,
            counting_seconds: counting.as_secs_f64(),
            what: arguments.what.name(),
            rows: rows.map(|(of, row)| row_document(of.mover, row, of.tally.category)).collect(),
            total: total(tallies),
            agrees_with_published: None,
        }
    }

    fn of<'a>(
        arguments: &Arguments,
        tallies: &[GameTally],
        report: &'a Report,
        comparison: Comparison,
    ) -> Document<'a> {
        Document {
            backend: match (&report.adapter, &report.failure) {
                (Some(_), None) => "gpu",
                (Some(_), Some(_)) if report.on_gpu > 0 => "gpu and cpu",
                _ => "cpu",
            },
            gpu: Some(GpuDocument {
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
            }),
            start_up_seconds: Some(report.start_up.as_secs_f64()),
            agrees_with_published: Some(match comparison {
                Comparison::Agrees => Some(true),
                Comparison::Contradicts(_) => Some(false),
                Comparison::Unpublished => None,
            }),
            ..Document::of_tallies(arguments, tallies, report.method, report.threads, report.counting)
        }
    }
}

impl AdapterDocument<'_> {
    fn new(adapter: &AdapterDescription) -> AdapterDocument<'_> {
        AdapterDocument { name: &adapter.name, backend: &adapter.backend, kind: adapter.kind, driver: &adapter.driver }
    }
}
