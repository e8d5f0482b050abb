//! GPUs: finding and testing adapters, and counting on them.
//!
//! [`Adapters`] lists and tests the adapters of this machine. A [`Setup`] has the shaders of a count; a [`Protocol`]
//! decides the next batch and checks every answer. Without the feature `gpu` there are no adapters. In a page
//! the same code drives the browser's GPU (`page.rs`), through wgpu.
//!
//! Nothing outside this folder uses wgpu.

#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
mod adapter;
#[cfg(feature = "gpu")]
mod barriers;
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
pub(crate) mod caught;
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
pub mod child;
pub(crate) mod count;
#[cfg(feature = "gpu")]
mod delivery;
mod description;
#[cfg(feature = "gpu")]
pub(crate) mod device;
#[cfg(feature = "gpu")]
pub(crate) mod dispatch;
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
mod driver_process;
mod error;
#[cfg(feature = "gpu")]
pub(crate) mod limits;
#[cfg(feature = "gpu")]
mod module;
pub(crate) mod opening;
pub(crate) mod pace;
#[cfg(all(feature = "gpu", target_family = "wasm"))]
pub mod page;
#[cfg(all(test, feature = "gpu"))]
mod tests;
#[cfg(all(feature = "gpu", target_family = "wasm"))]
#[path = "waiting_in_page.rs"]
mod waiting;
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
#[path = "waiting_natively.rs"]
mod waiting;
#[cfg(feature = "gpu")]
mod words;

#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
pub use adapter::Adapters;
pub use count::Protocol;
#[cfg(feature = "gpu")]
pub use count::Setup;
pub use description::{AdapterDescription, Selection, SelectionError};
#[cfg(feature = "gpu")]
pub(crate) use device::Device;
pub use error::GpuError;
#[cfg(feature = "gpu")]
pub use module::Module;
pub use opening::NoGpu;
