//! The budget of a search: a deadline, a number of positions, and flags that stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dovemate::clock::Instant;

/// The search stopped before it found an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of time")]
pub struct Stopped;

/// The threads that a search uses. With more than one, all results except proved values depend on timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread.
    One,
    /// All threads of rayon's pool.
    All,
}

/// The limits of a search; by default there are none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The time at which it stops.
    pub deadline: Option<Instant>,
    /// The number of positions after which it stops. Unlike a deadline, this stops it at the same point on every
    /// machine.
    pub positions: Option<u64>,
}

/// The number of positions from one check of the clock to the next.
const POSITIONS_PER_CLOCK_CHECK: u64 = 64;

/// Counts the positions of a search, and watches the clock and the flags that stop it.
#[derive(Clone, Default)]
pub(super) struct Meter {
    budget: Budget,
    /// Set when the answer is no longer needed.
    pub is_stopped: Arc<AtomicBool>,
    /// Set when another search has found the answer.
    pub is_found: Option<Arc<AtomicBool>>,
    visited: u64,
}

impl Meter {
    /// A new count, with a budget of its own and the same flags.
    pub(super) fn with_budget(&self, budget: Budget) -> Meter {
        Meter { budget, visited: 0, ..self.clone() }
    }

    /// The number of positions counted.
    pub(super) const fn visited(&self) -> u64 {
        self.visited
    }

    /// Counts a position, and checks the clock now and then.
    ///
    /// # Errors
    /// If the search is to stop.
    pub(super) fn count(&mut self) -> Result<(), Stopped> {
        self.visited += 1;
        if self.budget.positions.is_some_and(|positions| self.visited > positions) {
            return Err(Stopped);
        }
        if self.visited.is_multiple_of(POSITIONS_PER_CLOCK_CHECK) { self.check_clock() } else { Ok(()) }
    }

    /// Checks the flags and the clock.
    ///
    /// # Errors
    /// If the search is to stop.
    pub(super) fn check_clock(&self) -> Result<(), Stopped> {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        let is_over = is_set(&self.is_stopped)
            || self.is_found.as_ref().is_some_and(is_set)
            || self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_over { Err(Stopped) } else { Ok(()) }
    }
}
