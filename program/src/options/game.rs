//! The options for a game: each player's doves, and the rules.

use std::ops::RangeInclusive;

use clap::Args;
use dovemate::rules::{DoveSet, Game, Kind, Rules};

use crate::io::Failure;
use crate::options::RuleArguments;

/// A game that is solved in a second or two: three kinds for each player.
pub fn usual(rules: Rules) -> Game {
    let kinds: DoveSet = [Kind::Aniki, Kind::Yaibato, Kind::Mamedeppo].into_iter().collect();
    Game { red: kinds, green: kinds, rules }
}

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

    /// The game to solve: [`usual`] if no dove sets are given.
    pub fn game_to_solve(&self) -> Game {
        self.named().unwrap_or_else(|| usual(self.rules.rules()))
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

/// The numbers of doves on the board that are named, or all that the game has.
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
