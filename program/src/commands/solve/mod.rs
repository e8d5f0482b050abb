//! `dovemate solve`: finds the value of every position of a game, with its distance in plies.
//!
//! What will be done is decided first (`plan`), then done (`execute`, `share`), then printed (`text`,
//! `document`).

mod document;
mod execute;
mod folder;
mod plan;
mod progress;
mod share;
mod text;

use std::path::PathBuf;

use clap::Args;

use crate::io::failure::Failure;
use crate::io::output::open_exports;
use crate::io::streams;
use crate::options::game::GameArguments;
use crate::options::memory_limit::MemoryLimit;
use crate::options::threads::ThreadArguments;
use document::SolveDocument;
use execute::Execution;
use folder::Contents;
use plan::{Distances, Plan, Request, plan};
use share::Share;
use text::{LongestLine, text};

/// Solve a game: who wins from every position, and in how many plies.
///
/// Every position is decided: all boards with doves of the game on which no boss is surrounded, with each
/// player to move. Then values are checked by the literal rules against those of their successors: all values
/// of a small game, a sample of a large one.
///
/// With --tables, the solved game is kept in files, which best, play, puzzles and serve can read. Finished
/// tables are read and verified instead of solving again; unfinished ones are completed. A game that does not
/// fit in memory is solved with its rounds in files there, without returns part by part; run the same command
/// to resume it after an interrupt.
///
/// With --distances N, the game is solved in files and stays in its rounds, without tables: a round is
/// dropped as soon as nothing needs it, except on boards with up to N doves and on a sample of all boards. On
/// boards with more doves the winner is then known, but not the number of plies. If N is the most doves of
/// the game, as 12 for A Y M T H, no round is dropped.
///
/// --share does one share of one round in such a folder, so that many processes can solve a game together: each does
/// its share, and the last of them finishes the round.
#[derive(Args)]
#[command(after_help = "Without dove sets, a game that takes seconds is solved: A Y M for both.

Examples:
  dovemate solve
  dovemate solve --kinds AYT --no-return --csv ayt.csv
  dovemate solve --red AY --green MT
  dovemate solve --kinds AYMT --tables tables
  dovemate solve --kinds AYMTH --no-return --tables tables --distances 12
  dovemate solve --kinds AYMTH --tables tables --distances 6
  dovemate solve --kinds AYMT --tables tables --share 7:2/8")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The distances to keep: all, in tables; or those on boards with up to N doves, bosses included, in
    /// rounds below
    /// --tables
    #[arg(long, value_name = "all|N", default_value = "all", value_parser = distances)]
    distances: Distances,
    /// The most memory to use, in GB [default: what is free]
    #[arg(long, value_name = "GB", value_parser = gigabytes)]
    memory: Option<u64>,
    /// Keep the solved game in its own folder below this one
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Do only the I-th of N shares of round R, in files below --tables; P is the part of the game, counted
    /// from 1 [default: the first that is not solved]
    #[arg(long, value_name = "[P:]R:I/N", requires = "tables", conflicts_with_all = ["csv", "json"],
        value_parser = Share::parse)]
    share: Option<Share>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Write the numbers of positions by value as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the result and how it was made as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

fn distances(text: &str) -> Result<Distances, String> {
    match (text, text.parse()) {
        ("all", _) => Ok(Distances::All),
        (_, Ok(doves @ 2..=12)) => Ok(Distances::UpTo(doves)),
        _ => {
            Err("write all, or a number of doves from 2 to 12; 2 keeps little more than who wins".to_owned())
        }
    }
}

fn gigabytes(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && *number < 1e9);
    let form = "write a number of gigabytes above 0 and below 1,000,000,000, as in 8 or 0.5; without --memory, all \
                free memory may be used";
    number.map(|number| (number * 1e9).round() as u64).ok_or_else(|| form.to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let &Arguments { distances, ref tables, share, .. } = arguments;
    let game = arguments.game.game_to_solve();
    let keep = distances.keep(&game).map_err(Failure::Usage)?;
    let request = Request { game, distances, has_folder: tables.is_some(), is_share: share.is_some() };
    let contents = match tables {
        Some(folder) => Contents::read(folder, &game, distances, keep, share.is_some())?,
        None => Contents::default(),
    };
    let memory = MemoryLimit::of(arguments.memory, arguments.threads.number());
    // One pool for all: its threads reuse what they have freed. What is planned depends on how many they are.
    let pool = arguments.threads.pool()?;
    let plan = pool.install(|| plan(&request, contents.present(), &memory)).map_err(Failure::Usage)?;

    let execution = Execution { arguments, game, memory, keep };
    let output = match (plan, share) {
        (Plan::ReportSolved, _) => "the game is solved\n".to_owned(),
        (Plan::Share, Some(share)) => pool.install(|| execution.share(share))? + "\n",
        _ => {
            let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
            let report = pool.install(|| execution.execute(plan, contents))?;
            let longest = report
                .solved
                .longest()
                .map(|longest| LongestLine::of(&*report.solved, longest))
                .transpose()?;
            if let Some(file) = csv {
                file.finish(&mut |writer| report.solved.solution().write_csv(writer))?;
            }
            if let Some(file) = json {
                file.finish_json(&SolveDocument::of(&report, longest.as_ref())?)?;
            }
            text(&report, longest.as_ref())?
        }
    };
    Ok(streams::say(&output)?)
}
