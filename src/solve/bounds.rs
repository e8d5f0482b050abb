//! The limits on a solver's memory and time.
//!
//! How much a game's rounds find is known only once they have found it. So the solver counts what it holds, and checks
//! before it starts another group. It holds its [`CompiledGame`](super::actions::block_actions::CompiledGame), the win
//! bits, and the results of the rounds.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::space::changes::SparseBits;
use crate::clock::Instant;

/// The limits of a solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The most bytes of memory for the whole process, as far as the solver holds them; `None` for no limit.
    pub bytes: Option<u64>,
    /// Reads the process's memory in bytes; without it the figure is estimated.
    pub taken: Option<fn() -> u64>,
    /// When the solver must stop.
    pub deadline: Option<Instant>,
}

/// The limit that a solver has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// [`Bounds::bytes`].
    Memory,
    /// [`Bounds::deadline`].
    Time,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Memory => "it needs more memory",
            Bound::Time => "time was up",
        })
    }
}

/// Counts what rounds find, so that the solver stays within its bounds.
pub(crate) struct BoundsWatch {
    /// Bytes held from the start.
    least: u64,
    /// Bytes available for the results of rounds.
    room: u64,
    /// Bytes of the results that are held now.
    held: AtomicU64,
    deadline: Option<Instant>,
    met: OnceLock<Bound>,
}

impl BoundsWatch {
    /// A watch for a solver that holds `least` bytes from the start.
    pub fn new(bounds: Bounds, least: u64) -> BoundsWatch {
        let room = bounds.bytes.map_or(u64::MAX, |bytes| bytes.saturating_sub(least));
        BoundsWatch { least, room, held: AtomicU64::new(0), deadline: bounds.deadline, met: OnceLock::new() }
    }

    /// Sets the total bytes of results that are held.
    pub fn holds(&self, bytes: u64) {
        self.held.store(bytes, Ordering::Relaxed);
        self.look();
    }

    /// Adds to the bytes of results that are held.
    pub fn add(&self, bytes: u64) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
    }

    /// All bytes held: those from the start, and those of results.
    pub fn bytes(&self) -> u64 {
        self.least + self.held.load(Ordering::Relaxed)
    }

    /// The bound that has been met, if any.
    pub fn look(&self) -> Option<Bound> {
        if self.held.load(Ordering::Relaxed) > self.room {
            self.met.get_or_init(|| Bound::Memory);
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.met.get_or_init(|| Bound::Time);
        }
        self.met.get().copied()
    }

    /// What `find` finds, which is held from now on; nothing if a bound has been met.
    pub fn found(&self, find: &dyn Fn() -> SparseBits) -> SparseBits {
        let found = if self.look().is_some() { SparseBits::default() } else { find() };
        self.add(found.bytes() as u64);
        found
    }
}
