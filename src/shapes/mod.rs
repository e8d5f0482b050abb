//! Where doves stand, regardless of which doves they are: shapes, their symmetries, boss placements with the
//! enclosure prune, deals of doves to slots, and the plane on which doves move.
//!
//! Positions that a translation, rotation or reflection turns into each other are the same. An exhaustive count
//! therefore covers one *canonical* representative of each shape and all choices of the bosses' cells on it, and
//! weights the results (see [`Shape::positions`]).

pub mod canonical;
mod cells;
pub mod deals;
pub mod moves;
mod placement;
pub mod plane;
pub mod positions;
mod raises;
mod shape;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;

pub use canonical::Canonical;
pub use cells::Cells;
pub use cells::WINDOW;
pub use placement::BossPlacement;
pub(crate) use placement::assignments;
pub use raises::EnclosureRaises;
pub use shape::Shape;
pub use symmetry::Symmetry;
pub use text::ShapeError;
