//! The GPU side: finding and vetting adapters, and streaming work through one with wgpu.
//!
//! What is here serves whatever is computed; [`count`] is what counting adds, [`solve`] what solving adds.
//!
//! Nothing outside this folder knows wgpu.

mod adapter;
mod barriers;
mod cards;
pub mod count;
mod description;
mod device;
mod dispatch;
mod error;
mod kernel;
mod loops;
mod modules;
mod pace;
mod plan;
mod shared;
pub mod solve;
pub(crate) mod stream;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod words;

pub use adapter::Adapters;
#[cfg(test)]
pub(crate) use adapter::Fault;
pub use description::{AdapterDescription, Selection, SelectionError};
pub use error::GpuError;
#[doc(hidden)]
pub use modules::{Module, modules};
