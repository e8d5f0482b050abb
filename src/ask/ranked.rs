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
    /// The plies within which it wins, if it wins but its distance is not known.
    pub within: Option<u32>,
    /// How easily the opponent keeps this value, if it is a draw or a loss and that was counted.
    pub ways: Option<Ways>,
    /// How good it looks; not proved. Not for wins with a distance.
    pub estimate: Option<Estimate>,
}

/// How many of the opponent's answers to an action keep its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The answers that keep it.
    pub kept: u32,
    /// All answers.
    pub answers: u32,
}
