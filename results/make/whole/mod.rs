//! The whole game that the last arguments of a program name.

use anyhow::{Result, bail};
use dovemate::rules::{Game, Rules};

/// The whole game: without returns if no arguments are left, with returns if the one left is `returns`.
///
/// # Errors
/// If anything else is left.
pub fn game(rest: &[String]) -> Result<Game> {
    let returns = match rest {
        [] => false,
        [word] if word == "returns" => true,
        other => bail!("'{}' is not 'returns'", other.join(" ")),
    };
    Ok(Game::whole(Rules { returns, ..Rules::default() }))
}
