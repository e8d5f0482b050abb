//! The table of canonical forms: from every set of cells that is a shape to its canonical form, with the symmetry that
//! takes it there.
//!
//! Of the 2¹⁶ sets of cells of the window, the shapes are those that touch its top row and left column, have
//! 2 to 12 cells, and have no isolated cell. The canonical form of a shape is the least number among its
//! images under D4, each made normal again. There are 5,171 canonical sets, sorted by number of doves, then
//! by cells, so that the shapes with the same number of doves are consecutive. The table is built on first
//! use, in a few milliseconds.

use std::sync::LazyLock;

use super::{Cells, Shape, Symmetry, plane};

/// The canonical form of a set of cells, and the symmetry that maps the set to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    shape: u16,
    /// A symmetry that takes the set to its canonical form; if there are several, the first of [`Symmetry::all`].
    pub(super) symmetry: Symmetry,
    /// The rows and columns of the set.
    extent: (u8, u8),
}

struct Forms {
    shapes: Vec<Shape>,
    /// Indexed by the set as a number.
    by_cells: Vec<Option<Canonical>>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(Forms::new);

impl Forms {
    fn new() -> Forms {
        // The least image of a shape comes first in ascending order; the other images are made from it.
        let mut images: Vec<Option<(Cells, Symmetry)>> = vec![None; 1 << u16::BITS];
        let mut canonical = Vec::new();
        for cells in (0..=u16::MAX).map(Cells).filter(|cells| cells.is_shape()) {
            if images[usize::from(cells.0)].is_some() {
                continue;
            }
            canonical.push(cells);
            for symmetry in Symmetry::all() {
                let back = symmetry.inverse();
                let image = &mut images[usize::from(symmetry.image(cells).0)];
                if image.is_none_or(|(_, other)| back < other) {
                    *image = Some((cells, back));
                }
            }
        }
        canonical.sort_by_key(|cells| (cells.count(), *cells));
        let mut numbers = vec![0; 1 << u16::BITS];
        for (number, cells) in (0..).zip(&canonical) {
            numbers[usize::from(cells.0)] = number;
        }
        let form = |(cells, image): (Cells, Option<(Cells, Symmetry)>)| {
            let (least, symmetry) = image?;
            let (rows, columns) = cells.extent();
            let shape = numbers[usize::from(least.0)];
            Some(Canonical { shape, symmetry, extent: (rows as u8, columns as u8) })
        };
        let by_cells = (0..=u16::MAX).map(Cells).zip(images).map(form).collect();
        Forms { shapes: canonical.into_iter().map(Shape::canonical).collect(), by_cells }
    }
}

/// The 5,171 canonical shapes, by number of doves, then by cells.
#[inline]
pub fn shapes() -> &'static [Shape] {
    &FORMS.shapes
}

impl Shape {
    /// All 5,171 canonical shapes, by number of doves, then by cells.
    pub fn all() -> Vec<Shape> {
        shapes().to_vec()
    }
}

impl Canonical {
    /// The canonical form of a set of the window; `None` if the set is not a shape or not normal.
    pub(crate) fn of(cells: Cells) -> Option<Canonical> {
        FORMS.by_cells[usize::from(cells.0)]
    }

    /// The canonical form of doves on the plane, and the row and column of the plane at which their box
    /// starts; `None` if they do not make a board or their number is not 2 to 12.
    #[inline]
    pub fn of_plane(doves: u64) -> Option<(Canonical, (u32, u32))> {
        let (cells, start) = plane::normal(doves)?;
        Some((Canonical::of(cells)?, start))
    }

    /// The shape's index in [`shapes`].
    #[inline]
    pub const fn index(self) -> usize {
        self.shape as usize
    }

    /// The shape.
    pub(crate) fn shape(self) -> Shape {
        FORMS.shapes[self.index()]
    }

    /// The cell of the canonical form for a cell of the set.
    #[inline]
    pub const fn image_of_cell(self, cell: u32) -> u32 {
        let (rows, columns) = self.extent;
        self.symmetry.image_of_cell(cell, (rows as u32, columns as u32))
    }
}
