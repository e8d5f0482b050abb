//! Solving games: the value of every position, with its exact distance in plies, for up to hundreds of billions of
//! positions.
//!
//! [`solve`](fn@crate::solve()) solves a game in memory in one call. A game that does not fit in memory, or whose solve
//! must be restartable or shared, is solved in files, part by part: see `in_files`.
//!
//! Positions are stored in *blocks*. A block is a boss placement with a choice of the slots for the opponent's doves: a
//! bit matrix, with a row for each deal of one player's doves and a bit for each deal of the other's. An action leads
//! from a whole block to one other block, and becomes operations on whole rows.
//!
//! Of the main modules below, `actions` and `solved` use only `space`, `rounds` uses these three, and `files` uses
//! `space`, `solved` and `rounds`:
//!
//! - `space`: the bit of each position, and sets of positions.
//! - `actions`: the effect of an action on a block, and the blocks that lead to a block.
//! - `solved`: the interface of a solved game.
//! - `rounds`: wins and losses in n from those in n − 1.
//! - `files`: solved games and rounds as files.
//! - `in_memory` and `in_files` run rounds until nothing changes; they differ in where the results are stored.
//! - `check` derives values of a solved game again, by the literal rules.
//! - [`openings`] has the values of all positions with few doves.
//! - [`retrograde`] solves any finite game of your own.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unreachable_pub)]
#![warn(missing_debug_implementations, missing_docs)]
#![forbid(unsafe_code)]

// The literal solver, which tests share, imports the library by this name.
#[cfg(test)]
extern crate self as dovemate_solver;

mod actions;
mod check;
#[cfg(feature = "tables")]
mod files;
#[cfg(feature = "tables")]
pub mod in_files;
mod in_memory;
mod known;
mod memory;
pub mod openings;
pub mod retrograde;
mod rounds;
mod solve;
mod solved;
mod space;
#[cfg(test)]
mod testing;
#[cfg(all(test, feature = "tables"))]
mod tests;
mod value;
mod watch;
#[cfg(feature = "tables")]
pub mod whole_files;

pub use check::{CheckError, Checked, Wrong};
#[cfg(feature = "tables")]
pub use in_files::{TableError, Tablebase};
pub use in_memory::Halted;
pub use known::{Known, Source, Worth, WorthError};
pub use rounds::Round;
pub use solve::{Solve, SolveError, SolvedGame, solve};
pub use solved::{Longest, Lookup, LookupError, Solution, SolutionRow, SolvedPositions};
pub use value::{Value, Wdl};
