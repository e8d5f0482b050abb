//! The rule variants, and the outcome of an action.

use serde::{Deserialize, Serialize};

use super::name::written_as_its_name;
use super::{Board, Color};

/// The ruling on an action that surrounds both bosses.
///
/// ```
/// use dovemate::BothSurrounded;
///
/// assert_eq!("mover-loses".parse(), Ok(BothSurrounded::default()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BothSurrounded {
    /// The player who acted loses: the default, and the ruling under which the published mate count was made.
    #[default]
    MoverLoses,
    /// The player who acted wins.
    MoverWins,
    /// Neither player wins.
    Draw,
}

/// A variant of the rules.
///
/// ```
/// use dovemate::Rules;
///
/// assert_eq!(Rules { returns: true, ..Rules::default() }, Rules::default());
/// assert_eq!(Rules::variants().count(), 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Whether doves may be returned to the hand; optional in the rule book, on by default.
    pub returns: bool,
    /// The ruling on an action that surrounds both bosses.
    pub both_surrounded: BothSurrounded,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { returns: true, both_surrounded: BothSurrounded::default() }
    }
}

/// The outcome of an action, from the point of view of the player who acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// No boss is surrounded.
    Open,
    /// The player who acted has won.
    Won,
    /// The player who acted has lost.
    Lost,
    /// Both bosses are surrounded, and the ruling is a draw.
    Drawn,
}

impl BothSurrounded {
    /// All three rulings, the default first.
    pub const ALL: [BothSurrounded; 3] =
        [BothSurrounded::MoverLoses, BothSurrounded::MoverWins, BothSurrounded::Draw];

    /// The name of the ruling on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            BothSurrounded::MoverLoses => "mover-loses",
            BothSurrounded::MoverWins => "mover-wins",
            BothSurrounded::Draw => "draw",
        }
    }
}

written_as_its_name!(BothSurrounded, "ruling on an action that surrounds both bosses");

impl Rules {
    /// All six variants, the default first.
    pub fn variants() -> impl Iterator<Item = Rules> {
        [true, false].into_iter().flat_map(|returns| {
            BothSurrounded::ALL.into_iter().map(move |both_surrounded| Rules { returns, both_surrounded })
        })
    }

    /// The outcome for the player who acted, given which bosses are surrounded after the action.
    pub const fn outcome(self, own_surrounded: bool, opposing_surrounded: bool) -> Outcome {
        match (own_surrounded, opposing_surrounded) {
            (false, false) => Outcome::Open,
            (false, true) => Outcome::Won,
            (true, false) => Outcome::Lost,
            (true, true) => match self.both_surrounded {
                BothSurrounded::MoverLoses => Outcome::Lost,
                BothSurrounded::MoverWins => Outcome::Won,
                BothSurrounded::Draw => Outcome::Drawn,
            },
        }
    }

    /// The outcome for `actor`, whose action led to the board `after`.
    pub fn outcome_of(self, after: &Board, actor: Color) -> Outcome {
        self.outcome(after.is_surrounded(actor), after.is_surrounded(actor.opponent()))
    }
}
