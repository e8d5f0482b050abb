//! The GPU code: finding and testing adapters, and streaming work through one with wgpu.
//!
//! This module is generic; [`count`] has the engine for counting, [`solve`] the one for solving.
//!
//! Nothing outside this folder uses wgpu.

mod adapter;
mod barriers;
mod caught;
pub mod count;
mod description;
mod device;
mod dispatch;
mod error;
#[cfg(test)]
mod filled;
mod kernel;
mod module;
#[cfg(test)]
mod module_tests;
mod pace;
mod shared;
pub mod solve;
mod stream;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod trial;
mod words;

pub use adapter::Adapters;
pub use description::{AdapterDescription, Selection, SelectionError};
pub use error::GpuError;
#[doc(hidden)]
pub use module::{Module, kernels};
