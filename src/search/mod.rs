//! Proof search: whether a player can force a win within so many plies, where no table has the answer.
//!
//! [`Position`] is a board as sets of cells of [`crate::shapes::plane`], with actions and the tests for wins and mates as
//! operations on whole sets; [`Search`] proves and disproves wins within a bound by depth-first proof-number search.
//! Nothing here is believed because it is fast: positions are compared with [`crate::rules`], proofs with retrograde analysis.

mod position;
mod proof;
mod table;

pub use position::{Position, Step};
pub use proof::{Search, Stopped};
