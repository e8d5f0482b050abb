//! Deciding the assignments of a boss placement: which of them are mates, wins in one, or stuck.
//!
//! Two methods share one refutation table ([`table`]) and its [`demands`]: [`exhaustive`] tests every
//! assignment, [`factored`] counts with permanents. [`decide`](fn@decide) is for a single board. The
//! [`reference`](mod@reference) shares no code with them.

mod category;
pub mod clause;
mod counter;
mod decide;
pub mod demands;
pub mod exhaustive;
pub mod factored;
pub mod families;
pub mod list;
pub mod permanent;
pub mod published;
pub mod reference;
mod scene;
pub mod sets;
mod sides;
pub mod table;
pub mod tally;
mod verdict;
mod workload;

pub use category::Category;
pub use counter::{Counter, Method, Question};
pub use decide::{decide, decide_in};
pub use sides::Sides;
pub use verdict::Verdict;
pub use workload::{Turn, Workload};
