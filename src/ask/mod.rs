//! What a player asks: the best action, the line that follows, puzzles.
//!
//! Values come from whoever knows them, through [`Values`]: a solved game's tables, or retrograde analysis of a small one. Where
//! nobody knows a position, [`crate::search`] proves wins and losses within so many plies, and says of the rest just that: *none
//! within n plies*, which is no draw.

mod draw;
#[cfg(feature = "report")]
mod line_page;
#[cfg(feature = "report")]
mod page;
mod puzzle;
mod rank;
pub mod record;

pub use draw::Draw;
#[cfg(feature = "report")]
pub use line_page::LinePage;
#[cfg(feature = "report")]
pub use page::Page;
pub use puzzle::{Puzzle, Puzzler};
pub use rank::{Asker, Limits, Line, Ranked, Ranking, Worth, texts};

use crate::games::doves::{Position, Solved};
use crate::retrograde::Value;
use crate::rules::{Board, Color};
use crate::solve;

/// Somebody who knows what one game's positions are worth.
pub trait Values: Sync {
    /// What a position on which no boss is surrounded is worth to the player to move; `None` if it is not known.
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
