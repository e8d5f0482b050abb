//! How long a search may take: until a deadline, for a number of positions, or until a flag stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::clock::Instant;

/// The search stopped before it found an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of time")]
pub struct Stopped;

/// The threads that a search takes. With more than one, what it finds beside proved values depends on their
/// pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The caller's.
    One,
    /// All of rayon's.
    All,
}

/// What a search may spend. By default there is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The time at which it stops.
    pub deadline: Option<Instant>,
    /// The number of positions after which it stops. Unlike a deadline, this is the same place on every
    /// machine.
    pub positions: Option<u64>,
}

/// The number of positions from one check of the clock to the next.
const INTERVAL: u64 = 64;

/// Counts the positions of a search, and watches the clock and the flags that stop it.
#[derive(Clone, Default)]
pub(super) struct Meter {
    budget: Budget,
    /// Whether the answer is not needed any more.
    pub is_stopped: Arc<AtomicBool>,
    /// Whether another search has found what this one looks for.
    pub is_found: Option<Arc<AtomicBool>>,
    visited: u64,
}

impl Meter {
    /// A new count, with a budget of its own and the same flags.
    pub fn with_budget(&self, budget: Budget) -> Meter {
        Meter { budget, visited: 0, ..self.clone() }
    }

    /// The number of positions counted.
    pub const fn visited(&self) -> u64 {
        self.visited
    }

    /// Counts a position, and checks the clock now and then.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn count(&mut self) -> Result<(), Stopped> {
        self.visited += 1;
        if self.budget.positions.is_some_and(|positions| self.visited > positions) {
            return Err(Stopped);
        }
        if self.visited.is_multiple_of(INTERVAL) { self.check_clock() } else { Ok(()) }
    }

    /// Checks the flags and the clock.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn check_clock(&self) -> Result<(), Stopped> {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if is_set(&self.is_stopped) || self.is_found.as_ref().is_some_and(is_set) {
            return Err(Stopped);
        }
        if self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stopped);
        }
        Ok(())
    }
}
