//! The plane around a shape, as 64 bits: isolation, the box, its walls and enclosure, for whole sets of cells
//! at once.
//!
//! A set of cells is a `u64`, bit 8·row + column, with the shape's 4×4 window at rows and columns 2 to 5.
//! This leaves room for two actions, the mover's and the opponent's answer: each returns a dove, or moves or puts one
//! next to another, so all doves are within rows and columns 1 to 6 after one action and 0 to 7 after two. A boss steps
//! by one cell, so bosses stay within 1 to 6, and no operation below wraps around the edge of the plane.
//!
//! The twin of this file is `shaders/plane.wgsl`.

use super::{Cells, WINDOW};

/// The number of rows, and of columns, of the plane.
pub const PLANE: u32 = 8;
/// The row and column of the plane at which the window starts.
const WINDOW_START: u32 = 2;
const COLUMN_0: u64 = 0x0101_0101_0101_0101;
const COLUMN_7: u64 = COLUMN_0 << 7;

/// The cell of the plane for a cell number of the window, as a one-element set.
#[inline]
pub const fn window_cell(cell: u32) -> u64 {
    1 << (PLANE * (cell / WINDOW + WINDOW_START) + cell % WINDOW + WINDOW_START)
}

/// The set of the plane for a set of the window.
#[inline]
pub fn window_cells(cells: Cells) -> u64 {
    cells.iter().map(window_cell).fold(0, |set, cell| set | cell)
}

/// The cells of a set, each as a one-element set.
#[inline]
pub fn each_cell(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = set & set.wrapping_neg();
        set ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// Doves as a normal set of the window, with the row and column of the plane at which their box starts;
/// `None` if there are no doves or they do not fit in 4×4.
pub(crate) const fn normal(doves: u64) -> Option<(Cells, (u32, u32))> {
    if doves == 0 {
        return None;
    }
    let bounds = Bounds::of(doves);
    if doves & !bounds.room() != 0 {
        return None;
    }
    let moved = doves >> (PLANE * bounds.top + bounds.left);
    let rows = moved & 0xf | moved >> 4 & 0xf0 | moved >> 8 & 0xf00 | moved >> 12 & 0xf000;
    Some((Cells(rows as u16), (bounds.top, bounds.left)))
}

/// The cells orthogonally next to a cell of the set.
#[inline]
pub const fn sides(cells: u64) -> u64 {
    cells << 1 | cells >> 1 | cells << PLANE | cells >> PLANE
}

/// The cells diagonally next to a cell of the set.
pub(crate) const fn diagonals(cells: u64) -> u64 {
    let beside = cells << 1 | cells >> 1;
    beside << PLANE | beside >> PLANE
}

/// The cells that have at least one of their 8 neighbours in the set.
#[inline]
pub const fn neighbours(cells: u64) -> u64 {
    sides(cells) | diagonals(cells)
}

/// The cells a knight's jump away from a cell of the set.
pub(crate) const fn knight_jumps(cells: u64) -> u64 {
    cells << 17
        | cells << 15
        | cells << 10
        | cells << 6
        | cells >> 17
        | cells >> 15
        | cells >> 10
        | cells >> 6
}

/// The cells that a Totsu on `from` reaches: any distance orthogonally, up to the first dove. It must end next to a
/// dove, and all doves are within 3 rows and columns of `from`, so 4 steps are enough.
pub(crate) const fn slides(from: u64, doves: u64) -> u64 {
    let empty = !doves;
    let (mut north, mut south, mut west, mut east) = (from, from, from, from);
    let mut reached = 0;
    let mut step = 0;
    while step < WINDOW {
        north = north >> PLANE & empty;
        south = south << PLANE & empty;
        west = west >> 1 & empty & !COLUMN_7;
        east = east << 1 & empty & !COLUMN_0;
        reached |= north | south | west | east;
        step += 1;
    }
    reached
}

/// The doves of the set that no other dove of the set touches.
#[inline]
pub const fn isolated(doves: u64) -> u64 {
    doves & !neighbours(doves)
}

/// The first and last row and column of a set of doves.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    top: u32,
    bottom: u32,
    left: u32,
    right: u32,
}

impl Bounds {
    /// The bounds of a non-empty set.
    #[inline]
    pub const fn of(doves: u64) -> Bounds {
        let half = (doves | doves >> 32) as u32;
        let quarter = half | half >> 16;
        let columns = (quarter | quarter >> 8) & 0xff;
        Bounds {
            top: doves.trailing_zeros() / PLANE,
            bottom: (u64::BITS - 1 - doves.leading_zeros()) / PLANE,
            left: columns.trailing_zeros(),
            right: u32::BITS - 1 - columns.leading_zeros(),
        }
    }

    /// The first row and column.
    #[inline]
    pub const fn start(self) -> (u32, u32) {
        (self.top, self.left)
    }

    /// The number of rows, and of columns, from the first dove to the last.
    #[inline]
    pub const fn extent(self) -> (u32, u32) {
        (self.bottom - self.top + 1, self.right - self.left + 1)
    }

    /// The cells on which one more dove keeps all doves within 4×4.
    pub(crate) const fn room(self) -> u64 {
        let rows = rows(self.bottom.saturating_sub(WINDOW - 1), self.top + WINDOW - 1);
        rows & columns(self.right.saturating_sub(WINDOW - 1), self.left + WINDOW - 1)
    }

    /// The cells just beyond a wall. No dove may be in column 0 or 7.
    pub(crate) const fn walls(self) -> u64 {
        let mut walls = 0;
        if self.right - self.left == WINDOW - 1 {
            walls |= COLUMN_0 << self.right << 1 | COLUMN_0 << self.left >> 1;
        }
        if self.bottom - self.top == WINDOW - 1 {
            let row = 0xff;
            walls |= row << (PLANE * self.bottom) << PLANE | row << (PLANE * self.top) >> PLANE;
        }
        walls
    }
}

/// All cells of the rows `first` to `last`; rows beyond the plane are left out.
const fn rows(first: u32, last: u32) -> u64 {
    let last = if last < PLANE { last } else { PLANE - 1 };
    // Shifted in two steps: `first` may be just beyond the plane, and a shift by 64 would overflow.
    u64::MAX >> (PLANE * (PLANE - 1 - last)) & u64::MAX << (PLANE / 2 * first) << (PLANE / 2 * first)
}

/// All cells of the columns `first` to `last`; columns beyond the plane are left out.
const fn columns(first: u32, last: u32) -> u64 {
    let last = if last < PLANE { last } else { PLANE - 1 };
    COLUMN_0 * ((0xff >> (PLANE - 1 - last)) & (0xff << first) & 0xff)
}

/// The doves whose removal changes the bounds: those that stand alone in the first or last row or column.
pub(crate) const fn outermost(doves: u64, bounds: Bounds) -> u64 {
    const fn alone(doves: u64) -> u64 {
        if doves & doves.wrapping_sub(1) == 0 { doves } else { 0 }
    }
    alone(doves & 0xff << (PLANE * bounds.top))
        | alone(doves & 0xff << (PLANE * bounds.bottom))
        | alone(doves & COLUMN_0 << bounds.left)
        | alone(doves & COLUMN_0 << bounds.right)
}

/// The cells on which one more dove makes a board of `doves`: empty cells within 4×4 that leave no dove
/// isolated. `bounds` are those of `doves`, which may contain isolated doves but are not empty.
#[inline]
pub const fn landings(doves: u64, bounds: Bounds) -> u64 {
    let mut landings = bounds.room() & neighbours(doves) & !doves;
    let mut lonely = isolated(doves);
    while lonely != 0 {
        landings &= neighbours(lonely & lonely.wrapping_neg());
        lonely &= lonely - 1;
    }
    landings
}

/// The sides of the dove on `cell` that hold neither a dove nor a wall.
#[inline]
pub const fn open_sides(cell: u64, doves: u64) -> u64 {
    sides(cell) & !(doves | Bounds::of(doves).walls())
}

/// The cells on which one more dove surrounds the dove on `cell`, provided that the new dove keeps all within
/// 4×4 (see `Bounds::room`). `bounds` are those of `doves`, which include `cell`.
///
/// Each side must be closed by a dove already there, by the new dove, or by a wall. With the new dove there
/// is a wall to the west exactly if no dove is further west than `cell` and some dove is 3 columns to the
/// east; likewise for the other sides.
#[inline]
pub const fn surrounding_cells(cell: u64, doves: u64, bounds: Bounds) -> u64 {
    let (row, column) = (cell.trailing_zeros() / PLANE, cell.trailing_zeros() % PLANE);
    let far = WINDOW - 1;
    let mut closing = !doves;
    if doves & cell >> 1 == 0 {
        let mut west = cell >> 1;
        if bounds.left == column {
            let first = if bounds.right == column + far { column } else { column + far };
            west |= columns(first, column + far);
        }
        closing &= west;
    }
    if doves & cell << 1 == 0 {
        let mut east = cell << 1;
        if bounds.right == column && column >= far {
            let last = if bounds.left == column - far { column } else { column - far };
            east |= columns(column - far, last);
        }
        closing &= east;
    }
    if doves & cell >> PLANE == 0 {
        let mut north = cell >> PLANE;
        if bounds.top == row {
            let first = if bounds.bottom == row + far { row } else { row + far };
            north |= rows(first, row + far);
        }
        closing &= north;
    }
    if doves & cell << PLANE == 0 {
        let mut south = cell << PLANE;
        if bounds.bottom == row && row >= far {
            let last = if bounds.top == row - far { row } else { row - far };
            south |= rows(row - far, last);
        }
        closing &= south;
    }
    closing
}
