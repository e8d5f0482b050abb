//! What is known of a solved game: the numbers of positions by value, values from the set of wins alone, and
//! [`Solved`], through which a solved game is asked.

pub(crate) mod from_wins;
mod solution;
mod solved_game;

pub use solution::{Row, Solution};
pub use solved_game::{Longest, Solved};
