//! Where doves stand, regardless of which doves they are: shapes, their symmetries, boss placements with the
//! enclosure prune, deals of doves to slots, and the plane on which doves move.
//!
//! Positions that a translation, rotation or reflection turns into each other are the same. An exhaustive
//! count therefore goes over one *canonical* representative of each shape and all choices of the bosses'
//! cells on it, and weights what it finds (see [`Shape::positions`]).

pub mod canonical;
mod cells;
pub mod deals;
pub mod moves;
mod placement;
pub mod plane;
pub mod positions;
mod shape;
mod symmetry;
mod text;

pub use canonical::Canonical;
pub use cells::{Cells, WINDOW};
pub use placement::{BossPlacement, assignments};
pub use shape::Shape;
pub use symmetry::Symmetry;
pub use text::ShapeError;
