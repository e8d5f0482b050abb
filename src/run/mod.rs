//! The entry point of the library: [`count`](fn@count::count). All public items here are re-exported at the library's
//! root.

mod backend;
mod count;
mod error;
mod observer;

pub use backend::Backend;
pub use count::{Count, Runner, count, report};
pub use error::RunError;
pub use observer::Observer;
