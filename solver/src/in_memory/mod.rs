//! Solving in memory: rounds until nothing is new, and the solved game.

mod rounds;
mod solved;

use std::sync::Arc;

pub use rounds::Halted;
use rounds::RoundsInMemory;
use solved::SolvedInMemory;

use super::actions::block_actions::CompiledGame;
use super::rounds::Round;
use super::solved::Solved;
use super::space::index::Index;
use super::space::layout::Layout;
use dovemate::Limits;
use dovemate::clock::Instant;
use dovemate::rules::Game;
use dovemate::threads::Threads;

/// Solves a game on `threads`, within limits. `on_round` is called on the calling thread after every round except round
/// 0 and the last, which finds nothing.
///
/// # Errors
/// If a limit is reached. The error counts the positions that complete rounds have found.
pub(crate) fn solve(
    game: Game,
    limits: Limits,
    threads: &Threads,
    on_round: &(dyn Fn(Round) + Sync),
) -> Result<Box<dyn Solved>, Box<Halted>> {
    let started = Instant::now();
    let mut rounds = threads.run(|| {
        let compiled = Arc::new(CompiledGame::of(Arc::new(Index::of(Layout::new(game)))));
        RoundsInMemory::new(started, compiled, limits)
    });
    match rounds.run(threads, on_round) {
        Ok(()) => Ok(Box::new(threads.run(|| SolvedInMemory::new(rounds)))),
        Err(limit) => Err(Box::new(rounds.halted(limit))),
    }
}
