//! The symmetries of the square (D4), acting on normal sets of cells.

use super::{Cells, WINDOW};

/// A rotation or reflection, as a transposition followed by flips of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

const TRANSPOSE: u8 = 4;
const FLIP_ROWS: u8 = 2;
const FLIP_COLUMNS: u8 = 1;

impl Symmetry {
    /// All eight, the identity first.
    #[inline]
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// The inverse symmetry.
    pub(crate) const fn inverse(self) -> Symmetry {
        let flips = self.0 & (FLIP_ROWS | FLIP_COLUMNS);
        // Flipping columns and then transposing is the same as transposing and then flipping rows.
        let is_rotation = self.0 & TRANSPOSE != 0 && flips.count_ones() == 1;
        Symmetry(if is_rotation { TRANSPOSE | flips ^ (FLIP_ROWS | FLIP_COLUMNS) } else { self.0 })
    }

    /// The image of a cell when a normal set with this extent (rows, columns) is mapped to a normal set
    /// again.
    pub(crate) const fn image_of_cell(self, cell: u32, (rows, columns): (u32, u32)) -> u32 {
        let (mut row, mut column) = (cell / WINDOW, cell % WINDOW);
        let (mut rows, mut columns) = (rows, columns);
        if self.0 & TRANSPOSE != 0 {
            (row, column) = (column, row);
            (rows, columns) = (columns, rows);
        }
        if self.0 & FLIP_ROWS != 0 {
            row = rows - 1 - row;
        }
        if self.0 & FLIP_COLUMNS != 0 {
            column = columns - 1 - column;
        }
        WINDOW * row + column
    }

    /// The normal image of a normal set.
    #[inline]
    pub fn image(self, cells: Cells) -> Cells {
        let extent = cells.extent();
        cells.iter().map(|cell| self.image_of_cell(cell, extent)).collect()
    }
}
