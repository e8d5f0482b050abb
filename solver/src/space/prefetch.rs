//! Prefetching: memory is requested before it is read.
//!
//! The blocks that actions lead to lie all over memory, and a round spends much of its time waiting for them
//! one after another. Blocks that are requested ahead arrive side by side.

use std::ops::Range;

use prefetch_index::prefetch_index;

/// Bytes of a line of the processor's cache.
const LINE: usize = 64;

/// Maximum number of bytes that [`prefetch`] requests.
const PREFETCHED: usize = 16 * LINE;

/// Requests bytes that will soon be read, so that the reader does not wait for each line in turn.
#[inline]
pub(crate) fn prefetch(bytes: &[u8], range: Range<usize>) {
    let end = range.end.min(range.start + PREFETCHED);
    (range.start..end).step_by(LINE).for_each(|at| prefetch_index(bytes, at));
}
