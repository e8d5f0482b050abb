//! The symmetries of the square (D4), acting on normal sets of cells.

use super::{Cells, WINDOW};

/// A rotation or reflection, put together from three reflections: a transposition first, then flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_columns: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|bits| Symmetry { transpose: bits & 4 != 0, flip_rows: bits & 2 != 0, flip_columns: bits & 1 != 0 })
    }

    /// Where the cell goes when a normal set with this extent (rows, columns) is mapped to a normal set again.
    pub fn image_of_cell(self, cell: u32, (rows, columns): (u32, u32)) -> u32 {
        let (mut row, mut column) = (cell / WINDOW, cell % WINDOW);
        let (mut rows, mut columns) = (rows, columns);
        if self.transpose {
            (row, column) = (column, row);
            (rows, columns) = (columns, rows);
        }
        if self.flip_rows {
            row = rows - 1 - row;
        }
        if self.flip_columns {
            column = columns - 1 - column;
        }
        WINDOW * row + column
    }

    /// The normal image of a normal set.
    pub fn image(self, cells: Cells) -> Cells {
        let extent = cells.extent();
        cells.iter().map(|cell| self.image_of_cell(cell, extent)).collect()
    }
}
