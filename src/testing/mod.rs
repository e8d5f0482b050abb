//! Shared by several test files.

pub(crate) mod boards;
#[cfg(feature = "gpu")]
pub(crate) mod calculator;
pub(crate) mod folders;
#[cfg(feature = "gpu")]
pub(crate) mod log;

use crate::Value;
use crate::ask::{Known, Lookup, LookupError, Source, Worth};
use crate::literal::{LiteralPosition, LiteralSolution};
use crate::rules::{Board, Color, Game, Rules};
use crate::solve::solved::Solved;
use crate::solve::{Bounds, Round, in_memory};

/// The game with these doves.
pub(crate) fn game(red: &str, green: &str, rules: Rules) -> Game {
    Game { red: red.parse().expect("a dove set"), green: green.parse().expect("a dove set"), rules }
}

/// Solves a game in memory. `each` is called after every round but round 0 and the last, which finds nothing.
pub(crate) fn solve(game: Game, each: &(dyn Fn(Round) + Sync)) -> Box<dyn Solved> {
    in_memory::solve_within(game, Bounds::default(), each).expect("nothing bounds it")
}

/// The value of a position, as far as a look-up knows it.
pub(crate) fn worth(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Worth> {
    lookup.value(board, mover).expect("values can be read").map(|known| known.worth)
}

/// The exact value of a position.
pub(crate) fn exact(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Value> {
    lookup.value(board, mover).expect("values can be read").and_then(Known::exact)
}

/// Questions are also asked of the literal solver.
impl Lookup for LiteralSolution {
    fn game(&self) -> Game {
        self.game
    }

    fn value(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let value = self.value(LiteralPosition::of(&self.game, board, mover));
        Ok(value.map(|value| Known { worth: Worth::Exact(value), source: Source::Solved }))
    }

    fn knows_all(&self) -> bool {
        true
    }
}
