//! The options for the rule variant.

use clap::{ArgAction, Args};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::parse::named;
use dovemate::rules::{BothSurrounded, Rules};

/// The rule variant.
#[derive(Args, Clone, Copy, Debug)]
pub struct RuleArguments {
    /// Play without the optional rule that doves may be returned to the hand
    #[arg(long = "no-return", action = ArgAction::SetFalse)]
    returns: bool,
    /// The ruling on an action that surrounds both bosses [default: mover-loses]
    #[arg(long, value_name = "RULING", value_parser = named::<BothSurrounded>(BothSurrounded::ALL.map(BothSurrounded::name)))]
    both_surrounded: Option<BothSurrounded>,
}

impl RuleArguments {
    /// The variant, as the library's type.
    pub fn rules(self) -> Rules {
        self.over(Rules::default())
    }

    /// The variant, with options that are not given taken from `rules`.
    pub fn over(self, rules: Rules) -> Rules {
        let both_surrounded = self.both_surrounded.unwrap_or(rules.both_surrounded);
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
