//! The canonical shapes and the weights that turn counts on them into counts of positions.
//!
//! A shape's canonical set of cells is the least of the normal images under D4, as numbers. Its *stabilizer* are the
//! symmetries that, followed by a translation, map the shape onto itself.
//!
//! Let `raw` be the number of assignments on one shape, over all boss placements, that have some property which
//! symmetries keep. Two assignments are the same position exactly if an element of the stabilizer turns one into the other.
//! All doves are different, so an assignment is fixed exactly by the elements that fix every cell; there are two of these if
//! the doves stand in one line (the identity and the reflection in that line), else one. Every orbit thus has
//! stabilizer ÷ fixing elements, and there are raw × fixing ÷ stabilizer positions.

use super::{Cells, Symmetry, canonical};

/// A set of 2 to 12 cells, none isolated, in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The canonical set of cells.
    pub cells: Cells,
    /// How many symmetries map the shape onto itself.
    stabilizer: u64,
    /// How many of these fix every single cell.
    fixing: u64,
}

impl Shape {
    /// All 5,171 canonical shapes, by number of doves, then by cells.
    pub fn all() -> Vec<Shape> {
        canonical::shapes().to_vec()
    }

    /// The shape with these cells, which are one in canonical form.
    pub(super) fn canonical(cells: Cells) -> Shape {
        let extent = cells.extent();
        let keeps_set = |symmetry: &Symmetry| symmetry.image(cells) == cells;
        let keeps_cells = |symmetry: &Symmetry| cells.iter().all(|cell| symmetry.image_of_cell(cell, extent) == cell);
        let stabilizer = Symmetry::all().filter(keeps_set).count() as u64;
        Shape { cells, stabilizer, fixing: Symmetry::all().filter(keeps_cells).count() as u64 }
    }

    /// How many doves stand on the shape: 2 to 12.
    pub fn doves(&self) -> u32 {
        self.cells.count()
    }

    /// How many positions `raw` assignments are, counted over all boss placements of this shape.
    ///
    /// # Panics
    /// If the division leaves a remainder, which no property that symmetries keep can bring about.
    pub fn positions(&self, raw: u64) -> u64 {
        self.whole_positions(raw).unwrap_or_else(|| {
            panic!("{raw} assignments on shape {:#06x} are no whole number of positions: a wrong count", self.cells.0)
        })
    }

    /// As [`Shape::positions`]; `None` if there is a remainder, for counts that come from elsewhere.
    pub fn whole_positions(&self, raw: u64) -> Option<u64> {
        let weighted = raw.checked_mul(self.fixing)?;
        weighted.is_multiple_of(self.stabilizer).then(|| weighted / self.stabilizer)
    }
}
