//! What the commands that ask for values share: the game, where values come from, and how far to search without.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use clap::Args;

use super::Failure;
use super::memory;
use super::progress::Rounds;
use super::tablebase::TableArguments;
use dovemate::ask::{Limits, Values};
use dovemate::rules::{Board, Game, PositionError};
use dovemate::search::Search;
use dovemate::solve::layout::Layout;
use dovemate::solve::{self, Bounds, Options, Solved};

/// Plies that are searched if neither plies nor seconds are named.
const USUAL_PLIES: u32 = 9;
/// Games with at most so many places for positions are solved on the spot: three kinds each, which take about a second.
const SOLVED_AT_ONCE: u64 = 63_000_000;

/// How far to search where no table has the answer.
#[derive(Args, Clone, Copy, Debug)]
pub struct SearchArguments {
    /// Search so many plies where values are not known
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(Search::LONGEST)))]
    depth: Option<u32>,
    /// Search so long at most, and as deep as that allows
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
}

impl SearchArguments {
    /// The limits of a search that begins now.
    pub fn limits(&self) -> Limits {
        let usual = if self.seconds.is_some() { Search::LONGEST } else { USUAL_PLIES };
        Limits { plies: self.depth.unwrap_or(usual), deadline: self.seconds.map(|seconds| Instant::now() + seconds) }
    }
}

impl SearchArguments {
    /// The limits of a search that begins now, for a player who waits: so long at most if neither plies nor seconds are named.
    pub fn limits_within(&self, patience: Duration) -> Limits {
        match (self.depth, self.seconds) {
            (None, None) => SearchArguments { seconds: Some(patience), ..*self }.limits(),
            _ => self.limits(),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    const MOST: f64 = 1e6;
    let form = "write a number above 0, as in 10 or 0.5";
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= MOST => Ok(Duration::from_secs_f64(seconds)),
        Ok(seconds) if seconds > MOST => Err(format!("nobody waits that long; {form}, up to {MOST}")),
        _ => Err(format!("this is no time; {form}")),
    }
}

impl SearchArguments {
    /// When to give up solving a game that is solved on the spot: half of the time is left to search it then.
    pub fn patience(&self) -> Option<Instant> {
        self.seconds.map(|seconds| Instant::now() + seconds / 2)
    }
}

/// The values of a game, if there are tables of it, or it is solved on the spot: before the deadline, and in the memory that is free.
///
/// # Errors
/// If a folder is named that has no tables of it, or such as cannot be believed.
pub fn values(
    game: Game,
    tables: &TableArguments,
    deadline: Option<Instant>,
    is_quiet: bool,
) -> Result<Option<Box<dyn Values>>, Failure> {
    let boxed = |solved: Box<dyn Solved>| Some(Box::new(solved) as Box<dyn Values>);
    if let Some(stored) = tables.open(&game)? {
        return Ok(boxed(Box::new(stored)));
    }
    if Layout::new(game).places() > SOLVED_AT_ONCE {
        return Ok(None);
    }
    let rounds = Rounds::new(is_quiet || !io::stderr().is_terminal());
    let bounds = Bounds { bytes: memory::available(), deadline, taken: Some(memory::taken) };
    let solved = solve::solve_within(game, Options { distances: true }, bounds, &|round| rounds.show(&round));
    rounds.finish();
    // What is not solved is searched.
    Ok(solved.map_or(None, boxed))
}

/// Refuses a board that is none of the game, or on which it is over.
pub fn check(board: &Board, game: &Game) -> Result<(), Failure> {
    game.check(board).map_err(|error| not_a_position(board, error))
}

/// A board on which nobody is to act.
pub fn not_a_position(board: &Board, error: PositionError) -> Failure {
    Failure::Usage(format!("board '{board}': {error}"))
}
