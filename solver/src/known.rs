//! Knowledge of a position: its value as far as it is known, and the source.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::value::{Value, ValueFields, Wdl};

/// The value of a position to the player to move, or of an action to the player who takes it, as far as it is
/// known.
///
/// ```
/// use dovemate_solver::{Value, Worth};
///
/// let worth: Worth = "win in 3".parse()?;
/// assert_eq!(worth, Worth::Exact(Value::Win(3)));
/// assert!(worth > Worth::NoneWithin(5) && Worth::NoneWithin(5) > Worth::Exact(Value::Lose(4)));
/// # Ok::<(), dovemate_solver::WorthError>(())
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
    /// The value without the distance of a win or loss.
    #[must_use]
    pub const fn without_distance(self) -> Worth {
        match self {
            Worth::Exact(Value::Win(_)) => Worth::Win,
            Worth::Exact(Value::Lose(_)) => Worth::Lose,
            other => other,
        }
    }

    /// A sort key, least for the best.
    const fn key(self) -> (u8, i64) {
        match self {
            Worth::Exact(Value::Win(plies)) => (0, plies as i64),
            Worth::Win => (1, 0),
            Worth::Exact(Value::Draw) => (2, 0),
            Worth::NoneWithin(plies) => (3, -(plies as i64)),
            Worth::Lose => (4, 0),
            Worth::Exact(Value::Lose(plies)) => (5, -(plies as i64)),
        }
    }

    /// Win, draw or loss; `None` if that is not known.
    pub const fn wdl(self) -> Option<Wdl> {
        match self {
            Worth::Exact(value) => Some(value.wdl()),
            Worth::Win => Some(Wdl::Win),
            Worth::Lose => Some(Wdl::Lose),
            Worth::NoneWithin(_) => None,
        }
    }

    /// The name in files: `win`, `draw`, `none` or `lose`.
    pub const fn name(self) -> &'static str {
        match self.wdl() {
            Some(wdl) => wdl.name(),
            None => "none",
        }
    }

    /// The win, draw or loss with this name in files, at this distance if one is given; `None` if there is no such
    /// value.
    pub fn named(name: &str, plies: Option<u32>) -> Option<Worth> {
        match (name, plies) {
            ("win", None) => Some(Worth::Win),
            ("win", Some(plies)) => Some(Worth::Exact(Value::Win(plies))),
            ("lose", None) => Some(Worth::Lose),
            ("lose", Some(plies)) => Some(Worth::Exact(Value::Lose(plies))),
            ("draw", None) => Some(Worth::Exact(Value::Draw)),
            _ => None,
        }
    }

    /// The distance, or the number of plies of [`Worth::NoneWithin`]; `None` for a draw or an unknown distance.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Worth::Exact(value) => value.plies(),
            Worth::Win | Worth::Lose => None,
            Worth::NoneWithin(plies) => Some(plies),
        }
    }

    /// Whether the other value is equal, or is the same win or loss with its distance known.
    ///
    /// ```
    /// use dovemate_solver::Worth;
    ///
    /// let [win, in_21]: [Worth; 2] = ["win".parse()?, "win in 21".parse()?];
    /// assert!(win.includes(in_21) && !in_21.includes(win));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn includes(self, other: Worth) -> bool {
        self == other || self == other.without_distance()
    }

    /// Whether the value is exact, so that a search can add nothing.
    pub const fn is_exact(self) -> bool {
        matches!(self, Worth::Exact(_))
    }

    /// Whether this is inexact, and may turn out to be the given win, draw or loss.
    pub fn may_be(self, wdl: Option<Wdl>) -> bool {
        !self.is_exact() && (self.wdl().is_none() || self.wdl() == wdl)
    }

    /// The value of an action to the player who takes it, if it leads to a position with this value for the other
    /// player. Distances saturate at [`u32::MAX`].
    #[must_use]
    pub const fn before(self) -> Worth {
        match self {
            Worth::Exact(value) => Worth::Exact(value.before()),
            Worth::Win => Worth::Lose,
            Worth::Lose => Worth::Win,
            Worth::NoneWithin(plies) => Worth::NoneWithin(plies.saturating_add(1)),
        }
    }
}

/// The greater value is the better one for the player: wins, the quickest first, then draws, undecided values, and
/// losses, the slowest first. A win or loss at an unknown distance counts as a long one. Of undecided values, the one
/// searched to more plies is greater.
impl Ord for Worth {
    fn cmp(&self, other: &Worth) -> Ordering {
        other.key().cmp(&self.key())
    }
}

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Worth) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Serialized as `value`, which is the name, and `plies`, which is null for a draw or an unknown distance.
impl Serialize for Worth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ValueFields { value: self.name(), plies: self.plies() }.serialize(serializer)
    }
}

/// `win in 3`, `win`, `draw`, `none within 9 plies`, `lose`, `lose in 2`.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Exact(value) => value.fmt(f),
            Worth::Win | Worth::Lose => f.write_str(self.name()),
            Worth::NoneWithin(1) => f.write_str("none within 1 ply"),
            Worth::NoneWithin(plies) => write!(f, "none within {plies} plies"),
        }
    }
}

/// Reads a win, a draw or a loss as [`Worth`] displays it.
impl FromStr for Worth {
    type Err = WorthError;

    fn from_str(text: &str) -> Result<Worth, WorthError> {
        let wrong = || WorthError(text.to_owned());
        let (name, plies) = match text.split_once(" in ") {
            Some((name, plies)) => (name, Some(plies.parse().map_err(|_| wrong())?)),
            None => (text, None),
        };
        Worth::named(name, plies).ok_or_else(wrong)
    }
}

/// Why a text is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a value; write win, draw or lose, or a distance, as in 'win in 21'", .0.escape_debug())]
pub struct WorthError(String);

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The rules: the action ends the game.
    Rules,
    /// The game, solved in memory.
    Solved,
    /// Tables of the game, or the rounds or the wins of its solved parts.
    Tables,
    /// The openings in the program.
    Openings,
    /// A search, which has proved the value or found nothing within its limits.
    Search,
    /// A lookup from outside this library.
    Other,
}

impl Source {
    /// The name in files: `rules`, `solved`, `tables`, `openings`, `search` or `other`.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Rules => "rules",
            Source::Solved => "solved",
            Source::Tables => "tables",
            Source::Openings => "openings",
            Source::Search => "search",
            Source::Other => "other",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What a [`Lookup`](crate::Lookup) knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Known {
    /// The value to the player to move.
    #[serde(flatten)]
    pub worth: Worth,
    /// The source of the value.
    pub source: Source,
}

impl Known {
    /// The exact value; `None` if the value, or the distance of a win or loss, is not known.
    pub const fn exact(self) -> Option<Value> {
        match self.worth {
            Worth::Exact(value) => Some(value),
            Worth::Win | Worth::Lose | Worth::NoneWithin(_) => None,
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.worth.fmt(f)
    }
}
