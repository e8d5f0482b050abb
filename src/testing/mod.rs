//! Shared by several test files.

pub(crate) mod asked;
pub(crate) mod boards;
#[cfg(feature = "gpu")]
pub(crate) mod calculator;
#[cfg(feature = "gpu")]
pub(crate) mod log;

use crate::rules::{Game, Rules};

/// How many cases a test tries: a few, or all of them if `DOVEMATE_TEST_WITH` asks for `cases`.
pub(crate) fn cases<T>(few: T, all: T) -> T {
    if asked::is_asked_for("cases") { all } else { few }
}

/// The game with these doves.
pub(crate) fn game(red: &str, green: &str, rules: Rules) -> Game {
    Game { red: red.parse().expect("a dove set"), green: green.parse().expect("a dove set"), rules }
}
