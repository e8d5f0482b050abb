//! The options for the rule variant.

use clap::{ArgAction, Args};

use crate::options::named;
use dovemate::rules::{BothSurrounded, Rules};

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
        let both_surrounded = self.both_surrounded.unwrap_or(Rules::default().both_surrounded);
        Rules { returns: self.returns, both_surrounded }
    }
}

/// The options that select the variant, each with a space before it.
pub fn options(rules: Rules) -> String {
    let returns = if rules.returns { "" } else { " --no-return" };
    let ruling = match rules.both_surrounded {
        ruling if ruling == Rules::default().both_surrounded => String::new(),
        ruling => format!(" --both-surrounded {ruling}"),
    };
    format!("{returns}{ruling}")
}

/// The variant in words: `with returns, mover-loses`.
pub fn words(rules: Rules) -> String {
    format!("{} returns, {}", if rules.returns { "with" } else { "without" }, rules.both_surrounded.name())
}
