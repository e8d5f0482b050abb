//! Tallies of a round's results: positions by shape, and blocks.

use std::sync::{Mutex, PoisonError};

use super::counts::{ShapeCounts, by_shape, counted};
use crate::solve::space::changes::SparseBits;
use crate::solve::space::index::Index;
use crate::solve::space::layout::GroupId;

/// The tally of a round's wins or losses.
#[derive(Default)]
pub(crate) struct RoundTally {
    /// Positions.
    pub counts: ShapeCounts,
    /// Blocks with such positions.
    pub blocks: usize,
}

impl RoundTally {
    /// Adds the results in a group to a tally that many threads share; groups may come in any order.
    pub(crate) fn add(tally: &Mutex<RoundTally>, index: &Index, group: GroupId, found: &SparseBits) {
        if found.is_empty() {
            return;
        }
        let counts = by_shape(index, group, found.blocks().map(counted));
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.counts.add_counts(index, group.class, &counts);
        tally.blocks += found.count();
    }
}
