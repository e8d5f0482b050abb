//! The clock for deadlines: the standard library's, or the browser's where the former would panic.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
pub use web_time::Instant;
