//! Counting mates, wins and stuck positions on a GPU.
//!
//! The host sends boss placements and slices; the shaders build the refutation tables and count. What comes back is a count and
//! a done mark per slice, and nothing of it is believed unchecked: the adapter passes a self-test first, every mark is looked
//! at, and no count may exceed its slice. Whoever counts here compares with the CPU: see [`crate::run`].

mod card;
mod engine;
mod items;
mod layout;
mod self_test;
mod shaders;
#[cfg(test)]
pub(crate) mod stand_in;

pub use engine::Engine;
pub use self_test::{TestedEngine, open_tested};
pub(super) use shaders::modules;
