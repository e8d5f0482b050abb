//! The canonical shapes and the weights that turn counts on them into counts of positions.
//!
//! A shape's canonical set of cells is the least, as a number, of its normal images under D4. Its
//! *stabilizer* consists of the symmetries that, followed by a translation, map the shape onto itself.
//!
//! Let `raw` be the number of assignments on one shape, over all boss placements, with some property that
//! symmetries preserve. Two assignments are the same position exactly if an element of the stabilizer turns
//! one into the other. All doves are different, so an element fixes an assignment exactly if it fixes every
//! cell; there are two such elements if the doves stand in one line (the identity and the reflection in that
//! line), else one. So every orbit has stabilizer ÷ fixing elements, and there are raw × fixing ÷ stabilizer
//! positions.

use super::{Cells, Symmetry, plane};

/// The cells on which doves stand, whichever doves they are, up to translation, rotation and reflection: 2 to 12,
/// none isolated. Its text has `x` for a dove: `xx--;x---;----;----`.
///
/// ```
/// use dovemate::Shape;
///
/// assert_eq!(Shape::all().len(), 5_171);
/// // A board's text names its shape, however it lies.
/// let shape: Shape = "-x;xx".parse()?;
/// assert_eq!((shape, shape.doves()), ("bB;a-".parse()?, 3));
/// # Ok::<(), dovemate::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// The canonical set of cells.
    #[doc(hidden)]
    pub cells: Cells,
    /// The number of symmetries that map the shape onto itself.
    stabilizer: u64,
    /// The number of those that fix every single cell.
    fixing: u64,
}

impl Cells {
    /// Whether the set is a shape, canonical or not: normal, with 2 to 12 cells, none of them isolated.
    pub fn is_shape(self) -> bool {
        (2..=12).contains(&self.count())
            && self.is_normal()
            && plane::isolated(plane::window_cells(self)) == 0
    }

    /// Of the cells of a shape, those on which a boss is not surrounded.
    #[inline]
    pub fn free(self) -> Cells {
        let doves = plane::window_cells(self);
        self.iter().filter(|&cell| plane::open_sides(plane::window_cell(cell), doves) != 0).collect()
    }
}

impl Shape {
    /// The shape with these cells, which must be a shape in canonical form.
    pub(crate) fn canonical(cells: Cells) -> Shape {
        let extent = cells.extent();
        let keeps_set = |symmetry: &Symmetry| symmetry.image(cells) == cells;
        let keeps_cells = |symmetry: &Symmetry| {
            let mut cells = cells.iter();
            cells.all(|cell| symmetry.image_of_cell(cell, extent) == cell)
        };
        let stabilizer = Symmetry::all().filter(keeps_set).count() as u64;
        Shape { cells, stabilizer, fixing: Symmetry::all().filter(keeps_cells).count() as u64 }
    }

    /// The number of doves on the shape: 2 to 12.
    pub fn doves(&self) -> u32 {
        self.cells.count()
    }

    /// The number of positions that correspond to `raw` assignments, counted over all boss placements of this shape.
    ///
    /// # Panics
    /// If the division leaves a remainder, which is impossible for a property that symmetries preserve, or the weighted
    /// number overflows.
    #[doc(hidden)]
    pub fn positions(&self, raw: u64) -> u64 {
        self.whole_positions(raw).unwrap_or_else(|| {
            panic!(
                "{raw} assignments on shape {:#06x} are not a whole number of positions: wrong count",
                self.cells.0
            )
        })
    }

    /// Like [`Shape::positions`], but returns `None` where that panics; for counts from elsewhere.
    #[doc(hidden)]
    #[inline]
    pub fn whole_positions(&self, raw: u64) -> Option<u64> {
        let weighted = raw.checked_mul(self.fixing)?;
        weighted.is_multiple_of(self.stabilizer).then(|| weighted / self.stabilizer)
    }
}
