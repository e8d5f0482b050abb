//! The GPU code: finding, opening and testing adapters, and, in [`count`], counting on one.
//!
//! Nothing outside this folder uses wgpu. What a count consists of compiles without it, for a page that has
//! WebGPU: the shaders, the batches and the known answers. Without the feature `gpu` there is no more, and no
//! adapter.

#[cfg(feature = "gpu")]
mod adapter;
mod barriers;
#[cfg(feature = "gpu")]
pub mod caught;
#[cfg(feature = "gpu")]
pub mod child;
pub mod count;
mod description;
#[cfg(feature = "gpu")]
pub mod device;
#[cfg(feature = "gpu")]
pub mod dispatch;
mod error;
#[cfg(feature = "gpu")]
pub mod kernel;
mod known_answer;
pub mod limits;
mod module;
pub mod opening;
pub mod pace;
#[cfg(feature = "gpu")]
mod trial;
mod words;

#[cfg(feature = "gpu")]
pub use adapter::Adapters;
pub use description::{AdapterDescription, Selection, SelectionError};
#[cfg(feature = "gpu")]
pub use device::Device;
pub use error::GpuError;
#[doc(hidden)]
pub use module::Module;
pub use opening::{Gpu, NoGpu, Opened};
