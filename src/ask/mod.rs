//! Answers for players: the best action, the line that follows, and puzzles.
//!
//! Values come from any source that implements [`Values`]: a solved game's tables, or retrograde analysis of a small
//! game. Where no source has the position, [`crate::search`] proves wins and losses within n plies; every other
//! position is *none within n plies*, which is not the same as a draw.

mod draw;
mod puzzle;
mod rank;
pub mod record;

pub use draw::Draw;
pub use puzzle::{Puzzle, Puzzler};
pub use rank::{Asker, Limits, Line, Ranked, Ranking, Worth, texts};

use crate::games::doves::{Position, Solved};
use crate::retrograde::Value;
use crate::rules::{Board, Color};
use crate::solve;

/// A source of values for the positions of one game.
pub trait Values: Sync {
    /// The value to the player to move of a position on which no boss is surrounded; `None` if it is not known.
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth>;
}

impl Values for Box<dyn solve::Solved> {
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth> {
        let value = (**self).value(board, mover)?;
        let knows_distance = self.knows_distances(board.doves().count() as u32) || value == Value::Win(1);
        Some(match value {
            Value::Win(_) if !knows_distance => Worth::Win,
            Value::Lose(_) if !knows_distance => Worth::Lose,
            value => Worth::Exact(value),
        })
    }
}

impl Values for Solved {
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth> {
        self.value(Position::of(self.game(), board, mover)).map(Worth::Exact)
    }
}
