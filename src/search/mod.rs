//! Proof search: whether a player can force a win within n plies, for positions that no table has.
//!
//! [`Position`] is a board as sets of cells of [`crate::shapes::plane`], with actions and the tests for wins and mates
//! as operations on whole sets. [`Search`] proves and disproves wins within a bound by depth-first proof-number search,
//! and looks positions with few doves up where their values are known. Clones of a search share what they find.
//! Both are tested: positions against [`crate::rules`], proofs against retrograde analysis.
//!
//! Where nothing is proved, [`Search::compare`] looks ahead with an [`estimate`] at the leaves. It suggests an order of
//! actions, and is never a value.

pub mod estimate;
mod position;
mod proof;
mod table;

pub use estimate::Estimate;
pub use position::{Position, Step};
pub use proof::{Search, Stopped, Threads};
