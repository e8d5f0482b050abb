//! Sets of cells of a 4×4 window, one bit per cell: bit 4·row + column, rows from the top.
//!
//! The doves of a board always fit in such a window. A set is *normal* if it touches the window's top row and
//! left column, which fixes its translation.

/// Rows and columns of the window.
pub const WINDOW: u32 = 4;

const TOP_ROW: u16 = 0x000f;
const LEFT_COLUMN: u16 = 0x1111;

/// A set of cells of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cells(pub u16);

impl Cells {
    /// The number of cells.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the cell with this number is in the set; false from 16 on.
    pub const fn contains(self, cell: u32) -> bool {
        cell < WINDOW * WINDOW && self.0 >> cell & 1 == 1
    }

    /// The numbers of the cells, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> + Clone {
        (0..WINDOW * WINDOW).filter(move |&cell| self.contains(cell))
    }

    /// Whether the set touches the window's top row and left column.
    pub(crate) const fn is_normal(self) -> bool {
        self.0 & TOP_ROW != 0 && self.0 & LEFT_COLUMN != 0
    }

    /// The rows and columns of the bounding box of a normal set.
    pub(crate) const fn extent(self) -> (u32, u32) {
        let columns = (self.0 | self.0 >> 4 | self.0 >> 8 | self.0 >> 12) & TOP_ROW;
        let last_cell = u16::BITS - 1 - self.0.leading_zeros();
        (last_cell / WINDOW + 1, u16::BITS - columns.leading_zeros())
    }
}

impl FromIterator<u32> for Cells {
    fn from_iter<I: IntoIterator<Item = u32>>(cells: I) -> Cells {
        Cells(cells.into_iter().fold(0, |set, cell| set | 1 << cell))
    }
}
