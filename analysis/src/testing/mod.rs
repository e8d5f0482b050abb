//! Shared by several test files.

#[path = "../../../src/testing/asked.rs"]
pub(crate) mod asked;
#[path = "../../../src/testing/boards.rs"]
pub(crate) mod boards;
#[path = "../../../solver/src/testing/edits.rs"]
pub(crate) mod edits;
#[path = "../../../src/testing/images.rs"]
pub(crate) mod images;
#[allow(dead_code, reason = "the solver's tests use more of it")]
#[path = "../../../solver/tests/literal/mod.rs"]
pub(crate) mod literal;

use std::sync::LazyLock;

pub(crate) use asked::cases;
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate_solver::{Known, Lookup, SolvedGame, Value, Worth};

/// The game with these doves.
pub(crate) fn game(red: &str, green: &str, rules: Rules) -> Game {
    Game { red: red.parse().expect("a dove set"), green: green.parse().expect("a dove set"), rules }
}

/// Solves a game in memory.
pub(crate) fn solve(game: Game) -> SolvedGame {
    dovemate_solver::solve(game).expect("nothing bounds it")
}

/// The value of a position, as far as a lookup knows it.
pub(crate) fn worth(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Worth> {
    lookup.probe(board, mover).expect("values can be read").map(|known| known.worth)
}

/// The exact value of a position.
pub(crate) fn exact(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Value> {
    lookup.probe(board, mover).expect("values can be read").and_then(Known::exact)
}

/// The positions of a solved game, each once.
pub(crate) fn positions(solved: &SolvedGame) -> impl Iterator<Item = (Board, Color)> {
    solved.positions(|_| true).map(|position| position.expect("values can be read").0)
}

/// A Y, solved once for all tests.
pub(crate) fn solved_ay() -> &'static SolvedGame {
    static SOLVED: LazyLock<SolvedGame> = LazyLock::new(|| solve(game("AY", "AY", Rules::default())));
    &SOLVED
}
