//! What the mover's actions do to a whole block of positions at once.
//!
//! `passages` are the ways from shape to shape, [`placement_actions`] the actions on a boss placement,
//! [`block_actions`] the maps from the rows of a block to those of another, and [`marks`] leads back: which
//! blocks reach a changed one.

pub(crate) mod block_actions;
pub(crate) mod marks;
mod passages;
pub(crate) mod placement_actions;
