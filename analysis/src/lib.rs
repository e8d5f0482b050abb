//! Answers for players: the best action, the line that follows, reviews and puzzles.
//!
//! Values come from any [`Lookup`]: a solved game in memory or in tables, the openings in the program, or a source of
//! your own. For a position that the lookup does not know, a search proves wins and losses within n plies; every other
//! position is *none within n plies*, which is not the same as a draw. Unproved actions are ordered by an estimate,
//! which is always marked as such: *suggested, not proved*.

#![deny(unreachable_pub)]
#![warn(missing_debug_implementations, missing_docs)]
#![forbid(unsafe_code)]

mod draw;
mod handicap;
mod in_one_call;
pub mod level;
mod puzzle;
mod rank;
mod ranked;
mod ranking;
pub mod record;
pub mod review;
pub mod search;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod traps;

#[doc(no_inline)]
pub use dovemate_solver::{Known, Lookup, LookupError, Source, Value, Wdl, Worth, WorthError, openings};
pub use draw::Draw;
use handicap::Handicap;
pub use in_one_call::{rank, rank_within};
pub use puzzle::{Puzzle, Puzzler};
pub use rank::{Analysis, Effort, Line, texts};
pub use ranked::{Order, Ranked, Ways};
pub use ranking::Ranking;
pub use search::{Estimate, Threads};

use std::ops::RangeInclusive;

use dovemate::rules::{Board, Color, Game};

/// The values of a game that are built in: the openings of the whole game, or the start of a handicap game.
pub fn built_in(game: &Game) -> Option<&'static dyn Lookup> {
    let openings = openings::Openings::of(game).map(|known| known as &dyn Lookup);
    openings.or_else(|| Handicap::of(game).map(|known| known as &dyn Lookup))
}

/// Several lookups of one game, probed in turn. The first that knows an exact value answers, otherwise the first that
/// knows any value.
#[derive(Debug)]
pub struct InTurn {
    game: Game,
    lookups: Vec<Box<dyn Lookup>>,
}

impl InTurn {
    /// Combines these lookups of a game. Without any, nothing is known.
    ///
    /// # Errors
    /// If a lookup is of another game.
    pub fn new(game: Game, lookups: Vec<Box<dyn Lookup>>) -> Result<InTurn, LookupError> {
        match lookups.iter().map(|lookup| lookup.game()).find(|found| *found != game) {
            Some(found) => Err(LookupError::OtherGame { found, wanted: game }),
            None => Ok(InTurn { game, lookups }),
        }
    }

    /// Whether there is no lookup to probe.
    pub fn is_empty(&self) -> bool {
        self.lookups.is_empty()
    }
}

impl Lookup for InTurn {
    fn game(&self) -> Game {
        self.game
    }

    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let mut inexact = None;
        for lookup in &self.lookups {
            match lookup.probe(board, mover)? {
                Some(known) if known.worth.is_exact() => return Ok(Some(known)),
                known => inexact = inexact.or(known),
            }
        }
        Ok(inexact)
    }

    fn knows_all(&self) -> bool {
        self.lookups.iter().any(|lookup| lookup.knows_all())
    }

    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        self.lookups.iter().all(|lookup| lookup.may_have(value, doves.clone()))
    }
}
