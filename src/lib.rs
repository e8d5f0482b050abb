//! Exact, exhaustive analysis of the board game Tokyo Doves: the value of a position, the number of mates, the winner.
//!
//! ```
//! use dovemate::{Board, Color, Count, Game, Lookup, Rules, Verdict};
//!
//! // Rows from the top; upper case is red, lower case green, and '-' is empty.
//! let board: Board = "-Y-B;--ay;H---;b---".parse()?;
//! assert_eq!(dovemate::decide(&board, Color::Red, Rules::default()), Verdict::Mate);
//!
//! // How many mates there are with up to six doves on the board; `Count::mates()` alone counts all 4,779,515,952.
//! let tally = dovemate::count(Count::mates().doves(2..=6))?;
//! assert_eq!(tally.total().positions, 14_310);
//!
//! // A smaller game, in which each player has a boss, an Aniki and a Yaibato.
//! let game = Game::both("AY")?;
//! let solved = dovemate::solve(game)?;
//! let board = Board::default();
//! println!("the start is a {}", solved.value(&board, Color::Red)?.expect("it is a position of the game"));
//!
//! // Its tables, in files that appear whole or not at all.
//! # let tables = tempfile::tempdir()?;
//! # let tables = tables.path();
//! # #[cfg(feature = "tables")] {
//! use dovemate::Tablebase;
//!
//! solved.write(tables)?;
//! let tables = Tablebase::open(tables, game)?;
//! for ranked in dovemate::rank(&tables, &board, Color::Red)? {
//!     println!("{ranked}");
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`decide`](fn@decide) returns whether a position is a mate, a win in one or neither; [`explain`] gives the
//!   reasons.
//! - [`count`](fn@count) counts the positions of a [`Category`] in any [`Game`], and those of Tokyo Doves on a GPU, too:
//!   see [`Count`].
//! - [`solve`](fn@solve) finds the value of every position of a [`Game`], in memory: see [`Solve`]. Larger games are
//!   solved in files (`solve::in_files`), which a [`Tablebase`] reads.
//! - [`rank`] lists a player's actions, best first, from any [`Lookup`]; [`ask`] has everything else for players: lines
//!   of best play, searches with limits, levels of an opponent, puzzles, saved games. [`Listing`] lists what is
//!   counted.
//! - [`rules`] is the game itself, [`shapes`] where doves stand, [`picture`] draws boards, [`tdl`] reads and writes the
//!   files of the crate `tokyodoves`, and [`retrograde`] solves any finite game of your own.
//! - [`count`](mod@count), [`solve`](mod@solve) and [`gpu`] are the building blocks of counts, of solves and of work on
//!   a GPU.
//!
//! No query panics or ends the process: every failure is an error that says what would be right. An
//! [`Observer`] watches a count or a solve, and may stop it.
//!
//! # Features
//!
//! These are on by default; `default-features = false` leaves them out.
//!
//! - `gpu`: counting on a GPU, through `wgpu`. Without it the CPU counts.
//! - `openings`: the values of all positions of the whole game with few doves, as part of the program.
//! - `tables`: solved games in files, with `zstd`: [`Tablebase`] and [`SolvedGame::write`].
//!
//! # Systems
//!
//! The library targets 64-bit systems; a 32-bit one refuses work that needs more memory than it can address. Without
//! features it compiles and works for `wasm32-unknown-unknown`, on the calling thread, with the browser's [`clock`].
//! Files are little-endian on every machine. Big-endian machines are untested, and so, on Linux, is every C library but
//! glibc.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "tables"), doc = "\n[`Tablebase`]: #features\n[`SolvedGame::write`]: #features")]
#![deny(unreachable_pub)]
#![warn(missing_debug_implementations, missing_docs)]
// Modules that every build needs contain code for files or a GPU alone, so dead code is reported only with both
// features.
#![cfg_attr(not(all(feature = "gpu", feature = "tables")), allow(dead_code))]
#![forbid(unsafe_code)]

// The test helpers that integration tests share import the library by this name.
#[cfg(test)]
extern crate self as dovemate;

mod join;
mod known;

pub mod ask;
pub mod clock;
pub mod count;
pub mod explain;
// Public for the program, which writes its files the same way and removes the temporary files of both on an interrupt.
#[cfg(feature = "tables")]
#[doc(hidden)]
pub mod files;
pub mod gpu;
#[cfg(any(test, feature = "lab"))]
#[allow(missing_debug_implementations, unreachable_pub)]
mod literal;
pub mod picture;
pub mod random;
pub mod retrograde;
pub mod rules;
mod run;
#[allow(missing_debug_implementations, unreachable_pub)]
mod search;
pub mod shapes;
pub mod solve;
pub mod tdl;
#[cfg(test)]
mod testing;
mod threads;
mod value;
mod word;

/// Internals for the programs in `results/`: the search's positions and estimates, for fitting the network, and the
/// literal solver. May change at any time.
#[cfg(feature = "lab")]
#[doc(hidden)]
pub mod lab {
    pub use crate::literal::{LiteralPosition, LiteralSolution};
    pub use crate::search::estimate::SCALE;
    pub use crate::search::estimate::features::{FEATURES, MOST, Seen};
    pub use crate::search::{Budget, Position, Search, Threads};
}

pub use ask::Ranked;
pub use count::{Category, ListedPositions, Listing, Method, Ranks, Tally, TallyRow, Verdict, decide};
pub use known::{Known, Source, Worth, WorthError};
pub use rules::{Action, Board, BothSurrounded, Color, DoveSet, Game, Rules};
pub use run::{
    Backend, Count, Observer, RunError, Runner, Solve, SolvedGame, count, rank, rank_within, report, solve,
    solve_within,
};
pub use shapes::{Shape, ShapeError};
#[cfg(feature = "tables")]
pub use solve::in_files::{TableError, Tablebase};
pub use solve::solved::{Lookup, LookupError, SolvedPositions};
pub use solve::{Longest, Round, Solution, SolutionRow};
pub use value::{Value, Wdl};
