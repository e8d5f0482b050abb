//! The number of positions, in closed form from the shapes.
//!
//! On one shape, whether a boss is surrounded depends on its cell alone. So the number of positions in which
//! given bosses are surrounded is the number of ordered pairs of the bosses' cells with that property, times
//! the number of assignments of doves to the other cells, weighted as in [`Shape`]. All positions count here,
//! including those with a surrounded boss.
//!
//! The article on Tokyo Doves counts differently; [`Convention::Article`] reproduces its figures.

use std::ops::RangeInclusive;

use super::{Cells, Shape, Symmetry, WINDOW, assignments};

/// Which bosses are surrounded, from the point of view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrounded {
    /// Neither.
    Neither,
    /// The mover's boss alone.
    Mover,
    /// The opponent's boss alone.
    Opponent,
    /// Both.
    Both,
}

/// The convention for weighting the positions on a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Up to translation, rotation and reflection.
    Exact,
    /// The article's count: each shape in a corner of a fixed 4×4 frame is counted as often as the 8
    /// symmetries of that frame give different sets of cells, although some of these differ only by a
    /// translation; and a position with all doves in one line is not recognized as its own mirror image.
    Article,
}

/// The positions with one number of doves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionRow {
    /// The number of doves on the board, bosses included.
    pub doves: u32,
    /// The positions, in the order of [`Surrounded::ALL`].
    pub by_surrounded: [u64; 4],
}

impl Surrounded {
    /// All cases, in the order of their declaration.
    pub const ALL: [Surrounded; 4] =
        [Surrounded::Neither, Surrounded::Mover, Surrounded::Opponent, Surrounded::Both];

    fn of(mover: bool, opponent: bool) -> Surrounded {
        match (mover, opponent) {
            (false, false) => Surrounded::Neither,
            (true, false) => Surrounded::Mover,
            (false, true) => Surrounded::Opponent,
            (true, true) => Surrounded::Both,
        }
    }
}

impl PositionRow {
    /// The number of positions in which exactly these bosses are surrounded.
    pub fn count(&self, surrounded: Surrounded) -> u64 {
        self.by_surrounded[surrounded as usize]
    }

    /// The number of all positions.
    pub fn total(&self) -> u64 {
        self.by_surrounded.iter().sum()
    }
}

/// The number of positions, by number of doves.
pub fn positions(doves: &RangeInclusive<u32>, convention: Convention) -> Vec<PositionRow> {
    let row = |doves| PositionRow { doves, by_surrounded: [0; 4] };
    let mut rows: Vec<PositionRow> = doves.clone().map(row).collect();
    for shape in Shape::all().iter().filter(|shape| doves.contains(&shape.doves())) {
        let row = &mut rows[(shape.doves() - doves.start()) as usize];
        for (count, raw) in row.by_surrounded.iter_mut().zip(assignments_by_surrounded(shape)) {
            *count += match convention {
                Convention::Exact => shape.positions(raw),
                Convention::Article => raw * frame_images(shape) / 8,
            };
        }
    }
    rows
}

/// The number of assignments on a shape, bosses' cells included, in the order of [`Surrounded::ALL`].
fn assignments_by_surrounded(shape: &Shape) -> [u64; 4] {
    let free = shape.cells.free();
    let mut pairs = [0; 4];
    for mover in shape.cells.iter() {
        for opponent in shape.cells.iter().filter(|&opponent| opponent != mover) {
            pairs[Surrounded::of(!free.contains(mover), !free.contains(opponent)) as usize] += 1;
        }
    }
    pairs.map(|pairs| pairs * assignments(shape.doves() - 2))
}

/// The number of different sets of cells that the symmetries of the 4×4 frame make of a shape in its corner.
///
/// It depends on which image of the shape is put there; the article takes the one that comes first when sets
/// of cells are listed by their least cells, counted from the corner.
fn frame_images(shape: &Shape) -> u64 {
    let in_corner = Symmetry::all().map(|symmetry| symmetry.image(shape.cells));
    let cells = in_corner.max_by_key(|cells| cells.0.reverse_bits()).expect("there are 8 symmetries");
    let frame = (WINDOW, WINDOW);
    let image = |symmetry: Symmetry| cells.iter().map(move |cell| symmetry.image_of_cell(cell, frame));
    let mut images: Vec<Cells> = Symmetry::all().map(|symmetry| image(symmetry).collect()).collect();
    images.sort();
    images.dedup();
    images.len() as u64
}
