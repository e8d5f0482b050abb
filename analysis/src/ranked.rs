//! A ranked action: its value and everything that orders it.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::search::Estimate;
use dovemate::rules::{Action, Board, Code, Color};
use dovemate_solver::{Known, Source, Worth};

/// An action with its value to its player.
///
/// ```
/// use dovemate::{Board, Color, Game};
/// use dovemate_analysis::rank_within;
///
/// let board = Board::default();
/// let ranked = rank_within(&Game::both("A")?, &board, Color::Red, 1)?;
/// assert!(ranked.iter().any(|ranked| ranked.text == "BW1" && ranked.worth.to_string() == "none within 1 ply"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Ranked {
    /// The action.
    pub action: Action,
    /// Its text on the board before it.
    pub text: String,
    /// The board after it.
    pub after: Board,
    /// Its value.
    pub worth: Worth,
    /// The source of the value; if it follows from the value of the position before the action, the source of that
    /// value.
    pub source: Source,
    /// The upper bound of its distance, if the distance itself is not known.
    pub within: Option<u32>,
    /// The opponent's ways to keep this value, if it is a draw or a loss and they were counted.
    pub ways: Option<Ways>,
    /// How good it looks, which proves nothing; `None` if it was not estimated, as for wins with a known distance.
    pub estimate: Option<Estimate>,
    /// How often the position after it has come up in the game; 0 also if the course of the game is not known.
    pub seen: usize,
    /// The most points that the proved values of the action, and of the position before it, allow.
    pub(super) max_points: u32,
    /// The canonical code of the position after it: [`canonical_after`].
    pub(super) code: Code,
}

/// The canonical code of the position after an action of this player.
pub(super) fn canonical_after(after: &Board, mover: Color) -> Code {
    after.code().canonical(mover.opponent())
}

impl Ranked {
    /// A player's action with its value and the boards before and after it; nothing else is known yet.
    pub(super) fn new(
        (board, mover): (&Board, Color),
        (action, after): (Action, Board),
        Known { worth, source }: Known,
    ) -> Ranked {
        let (text, code) = (action.text(board), canonical_after(&after, mover));
        Ranked {
            action,
            text,
            after,
            worth,
            source,
            within: None,
            ways: None,
            estimate: None,
            seen: 0,
            max_points: u32::MAX,
            code,
        }
    }

    /// Whether its value is proved. If not, all that is known is that it neither wins nor loses within some number of
    /// plies.
    pub fn is_proved(&self) -> bool {
        self.worth.wdl().is_some()
    }

    /// Its distance or an upper bound of the distance, if either is known.
    pub fn bound(&self) -> Option<u32> {
        let exact = if self.is_proved() { self.worth.plies() } else { None };
        self.within.or(exact)
    }

    /// The estimate, unless it is only a bound, which cannot be compared with the exact estimates of other actions.
    pub fn exact_estimate(&self) -> Option<Estimate> {
        self.estimate.filter(|estimate| estimate.is_exact)
    }

    /// The points expected in thousandths, if there is an [exact estimate](Ranked::exact_estimate): never more
    /// than the proved values of the action and its position allow, and never 0 % or 100 %.
    pub fn points(&self) -> Option<u32> {
        Some(self.exact_estimate()?.per_mille().min(self.max_points))
    }

    /// The criterion that orders the action among those of equal value, if there is one to show.
    pub fn order(&self) -> Option<Order> {
        if let Some(ways) = self.ways.filter(|ways| ways.answers > 0) {
            return Some(Order::Ways(ways));
        }
        if self.is_proved() {
            return None;
        }
        Some(Order::Points((self.points()? + 5) / 10))
    }

    /// Sets a value that has been found, with the upper bound of its distance if the distance is not known.
    pub(super) fn set(&mut self, worth: Worth, source: Source, within: Option<u32>) {
        self.worth = worth;
        self.source = source;
        self.within = within;
    }

    /// A sort key among actions of equal value, by the bound of the distance: less is better.
    pub(super) fn urgency(&self) -> u32 {
        let within = self.within.unwrap_or(u32::MAX);
        if self.worth == Worth::Lose { !within } else { within }
    }
}

/// As in `TE3: win in 5`, or `BN1W1: lose, within 14 plies`.
impl fmt::Display for Ranked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = self.within.map_or(String::new(), |within| format!(", within {within} plies"));
        write!(f, "{}: {}{within}", self.text, self.worth)
    }
}

/// An action as `dovemate best --json` writes it.
#[derive(Serialize)]
struct RankedFields<'a> {
    action: &'a str,
    #[serde(flatten)]
    worth: Worth,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<u32>,
    source: Source,
    after: &'a Board,
    code: Code,
    #[serde(flatten)]
    ways: Option<Ways>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<EstimateFields>,
}

/// An unproved suggestion: the expected points in thousandths, 1,000 for a win, and the plies looked ahead.
#[derive(Serialize)]
struct EstimateFields {
    per_mille: u32,
    plies: u32,
}

impl Serialize for Ranked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let estimate = self.points().zip(self.exact_estimate());
        RankedFields {
            action: &self.text,
            worth: self.worth,
            within: self.within,
            source: self.source,
            after: &self.after,
            code: self.code,
            ways: self.ways,
            estimate: estimate.map(|(per_mille, Estimate { plies, .. })| EstimateFields { per_mille, plies }),
        }
        .serialize(serializer)
    }
}

/// The criterion that orders an action among those of equal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// The opponent's ways to keep the value, if the action does not end the game.
    Ways(Ways),
    /// The points expected in hundredths, if the action is undecided.
    Points(u32),
}

/// How many of the opponent's answers to an action keep its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Ways {
    /// The answers that keep it.
    #[serde(rename = "ways")]
    pub kept: u32,
    /// All answers.
    pub answers: u32,
}
