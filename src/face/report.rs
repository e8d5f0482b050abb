//! What ran where, and what checked it: the report of a count, and what is said of GPUs.

pub use crate::count::tally::Comparison;
pub use crate::gpu::{AdapterDescription, GpuError, Selection, SelectionError};
pub use crate::run::{Confirmation, NoGpu, Report};
