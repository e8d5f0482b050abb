//! Solving in memory: rounds until nothing is new, and the solved game.

mod rounds;
mod solved;

use std::sync::Arc;

pub use rounds::Halted;
use rounds::RoundsInMemory;
use solved::SolvedInMemory;

use super::actions::block_actions::CompiledGame;
use super::bounds::Bounds;
use super::rounds::Round;
use super::solved::Solved;
use super::space::index::Index;
use super::space::layout::Layout;
use dovemate::clock::Instant;
use dovemate::rules::Game;

/// As [`crate::solve_within`].
pub(crate) fn solve_within(
    game: Game,
    bounds: Bounds,
    each: &(dyn Fn(Round) + Sync),
) -> Result<Box<dyn Solved>, Box<Halted>> {
    let started = Instant::now();
    let compiled = Arc::new(CompiledGame::of(Arc::new(Index::of(Layout::new(game)))));
    let mut rounds = RoundsInMemory::new(started, compiled, bounds);
    match rounds.run(each) {
        Ok(()) => Ok(Box::new(SolvedInMemory::new(rounds))),
        Err(bound) => Err(Box::new(rounds.halted(bound))),
    }
}
