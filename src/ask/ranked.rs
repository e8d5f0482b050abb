//! What is known of an action: its value to its player, as far as it is known.

use std::cmp::Ordering;
use std::fmt;

use crate::digits::plies;
use crate::rules::{Action, Board};
use crate::search::Estimate;
use crate::value::Value;

/// The value of a position to the player to move, or of an action to the player who takes it, as far as it is known.
///
/// ```
/// use dovemate::{Board, Color, Game, Value, Worth, rank_within};
///
/// let board: Board = "YmaH;MtAT;-yh-;B-b-".parse()?;
/// let ranked = rank_within(&Game::default(), &board, Color::Red, 5)?;
/// assert_eq!(ranked[0].worth, Worth::Exact(Value::Win(5)));
/// assert!(ranked.iter().any(|ranked| ranked.worth == Worth::NoneWithin(5)), "a draw, or a longer win or loss");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// An exact value.
    Exact(Value),
    /// A win at an unknown distance.
    Win,
    /// A loss at an unknown distance.
    Lose,
    /// Neither a win nor a loss within this many plies: a draw, or a longer win or loss.
    NoneWithin(u32),
}

impl Worth {
    /// A value of a solved game. A win or loss is exact if the game has the distances of such positions, and a win in 1
    /// always is.
    pub(crate) const fn of(value: Value, knows_distance: bool) -> Worth {
        match value {
            Value::Draw | Value::Win(1) => Worth::Exact(value),
            Value::Win(_) if !knows_distance => Worth::Win,
            Value::Lose(_) if !knows_distance => Worth::Lose,
            Value::Win(_) | Value::Lose(_) => Worth::Exact(value),
        }
    }

    /// A key that is least for the best.
    const fn rank(self) -> (u8, i64) {
        match self {
            Worth::Exact(Value::Win(plies)) => (0, plies as i64),
            Worth::Win => (1, 0),
            Worth::Exact(Value::Draw) => (2, 0),
            Worth::NoneWithin(_) => (3, 0),
            Worth::Lose => (4, 0),
            Worth::Exact(Value::Lose(plies)) => (5, -(plies as i64)),
        }
    }

    /// Compares two values; the greater is better for the player.
    pub fn compare(self, other: Worth) -> Ordering {
        other.rank().cmp(&self.rank())
    }

    /// The name in files: `win`, `draw`, `none` or `lose`.
    pub const fn name(self) -> &'static str {
        match self {
            Worth::Exact(value) => value.name(),
            Worth::Win => "win",
            Worth::Lose => "lose",
            Worth::NoneWithin(_) => "none",
        }
    }

    /// The distance, or the plies within which there is none; `None` for a draw or an unknown distance.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Worth::Exact(value) => value.plies(),
            Worth::Win | Worth::Lose => None,
            Worth::NoneWithin(plies) => Some(plies),
        }
    }

    /// Whether nothing is left for a search to find.
    pub const fn is_exact(self) -> bool {
        matches!(self, Worth::Exact(_))
    }

    /// The value of an action to the player who takes it, if it leads to a position with this value for the other
    /// player.
    #[must_use]
    pub const fn before(self) -> Worth {
        match self {
            Worth::Exact(value) => Worth::Exact(value.before()),
            Worth::Win => Worth::Lose,
            Worth::Lose => Worth::Win,
            Worth::NoneWithin(plies) => Worth::NoneWithin(plies + 1),
        }
    }
}

/// `win in 3`, `win`, `draw`, `none within 9 plies`, `lose`, `lose in 2`.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Exact(value) => value.fmt(f),
            Worth::Win | Worth::Lose => f.write_str(self.name()),
            Worth::NoneWithin(within) => write!(f, "none within {}", plies(*within)),
        }
    }
}

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
    /// Whether this value follows from that of the position before it, while the position after it is not known.
    pub is_inferred: bool,
    /// The opponent's actions that keep this value, if it is a draw or a loss and they were counted.
    pub ways: Option<u32>,
    /// How good it looks; not proved. Not for wins with a distance.
    pub estimate: Option<Estimate>,
}

impl Ranked {
    /// Takes over a value that follows from that of the position before the action.
    pub(super) fn infer(&mut self, worth: Worth) {
        (self.worth, self.is_inferred) = (worth, true);
    }
}
