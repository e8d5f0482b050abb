//! Solving games on a GPU: the rounds of [`crate::solve::rounds`], all blocks at once.
//!
//! The card has three planes, all wins and all losses so far and the losses that a round adds, and for each block what is known of it
//! by itself. A round is up to three stages: losses from the wins before, wins from the losses before, and then the losses are
//! added. What is new is sent to the host, block by block, as it is found.
//!
//! Nothing of it is believed unchecked: the adapter solves a small game first and every block of every round is compared with the CPU's;
//! every workgroup says how many rows it has decided and how many bits it has found; the rows that arrive must have these bits, and
//! none twice. Whoever solves here compares with the literal rules: see [`crate::run::solve()`].

mod card;
mod engine;
mod found;
mod layout;
mod marks;
pub mod reference;
mod self_test;
mod shaders;
mod shards;
#[cfg(test)]
mod tests;

pub use engine::Engine;
#[cfg(test)]
pub(crate) use engine::{Lie, joined};
pub use found::{Found, Ground, Plane, row_words};
pub use self_test::{open_tested, open_tested_in_shards};
pub(super) use shaders::modules;
