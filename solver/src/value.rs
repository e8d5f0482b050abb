//! The value of a position, seen by the player to move.
//!
//! A player who cannot act has lost in 0, unless a game of [`crate::retrograde`] rules otherwise. An action that ends
//! the game leads to an end that is won, drawn or lost in 0 for the other player. A position is *won in n* if some
//! action leads to a position or an end lost in n − 1, for the least such n. It is *lost in n* if every action leads to
//! one that is won, and n − 1 is the greatest of their distances: the winner hurries, the loser delays. Any other
//! position is a *draw*: neither player can force a win.

use std::cmp::Ordering;
use std::fmt;

use dovemate::rules::Outcome;
use serde::{Serialize, Serializer};

/// A value with its distance in plies.
///
/// ```
/// use dovemate_solver::{Value, Wdl};
///
/// assert_eq!(Value::Lose(4).before(), Value::Win(5), "an action that leads there");
/// assert_eq!((Value::Win(5).wdl(), Value::Draw.plies()), (Wdl::Win, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The player to move wins, with this distance in plies.
    Win(u32),
    /// Neither player can force a win.
    Draw,
    /// The player to move loses, with this distance in plies.
    Lose(u32),
}

/// A value without its distance: win, draw or loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wdl {
    /// The player to move wins.
    Win,
    /// Neither player can force a win.
    Draw,
    /// The player to move loses.
    Lose,
}

impl Wdl {
    /// The value of an outcome to the player who acted; `None` if the game continues.
    pub const fn of(outcome: Outcome) -> Option<Wdl> {
        match outcome {
            Outcome::Open => None,
            Outcome::Won => Some(Wdl::Win),
            Outcome::Lost => Some(Wdl::Lose),
            Outcome::Drawn => Some(Wdl::Draw),
        }
    }

    /// The value of an action to the player who takes it, if it leads to a position with this value for the
    /// other player.
    #[must_use]
    pub const fn before(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::Lose,
            Wdl::Draw => Wdl::Draw,
            Wdl::Lose => Wdl::Win,
        }
    }

    /// The name in files: `win`, `draw` or `lose`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Lose => "lose",
        }
    }
}

impl Value {
    /// The value without its distance.
    pub const fn wdl(self) -> Wdl {
        match self {
            Value::Win(_) => Wdl::Win,
            Value::Draw => Wdl::Draw,
            Value::Lose(_) => Wdl::Lose,
        }
    }

    /// The distance; `None` for a draw.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Lose(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// The value of an action to the player who takes it, if it leads to a position with this value for the other
    /// player. Distances saturate at [`u32::MAX`].
    #[must_use]
    pub const fn before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Lose(plies.saturating_add(1)),
            Value::Draw => Value::Draw,
            Value::Lose(plies) => Value::Win(plies.saturating_add(1)),
        }
    }

    /// The value, to the other player, of the position after an action with this value.
    pub const fn after(self) -> Value {
        match self {
            Value::Win(plies) => Value::Lose(plies.saturating_sub(1)),
            Value::Draw => Value::Draw,
            Value::Lose(plies) => Value::Win(plies.saturating_sub(1)),
        }
    }

    /// The name in files: `win`, `draw` or `lose`.
    pub const fn name(self) -> &'static str {
        self.wdl().name()
    }

    /// A key that is least for the best value: wins by distance, then draws, then losses by falling distance.
    const fn key(self) -> (u8, i64) {
        match self {
            Value::Win(plies) => (0, plies as i64),
            Value::Draw => (1, 0),
            Value::Lose(plies) => (2, -(plies as i64)),
        }
    }
}

/// The greater value is the better one for the player to move.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        other.key().cmp(&self.key())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Serialized as `value`, which is the name, and `plies`, which is null for a draw.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ValueFields { value: self.name(), plies: self.plies() }.serialize(serializer)
    }
}

/// A value as it is serialized: its name and its plies.
#[derive(Serialize)]
pub(crate) struct ValueFields {
    pub value: &'static str,
    pub plies: Option<u32>,
}

/// `win in 3`, `draw`, `lose in 2`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.name()),
            None => f.write_str(self.name()),
        }
    }
}
