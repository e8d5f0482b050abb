//! The options for a game: each player's doves, and the rules.

use std::ops::RangeInclusive;

use clap::{ArgAction, Args};
use dovemate::{BothSurrounded, DoveSet, Game, Rules};

use crate::io::Failure;
use crate::options::named;

#[derive(Args, Clone, Copy, Debug)]
pub struct GameArguments {
    /// Kinds of doves that both players have besides the boss: letters of A Y M T H, or - for none; B
    /// for the boss may be among them
    #[arg(long, value_name = "KINDS", allow_hyphen_values = true, conflicts_with_all = ["red", "green"])]
    kinds: Option<DoveSet>,
    /// Red's kinds, if the players have different ones; requires --green
    #[arg(long, value_name = "KINDS", allow_hyphen_values = true, requires = "green")]
    red: Option<DoveSet>,
    /// Green's kinds; requires --red
    #[arg(long, value_name = "KINDS", allow_hyphen_values = true, requires = "red")]
    green: Option<DoveSet>,
    #[command(flatten)]
    pub rules: RuleArguments,
}

impl GameArguments {
    /// The game with the given dove sets, or with all five kinds for both if none are given.
    pub fn game(&self) -> Game {
        self.named().unwrap_or(Game::whole(self.rules.rules()))
    }

    /// The game to solve; if no dove sets are given, one that is solved in a second or two: A Y M for both.
    pub fn game_to_solve(&self) -> Game {
        let usual = || Game { rules: self.rules.rules(), ..Game::both("AYM").expect("kinds of doves") };
        self.named().unwrap_or_else(usual)
    }

    /// The game, if dove sets are given.
    pub fn named(&self) -> Option<Game> {
        let (red, green) = match (self.kinds, self.red, self.green) {
            (Some(kinds), _, _) => (kinds, kinds),
            (None, Some(red), Some(green)) => (red, green),
            _ => return None,
        };
        Some(Game { red, green, rules: self.rules.rules() })
    }
}

/// The requested numbers of doves on the board, by default all that the game has.
///
/// # Errors
/// If the game has fewer doves.
pub fn doves_of(game: &Game, named: Option<&RangeInclusive<u32>>) -> Result<RangeInclusive<u32>, Failure> {
    let most = game.most_doves();
    match named {
        None => Ok(2..=most),
        Some(doves) if *doves.end() <= most => Ok(doves.clone()),
        Some(doves) => Err(Failure::Usage(format!(
            "--doves goes up to {}, but with these dove sets there are at most {most} doves on the board, bosses included",
            doves.end()
        ))),
    }
}

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
pub fn rule_options(rules: Rules) -> String {
    let returns = if rules.returns { "" } else { " --no-return" };
    let ruling = rules.both_surrounded;
    let is_usual = ruling == Rules::default().both_surrounded;
    if is_usual { returns.to_owned() } else { format!("{returns} --both-surrounded {ruling}") }
}

/// The variant in words, with a space before them: ` (without returns, mover-loses)`. Empty for the default variant.
pub fn in_parentheses(rules: Rules) -> String {
    if rules == Rules::default() {
        return String::new();
    }
    let returns = if rules.returns { "with" } else { "without" };
    format!(" ({returns} returns, {})", rules.both_surrounded.name())
}
