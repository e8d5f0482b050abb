//! Solved games: the numbers of positions by value, the positions one by one, values derived from the set of wins
//! alone, errors of tables, and [`Solved`]. [`Lookup`] is the interface for probing values, wherever they are stored.

#[cfg(feature = "tables")]
pub(crate) mod from_wins;
mod lookup;
mod positions;
mod solution;
mod solved_game;
#[cfg(feature = "tables")]
mod table_error;

pub use lookup::{Lookup, LookupError};
pub use positions::SolvedPositions;
pub use solution::{Solution, SolutionRow};
pub use solved_game::Longest;
pub(crate) use solved_game::Solved;
#[cfg(feature = "tables")]
pub use table_error::TableError;
