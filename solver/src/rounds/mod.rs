//! Rounds: which positions are won or lost in n, from those won or lost in n − 1, and how many of each shape.

pub(crate) mod counts;
pub(crate) mod round;

use std::time::Duration;

use crate::known::Worth;
use crate::solved::SolutionRow;
use crate::space::index::Index;
use crate::space::layout::ClassId;
use dovemate::clock::Instant;

/// A finished round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number: the distance in plies of the positions that it finds.
    pub number: u32,
    /// Positions won in `number` plies.
    pub wins: u64,
    /// Positions lost in `number` plies. A solve in memory counts those of round 0 in round 1; one in files reports
    /// round 0 by itself.
    pub losses: u64,
    /// Time since the solve started or, in files, since this process started on the part.
    pub elapsed: Duration,
}

/// The finished rounds of a solver, in memory or in files, with their counts of positions.
pub(crate) struct FinishedRounds {
    /// The counts by value.
    pub rows: Vec<SolutionRow>,
    /// The next round, which is also the number of finished ones.
    pub next: u32,
    /// The last round that found something; at least 1.
    pub last: u32,
    started: Instant,
}

impl FinishedRounds {
    /// A solver that started at this time and has finished no round.
    pub(crate) fn none(started: Instant) -> FinishedRounds {
        FinishedRounds { rows: Vec::new(), next: 0, last: 1, started }
    }

    /// Enters the next round, with its counts.
    pub(crate) fn enter(&mut self, rows: Vec<SolutionRow>) -> Round {
        let count = |is_win: bool| {
            let rows = rows.iter().filter(|row| (row.worth.without_distance() == Worth::Win) == is_win);
            rows.map(|row| row.positions).sum()
        };
        let round = Round {
            number: self.next,
            wins: count(true),
            losses: count(false),
            elapsed: self.started.elapsed(),
        };
        if !rows.is_empty() {
            self.last = self.last.max(self.next);
        }
        self.rows.extend(rows);
        self.next += 1;
        round
    }

    /// Whether the last round was empty, so that all further ones are, too, unless a part that this one leads to adds
    /// results. Rounds 0 and 1 do not count, because they also find positions that need no other.
    pub(crate) fn is_over(&self) -> bool {
        self.last + 1 < self.next
    }

    /// The counts of solved classes by value, including draws.
    pub(crate) fn rows_with_draws(
        &self,
        index: &Index,
        classes: impl IntoIterator<Item = ClassId>,
    ) -> Vec<SolutionRow> {
        let draws = counts::draws(index, classes, &self.rows);
        self.rows.iter().copied().chain(draws).collect()
    }
}
