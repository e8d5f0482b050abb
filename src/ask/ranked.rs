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
    /// The plies within which it wins or loses, if that is all that is known of the distance.
    pub within: Option<u32>,
    /// How easily the opponent keeps this value, if it is a draw or a loss and that was counted.
    pub ways: Option<Ways>,
    /// How good it looks; not proved. Not for wins with a distance.
    pub estimate: Option<Estimate>,
}

impl Ranked {
    /// Whether its value is proved; if not, it is only known to win or lose in no fewer than some plies.
    pub fn is_proved(&self) -> bool {
        !matches!(self.worth, Worth::NoneWithin(_))
    }

    /// The plies within which it wins or loses, if anything is known of that.
    pub fn bound(&self) -> Option<u32> {
        self.within.or(self.worth.plies().filter(|_| self.is_proved()))
    }

    /// The estimate, unless it is only a bound: that would be beside figures that it does not compare with.
    pub fn exact_estimate(&self) -> Option<Estimate> {
        self.estimate.filter(|estimate| estimate.is_exact)
    }

    /// The ways that order the action among equal ones: none if it ends the game.
    pub fn ways_left(&self) -> Option<Ways> {
        self.ways.filter(|ways| ways.answers > 0)
    }

    /// The points expected in hundredths, if the action is undecided: what orders it then.
    pub fn points(&self) -> Option<u32> {
        let estimate = self.exact_estimate().filter(|_| !self.is_proved());
        estimate.map(|estimate| (estimate.per_mille() + 5) / 10)
    }

    /// What a bound of the distance says of actions of equal value: less is better.
    pub(super) fn urgency(&self) -> u32 {
        let within = self.within.unwrap_or(u32::MAX);
        if self.worth == Worth::Lose { !within } else { within }
    }
}

/// How many of the opponent's answers to an action keep its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The answers that keep it.
    pub kept: u32,
    /// All answers.
    pub answers: u32,
}
