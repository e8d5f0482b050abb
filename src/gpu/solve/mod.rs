//! Solving games on a GPU: the rounds of [`crate::solve::rounds::round`], many blocks at a time.
//!
//! The card holds three planes (all wins so far, all losses so far, and the losses that the current round adds) and,
//! for each block, its ends: the deals decided without any other position. A round has up to three stages: losses from
//! the previous wins, wins from the previous losses, then the new losses are added. New values are sent to the host
//! block by block.
//!
//! Nothing is believed unchecked. The adapter first begins a small game, and each of its rounds is compared with the
//! CPU's. Every workgroup reports the rows it has decided and the bits it has found; the rows that arrive must have
//! exactly these bits, and no block may arrive twice. The driver also compares with the literal rules: see
//! [`crate::solve::in_memory::driver`].

mod answers;
mod card;
mod engine;
mod layout;
mod new_blocks;
mod self_test;
mod shaders;
pub mod shards;

pub use answers::believed;
pub use card::{BatchAnswer, Blocks, SolveStage};
pub use engine::SolveEngine;
pub use layout::SolveBatch;
pub use new_blocks::{NewBlocks, Plane};
pub use self_test::{TestTimes, check_shared, open_tested, open_tested_in_shards};
pub use shaders::modules;
