//! All tests of the library except those of the GPU, which report whether there was one.

mod common;

mod ask;
mod count;
#[cfg(feature = "gpu")]
mod gpu;
mod rules;
mod solve;
