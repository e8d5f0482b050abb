//! The GPU side: finding and vetting adapters, and counting on one through wgpu.
//!
//! The host sends boss placements and slices; the shaders build the refutation tables and count. What comes back is a count and
//! a done mark per slice, and nothing of it is believed unchecked: the adapter passes a self-test first, every mark is looked
//! at, no count may exceed its slice, and a sample of the boss placements is counted again on the CPU.
//!
//! Nothing outside this folder knows wgpu.

mod adapter;
mod description;
mod device;
mod engine;
mod error;
mod layout;
mod plan;
mod self_test;
mod shaders;

pub use adapter::Adapters;
pub use description::{AdapterDescription, Selection, SelectionError};
pub use engine::{Engine, Fault, FaultKind, FaultPlace};
pub use error::GpuError;
pub use self_test::{Vetted, vet};
