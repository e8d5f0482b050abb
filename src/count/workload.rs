//! The work list of a count: which shapes and which boss placements, in a fixed order.

use std::ops::{Range, RangeInclusive};

use super::Category;
use crate::shapes::{BossPlacement, Shape, assignments};

/// The work of a count: the shapes with some numbers of doves, and their boss placements. Of these the enclosure prune leaves
/// those that may hold a mate; for anything else all are looked at.
pub struct Workload {
    shapes: Vec<Shape>,
    /// The boss placements, shape by shape.
    pub placements: Vec<BossPlacement>,
    what: Category,
    /// Where each shape's boss placements end.
    ends: Vec<usize>,
}

impl Workload {
    /// All shapes with a number of doves in the range.
    pub fn new(doves: &RangeInclusive<u32>, what: Category) -> Workload {
        let shapes: Vec<Shape> = Shape::all().into_iter().filter(|shape| doves.contains(&shape.doves())).collect();
        let mut placements = Vec::new();
        let mut ends = Vec::new();
        for shape in &shapes {
            placements.extend(BossPlacement::all(shape).filter(|placement| what.may_be_on(placement)));
            ends.push(placements.len());
        }
        Workload { shapes, placements, what, ends }
    }

    /// What is counted.
    pub fn what(&self) -> Category {
        self.what
    }

    /// How many assignments there are in all.
    pub fn assignments(&self) -> u64 {
        self.placements.iter().map(|placement| assignments(placement.slots())).sum()
    }

    /// The positions on each shape, from the counts of all boss placements in their order.
    ///
    /// # Panics
    /// If there is not a count for each, or if the counts of a shape are no whole number of positions.
    pub fn by_shape(&self, counts: &[u64]) -> Vec<(Shape, u64)> {
        assert_eq!(counts.len(), self.placements.len(), "one count for each boss placement");
        self.shapes().map(|(shape, places)| (shape, shape.positions(counts[places].iter().sum()))).collect()
    }

    /// Each shape with the places of its boss placements among all.
    pub fn shapes(&self) -> impl Iterator<Item = (Shape, Range<usize>)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        self.shapes.iter().zip(starts.zip(&self.ends)).map(|(shape, (start, &end))| (*shape, start..end))
    }
}
