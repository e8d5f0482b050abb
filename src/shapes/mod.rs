//! Where doves stand, whatever doves they are: shapes, their symmetries, boss placements, and the enclosure prune.
//!
//! Positions that a translation, rotation or reflection turns into each other are the same. So an exhaustive count goes
//! over one *canonical* representative of each shape, over all ways to choose the bosses' cells on it, and weights what it
//! finds (see [`Shape::positions`]).

mod cells;
mod placement;
pub mod plane;
mod shape;
mod symmetry;

pub use cells::{Cells, WINDOW};
pub use placement::{BossPlacement, assignments};
pub use shape::Shape;
pub use symmetry::Symmetry;
