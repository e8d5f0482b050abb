//! What a caller starts: [`count`](fn@count::count), [`solve`](fn@solve::solve), [`rank`](fn@rank::rank) and
//! [`Tablebase`](crate::Tablebase). All of it is re-exported at the library's root.

mod backend;
pub mod count;
mod error;
mod observer;
pub mod rank;
pub mod report;
pub mod solve;
#[cfg(feature = "tables")]
mod tablebase;

pub use backend::Backend;
pub use count::Runner;
#[cfg(feature = "gpu")]
pub use count::{Chosen, PATIENCE, choose_among, count_and_confirm_on};
pub use error::RunError;
pub use observer::Observer;
