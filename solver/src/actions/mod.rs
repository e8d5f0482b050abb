//! The mover's actions as maps of whole blocks of positions.
//!
//! `passages` are the ways from shape to shape, [`placement_actions`] the actions on a boss placement,
//! [`block_actions`] the maps from the rows of a block to those of another. [`predecessors`] finds the blocks from
//! which actions lead to a changed one.

pub(crate) mod block_actions;
mod passages;
pub(crate) mod placement_actions;
pub(crate) mod predecessors;
