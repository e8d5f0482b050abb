//! The face of the library: what a user of the crate needs, in few words. Everything here is re-exported at the root.

pub mod rank;
pub mod report;
pub mod solve;
#[cfg(feature = "tables")]
mod tablebase;
