//! Cells of the plane and the steps between them.

use serde::Serialize;

/// Maximum number of rows, and of columns, that the box around all doves may have.
pub const BOX_SIZE: i8 = 4;

/// The 4 orthogonal steps, as (rows down, columns right).
pub(super) const ORTHOGONAL: [(i8, i8); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
/// The 4 diagonal steps.
pub(super) const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
/// The 8 steps in any direction.
pub(super) const ALL_AROUND: [(i8, i8); 8] =
    [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];
/// The 8 knight's jumps.
pub(super) const KNIGHT: [(i8, i8); 8] =
    [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// A cell of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Cell {
    /// The row, counted downwards (south).
    pub row: i8,
    /// The column, counted to the right (east).
    pub column: i8,
}

impl Cell {
    /// The cell in this row and column.
    pub const fn new(row: i8, column: i8) -> Cell {
        Cell { row, column }
    }

    /// The cell with this number, 0 to 15, in the box in which all doves fit: 4 · row + column.
    pub const fn from_number(number: u32) -> Cell {
        let number = number as i8;
        Cell { row: number / BOX_SIZE, column: number % BOX_SIZE }
    }

    /// The number of this cell, whose row and column must be 0 to 3.
    pub const fn number(self) -> u32 {
        (BOX_SIZE * self.row + self.column) as u32
    }

    /// The cell reached by a step of (rows down, columns right), saturating at the limits of `i8`.
    pub const fn step(self, (rows, columns): (i8, i8)) -> Cell {
        Cell { row: self.row.saturating_add(rows), column: self.column.saturating_add(columns) }
    }

    /// The 4 cells orthogonally next to this one.
    pub fn sides(self) -> impl Iterator<Item = Cell> {
        ORTHOGONAL.into_iter().map(move |step| self.step(step))
    }

    /// Whether `other` is one of the 8 neighbours of this cell.
    pub const fn touches(self, other: Cell) -> bool {
        let rows = self.row.abs_diff(other.row);
        let columns = self.column.abs_diff(other.column);
        rows <= 1 && columns <= 1 && rows + columns != 0
    }
}
