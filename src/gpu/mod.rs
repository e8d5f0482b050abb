//! The GPU code: finding, opening and testing adapters, and, in [`count`], counting on one.
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
pub mod trial;
pub mod words;

pub use adapter::Adapters;
pub use description::{AdapterDescription, Selection, SelectionError};
pub use error::GpuError;
#[doc(hidden)]
pub use module::Module;
