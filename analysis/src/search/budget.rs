//! Keeps a search within its limits: counts positions, and checks the clock and the flags now and then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dovemate::Limits;

/// The search stopped before it found an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped at a limit")]
pub struct Stopped;

/// The threads that a search uses. With more than one, all results except proved values depend on timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread.
    One,
    /// All threads of rayon's pool.
    All,
}

/// The number of positions from one check of the clock to the next.
const POSITIONS_PER_CLOCK_CHECK: u64 = 64;

/// Counts the positions of a search, and watches the clock and the flags that stop it.
#[derive(Clone, Default)]
pub(super) struct Meter {
    limits: Limits,
    /// Set when another search has found the answer.
    pub is_found: Option<Arc<AtomicBool>>,
    visited: u64,
}

impl Meter {
    /// A new count, within limits of its own.
    pub(super) fn within(&self, limits: Limits) -> Meter {
        Meter { limits, is_found: self.is_found.clone(), visited: 0 }
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
        if self.limits.positions.is_some_and(|positions| self.visited > positions) {
            return Err(Stopped);
        }
        if self.visited.is_multiple_of(POSITIONS_PER_CLOCK_CHECK) { self.check_clock() } else { Ok(()) }
    }

    /// Checks the flags and the clock.
    ///
    /// # Errors
    /// If the search is to stop.
    pub(super) fn check_clock(&self) -> Result<(), Stopped> {
        let is_found = self.is_found.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        let is_over = is_found || self.limits.reached().is_some();
        if is_over { Err(Stopped) } else { Ok(()) }
    }
}
