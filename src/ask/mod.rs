//! Answers for players: the best action, the line that follows, and puzzles.
//!
//! Values come from any source that implements [`Values`]: a solved game's tables, the openings in the program, or
//! retrograde analysis of a small game. Where no source has the position, [`crate::search`] proves wins and losses
//! within n plies; every other position is *none within n plies*, which is not the same as a draw. What is not proved
//! is ordered by an estimate, which is always marked as such: *suggested, not proved*.

pub mod document;
mod draw;
pub mod level;
#[cfg(feature = "tables")]
pub mod openings;
mod puzzle;
mod rank;
mod ranked;
pub mod record;
mod traps;

pub use crate::search::Estimate;
pub use draw::Draw;
pub use puzzle::{Puzzle, Puzzler};
pub use rank::{Asker, Ground, Limits, Line, MAX_DRAWN, Ranking, texts};
pub use ranked::{Ranked, Worth};

use std::ops::RangeInclusive;

use crate::literal::{Position, Solved};
use crate::rules::{Board, Color};
use crate::solve;
use crate::solve::solved::Row;
use crate::value::Value;

/// Where values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The game was solved when the question was asked.
    Solved,
    /// Its tables, or the rounds of a game that is being solved.
    Tables,
    /// The openings in the program.
    Openings,
}

impl Source {
    /// The name in files: `solved`, `tables` or `openings`.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Solved => "solved",
            Source::Tables => "tables",
            Source::Openings => "openings",
        }
    }
}

/// A source of values for the positions of one game.
pub trait Values: Send + Sync {
    /// The value to the player to move of a position on which no boss is surrounded; `None` if it is not known.
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth>;

    /// Where the value of a position comes from; `None` if it is not known.
    fn source(&self, board: &Board, mover: Color) -> Option<Source> {
        self.worth(board, mover).map(|_| Source::Solved)
    }

    /// Whether all positions have exact values here, so that none must be searched.
    fn knows_all(&self) -> bool {
        false
    }

    /// Whether a position with one of these numbers of doves may have this value, as far as is known.
    fn may_have(&self, _: Value, _: &RangeInclusive<u32>) -> bool {
        true
    }
}

/// Values of a game that is solved elsewhere, in tables or in rounds.
pub struct FromTables<T>(pub T);

impl<T: Values> Values for FromTables<T> {
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth> {
        self.0.worth(board, mover)
    }

    fn source(&self, board: &Board, mover: Color) -> Option<Source> {
        self.worth(board, mover).map(|_| Source::Tables)
    }

    fn knows_all(&self) -> bool {
        self.0.knows_all()
    }

    fn may_have(&self, value: Value, doves: &RangeInclusive<u32>) -> bool {
        self.0.may_have(value, doves)
    }
}

/// The first of several sources that has an exact value, otherwise the first that has any.
impl Values for Vec<Box<dyn Values>> {
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth> {
        best_known(self, board, mover).map(|(worth, _)| worth)
    }

    fn source(&self, board: &Board, mover: Color) -> Option<Source> {
        best_known(self, board, mover).and_then(|(_, values)| values.source(board, mover))
    }

    fn knows_all(&self) -> bool {
        self.iter().any(|values| values.knows_all())
    }

    fn may_have(&self, value: Value, doves: &RangeInclusive<u32>) -> bool {
        self.iter().all(|values| values.may_have(value, doves))
    }
}

/// What the sources know of a position, and the source that knows it.
fn best_known<'a>(sources: &'a [Box<dyn Values>], board: &Board, mover: Color) -> Option<(Worth, &'a dyn Values)> {
    let mut known = sources.iter().filter_map(|values| Some((values.worth(board, mover)?, &**values)));
    let first = known.next()?;
    match first.0 {
        Worth::Exact(_) => Some(first),
        _ => known.find(|(worth, _)| matches!(worth, Worth::Exact(_))).or(Some(first)),
    }
}

impl Values for Box<dyn solve::Solved> {
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth> {
        let value = (**self).value(board, mover)?;
        Some(Worth::of(value, self.knows_distances(board.doves().count() as u32)))
    }

    fn knows_all(&self) -> bool {
        self.is_whole() && self.knows_distances(self.game().most_doves())
    }

    /// Counts are by distance even where the distances of most positions are dropped.
    fn may_have(&self, value: Value, doves: &RangeInclusive<u32>) -> bool {
        let solution = self.solution();
        let is_value = |row: &Row| match solution.has_distances {
            true => row.value == value,
            false => row.value.name() == value.name(),
        };
        !self.is_whole() || solution.rows().iter().any(|row| doves.contains(&row.doves) && is_value(row))
    }
}

impl Values for Solved {
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth> {
        self.value(Position::of(self.game(), board, mover)).map(Worth::Exact)
    }

    fn knows_all(&self) -> bool {
        true
    }
}
