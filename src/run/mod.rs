//! The entry points of the library: [`count`](fn@count::count), [`solve`](fn@solve::solve), [`rank`](fn@rank::rank) and
//! [`Tablebase`](crate::Tablebase). All of it is re-exported at the library's root.

mod backend;
mod count;
mod error;
mod observer;
mod rank;
mod solve;
#[cfg(feature = "tables")]
mod tablebase;

pub use backend::Backend;
pub use count::{Count, Runner, count, report};
pub use error::RunError;
pub use observer::Observer;
pub use rank::{rank, rank_within};
pub use solve::{Solve, SolvedGame, solve, solve_within};
