//! Looking up values of a game's positions.

use crate::rules::{Board, Color, Game, PositionError};
#[cfg(feature = "tables")]
use crate::solve::files::tables::TableError;
use crate::value::Value;

/// Why a look-up failed.
///
/// ```
/// use dovemate::{Board, Color, Game, LookupError, rank};
///
/// let board: Board = "b-a;-BA".parse()?;
/// let refused = rank(&Game::both("Y")?, &board, Color::Red).unwrap_err();
/// assert!(matches!(refused, LookupError::Position(_)), "the game has no Aniki: {refused}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// The board does not belong to the game, or the game is over on it.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A file of the tables is damaged or cannot be read.
    #[cfg(feature = "tables")]
    #[error(transparent)]
    Tables(#[from] TableError),
}

/// Knows the values of positions of a game: a [`SolvedGame`](crate::SolvedGame) or a `Tablebase`. A bare [`Game`] knows
/// none.
///
/// ```
/// use dovemate::{Board, Color, Game, Lookup};
///
/// fn is_won(values: &dyn Lookup, board: &Board) -> bool {
///     let value = values.value(board, Color::Red);
///     value.is_ok_and(|value| value.is_some_and(|value| value.name() == "win"))
/// }
/// assert!(!is_won(&Game::default(), &Board::default()), "nothing is known");
/// ```
pub trait Lookup: Sync {
    /// The game.
    fn game(&self) -> Game;

    /// The value of a position to the player to move; `None` if it is not known, or the position is not in the game.
    ///
    /// # Errors
    /// If a file with values is damaged or cannot be read.
    fn value(&self, board: &Board, mover: Color) -> Result<Option<Value>, LookupError>;

    /// Whether the distances of wins and losses are exact on boards with this many doves, bosses included. Otherwise
    /// only the winner is known.
    fn knows_distances(&self, doves: u32) -> bool {
        let _ = doves;
        true
    }
}

impl Lookup for Game {
    fn game(&self) -> Game {
        *self
    }

    fn value(&self, _: &Board, _: Color) -> Result<Option<Value>, LookupError> {
        Ok(None)
    }
}
