//! The GPU code: finding and testing adapters, and streaming work through one with wgpu.
//!
//! This module is generic; [`count`] has the engine for counting, [`solve`] the one for solving.
//!
//! Nothing outside this folder uses wgpu.

mod adapter;
pub mod barriers;
pub mod caught;
pub mod count;
mod description;
pub mod device;
pub mod dispatch;
mod error;
pub mod kernel;
mod module;
pub mod pace;
mod shared;
pub mod solve;
mod stream;
pub mod trial;
pub mod words;

pub use adapter::Adapters;
pub use description::{AdapterDescription, Selection, SelectionError};
pub use error::GpuError;
#[doc(hidden)]
pub use module::{Module, kernels};
