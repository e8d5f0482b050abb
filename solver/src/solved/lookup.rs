//! Probing the values of a game's positions.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

#[cfg(feature = "tables")]
use super::TableError;
use crate::known::Known;
use crate::value::Value;
use dovemate::rules::{Board, Color, Game, PositionError};

/// Why a position's value could not be found.
///
/// ```
/// use dovemate::{Board, Game};
/// use dovemate_solver::LookupError;
///
/// let board: Board = "b-a;-BA".parse()?;
/// let refused: LookupError = Game::both("Y")?.check(&board).unwrap_err().into();
/// assert!(matches!(refused, LookupError::Position(_)), "the game has no Aniki: {refused}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// The board does not belong to the game, or the game is over on it.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The lookup has values of another game.
    #[error("the values are those of another game: {found}, not {wanted}")]
    OtherGame {
        /// The game of the values.
        found: Game,
        /// The game that was probed for.
        wanted: Game,
    },
    /// A file of the tables is damaged or cannot be read.
    #[cfg(feature = "tables")]
    #[error(transparent)]
    Tables(#[from] TableError),
    /// A lookup from outside this library has failed.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

#[cfg(feature = "tables")]
impl LookupError {
    /// This error as one about tables; a solved game that is asked about its own positions fails in no other way.
    pub(crate) fn into_tables(self) -> TableError {
        match self {
            LookupError::Tables(error) => error,
            error => unreachable!("{error}"),
        }
    }
}

/// A source of values of a game's positions, such as a [`SolvedGame`](crate::SolvedGame) or a `Tablebase`. A bare
/// [`Game`] knows none. Implementations outside this library give their values the source
/// [`Source::Other`](crate::Source::Other), and their errors are [`LookupError::Other`].
///
/// ```
/// use dovemate::{Board, Color, Game};
/// use dovemate_solver::{Lookup, Wdl};
///
/// fn is_won(lookup: &dyn Lookup, board: &Board) -> bool {
///     let known = lookup.probe(board, Color::Red);
///     known.is_ok_and(|known| known.is_some_and(|known| known.worth.wdl() == Some(Wdl::Win)))
/// }
/// assert!(!is_won(&Game::default(), &Board::default()), "nothing is known");
/// ```
pub trait Lookup: Send + Sync {
    /// The game.
    fn game(&self) -> Game;

    /// The value of a position as far as it is known; `None` if nothing is known, or it is not a position of the game.
    ///
    /// # Errors
    /// If values cannot be read.
    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError>;

    /// Whether all positions have exact values here, so that no search is needed.
    fn knows_all(&self) -> bool {
        false
    }

    /// Whether a position with one of these numbers of doves may have this value, as far as is known.
    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        let _ = (value, doves);
        true
    }
}

impl fmt::Debug for dyn Lookup + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup").field("game", &self.game()).finish_non_exhaustive()
    }
}

impl<L: Lookup + ?Sized> Lookup for &L {
    fn game(&self) -> Game {
        (**self).game()
    }

    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        (**self).probe(board, mover)
    }

    fn knows_all(&self) -> bool {
        (**self).knows_all()
    }

    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        (**self).may_have(value, doves)
    }
}

impl Lookup for Game {
    fn game(&self) -> Game {
        *self
    }

    fn probe(&self, _: &Board, _: Color) -> Result<Option<Known>, LookupError> {
        Ok(None)
    }
}
