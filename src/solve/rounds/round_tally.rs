//! Tallies of what a round has found: positions by shape, blocks, the first position, and places of the
//! sample.

use std::sync::{Mutex, PoisonError};

use super::counts::{ShapeCounts, by_shape, counted};
use super::sample::Sample;
use crate::solve::space::changes::SparseBits;
use crate::solve::space::index::{BitAddress, Index};
use crate::solve::space::layout::GroupId;

/// The tally of a round's wins or losses.
#[derive(Default)]
pub struct RoundTally {
    /// Positions.
    pub counts: ShapeCounts,
    /// Blocks with such positions.
    pub blocks: usize,
    /// The first place, with its group.
    pub first: Option<(GroupId, BitAddress)>,
    /// The ordinals of the sample's places that were found.
    pub sampled: Vec<u32>,
}

impl RoundTally {
    /// Adds what was found in a group to a tally that many threads share; groups may come in any order.
    pub fn add(
        tally: &Mutex<RoundTally>,
        index: &Index,
        sample: Option<&Sample>,
        group: GroupId,
        found: &SparseBits,
    ) {
        let Some(first) = found.first(&index.layout, group) else { return };
        let counts = by_shape(index, group, found.blocks().map(counted));
        let sampled = sample.map_or_else(Vec::new, |sample| sample.found_in(&index.layout, group, found));
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.counts.add_counts(index, group.class, &counts);
        tally.blocks += found.count();
        if tally.first.is_none_or(|(before, _)| group < before) {
            tally.first = Some((group, first));
        }
        tally.sampled.extend(sampled);
    }
}
