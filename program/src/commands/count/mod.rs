//! `dovemate count`: counts mates, wins in one or stuck positions by number of doves.

mod document;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use comfy_table::Table;
use serde::Serialize;

use crate::io::{Failure, Progress, about_gpu, grouped, number_table, open_exports, seconds, streams};
use crate::options::{BackendArguments, GameArguments, ThreadArguments, doves_of, named, parse_doves};
use document::CountDocument;
use dovemate::count::{ALL_DOVES, Comparison};
use dovemate::report::{Confirmation, Counted, Processor, Report};
use dovemate::{Category, Count, Game, Method, Observer, Tally, TallyRow};
use dovemate_web::documents::VERSION;

/// Count all mates, wins in one or stuck positions.
///
/// In a mate, the mover has an action that does not lose outright, and after every such action the opponent
/// can win at once. Positions are counted up to symmetry and from the mover's side. Every position is
/// decided; nothing is sampled.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate count\n  dovemate count --doves 2..8 --backend cpu --csv mates.csv\n  \
                  dovemate count --kinds AYM\n  dovemate count --what wins --red AY --green MT\n  \
                  dovemate count --kinds AY --csv ay.csv --with-run"
)]
pub struct Arguments {
    /// What to count: mates, wins in one, or stuck positions, in which every action loses outright or there
    /// is none
    #[arg(long, default_value_t = Category::Mates, value_parser = named::<Category>(Category::ALL.map(Category::name)))]
    what: Category,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in
    /// 2..12
    #[arg(long, value_name = "N or N..N", default_value = "2..12", value_parser = parse_doves)]
    doves: RangeInclusive<u32>,
    #[command(flatten)]
    engine: BackendArguments,
    #[command(flatten)]
    threads: ThreadArguments,
    /// How to count: factored uses permanents, on the CPU; exhaustive tests every assignment, on the CPU or a GPU. auto
    /// counts with the factored method and confirms the result with the exhaustive one. A certified hardware GPU, or
    /// the one that --adapter names, confirms as many doves as it is expected to finish within half a minute, or all
    /// with --backend gpu; without a GPU, the CPU confirms all
    #[arg(long, default_value = AUTO, value_parser = [AUTO, Method::Factored.name(), Method::Exhaustive.name()])]
    method: String,
    #[command(flatten)]
    game: GameArguments,
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Begin each row of the CSV with version, what was counted, method, dove sets, rules and mover, and call
    /// the last column 'positions', so that files of several runs can be joined
    #[arg(long, requires = "csv")]
    with_run: bool,
    /// Write the table and how it was made as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// The name of the default, which uses both methods.
const AUTO: &str = "auto";

/// The columns that `--with-run` adds before those of the counts.
#[derive(Serialize)]
struct Run {
    version: &'static str,
    what: &'static str,
    method: &'static str,
    red: String,
    green: String,
    returns: &'static str,
    both_surrounded: &'static str,
}

impl Arguments {
    /// The count that the options request; an error if they exclude each other.
    fn count(&self) -> Result<Count<'static>, Failure> {
        self.engine.check()?;
        let method: Option<Method> = self.method.parse().ok();
        if method == Some(Method::Factored) {
            self.engine.check_cpu_only("--method factored", ", or write --method exhaustive")?;
        }
        let game = self.game.game();
        if !game.is_whole() {
            self.engine.check_cpu_only("a game with fewer doves (--kinds, --red, --green)", "")?;
            doves_of(&game, Some(&self.doves).filter(|doves| **doves != ALL_DOVES))?;
        }
        let count = Count::new(self.what).game(game).doves(self.doves.clone()).threads(self.threads.number());
        let count = count.on(self.engine.backend, self.engine.adapter.clone());
        Ok(match method {
            Some(method) => count.method(method),
            None => count,
        })
    }

    fn write_with_run(&self, report: &Report, writer: &mut dyn Write) -> io::Result<()> {
        let Game { red, green, rules } = self.game.game();
        let run = Run {
            version: VERSION,
            what: self.what.name(),
            method: report.counted.method.name(),
            red: red.with_boss(),
            green: green.with_boss(),
            returns: if rules.returns { "yes" } else { "no" },
            both_surrounded: rules.both_surrounded.name(),
        };
        let mut csv = csv::Writer::from_writer(writer);
        report.tally.rows.iter().try_for_each(|row| csv.serialize((&run, row)))?;
        csv.flush()
    }
}

/// Shows progress, and the table as soon as it is complete.
struct Watch {
    progress: Progress,
    /// Whether the table has been written.
    is_shown: AtomicBool,
}

impl Observer for Watch {
    fn begin(&self, by: &Processor, method: Method, assignments: u64) {
        Observer::begin(&self.progress, by, method, assignments);
    }

    fn advance(&self, assignments: u64) {
        self.progress.advance(assignments);
    }

    fn counted(&self, tally: &Tally) {
        self.progress.finish();
        let mut out = streams::stdout();
        let result = write!(out, "{}", tables(tally)).and_then(|()| out.flush());
        // If writing the table fails, it is tried again after the exports, and then a failure is reported.
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
    let count = arguments.count()?;
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    let watch = Watch { progress: Progress::new(arguments.quiet), is_shown: AtomicBool::new(false) };
    let report = count.observer(&watch).report();
    watch.progress.finish();
    let report = report?;
    let game = arguments.game.game();
    let comparison = report.tally.compare(game.rules);

    match csv {
        Some(file) if arguments.with_run => file.finish(&mut |out| arguments.write_with_run(&report, out))?,
        Some(file) => file.finish(&mut |out| report.tally.write_csv(out))?,
        None => {}
    }
    if let Some(file) = json {
        file.finish_json(&CountDocument::new(arguments.what, &game, &report, comparison))?;
    }
    let mut out = streams::stdout();
    if !watch.is_shown.into_inner() {
        write!(out, "{}", tables(&report.tally))?;
    }
    write!(out, "\n{}", summary(&game, &report, comparison))?;
    out.flush()?;
    match comparison {
        Comparison::Contradicts(published) => Err(Failure::Contradiction(format!(
            "{} mates contradict the published {}; please report this with the versions of the program and of the GPU's driver",
            grouped(report.tally.total().positions),
            grouped(published)
        ))),
        _ => Ok(()),
    }
}

/// The total, the processor, the confirmation and the times.
fn summary(game: &Game, report: &Report, comparison: Comparison) -> String {
    let mut total = grouped(report.tally.total().positions);
    if !game.is_whole() {
        let _ = write!(total, " with {} against {}", game.red, game.green);
    }
    let mut text = match comparison {
        Comparison::Agrees => format!("{total} – agrees with the published figure\n"),
        Comparison::Contradicts(published) => {
            format!("{total} – CONTRADICTS the published figure, {}\n", grouped(published))
        }
        Comparison::Unpublished => format!("{total} – no figure is published for this\n"),
    };
    let Counted { by, method, time, .. } = &report.counted;
    let time = seconds(*time);
    let _ = write!(text, "counted on {by} with the {method} method in {time}");
    if report.start_up.as_millis() >= 10 {
        let _ = write!(text, ", start-up {}", seconds(report.start_up));
    }
    text.push('\n');
    if let Some(confirmation) = &report.confirmation {
        text += &confirmed(confirmation, report);
    }
    if let Some(no_gpu) = &report.no_gpu {
        let _ = writeln!(text, "no GPU used: {}", about_gpu::advised(no_gpu));
    }
    text
}

/// The result of the confirming count.
fn confirmed(confirmation: &Confirmation, report: &Report) -> String {
    let Confirmation { counted, doves, failure, forecast, assignments, .. } = confirmation;
    let Counted { by, method, time, .. } = counted;
    let agreeing = grouped(confirmation.placements as u64);
    let most = report.tally.rows.last().map_or(0, |row| row.doves);
    match failure {
        None => {
            let up_to = (*doves.end() < most).then(|| format!(" up to {} doves", doves.end()));
            let tested = (*method == Method::Exhaustive)
                .then(|| format!("all {} assignments tested, ", grouped(*assignments)));
            let (up_to, tested) = (up_to.unwrap_or_default(), tested.unwrap_or_default());
            let mut text = format!(
                "confirmed on {by}{up_to} with the {method} method in {}: {tested}all {agreeing} boss placements equal\n",
                seconds(*time)
            );
            if let (Some(forecast), Some(adapter)) = (forecast, by.adapter()) {
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
            let (all, failure) = (grouped(report.placements as u64), failure.describe(&by.to_string()));
            format!("confirmed on {agreeing} of {all} boss placements; then {failure}\n")
        }
        Some(failure) => format!("not confirmed, as {}\n", failure.describe(&by.to_string())),
    }
}

/// The tally as a table for people, or as one table for each player to move.
fn tables(tally: &Tally) -> String {
    let tables = tally.by_mover().map(|tally| match tally.rows[0].mover {
        Some(mover) => format!("{} to move\n{}\n", mover.name(), table(&tally)),
        None => format!("{}\n", table(&tally)),
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn table(tally: &Tally) -> Table {
    let mut table =
        number_table(&["doves", "shapes", "boss placements", "assignments", tally.category.name()]);
    let mut add = |name: String, row: &TallyRow| {
        let numbers = [row.shapes, row.boss_placements, row.assignments, row.positions].map(grouped);
        table.add_row([name].into_iter().chain(numbers));
    };
    for row in &tally.rows {
        add(row.doves.to_string(), row);
    }
    if tally.rows.len() > 1 {
        add("total".to_owned(), &tally.total());
    }
    table
}
