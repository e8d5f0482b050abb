//! Holds an in-memory solve to its limits.
//!
//! The size of a round's results is not known beforehand. So the solver adds up the memory that it uses from the start
//! and the memory that results take and, from round 1 on, checks the sum before it starts another group.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use dovemate::{Limit, Limits};

use super::space::sparse::SparseGroup;

/// Tracks the memory for the results of rounds, so that the solver stays within its limits.
pub(crate) struct Watch {
    /// Bytes used from the start.
    least: u64,
    /// Bytes available for the results of rounds.
    room: u64,
    /// Bytes of results now.
    results: AtomicU64,
    limits: Limits,
    reached: OnceLock<Limit>,
}

impl Watch {
    /// A watch for a solver that uses `least` bytes from the start.
    pub(crate) fn new(limits: Limits, least: u64) -> Watch {
        let room = limits.memory.map_or(u64::MAX, |bytes| bytes.saturating_sub(least));
        Watch { least, room, results: AtomicU64::new(0), limits, reached: OnceLock::new() }
    }

    /// Sets the total bytes of results, and checks the limits.
    pub(crate) fn set_results(&self, bytes: u64) {
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

    /// The limit that has been reached, if any.
    pub(crate) fn check(&self) -> Option<Limit> {
        let is_full = self.results.load(Ordering::Relaxed) > self.room;
        if let Some(limit) = if is_full { Some(Limit::Memory) } else { self.limits.reached() } {
            self.reached.get_or_init(|| limit);
        }
        self.reached.get().copied()
    }

    /// The result of `find`, whose bytes are added; empty if a limit has been reached.
    pub(crate) fn run(&self, find: &dyn Fn() -> SparseGroup) -> SparseGroup {
        let found = if self.check().is_some() { SparseGroup::default() } else { find() };
        self.add(found.bytes() as u64);
        found
    }
}
