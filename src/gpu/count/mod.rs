//! Counting mates, wins and stuck positions on a GPU.
//!
//! In the order of a count:
//!
//! 1. [`Setup`] lists the requirements of a count: the two shaders, constants, known answers of small kernels.
//! 2. [`Protocol`] makes the batches for a GPU, receives its results and compares them: first boss placements whose
//!    counts are known, then a sample for a forecast, then all. Batches and results are sequences of u32 words.
//! 3. A [`Card`] takes batches and returns results. It is a wgpu device (native or in a page), a child process that has
//!    opened one, or a stand-in in tests. [`drive`] drives a card through the protocol.
//!
//! Every count is checked: it must be marked as done and equal the CPU's.

pub(crate) mod batches;
#[cfg(feature = "gpu")]
mod device_card;
pub(crate) mod driver;
mod forecast;
#[cfg(feature = "gpu")]
pub(crate) mod layout;
pub(crate) mod protocol;
#[cfg(feature = "gpu")]
mod setup;
#[cfg(feature = "gpu")]
pub(crate) mod shaders;
pub(crate) mod stopwatch;

#[cfg(feature = "gpu")]
pub(crate) use device_card::DeviceCard;
pub(crate) use driver::{Card, drive};
pub(crate) use protocol::Phase;
pub use protocol::Protocol;
#[cfg(feature = "gpu")]
pub use setup::Setup;
