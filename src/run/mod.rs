//! What a caller starts: [`count`](fn@count::count), [`solve`](fn@solve::solve), [`rank`](fn@rank::rank) and
//! [`Tablebase`](crate::Tablebase). All of it is re-exported at the library's root.

mod backend;
pub mod count;
mod error;
mod observer;
pub mod rank;
pub mod solve;
#[cfg(feature = "tables")]
mod tablebase;

pub use backend::Backend;
pub use count::{LONGEST_CONFIRMATION, Opener, Runner, report};
pub use error::RunError;
pub use observer::Observer;
