//! Helpers that several test files share.

#[path = "../../../src/testing/asked.rs"]
pub(crate) mod asked;
pub(crate) mod edits;
pub(crate) mod folders;
#[path = "../../../src/testing/images.rs"]
pub(crate) mod images;
#[path = "../../tests/literal/mod.rs"]
pub(crate) mod literal;

pub(crate) use asked::cases;
use dovemate::Limits;
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate::threads::Threads;

use crate::known::{Known, Worth};
use crate::solved::{Lookup, Solved};
use crate::value::Value;
use crate::{Round, in_memory};

/// The game with these doves.
pub(crate) fn game(red: &str, green: &str, rules: Rules) -> Game {
    Game { red: red.parse().expect("a dove set"), green: green.parse().expect("a dove set"), rules }
}

/// Solves a game in memory. `on_round` is called after every round but round 0 and the last, which finds nothing.
pub(crate) fn solve(game: Game, on_round: &(dyn Fn(Round) + Sync)) -> Box<dyn Solved> {
    in_memory::solve(game, Limits::default(), &Threads::here(), on_round).expect("there are no limits")
}

/// The value of a position, as far as a lookup knows it.
pub(crate) fn worth(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Worth> {
    lookup.probe(board, mover).expect("values can be read").map(|known| known.worth)
}

/// The exact value of a position.
pub(crate) fn exact(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Value> {
    lookup.probe(board, mover).expect("values can be read").and_then(Known::exact)
}

/// A limit of memory, if there is one.
pub(crate) fn within(memory: Option<u64>) -> Limits {
    Limits { memory, ..Limits::default() }
}
