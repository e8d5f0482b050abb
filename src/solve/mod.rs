//! Solving games of doves: the value of every position, with its exact distance in plies, for up to hundreds
//! of billions of positions.
//!
//! Positions lie in *blocks*: a boss placement with the set of slots that are the opponent's. A block is a
//! bit matrix, with a row for each deal of one player's doves and a bit for each deal of the other's. An
//! action leads from a whole block to one other block, and becomes one operation on each row.
//!
//! The rooms; `actions` and `solved` rest on `space` alone, `rounds` on these three, `files` on all:
//!
//! - [`space`]: where each position has its bit, and sets of positions.
//! - [`actions`]: what an action does to a block, and which blocks lead to a block.
//! - [`solved`]: what is known of a solved game.
//! - [`rounds`]: wins and losses in n from those in n − 1.
//! - `files`: solved games, and rounds past memory, as files.
//!
//! Two drivers run rounds until nothing changes. They share all of the above, and differ in what they keep:
//!
//! - [`in_memory`] keeps rounds in memory, within [`Bounds`].
//! - `in_files` keeps them in files, part by part, for what does not fit in memory and what must be restartable or
//!   shared.
//!
//! [`openings`] are the values of all positions with few doves. [`check`] derives the values of a solved game
//! by the literal rules.

#[allow(missing_debug_implementations)]
pub mod actions;
#[allow(missing_debug_implementations)]
pub(crate) mod bounds;
pub mod check;
#[cfg(feature = "tables")]
#[allow(missing_debug_implementations)]
pub mod files;
#[cfg(feature = "tables")]
#[allow(missing_debug_implementations)]
pub mod in_files;
mod in_memory;
pub(crate) mod memory;
pub mod openings;
#[allow(missing_debug_implementations)]
pub mod rounds;
pub mod solved;
#[allow(missing_debug_implementations)]
pub mod space;

pub use bounds::{Bound, Bounds};
pub use in_memory::{Halted, solve, solve_within};
pub use memory::memory;
pub use rounds::Round;
pub use solved::{Longest, Solved};
