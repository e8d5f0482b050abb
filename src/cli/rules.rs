//! The options for the rule variants and the players.

use clap::{ArgAction, Args, ValueEnum};
use serde::Serialize;

use dovemate::rules::{BothSurrounded, Color, Rules};

/// The rule variant.
#[derive(Args, Clone, Copy, Debug, Serialize)]
pub struct RuleArguments {
    /// Without the optional rule that doves may be returned to the hand
    #[arg(long = "no-return", action = ArgAction::SetFalse)]
    returns: bool,
    /// The ruling on an action that surrounds both bosses
    #[arg(long, value_enum, default_value_t)]
    both_surrounded: RulingName,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum RulingName {
    #[default]
    MoverLoses,
    MoverWins,
    Draw,
}

impl RuleArguments {
    /// The variant as the library has it.
    pub fn rules(self) -> Rules {
        let both_surrounded = match self.both_surrounded {
            RulingName::MoverLoses => BothSurrounded::MoverLoses,
            RulingName::MoverWins => BothSurrounded::MoverWins,
            RulingName::Draw => BothSurrounded::Draw,
        };
        Rules { returns: self.returns, both_surrounded }
    }
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
