//! A solved game that can be probed, in memory or in files.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Lookup, LookupError, Solution};
use crate::known::Worth;
use crate::space::index::Index;
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sets::GroupValues;
use crate::value::Value;
use dovemate::rules::{Board, Color};

/// A position with the greatest distance of its game.
///
/// ```
/// use dovemate::Game;
/// use dovemate_solver::solve;
///
/// let longest = solve(Game::both("AY")?)?.longest().expect("not all are draws");
/// println!("{longest}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "LongestFields")]
pub struct Longest {
    /// The board.
    pub board: Board,
    /// The player to move.
    #[serde(rename = "to_move")]
    pub mover: Color,
    /// The value.
    #[serde(flatten)]
    pub value: Value,
}

/// As in `B-Ma;YmyA;b---;----, red to move: win in 23`.
impl fmt::Display for Longest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} to move: {}", self.board, self.mover, self.value)
    }
}

/// A longest position as read from manifests.
#[derive(Deserialize)]
struct LongestFields {
    board: String,
    to_move: String,
    value: String,
    plies: Option<u32>,
}

impl TryFrom<LongestFields> for Longest {
    type Error = &'static str;

    fn try_from(
        LongestFields { board, to_move, value, plies }: LongestFields,
    ) -> Result<Longest, &'static str> {
        let Some(Worth::Exact(value)) = Worth::named(&value, plies) else {
            return Err("not a valid value");
        };
        let board = board.parse().map_err(|_| "not a valid board")?;
        Ok(Longest { board, mover: to_move.parse().map_err(|_| "not a valid player")?, value })
    }
}

impl fmt::Debug for dyn Solved + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved").field("game", &self.game()).finish_non_exhaustive()
    }
}

/// A solved game, in memory or in files.
pub(crate) trait Solved: Lookup {
    /// The number of positions of each value.
    fn solution(&self) -> &Solution;

    /// The last round that found something; at least 1.
    fn rounds(&self) -> u32;

    /// Whether the values of a class are known.
    fn knows(&self, class: ClassId) -> bool {
        let _ = class;
        true
    }

    /// Whether distances are known, and not only who wins.
    fn knows_distances(&self) -> bool {
        true
    }

    /// A position with the greatest distance; `None` if all are draws, or only the wins are kept.
    fn longest(&self) -> Option<Longest>;

    /// The size of the stored values in bytes.
    fn bytes(&self) -> u64;

    /// Whether values are slow to find unless they lie close together.
    fn is_slow_at_random(&self) -> bool {
        false
    }

    /// The index from positions to addresses.
    fn index(&self) -> &Index;

    /// The number of places, on all boss placements of all canonical shapes.
    fn places(&self) -> u64 {
        self.layout().places()
    }

    /// The position at the place with this number; `None` from [`Solved::places`] on.
    fn position(&self, number: u64) -> Option<(Board, Color)> {
        self.index().nth_address(number).map(|address| self.index().position(address))
    }

    /// The layout of the positions.
    fn layout(&self) -> &Layout {
        &self.index().layout
    }

    /// The values of a group, with their distances.
    ///
    /// # Errors
    /// If the values or their distances are not known, or a file with values is damaged or cannot be read.
    fn group(&self, group: GroupId) -> Result<GroupValues, LookupError>;
}
