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

/// Somebody who knows values of one game's positions.
pub trait Values: Sync {
    /// The value of a position on which no boss is surrounded; `None` if it is not known.
    fn value(&self, board: &Board, mover: Color) -> Option<Value>;
}

/// Without distances only draws are known as they are here; who wins or loses must be searched for in how many plies.
impl Values for Box<dyn solve::Solved> {
    fn value(&self, board: &Board, mover: Color) -> Option<Value> {
        let knows_distances = self.knows_distances(board.doves().count() as u32);
        (**self).value(board, mover).filter(|&value| knows_distances || value == Value::Draw)
    }
}

impl Values for Solved {
    fn value(&self, board: &Board, mover: Color) -> Option<Value> {
        self.value(Position::of(self.game(), board, mover))
    }
}
