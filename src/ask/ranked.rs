//! An action with what is known of it.

use crate::known::{Source, Worth};
use crate::rules::{Action, Board};
use crate::search::Estimate;

/// An action with its value to its player.
///
/// ```
/// use dovemate::{Board, Color, Game, rank_within};
///
/// let board = Board::default();
/// let ranked = rank_within(&Game::both("A")?, &board, Color::Red, 1)?;
/// assert!(ranked.iter().any(|ranked| ranked.text == "BW1" && ranked.worth.to_string() == "none within 1 ply"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The action.
    pub action: Action,
    /// Its text on the board before it.
    pub text: String,
    /// The board after it.
    pub after: Board,
    /// Its value.
    pub worth: Worth,
    /// Where the value comes from. If it follows from that of the position before the action, it is where that comes
    /// from.
    pub source: Source,
    /// The opponent's actions that keep this value, if it is a draw or a loss and they were counted.
    pub ways: Option<u32>,
    /// How good it looks; not proved. Not for wins with a distance.
    pub estimate: Option<Estimate>,
}
