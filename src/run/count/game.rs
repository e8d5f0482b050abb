//! Counting positions of a game with fewer doves, on the CPU.
//!
//! Positions are counted from the mover's point of view, so if the players have different dove sets there are two
//! counts, with red and with green to move. Shapes, boss placements and weights are those of Tokyo Doves. The enclosure
//! prune holds whatever doves are on the board and in hand (`tests/suite/count/games.rs` checks all boss placements
//! that it drops).

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::job::Count;
use crate::count::tally::{Tally, Workload};
use crate::count::{Category, Counter, Method, Sides};
use crate::rules::{Color, Game};
use crate::run::{Observer, RunError};

/// The counts with one player to move.
#[derive(Clone, Debug)]
pub struct GameTally {
    /// The player to move; `None` if both have the same dove set, so that it makes no difference.
    pub mover: Option<Color>,
    /// The counts by number of doves on the board.
    pub tally: Tally,
}

/// The counts of a game, and how they were made.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The counts; two if it makes a difference who moves.
    pub tallies: Vec<GameTally>,
    /// The counting method.
    pub method: Method,
    /// The number of CPU threads.
    pub threads: usize,
    /// The time for counting.
    pub counting: Duration,
}

/// Counts a game; the rules, backend and adapter in `asked` have no meaning here.
///
/// # Errors
/// If the threads cannot be started.
pub fn run(asked: &Count, game: &Game) -> Result<GameReport, RunError> {
    let started = Instant::now();
    let (pool, method) = (asked.pool()?, asked.method.unwrap_or(Method::Factored));
    let tallies = pool.install(|| count(game, asked.category, method, &asked.doves, asked.observer));
    Ok(GameReport { tallies, method, threads: pool.current_num_threads(), counting: started.elapsed() })
}

/// Counts on the current thread pool. `doves` must be within 2 and [`Game::most_doves`].
pub fn count(
    game: &Game,
    category: Category,
    method: Method,
    doves: &RangeInclusive<u32>,
    observer: &dyn Observer,
) -> Vec<GameTally> {
    let workload = Workload::new(doves, category);
    let movers = if game.is_even() { vec![None] } else { Color::ALL.map(Some).to_vec() };
    // By mover, the number of assignments to each number of slots.
    let assignments = |&mover: &Option<Color>| -> Vec<u64> {
        let sides = Sides::of(game, mover.unwrap_or(Color::Red));
        (0..=doves.end() - 2).map(|slots| sides.assignments(slots)).collect()
    };
    let by_slots: Vec<Vec<u64>> = movers.iter().map(assignments).collect();
    let on_all_placements = |by_slots: &Vec<u64>| {
        workload.placements.iter().map(|placement| by_slots[placement.slots() as usize]).sum::<u64>()
    };
    observer.begin(by_slots.iter().map(on_all_placements).sum());
    let count_for = |(&mover, by_slots): (&Option<Color>, &Vec<u64>)| {
        let counter = || Counter::for_game(game, mover.unwrap_or(Color::Red), category, method);
        let counts: Vec<u64> = workload
            .placements
            .par_iter()
            .map_init(counter, |counter, placement| {
                let found = counter.count(placement);
                observer.advance(by_slots[placement.slots() as usize]);
                found
            })
            .collect();
        let mut tally = workload.tally(&counts);
        for row in &mut tally.rows {
            row.assignments = row.boss_placements * by_slots[row.doves as usize - 2];
        }
        GameTally { mover, tally }
    };
    movers.iter().zip(&by_slots).map(count_for).collect()
}
