//! The memory and the time that a solver keeps within.
//!
//! How much the rounds of a game find is known when they have found it, so the solver counts what it holds, and looks before it begins
//! another group. What it holds is its [`CompiledGame`](super::block_actions::CompiledGame), a plane, and what rounds have found.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::changes::SparseBits;
use super::rounds::Keep;

/// What a solver keeps within.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// Bytes of memory that the process takes, all in all, as far as the solver holds them; without end if there are none.
    pub bytes: Option<u64>,
    /// Tells how many bytes the process takes; without, that is estimated. GPU drivers take tens of millions.
    pub taken: Option<fn() -> u64>,
    /// When it is to have ended.
    pub deadline: Option<Instant>,
}

/// Which of its bounds a solver has come upon.
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

/// Watches what a round finds, so that the solver stays within its bounds.
pub(crate) struct Watch {
    /// Bytes that are held from the start.
    least: u64,
    /// Bytes that there are for what rounds find.
    room: u64,
    /// Bytes of what they have found and is still held.
    held: AtomicU64,
    deadline: Option<Instant>,
    met: OnceLock<Bound>,
}

impl Watch {
    /// Watches that what rounds find, besides so many bytes that are held from the start, stays within the bounds.
    pub fn new(bounds: Bounds, least: u64) -> Watch {
        let room = bounds.bytes.map_or(u64::MAX, |bytes| bytes.saturating_sub(least));
        Watch { least, room, held: AtomicU64::new(0), deadline: bounds.deadline, met: OnceLock::new() }
    }

    /// So many bytes of what rounds have found are held, all in all.
    pub fn holds(&self, bytes: u64) {
        self.held.store(bytes, Ordering::Relaxed);
        self.look();
    }

    /// So many more bytes are held.
    pub fn add(&self, bytes: u64) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
    }

    /// How many bytes are held, all in all.
    pub fn bytes(&self) -> u64 {
        self.least + self.held.load(Ordering::Relaxed)
    }

    /// The bound that has been met, if any has.
    pub fn look(&self) -> Option<Bound> {
        if self.held.load(Ordering::Relaxed) > self.room {
            self.met.get_or_init(|| Bound::Memory);
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.met.get_or_init(|| Bound::Time);
        }
        self.met.get().copied()
    }
}

impl Keep<SparseBits> for &Watch {
    fn keep(&self, _: usize, _: usize, changes: SparseBits) -> SparseBits {
        self.add(held_bytes(&changes));
        changes
    }

    fn is_enough(&self) -> bool {
        self.look().is_some()
    }
}

/// Bytes that the changes of a group take where there is a place for each group.
pub(super) fn held_bytes(changes: &SparseBits) -> u64 {
    (size_of::<SparseBits>() + changes.bytes()) as u64
}
