//! The options for the rule variants and the players.

use clap::{ArgAction, Args, ValueEnum};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use dovemate::rules::{BothSurrounded, Color, Rules};

/// The rule variant.
#[derive(Args, Clone, Copy, Debug)]
pub struct RuleArguments {
    /// Without the optional rule that doves may be returned to the hand
    #[arg(long = "no-return", action = ArgAction::SetFalse)]
    returns: bool,
    /// The ruling on an action that surrounds both bosses [default: mover-loses]
    #[arg(long, value_enum)]
    both_surrounded: Option<RulingName>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RulingName {
    MoverLoses,
    MoverWins,
    Draw,
}

impl RuleArguments {
    /// The variant as the library has it.
    pub fn rules(self) -> Rules {
        self.over(Rules::default())
    }

    /// The variant in which what is not named is as in `rules`.
    pub fn over(self, rules: Rules) -> Rules {
        let both_surrounded = match self.both_surrounded {
            Some(RulingName::MoverLoses) => BothSurrounded::MoverLoses,
            Some(RulingName::MoverWins) => BothSurrounded::MoverWins,
            Some(RulingName::Draw) => BothSurrounded::Draw,
            None => rules.both_surrounded,
        };
        Rules { returns: self.returns && rules.returns, both_surrounded }
    }
}

impl Serialize for RuleArguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Rules { returns, both_surrounded } = self.rules();
        let mut document = serializer.serialize_struct("Rules", 2)?;
        document.serialize_field("returns", &returns)?;
        document.serialize_field("both_surrounded", both_surrounded.name())?;
        document.end()
    }
}

/// The variant in words: `with returns, mover-loses`.
pub fn words(rules: Rules) -> String {
    format!("{} returns, {}", if rules.returns { "with" } else { "without" }, rules.both_surrounded.name())
}

/// A player, as the user names one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorName {
    #[default]
    Red,
    Green,
}

impl ColorName {
    /// The player as the library has it.
    pub fn color(self) -> Color {
        match self {
            ColorName::Red => Color::Red,
            ColorName::Green => Color::Green,
        }
    }
}
