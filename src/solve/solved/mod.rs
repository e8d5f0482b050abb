//! What is known of a solved game: the numbers of positions by value, and values from the set of wins alone.

pub(crate) mod from_wins;
mod solution;

pub use solution::{Row, Solution};
