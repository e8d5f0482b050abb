//! The whole game that a program is asked about: its last argument.

use anyhow::{Result, bail};
use dovemate::rules::{Game, Rules};

/// The whole game without returns; with them if the argument is `returns`.
///
/// # Errors
/// If the argument is anything else.
pub fn game(returns: Option<&str>) -> Result<Game> {
    let returns = match returns {
        None => false,
        Some("returns") => true,
        Some(other) => bail!("'{other}' is not 'returns'"),
    };
    Ok(Game::whole(Rules { returns, ..Rules::default() }))
}
