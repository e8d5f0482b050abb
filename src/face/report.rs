//! The report of a count, which says what ran where and what checked it, and the types that describe GPUs.

pub use crate::count::tally::Comparison;
pub use crate::gpu::{AdapterDescription, GpuError, Selection, SelectionError};
pub use crate::run::{Confirmation, NoGpu, Report};
