//! Solving games of doves: the value of every position with its exact distance, for up to billions of positions.
//!
//! Positions lie in *blocks*: a boss placement with the set of slots that are the opponent's. A block is a bit matrix,
//! with a row for each deal of one player's doves and a bit for each deal of the other's. An action leads from a whole
//! block to one other block (a put may lead to several), and becomes one operation on each row.
//!
//! - [`word`] is the row, [`deals`] numbers the deals, [`placements`], `passages` and [`actions`] list what the mover
//!   can do on a boss placement.
//! - [`layout`] says where each position has its bit, [`changes`] holds what a round adds.
//! - [`index`] finds the bit of a board, and the board of a bit.
//! - [`block_actions`] applies the actions of a block, [`marks`] say which blocks to look at, [`rounds`] find wins and
//!   losses in n from those in n − 1, which they read from a [`source`].
//! - [`solve()`] runs rounds until nothing changes, [`check`] derives values again by the literal rules.
//! - `sets` encodes the values of a group as bytes, `archive`s are files of these, and `tables` is a solved game in
//!   files.
//! - `bounds` limits the memory and the time of a solver.
//! - `by_parts` solves what does not fit in memory, and what must be restartable or shared, with its rounds in a
//!   `journal` of files; `handover` writes such files from rounds found in memory.

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
