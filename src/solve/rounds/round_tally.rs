//! Tallies of what a round has found in some groups: positions by shape, blocks, the first position of each class, and
//! places of the sample.

use std::collections::BTreeMap;

use super::counts::{ShapeCounts, by_shape, counted};
use super::sample::Sample;
use crate::solve::space::changes::SparseBits;
use crate::solve::space::index::{BitAddress, Index};
use crate::solve::space::layout::{ClassId, GroupId};

/// The tally of a round's wins or losses.
#[derive(Default)]
pub struct RoundTally {
    /// Positions.
    pub counts: ShapeCounts,
    /// Blocks with such positions.
    pub blocks: usize,
    /// The first place of each class that has any.
    pub first: BTreeMap<ClassId, BitAddress>,
    /// The ordinals of the sample's places that were found.
    pub sampled: Vec<u32>,
}

/// The tally of one group.
pub struct GroupTally {
    class: ClassId,
    counts: Vec<(u32, u64)>,
    blocks: usize,
    first: Option<BitAddress>,
    sampled: Vec<u32>,
}

impl GroupTally {
    /// Counts what was found in a group of a class.
    pub fn new(index: &Index, sample: Option<&Sample>, group: GroupId, found: &SparseBits) -> GroupTally {
        let layout = &index.layout;
        GroupTally {
            class: group.class,
            counts: by_shape(index, group, found.blocks().map(counted)),
            blocks: found.count(),
            first: found.first(layout, group),
            sampled: sample.map_or_else(Vec::new, |sample| sample.found_in(layout, group, found)),
        }
    }
}

impl RoundTally {
    /// Adds the tally of other groups.
    pub fn merge(&mut self, other: RoundTally) {
        self.counts.merge(&other.counts);
        self.blocks += other.blocks;
        other.first.into_values().for_each(|place| self.enter_first(place));
        self.sampled.extend(other.sampled);
    }

    /// Adds the tally of a group; groups may come in any order.
    pub fn add(&mut self, index: &Index, group: GroupTally) {
        self.counts.add_counts(index, group.class, &group.counts);
        self.blocks += group.blocks;
        group.first.into_iter().for_each(|place| self.enter_first(place));
        self.sampled.extend(group.sampled);
    }

    fn enter_first(&mut self, place: BitAddress) {
        let number = |place: &BitAddress| (place.block.placement, place.block.set);
        let first = self.first.entry(place.block.class).or_insert(place);
        if number(&place) < number(first) {
            *first = place;
        }
    }
}
