//! The clock of deadlines: the standard library's, or a browser's, where that one panics.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
pub use web_time::Instant;
