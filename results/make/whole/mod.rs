//! The whole game that a program is asked about: its last arguments.

use anyhow::{Result, bail};
use dovemate::rules::{Game, Rules};

/// The whole game without returns if no arguments are left; with them if `returns` is left.
///
/// # Errors
/// If anything else is.
pub fn game(rest: &[String]) -> Result<Game> {
    let returns = match rest {
        [] => false,
        [word] if word == "returns" => true,
        other => bail!("'{}' is not 'returns'", other.join(" ")),
    };
    Ok(Game::whole(Rules { returns, ..Rules::default() }))
}
