//! Memory that is asked for before it is read.
//!
//! Blocks that actions lead to lie everywhere in memory, and a round spends much of its time in waiting for them one
//! after another. Those that are asked for ahead arrive side by side.

use std::ops::Range;

use prefetch_index::prefetch_index;

/// Bytes of a line of the processor's cache.
const LINE: usize = 64;

/// The most bytes that [`prefetch`] asks for.
const PREFETCHED: usize = 16 * LINE;

/// Asks for bytes that will soon be read, so that one need not wait for each in turn.
#[inline]
pub fn prefetch(bytes: &[u8], range: Range<usize>) {
    let end = range.end.min(range.start + PREFETCHED);
    (range.start..end).step_by(LINE).for_each(|at| prefetch_index(bytes, at));
}
