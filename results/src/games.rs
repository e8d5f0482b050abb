//! Games, as arguments name them.

use anyhow::{Context, Result, bail};
use dovemate::rules::{DoveSet, Game, Rules};

/// A game under the usual rules, by the dove sets of both players, such as `AYM/AYT`; without returns if it
/// ends in `-`.
pub fn game(text: &str) -> Result<Game> {
    let (sets, returns) = match text.strip_suffix('-') {
        Some(sets) => (sets, false),
        None => (text, true),
    };
    let (red, green) = sets
        .split_once('/')
        .with_context(|| format!("'{text}' is not a game; write RED/GREEN or RED/GREEN-"))?;
    Ok(Game { red: red.parse()?, green: green.parse()?, rules: Rules { returns, ..Rules::default() } })
}

/// The whole game: without returns if no arguments are left, with returns if the one left is `returns`.
pub fn whole(rest: &[String]) -> Result<Game> {
    let returns = match rest {
        [] => false,
        [word] if word == "returns" => true,
        other => bail!("'{}' is not 'returns'", other.join(" ")),
    };
    Ok(Game::whole(Rules { returns, ..Rules::default() }))
}

/// All games under the usual rules, by number of doves. Each pair of dove sets comes in one order only,
/// because exchanging the players gives the same game.
pub fn all() -> Vec<Game> {
    let (sets, rules) = (DoveSet::all(), Rules::default());
    let mut games = Vec::new();
    for (first, &red) in sets.iter().enumerate() {
        games.extend(sets[first..].iter().map(|&green| Game { red, green, rules }));
    }
    games.sort_by_key(Game::most_doves);
    games
}
