//! Solving games of doves: the value of every position, with its exact distance in plies, for up to hundreds of
//! billions of positions.
//!
//! Positions lie in *blocks*: a boss placement with the set of slots that are the opponent's. A block is a bit matrix,
//! with a row for each deal of one player's doves and a bit for each deal of the other's. An action leads from a whole
//! block to one other block (a put may lead to several), and becomes one operation on each row.
//!
//! The rooms, each built on those before it:
//!
//! - [`space`]: where each position has its bit, and sets of positions.
//! - [`actions`]: what an action does to a block, and which blocks lead to a block.
//! - [`solved`]: what is known of a solved game.
//! - [`rounds`]: wins and losses in n from those in n − 1.
//! - `files`: solved games, and rounds past memory, as files.
//!
//! These run rounds until nothing changes:
//!
//! - [`driver`] has an engine find them, within [`Bounds`], and keeps them in memory; [`solve()`] does so on the CPU.
//! - `by_parts` keeps them in files, part by part, for what does not fit in memory and what must be restartable or
//!   shared.
//! - `round_check` derives some results of a round by the literal rules, [`check`] the values of a solved game.

pub mod actions;
pub(crate) mod bounds;
#[cfg(feature = "tables")]
pub mod by_parts;
pub mod check;
pub mod driver;
#[cfg(feature = "tables")]
pub mod files;
pub(crate) mod memory;
#[cfg(feature = "tables")]
mod part;
mod round_check;
pub mod rounds;
pub mod solved;
pub(crate) mod solver;
pub mod space;

pub use bounds::{Bound, Bounds, Options};
pub use driver::{Halted, Round};
pub use memory::memory;
pub use solved::{Longest, Solved};
pub use solver::{CpuEngine, solve, solve_within};
