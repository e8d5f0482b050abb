//! GPUs: finding and testing adapters, and counting on them.
//!
//! [`Adapters`] lists and tests the adapters of this machine. A [`Setup`] has the shaders and sizes of a count; a
//! [`Protocol`] decides what is asked next and checks every answer. Both compile without wgpu, so that a page can use
//! them with WebGPU. Without the feature `gpu` there are no adapters.
//!
//! Nothing outside this folder uses wgpu.

#[cfg(feature = "gpu")]
mod adapter;
mod barriers;
#[cfg(feature = "gpu")]
pub(crate) mod caught;
#[cfg(feature = "gpu")]
pub mod child;
pub(crate) mod count;
mod description;
#[cfg(feature = "gpu")]
pub(crate) mod device;
#[cfg(feature = "gpu")]
pub(crate) mod dispatch;
mod error;
pub(crate) mod limits;
mod module;
pub(crate) mod opening;
pub(crate) mod pace;
#[cfg(all(test, feature = "gpu"))]
mod tests;
mod words;

#[cfg(feature = "gpu")]
pub use adapter::Adapters;
pub use count::{Protocol, Returned, Setup};
pub use description::{AdapterDescription, Selection, SelectionError};
#[cfg(feature = "gpu")]
pub(crate) use device::Device;
pub use error::GpuError;
pub use module::Module;
pub use opening::NoGpu;
