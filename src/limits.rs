//! The limits of a computation: the resources that it may use, and a flag to stop it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::clock::Instant;

/// The limits of a computation, which ends at the first that it reaches; by default there are none. A count checks
/// the deadline and the stop flag, a solver also the memory, a search also the positions.
///
/// ```
/// use std::time::Duration;
///
/// use dovemate::clock::Instant;
/// use dovemate::{Limit, Limits};
///
/// let limits = Limits::until(Instant::now() + Duration::from_secs(3600));
/// assert_eq!(limits.reached(), None);
/// limits.stop.stop();
/// assert_eq!(limits.reached(), Some(Limit::Stop));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The time at which the computation stops.
    pub deadline: Option<Instant>,
    /// The number of positions after which the computation stops. Unlike a deadline, this stops a search on one thread
    /// at the same point on every machine.
    pub positions: Option<u64>,
    /// Maximum number of bytes of memory that the whole process may take.
    pub memory: Option<u64>,
    /// Returns the bytes of memory that the process takes; without it, or if it returns 0, they are estimated.
    pub memory_used: Option<fn() -> u64>,
    /// Stops the computation from elsewhere. Checked often, on all threads.
    pub stop: Stop,
}

/// A flag that stops computations, shared by its clones.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// The limit that ended a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::stop`].
    Stop,
    /// [`Limits::deadline`].
    Time,
    /// [`Limits::positions`].
    Positions,
    /// [`Limits::memory`].
    Memory,
}

impl Limits {
    /// A deadline, and no other limit.
    pub fn until(deadline: Instant) -> Limits {
        Limits { deadline: Some(deadline), ..Limits::default() }
    }

    /// The limit that is reached now, if it is the stop flag or the deadline.
    pub fn reached(&self) -> Option<Limit> {
        if self.stop.is_stopped() {
            Some(Limit::Stop)
        } else {
            self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Limit::Time)
        }
    }
}

impl Stop {
    /// Stops the computations that have this flag, now and later.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Clears the flag.
    #[cfg(all(test, feature = "gpu"))]
    pub(crate) fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether computations with this flag are to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Stop => "it was stopped",
            Limit::Time => "time was up",
            Limit::Positions => "it may visit no more positions",
            Limit::Memory => "it needs more memory",
        })
    }
}
