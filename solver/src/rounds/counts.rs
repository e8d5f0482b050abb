//! The counts of positions: bits of blocks, counted by shape and weighted by the symmetries of the shape.
//!
//! A position has a bit for each of its different images on its canonical shape, so there are more bits than positions.
//! A shape's number of bits times its weight is its number of positions ([`dovemate::shapes::Shape::positions`]).

use super::round::map_groups;
use crate::known::Worth;
use crate::solved::{Solution, SolutionRow};
use crate::space::index::Index;
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sparse::{SparseGroup, SparseSet};
use crate::space::win_bits::WinBits;
use crate::value::Value;
use dovemate::shapes::canonical::shapes;

/// The numbers of bits by side to move and shape, over all boss placements.
pub(crate) struct ShapeCounts {
    counts: [Vec<u64>; 2],
}

impl Default for ShapeCounts {
    fn default() -> ShapeCounts {
        ShapeCounts { counts: [0, 1].map(|_| vec![0; shapes().len()]) }
    }
}

impl ShapeCounts {
    /// Adds the bits of a set.
    pub(crate) fn add(&mut self, index: &Index, set: &SparseSet) {
        self.add_each(index, |group| {
            set.group(group).map_or(Vec::new(), |found| by_shape(index, group, found))
        });
    }

    fn add_each(&mut self, index: &Index, counted: impl Fn(GroupId) -> Vec<(u32, u64)> + Sync) {
        let groups = index.layout.all_groups();
        for (group, counts) in groups.iter().zip(map_groups(&groups, counted)) {
            self.add_group(index, *group, &counts);
        }
    }

    /// Adds the bits of a group, as counted by [`by_shape`].
    pub(crate) fn add_group(&mut self, index: &Index, group: GroupId, counts: &[(u32, u64)]) {
        let side = index.layout[group.class].side;
        for &(shape, count) in counts {
            self.counts[side][shape as usize] += count;
        }
    }

    /// Adds all wins.
    pub(crate) fn add_wins(&mut self, index: &Index, wins: &WinBits) {
        self.add_each(index, |group| {
            let class = &index.layout[group.class];
            by_shape(index, group, &SparseGroup::packed(wins.group(class, group), class, group))
        });
    }

    /// Adds all places of some classes, whatever their values.
    pub(crate) fn add_all(&mut self, index: &Index, classes: impl IntoIterator<Item = ClassId>) {
        for class in classes {
            let class = &index.layout[class];
            for placement in index.placements.with_slots(class.slots) {
                self.counts[class.side][placement.shape as usize] += class.placement_places();
            }
        }
    }

    /// These counts minus others; `None` if one of the others is greater.
    #[cfg(feature = "tables")]
    pub(crate) fn without(mut self, others: &ShapeCounts) -> Option<ShapeCounts> {
        let counts = self.counts.iter_mut().flatten().zip(others.counts.iter().flatten());
        for (count, other) in counts {
            *count = count.checked_sub(*other)?;
        }
        Some(self)
    }

    /// Whether the bits on every shape add up to a whole number of positions.
    pub(crate) fn is_whole(&self) -> bool {
        let shapes = self.counts.iter().flat_map(|counts| shapes().iter().zip(counts));
        shapes.into_iter().all(|(shape, &raw)| shape.whole_positions(raw).is_some())
    }

    /// The counts as numbers of positions with the value `worth`, by mover and number of doves.
    pub(crate) fn rows(&self, layout: &Layout, worth: Worth) -> Vec<SolutionRow> {
        let mut rows: Vec<SolutionRow> = Vec::new();
        for (side, counts) in self.counts.iter().enumerate() {
            let mover = layout.mover(side);
            // Shapes are in order of their numbers of doves.
            for (shape, &raw) in shapes().iter().zip(counts).filter(|(_, raw)| **raw > 0) {
                let (doves, positions) = (shape.doves(), shape.positions(raw));
                match rows.last_mut() {
                    Some(row) if (row.mover, row.doves) == (mover, doves) => row.positions += positions,
                    _ => rows.push(SolutionRow { mover, doves, worth, positions }),
                }
            }
        }
        rows
    }
}

/// The numbers of bits of a group, shape by shape.
pub(crate) fn by_shape(index: &Index, group: GroupId, found: &SparseGroup) -> Vec<(u32, u64)> {
    let class = &index.layout[group.class];
    let list = index.placements.with_slots(class.slots);
    let mut counts: Vec<(u32, u64)> = Vec::new();
    for (number, block) in found.blocks() {
        let shape = list[class.block(group, number).placement].shape;
        let bits = block.count_bits();
        match counts.last_mut() {
            Some((last, count)) if *last == shape => *count += bits,
            _ => counts.push((shape, bits)),
        }
    }
    counts
}

/// For some classes, the numbers of positions that are neither won nor lost; `decided` counts the other positions.
pub(crate) fn draws(
    index: &Index,
    classes: impl IntoIterator<Item = ClassId>,
    decided: &[SolutionRow],
) -> Vec<SolutionRow> {
    let mut all = ShapeCounts::default();
    all.add_all(index, classes);
    let all = Solution::new(all.rows(&index.layout, Worth::Exact(Value::Draw)));
    let draws = all.rows().iter().map(|row| {
        let same = decided.iter().filter(|other| (other.mover, other.doves) == (row.mover, row.doves));
        // A damaged manifest may state more wins and losses than there are positions; `verify` reports that.
        SolutionRow {
            positions: same.fold(row.positions, |left, row| left.saturating_sub(row.positions)),
            ..*row
        }
    });
    draws.collect()
}
