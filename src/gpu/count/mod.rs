//! Counting mates, wins and stuck positions on a GPU.
//!
//! The host sends boss placements and slices; the shaders build the refutation tables and test every
//! assignment. Each slice returns a count and a done mark, and nothing is believed unchecked: the adapter
//! must pass a self-test first, every mark is checked, and every boss placement's count is compared with the
//! CPU's: see `run`, and [`remote`] for a page.

mod batches;
#[cfg(feature = "gpu")]
mod card;
#[cfg(feature = "gpu")]
mod engine;
mod forecast;
pub mod items;
mod layout;
pub mod plan;
pub mod remote;
mod self_test;
mod shaders;

pub use batches::Batches;
#[cfg(feature = "gpu")]
pub use engine::{BatchCard, Engine};
pub use layout::{Count, TABLE_SIZE};
pub use plan::Slice;
#[cfg(feature = "gpu")]
pub use self_test::open_tested;
pub use shaders::{TABLES_PER_WORKGROUP, modules};
