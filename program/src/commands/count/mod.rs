//! `dovemate count`: counts mates, wins in one or stuck positions by number of doves.

mod document;

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use serde::Serialize;

use crate::io::about_gpu::advised;
use crate::io::failure::Failure;
use crate::io::output::{OutputFile, open_exports};
use crate::io::progress::Progress;
use crate::io::streams;
use crate::io::text_table::{TextTable, cpu_threads, grouped, seconds};
use crate::options::game::{GameArguments, doves_of};
use crate::options::job::JobArguments;
use crate::options::parse::named;
use document::CountDocument;
use dovemate::Count;
use dovemate::internals::count::tally::{ALL_DOVES, Comparison, Tally, TallyRow};
use dovemate::internals::count::{Category, Method};
use dovemate::internals::run::count::game::{self, GameReport, GameTally};
use dovemate::internals::run::{Confirmation, Observer, Report};
use dovemate::rules::{Color, Game};

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
    /// How to count: factored uses permanents, on the CPU; exhaustive tests every assignment, on either. auto counts by
    /// the factored method and confirms the count by the exhaustive one on a hardware GPU, or the one of --adapter: all
    /// numbers of doves, or as many as are forecast to take at most half a minute
    #[arg(long, default_value = AUTO, value_parser = [AUTO, Method::Factored.name(), Method::Exhaustive.name()])]
    method: String,
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
type Exports = (Option<OutputFile>, Option<OutputFile>);

/// Where no method is named.
const AUTO: &str = "auto";

/// The columns with `--with-run`. A column says what was counted, so the last one is always `positions`.
const WITH_RUN: &str = "version,what,method,red,green,returns,both_surrounded,mover,doves,shapes,boss_placements,\
                        assignments,positions";

impl Arguments {
    /// Refuses combinations that make no sense. Returns what is to be counted, and the game if dove sets are given.
    fn checked(&self) -> Result<(Count<'static>, Option<Game>), Failure> {
        self.job.place.check()?;
        let method: Option<Method> = self.method.parse().ok();
        if method == Some(Method::Factored) {
            self.job.place.check_cpu_only("--method factored", ", or write --method exhaustive")?;
        }
        let count = self.job.count(self.what).rules(self.game.rules.rules());
        let count = match method {
            Some(method) => count.method(method),
            None => count,
        };
        let Some(game) = self.game.named().filter(|game| *game != Game::whole(game.rules)) else {
            return Ok((count, None));
        };
        self.job.place.check_cpu_only("a game with fewer doves (--kinds, --red, --green)", "")?;
        let doves = doves_of(&game, Some(&self.job.doves).filter(|doves| **doves != ALL_DOVES))?;
        Ok((count.doves(doves), Some(game)))
    }

    /// Writes the table to the files that were asked for.
    fn write(
        &self,
        (csv, json): Exports,
        tallies: &[GameTally],
        method: Method,
        document: impl Serialize,
    ) -> Result<(), Failure> {
        let rows = || tallies.iter().flat_map(|of| of.tally.rows.iter().map(|row| (of.mover, row)));
        match csv {
            Some(file) if self.with_run => {
                let Game { red, green, rules } = self.game.game();
                let sets = [red, green].map(|set| set.to_string());
                let returns = if rules.returns { "yes" } else { "no" };
                let run = (env!("CARGO_PKG_VERSION"), self.what.name(), method.name());
                let game = (sets, returns, rules.both_surrounded.name());
                let name = |mover: Option<Color>| mover.map_or("any", Color::name);
                file.finish_csv(WITH_RUN, rows().map(|(mover, row)| (run, &game, name(mover), row.numbers())))?;
            }
            Some(file) => {
                // The mover is named only where it makes a difference.
                let mover = if tallies.len() > 1 { "mover," } else { "" };
                let heads = mover.to_owned() + &TallyRow::columns(self.what).join(",");
                let name = |mover: Option<Color>| mover.map(Color::name).into_iter().collect::<Vec<_>>();
                file.finish_csv(&heads, rows().map(|(mover, row)| (name(mover), row.numbers())))?;
            }
            None => {}
        }
        Ok(json.map_or(Ok(()), |file| file.finish_json(&document))?)
    }
}

/// Shows progress, and the table as soon as it is complete.
struct Watch {
    progress: Progress,
    /// Whether the table has been written.
    is_shown: AtomicBool,
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
        let mut out = streams::stdout();
        let result = write!(out, "{}", table(tally)).and_then(|()| out.flush());
        // One that cannot be written is tried again when the exports are there, and fails then.
        self.is_shown.store(result.is_ok(), Ordering::Relaxed);
    }

    fn say(&self, message: &str) {
        self.progress.say(message);
    }

    fn warn(&self, message: &str) {
        self.progress.warn(message);
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (asked, game) = arguments.checked()?;
    let files = open_exports(&arguments.csv, &arguments.json)?;
    match game {
        Some(game) => count_game(arguments, asked, &game, files),
        None => count(arguments, asked, files),
    }
}

/// Counts positions of Tokyo Doves itself.
fn count(arguments: &Arguments, asked: Count, files: Exports) -> Result<(), Failure> {
    let watch = Watch { progress: Progress::new(arguments.quiet), is_shown: AtomicBool::new(false) };
    let report = asked.observer(&watch).report();
    watch.progress.finish();
    let report = report?;
    let comparison = report.tally.compare(arguments.game.rules.rules());

    let tallies = [GameTally { mover: None, tally: report.tally.clone() }];
    let document = CountDocument::of(arguments, &tallies, &report, comparison);
    arguments.write(files, &tallies, report.method, document)?;
    let mut out = streams::stdout();
    if !watch.is_shown.into_inner() {
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
fn count_game(arguments: &Arguments, asked: Count, game: &Game, files: Exports) -> Result<(), Failure> {
    let GameReport { tallies, method, threads, counting } =
        game::run(&asked.observer(&Progress::new(arguments.quiet)), game)?;

    let document = CountDocument::of_tallies(arguments, &tallies, method, threads, counting);
    // Keys are sorted here, but not for the whole game: both keep the order that they have always had.
    let document = serde_json::to_value(document).map_err(anyhow::Error::from)?;
    arguments.write(files, &tallies, method, document)?;
    let mut out = streams::stdout();
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
        method.name(),
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
    let place = report.on_gpu().map_or(threads, |on_gpu| on_gpu.adapter.name.clone());
    let _ = writeln!(
        text,
        "counted on {place} with the {} method in {}, start-up {}",
        report.method.name(),
        seconds(report.counting),
        seconds(report.start_up)
    );
    if report.on_gpu().is_some() {
        let _ = writeln!(text, "checked against the CPU's factored count on every one of {all} boss placements");
    } else if let Some(confirmation) = &report.confirmation {
        text += &confirmed(confirmation, report);
    }
    if let Some(no_gpu) = &report.no_gpu {
        let _ = writeln!(text, "no GPU used: {}", advised(no_gpu));
    }
    text
}

/// The result of the confirming count.
fn confirmed(confirmation: &Confirmation, report: &Report) -> String {
    let Confirmation { adapter, doves, failure, forecast, counting, assignments, .. } = confirmation;
    let agreeing = grouped(confirmation.placements as u64);
    let most = report.tally.rows.last().map_or(0, |row| row.doves);
    match failure {
        None => {
            let (up_to, all) = match doves.end() {
                end if *end == most => (String::new(), format!("every one of {agreeing} boss placements")),
                end => (format!(" up to {end} doves"), format!("all {agreeing} boss placements with these")),
            };
            let mut text = format!(
                "confirmed on {}{up_to} with the exhaustive method in {}: each of {} assignments tested, and the same \
                 count on {all}\n",
                adapter.name,
                seconds(*counting),
                grouped(*assignments)
            );
            if let Some(forecast) = forecast {
                let _ = writeln!(
                    text,
                    "up to {most} doves would take about {:.0} s; to test them all: --backend gpu --adapter {}",
                    forecast.as_secs_f64(),
                    adapter.index
                );
            }
            text
        }
        Some(failure) if failure.is_loss() => {
            let all = grouped(report.placements as u64);
            format!("confirmed on {agreeing} of {all} boss placements; then {}\n", failure.told_of(&adapter.name))
        }
        Some(failure) => format!("not confirmed, as {}\n", failure.told_of(&adapter.name)),
    }
}

/// The tally as a table for people.
fn table(tally: &Tally) -> TextTable {
    let mut table = TextTable::new(&["doves", "shapes", "boss placements", "assignments", tally.category.name()]);
    let mut add = |name: String, row: &TallyRow| {
        table.add(name, &[row.shapes, row.boss_placements, row.assignments, row.positions]);
    };
    for row in &tally.rows {
        add(row.doves.to_string(), row);
    }
    if tally.rows.len() > 1 {
        add("total".to_owned(), &tally.total());
    }
    table
}
