//! The limits on a solver's memory and time.
//!
//! The size of a round's results is not known beforehand. So the solver counts the memory that it uses, and
//! checks before it starts another group: its [`CompiledGame`](super::actions::block_actions::CompiledGame),
//! the win bits, and the results of the rounds.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::space::changes::SparseBits;
use dovemate::clock::Instant;

/// The limits of a solver.
#[derive(Clone, Copy, Default)]
pub struct Bounds<'a> {
    /// The most bytes of memory for the whole process, as far as the solver uses them; `None` for no limit.
    pub bytes: Option<u64>,
    /// Reads the process's memory in bytes; without it the figure is estimated.
    pub taken: Option<fn() -> u64>,
    /// The time at which the solver must stop.
    pub deadline: Option<Instant>,
    /// Whether the solver must stop; called often, on all threads.
    pub is_stopped: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// The limit that a solver has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// [`Bounds::is_stopped`].
    Stop,
    /// [`Bounds::bytes`].
    Memory,
    /// [`Bounds::deadline`].
    Time,
}

impl fmt::Debug for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bounds = f.debug_struct("Bounds");
        bounds.field("bytes", &self.bytes).field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Stop => "it was stopped",
            Bound::Memory => "it needs more memory",
            Bound::Time => "time was up",
        })
    }
}

/// Tracks the memory for the results of rounds, so that the solver stays within its bounds.
pub(crate) struct BoundsWatch<'a> {
    /// Bytes used from the start.
    least: u64,
    /// Bytes available for the results of rounds.
    room: u64,
    /// Bytes of results now.
    results: AtomicU64,
    bounds: Bounds<'a>,
    met: OnceLock<Bound>,
}

impl<'a> BoundsWatch<'a> {
    /// A watch for a solver that uses `least` bytes from the start.
    pub(crate) fn new(bounds: Bounds<'a>, least: u64) -> BoundsWatch<'a> {
        let room = bounds.bytes.map_or(u64::MAX, |bytes| bytes.saturating_sub(least));
        BoundsWatch { least, room, results: AtomicU64::new(0), bounds, met: OnceLock::new() }
    }

    /// Sets the total bytes of results.
    pub(crate) fn holds(&self, bytes: u64) {
        self.results.store(bytes, Ordering::Relaxed);
        self.check();
    }

    /// Adds to the bytes of results.
    pub(crate) fn add(&self, bytes: u64) {
        self.results.fetch_add(bytes, Ordering::Relaxed);
    }

    /// All bytes used: those from the start, and those of results.
    pub(crate) fn bytes(&self) -> u64 {
        self.least + self.results.load(Ordering::Relaxed)
    }

    /// The bound that has been met, if any.
    pub(crate) fn check(&self) -> Option<Bound> {
        if self.results.load(Ordering::Relaxed) > self.room {
            self.met.get_or_init(|| Bound::Memory);
        } else if self.bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.met.get_or_init(|| Bound::Time);
        } else if self.bounds.is_stopped.is_some_and(|is_stopped| is_stopped()) {
            self.met.get_or_init(|| Bound::Stop);
        }
        self.met.get().copied()
    }

    /// The result of `find`, whose bytes are added; empty if a bound has been met.
    pub(crate) fn found(&self, find: &dyn Fn() -> SparseBits) -> SparseBits {
        let found = if self.check().is_some() { SparseBits::default() } else { find() };
        self.add(found.bytes() as u64);
        found
    }
}
