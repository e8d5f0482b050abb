//! Solving games of doves: the value of every position, with distances, for up to billions of positions.
//!
//! Positions lie in *blocks*, a boss placement with the slots that are the opponent's, as bit matrices: a row for each deal of
//! one player's doves, a bit for each of the other's. An action leads from a whole block to one other block (but for some puts), and becomes
//! one operation on each row.
//!
//! - [`word`] are the rows, [`deals`] their numbers, [`placements`], `passages` and [`actions`] what can be done on a boss placement.
//! - [`layout`] says where each position has its bit, [`changes`] holds what a round adds.
//! - [`index`] finds the bit of a board, and the board of a bit.
//! - [`block_actions`] goes through the actions of a block, [`marks`] say which blocks to look at, [`rounds`] find wins and losses in n from those
//!   in n − 1, which they read from a [`source`].
//! - [`solve()`] does so until nothing changes, [`check`] derives values once more by the literal rules.
//! - `sets` are the values of a group as bytes, `archive`s files of such, and `tables` a solved game in files.
//! - `bounds` are the memory and the time that a solver keeps within.
//! - `by_parts` solves what memory does not hold, or what is to be restartable or shared, with rounds in a `journal` of files; `handover`
//!   makes such of the rounds that were found in memory.

pub mod actions;
#[cfg(feature = "tables")]
pub mod archive;
pub mod block_actions;
pub(crate) mod bounds;
#[cfg(feature = "tables")]
pub mod by_parts;
#[cfg(feature = "tables")]
mod cache;
pub mod changes;
pub mod check;
pub(crate) mod counts;
pub mod deals;
mod from_wins;
#[cfg(feature = "tables")]
pub mod handover;
#[cfg(feature = "tables")]
mod history;
pub mod index;
#[cfg(feature = "tables")]
pub mod journal;
#[cfg(feature = "tables")]
pub mod keep;
pub mod layout;
pub mod marks;
#[cfg(feature = "tables")]
mod part;
mod passages;
pub mod placements;
#[cfg(feature = "tables")]
mod round_tally;
pub mod rounds;
#[cfg(feature = "tables")]
pub mod sample;
#[cfg(feature = "tables")]
mod sealed;
pub mod sets;
#[cfg(feature = "tables")]
mod snapshot;
pub(crate) mod solver;
pub mod source;
#[cfg(feature = "tables")]
mod spill;
#[cfg(feature = "tables")]
pub mod tables;
pub mod word;

pub use bounds::{Bound, Bounds};
pub use solver::{Halted, Longest, Options, Round, Solved, memory, solve, solve_within};
