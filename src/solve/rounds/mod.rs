//! Rounds: which positions are won or lost in n, from those won or lost in n − 1, and how many of each shape.

pub(crate) mod counts;
pub(crate) mod round;
#[cfg(feature = "tables")]
pub(crate) mod round_tally;

use std::time::Duration;

use crate::clock::Instant;
use crate::known::Worth;
use crate::solve::solved::SolutionRow;
use crate::solve::space::index::Index;
use crate::solve::space::layout::ClassId;

/// A finished round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number: the distance in plies of the positions that it finds.
    pub number: u32,
    /// Positions won in that many plies.
    pub wins: u64,
    /// Positions lost in that many plies. In memory those of round 0 are counted in round 1; in files round 0
    /// is reported by itself.
    pub losses: u64,
    /// Time since the solver started.
    pub elapsed: Duration,
}

/// The finished rounds of a solver, wherever their results are: how many there are, and how much they have
/// found.
pub(crate) struct FinishedRounds {
    /// The positions of each value.
    pub rows: Vec<SolutionRow>,
    /// The next round, which is also the number of finished ones.
    pub next: u32,
    /// The last one that found something; at least 1.
    pub last: u32,
    started: Instant,
}

impl FinishedRounds {
    /// None yet, in a solver that started at this time.
    pub(crate) fn none(started: Instant) -> FinishedRounds {
        FinishedRounds { rows: Vec::new(), next: 0, last: 1, started }
    }

    /// Adds the next round, which has found these positions.
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

    /// Whether the last one has found nothing, so that nothing new follows. Rounds 0 and 1 need no other
    /// position, so later ones may find something even if these find nothing.
    pub(crate) fn is_over(&self) -> bool {
        self.next > 2 && self.last + 1 < self.next
    }

    /// The positions of each value, those that are neither won nor lost included, in some classes once these
    /// are solved.
    pub(crate) fn rows_with_draws(
        &self,
        index: &Index,
        classes: impl IntoIterator<Item = ClassId>,
    ) -> Vec<SolutionRow> {
        let draws = counts::draws(index, classes, &self.rows);
        self.rows.iter().copied().chain(draws).collect()
    }
}
