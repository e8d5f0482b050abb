//! `dovemate solve`: finds the value of every position of a game, with its distance in plies.
//!
//! The command decides what to do (`plan`), does it (`execute`, `share`), then prints the result (`text`, `document`).

mod document;
mod execute;
mod folder;
mod plan;
mod progress;
mod share;
mod text;

use std::path::PathBuf;

use clap::Args;

use crate::io::{Failure, open_exports, streams};
use crate::options::{GameArguments, MemoryLimit, ThreadArguments};
use document::SolveDocument;
use execute::Execution;
use folder::contents;
use plan::{Kept, Plan, plan};
use share::Share;
use text::{LongestLine, text};

/// Solve a game: who wins from every position, and in how many plies.
///
/// Every position is decided: all boards with doves of the game on which no boss is surrounded, with each player to
/// move. Then the values, all of a small game or a sample of a large one, are checked by the literal rules against
/// those of the positions that follow.
///
/// With --tables, the solved game is kept in files, which best, list, openings, play, puzzles and serve can read.
/// Finished tables are read and verified instead of solving again; unfinished ones are completed. A game that does
/// not fit in memory is solved with its rounds in files there; without returns, it is also solved part by part. Run
/// the same command to resume after an interruption.
///
/// With --keep rounds the game is solved in files, and its rounds are kept instead of tables, which saves the time
/// and the space that tables take. With --keep wins, rounds are removed as soon as they are no longer needed, and
/// only who wins is stored. This takes a fraction of the space, but `best` and `play` must search for the number of
/// plies.
///
/// One process solves a game in a folder; a second one is refused.
///
/// --share does one share of one round in such a folder, so that many processes can solve a game together: each does
/// its share, and the one that is done last finishes the round.
#[derive(Args)]
#[command(after_help = "Without dove sets, a game that takes seconds is solved: A Y M for both.

Examples:
  dovemate solve
  dovemate solve --kinds AYT --no-return --csv ayt.csv
  dovemate solve --red AY --green MT
  dovemate solve --kinds AYMT --tables tables
  dovemate solve --kinds AYMTH --no-return --tables tables --keep rounds
  dovemate solve --kinds AYMTH --tables tables --keep wins
  dovemate solve --kinds AYMT --tables tables --share 7:2/8")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// What to keep of the solved game below --tables
    #[arg(long, value_name = "WHAT", default_value = "tables", requires = "tables")]
    keep: Kept,
    /// The most memory to use, in GB [default: all that is free]
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

fn gigabytes(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && *number < 1e9);
    let form = "write a number of gigabytes above 0 and below 1,000,000,000, as in 8 or 0.5; without --memory, all \
                free memory may be used";
    number.map(|number| (number * 1e9).round() as u64).ok_or_else(|| form.to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let &Arguments { keep, ref tables, share, .. } = arguments;
    let game = arguments.game.game_to_solve();
    let is_share = share.is_some();
    let contents = tables.as_deref().map(|folder| contents(folder, &game, keep, is_share)).transpose()?;
    let memory = MemoryLimit::of(arguments.memory, arguments.threads.number());
    // One pool for everything, so that threads reuse memory that they have freed. The plan depends on their number.
    let pool = arguments.threads.pool()?;
    let plan = pool.install(|| plan(&game, keep, is_share, contents, &memory)).map_err(Failure::Usage)?;

    let execution = Execution { arguments, game, memory };
    let output = match (plan, share) {
        (Plan::ReportSolved, _) => "the game is solved\n".to_owned(),
        (Plan::Share, Some(share)) => pool.install(|| execution.share(share))? + "\n",
        (plan, _) => {
            let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
            let report = pool.install(|| execution.execute(plan))?;
            let longest = LongestLine::of(&report.solved)?;
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
