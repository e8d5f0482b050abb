//! The work list of a count: its shapes and boss placements, in a fixed order.

use std::ops::{Range, RangeInclusive};

use super::Category;
use crate::shapes::{BossPlacement, Shape, assignments};

/// The shapes with a range of numbers of doves, and their boss placements. For mates the enclosure prune drops
/// placements that cannot hold one; for the other categories all are kept.
pub struct Workload {
    shapes: Vec<Shape>,
    /// The boss placements, shape by shape.
    pub placements: Vec<BossPlacement>,
    category: Category,
    /// The end of each shape's boss placements.
    ends: Vec<usize>,
}

impl Workload {
    /// All shapes whose number of doves is in the range.
    pub fn new(doves: &RangeInclusive<u32>, category: Category) -> Workload {
        let shapes: Vec<Shape> = Shape::all().into_iter().filter(|shape| doves.contains(&shape.doves())).collect();
        let mut placements = Vec::new();
        let mut ends = Vec::new();
        for shape in &shapes {
            placements.extend(BossPlacement::all(shape).filter(|placement| category.may_be_on(placement)));
            ends.push(placements.len());
        }
        Workload { shapes, placements, category, ends }
    }

    /// The category to count.
    pub fn category(&self) -> Category {
        self.category
    }

    /// The boss placements with up to this many doves: shapes come in the order of their numbers of doves.
    pub fn up_to(&self, doves: u32) -> &[BossPlacement] {
        &self.placements[..self.placements.partition_point(|placement| placement.slots() + 2 <= doves)]
    }

    /// The total number of assignments.
    pub fn assignments(&self) -> u64 {
        assignments_on(&self.placements)
    }

    /// The positions on each shape, from the counts of all boss placements in their order.
    ///
    /// # Panics
    /// If the number of counts is not that of the boss placements, or a shape's counts do not make a whole number of
    /// positions.
    pub fn by_shape(&self, counts: &[u64]) -> Vec<(Shape, u64)> {
        assert_eq!(counts.len(), self.placements.len(), "one count for each boss placement");
        self.shapes().map(|(shape, places)| (shape, shape.positions(counts[places].iter().sum()))).collect()
    }

    /// Each shape with the range of its boss placements.
    pub fn shapes(&self) -> impl Iterator<Item = (Shape, Range<usize>)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        self.shapes.iter().zip(starts.zip(&self.ends)).map(|(shape, (start, &end))| (*shape, start..end))
    }
}

/// The number of assignments on these boss placements.
pub fn assignments_on(placements: &[BossPlacement]) -> u64 {
    placements.iter().map(|placement| assignments(placement.slots())).sum()
}
