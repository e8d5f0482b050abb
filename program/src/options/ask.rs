//! The options of the commands that need values: where values come from, and how far to search without them.

use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;

use crate::io::{Failure, Progress, memory};
use crate::options::{KnownGameArguments, number};
use dovemate::clock::Instant;
use dovemate::{Board, Game, Limits};
use dovemate_analysis::{Analysis, Effort, InTurn, built_in};
use dovemate_solver::{Lookup, Round, Solve, SolveError, SolvedGame, solve};

/// Plies to search if neither `--depth` nor `--seconds` is given, and the command has no usual time.
const USUAL_PLIES: u32 = 9;
/// Games with at most this many places, such as A Y M for both, are solved on the spot. Most take about a second; a few
/// with very long wins take longer.
const MAX_PLACES_SOLVED_AT_ONCE: u64 = 63_000_000;

/// How far to search where values are not known.
#[derive(Args, Clone, Copy, Debug)]
pub struct SearchArguments {
    /// Search this many plies where values are not known
    #[arg(long, value_name = "PLIES", value_parser = number(1..=Effort::LONGEST))]
    depth: Option<u32>,
    /// Search for at most N seconds, as deep as that allows
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
}

impl SearchArguments {
    /// The effort of a search that begins now. If neither plies nor seconds are given, it is limited by `usual_time`
    /// or, without that, to [`USUAL_PLIES`].
    pub fn effort(&self, usual_time: Option<Duration>) -> Effort {
        match self.seconds.or(usual_time.filter(|_| self.depth.is_none())) {
            None => Effort::plies(self.depth.unwrap_or(USUAL_PLIES)),
            Some(time) => {
                let effort = Effort::until(Instant::now() + time);
                Effort { plies: self.depth.unwrap_or(effort.plies), ..effort }
            }
        }
    }

    /// The deadline for solving a game on the spot: half of the time, which leaves the other half for a search.
    pub fn solving_deadline(&self) -> Option<Instant> {
        self.seconds.map(|seconds| Instant::now() + seconds / 2)
    }
}

/// Reads a number of seconds.
///
/// # Errors
/// A sentence that says what to write.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const MAX_SECONDS: f64 = 1e6;
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= MAX_SECONDS);
    let form = || format!("write a number above 0, as in 10 or 0.5, up to {MAX_SECONDS} seconds");
    seconds.map(Duration::from_secs_f64).ok_or_else(form)
}

impl KnownGameArguments {
    /// The values of the game: from its tables or, if none are given and it is small, from solving it on the spot,
    /// within free memory and before the deadline; and those that are built in.
    ///
    /// # Errors
    /// If the given folder contains no tables of the game, or damaged ones.
    pub fn values(&self, deadline: Option<Instant>, is_quiet: bool) -> Result<InTurn, Failure> {
        let game = self.game();
        let mut lookups: Vec<Box<dyn Lookup>> = Vec::new();
        if let Some(stored) = self.open()? {
            lookups.push(Box::new(stored));
        } else if is_solved_at_once(&game) {
            // A game that cannot be solved, for lack of time or memory, is searched.
            let solved = solve_at_once(game, deadline, is_quiet).ok();
            lookups.extend(solved.map(|solved| Box::new(solved) as Box<dyn Lookup>));
        }
        lookups.extend(built_in(&game).map(|known| Box::new(known) as Box<dyn Lookup>));
        Ok(InTurn::new(game, lookups)?)
    }
}

/// Solves a game on the spot, within free memory and before the deadline.
///
/// # Errors
/// If that is not possible.
pub fn solve_at_once(
    game: Game,
    deadline: Option<Instant>,
    is_quiet: bool,
) -> Result<SolvedGame, SolveError> {
    let rounds = Progress::of_rounds(is_quiet || !io::stderr().is_terminal());
    let threads = rayon::current_num_threads();
    let limits = Limits {
        deadline,
        memory: memory::available(threads),
        memory_used: Some(memory::taken),
        ..Limits::default()
    };
    let on_round = |round: Round| rounds.round(&round, "");
    // Solve in the current pool of threads. Outside of one, `solve` would start its own.
    rayon::scope(|_| solve(Solve::new(game).limits(limits).on_round(&on_round)))
}

/// Whether a game is small enough to be solved on the spot.
pub fn is_solved_at_once(game: &Game) -> bool {
    Solve::new(*game).places() <= MAX_PLACES_SOLVED_AT_ONCE
}

/// An analysis with these values or, if there are none, one that only searches.
pub fn analysis(values: &InTurn) -> Analysis<'_> {
    if values.is_empty() { Analysis::by_search(values.game()) } else { Analysis::new(values) }
}

/// Refuses a board that does not belong to the game, or on which the game is over.
pub fn check(board: &Board, game: &Game) -> Result<(), Failure> {
    game.check(board).map_err(|error| Failure::Usage(format!("board '{board}': {error}")))
}
