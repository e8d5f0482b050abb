//! Counts of positions: bits of blocks, counted by shape and weighted by the symmetries of the shape.
//!
//! A position has a bit for each of its different images on its canonical shape, so there are more bits than
//! positions. A shape's bits times its weight ([`crate::shapes::Shape::positions`]) are its positions.

use rayon::prelude::*;

use crate::known::Worth;
use crate::shapes::canonical::shapes;
use crate::solve::solved::{Solution, SolutionRow};
use crate::solve::space::changes::{Changed, Changes, count_bits};
use crate::solve::space::index::Index;
use crate::solve::space::layout::{ClassId, GroupId, Layout};
use crate::solve::space::win_bits::WinBits;
use crate::value::Value;

/// Bits by mover and shape, counted on every boss placement.
pub(crate) struct ShapeCounts {
    counts: [Vec<u64>; 2],
}

impl Default for ShapeCounts {
    fn default() -> ShapeCounts {
        ShapeCounts { counts: [0, 1].map(|_| vec![0; shapes().len()]) }
    }
}

impl ShapeCounts {
    /// Adds the bits of changes.
    pub(crate) fn add(&mut self, index: &Index, changes: &Changes) {
        for (class, groups) in index.layout.ids().zip(&changes.groups) {
            let counts = groups.par_iter().enumerate().map(|(number, changes)| {
                by_shape(index, GroupId { class, number }, changes.blocks().map(counted))
            });
            counts.collect::<Vec<_>>().into_iter().for_each(|counts| self.add_counts(index, class, &counts));
        }
    }

    /// Adds the bits of a group of a class, as counted by [`by_shape`].
    pub(crate) fn add_counts(&mut self, index: &Index, class: ClassId, counts: &[(u32, u64)]) {
        let side = index.layout[class].side;
        for &(shape, count) in counts {
            self.counts[side][shape as usize] += count;
        }
    }

    /// Adds all wins.
    pub(crate) fn add_wins(&mut self, index: &Index, wins: &WinBits) {
        for class in index.layout.ids() {
            let of_class = &index.layout[class];
            let counts =
                wins.blocks(class).par_chunks(of_class.group_bytes()).enumerate().map(|(number, rows)| {
                    let bits = rows.chunks_exact(of_class.block_bytes()).map(count_bits).enumerate();
                    by_shape(index, GroupId { class, number }, bits)
                });
            counts.collect::<Vec<_>>().into_iter().for_each(|counts| self.add_counts(index, class, &counts));
        }
    }

    /// Adds all places of some classes, of any value.
    pub(crate) fn add_all(&mut self, index: &Index, classes: impl IntoIterator<Item = ClassId>) {
        for class in classes {
            let class = &index.layout[class];
            for placement in index.placements.with_slots(class.slots) {
                self.counts[class.side][placement.shape as usize] += class.placement_places();
            }
        }
    }

    /// These counts minus others; `None` if the others are greater.
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

    /// The counts as positions with a value, by mover and number of doves.
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

/// The number of a changed block, and of its new bits.
pub(crate) fn counted((block, changed): (usize, Changed)) -> (usize, u64) {
    (block, changed.count_bits())
}

/// The bits of some blocks of a group, shape by shape, from the number of bits of each block.
pub(crate) fn by_shape(
    index: &Index,
    group: GroupId,
    blocks: impl Iterator<Item = (usize, u64)>,
) -> Vec<(u32, u64)> {
    let class = &index.layout[group.class];
    let list = index.placements.with_slots(class.slots);
    let mut counts: Vec<(u32, u64)> = Vec::new();
    for (number, bits) in blocks {
        let shape = list[class.block(group, number).placement].shape;
        match counts.last_mut() {
            Some((last, count)) if *last == shape => *count += bits,
            _ => counts.push((shape, bits)),
        }
    }
    counts
}

/// The positions of some classes that are neither won nor lost.
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
