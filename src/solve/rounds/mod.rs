//! Rounds: which positions are won or lost in n, from those won or lost in n − 1, and how many of each shape.

pub(crate) mod counts;
pub mod round;
#[cfg(feature = "tables")]
pub mod round_tally;
#[cfg(feature = "tables")]
pub mod sample;

use std::time::{Duration, Instant};

use crate::known::Worth;
use crate::solve::solved::Row;

/// A finished round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number: the distance in plies of the positions that it finds.
    pub number: u32,
    /// Positions won in that many plies.
    pub wins: u64,
    /// Positions lost in that many plies. In memory those of round 0 are counted in round 1; in files round 0 is
    /// reported by itself.
    pub losses: u64,
    /// Time since the solver started.
    pub elapsed: Duration,
}

impl Round {
    /// A round that found the positions of `rows`, in a solver that started at `started`.
    pub(in crate::solve) fn of(number: u32, rows: &[Row], started: Instant) -> Round {
        let of = |is_win: bool| {
            let rows = rows.iter().filter(|row| (row.worth.without_distance() == Worth::Win) == is_win);
            rows.map(|row| row.positions).sum()
        };
        Round { number, wins: of(true), losses: of(false), elapsed: started.elapsed() }
    }
}
