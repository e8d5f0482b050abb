//! Helpers that several test files share.

pub(crate) mod asked;
pub(crate) mod boards;
#[cfg(feature = "gpu")]
pub(crate) mod calculator;
#[cfg(feature = "gpu")]
pub(crate) mod log;

use crate::rules::{Game, Rules};
pub(crate) use asked::cases;

/// The game with these doves.
pub(crate) fn game(red: &str, green: &str, rules: Rules) -> Game {
    Game { red: red.parse().expect("a dove set"), green: green.parse().expect("a dove set"), rules }
}
