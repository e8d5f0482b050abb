//! Proof search: whether a player can force a win within n plies, for positions that no table has.
//!
//! [`Position`] is a board as sets of cells of [`dovemate::shapes::plane`], with actions and the tests for wins and
//! mates as operations on whole sets. [`Search`] proves and disproves wins within a bound by depth-first proof-number
//! search, and takes the values of positions with few doves from a tablebase, if there is one. Clones of a search share
//! their results; each has [`Limits`](dovemate::Limits) of its own. Tests compare positions with
//! [`dovemate::rules`], and proofs with retrograde analysis.
//!
//! Where nothing is proved, [`Search::compare`] looks ahead by alpha-beta with an [`estimate`] at the leaves. Its
//! result suggests an order of actions, and is never a value.

mod budget;
pub mod estimate;
mod numbers;
mod position;
mod proof;
mod table;

pub use budget::{Stopped, Threads};
pub use estimate::Estimate;
pub use position::Position;
pub use proof::{Role, Search};
