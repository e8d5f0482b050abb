//! A sample of positions, drawn once for a whole run: each round records those that it finds.
//!
//! When most results are dropped, the sample still represents every class of positions, with exact distances.
//! It is drawn before the first round, so every place of a class has the same chance whatever its value; what
//! no round finds is a draw. A place is named by its *ordinal*, its number among all places drawn, in
//! ascending order of classes and places.

use crate::solve::check;
use crate::solve::space::changes::SparseBits;
use crate::solve::space::index::BitAddress;
use crate::solve::space::layout::{ClassId, GroupId, Layout};

/// The number of places drawn for each number of doves. Of a class that has fewer places than its share, all
/// are drawn.
pub const PLACES_A_LEVEL: u64 = 1 << 20;
const SEED: u64 = 2022;

/// The places drawn.
pub struct Sample {
    /// The ordinal of each class's first place, and its places, ascending, as numbers in the class.
    classes: Vec<(u32, Vec<u64>)>,
}

impl Sample {
    /// The sample of some classes of a layout, which ascend: always the same.
    pub fn new(layout: &Layout, classes: &[ClassId]) -> Sample {
        let mut sample = Sample { classes: vec![(0, Vec::new()); layout.classes.len()] };
        let mut first = 0;
        for &class in classes {
            let of_class = &layout[class];
            let alike = layout.classes.iter().filter(|other| other.slots == of_class.slots).count() as u64;
            let places = draw(of_class.places(), PLACES_A_LEVEL.div_ceil(alike), SEED + class.0 as u64);
            let count = places.len() as u32;
            sample.classes[class.0] = (first, places);
            first += count;
        }
        sample
    }

    /// The places, in the order of their ordinals.
    pub fn places<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = BitAddress> + 'a {
        let classes = layout.ids().zip(&self.classes);
        classes.flat_map(move |(class, (_, places))| {
            places.iter().map(move |&number| BitAddress::nth(layout, class, number))
        })
    }

    /// The ordinals of the sample's places in a group that are among `found`, ascending.
    pub fn found_in(&self, layout: &Layout, group: GroupId, found: &SparseBits) -> Vec<u32> {
        if found.is_empty() {
            return Vec::new();
        }
        let class = &layout[group.class];
        let (first, places) = &self.classes[group.class.0];
        let of_group = class.group as u64 * class.placement_places();
        let begin = places.partition_point(|&number| number < group.number as u64 * of_group);
        let end =
            begin + places[begin..].partition_point(|&number| number < (group.number as u64 + 1) * of_group);
        let is_found =
            |&ordinal: &usize| found.has(class, BitAddress::nth(layout, group.class, places[ordinal]));
        (begin..end).filter(is_found).map(|ordinal| first + ordinal as u32).collect()
    }
}

/// Numbers below `all`, ascending: `count` drawn ones, less repetitions, or all of them if there are no more
/// than `count`.
fn draw(all: u64, count: u64, seed: u64) -> Vec<u64> {
    if all <= count {
        return (0..all).collect();
    }
    let mut numbers = check::sample(seed, count, 0..all);
    numbers.dedup();
    numbers
}
