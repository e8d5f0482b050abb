//! Exact, exhaustive analysis of the board game Tokyo Doves: what a position is worth, how many mates there
//! are, who wins.
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
//! - [`decide`](fn@decide) tells whether a position is a mate, a win in one or neither; [`explain`] gives the
//!   reasons.
//! - [`count`](fn@count) counts the positions of a [`Category`] in any [`Game`], and those of Tokyo Doves on a GPU, too:
//!   see [`Count`].
//! - [`solve`](fn@solve) finds the value of every position of a [`Game`], in memory: see [`Solve`]. Larger games are
//!   solved by the program, in files, which a [`Tablebase`] reads.
//! - [`rank`] lists a player's actions, best first, from any [`Lookup`]; [`ask`] has what is around it: lines of best play,
//!   searches with limits, levels of an opponent, puzzles, saved games. [`Listing`] lists what is counted.
//! - [`rules`] is the game itself, [`picture`] draws boards, [`tdl`] reads and writes the files of the crate
//!   `tokyodoves`, and [`retrograde`] solves any finite game of your own.
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
//! The library is made for 64 bits: on 32, what takes more memory than these can address is refused. Without
//! features it compiles and works for `wasm32-unknown-unknown`, on the calling thread, with the browser's
//! [`clock`]. Files are little-endian on every machine, and big-endian ones are untested, as is every C library
//! but glibc on Linux.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "tables"), doc = "\n[`Tablebase`]: #features\n[`SolvedGame::write`]: #features")]
#![warn(missing_debug_implementations, missing_docs)]
#![forbid(unsafe_code)]

mod join;
mod known;

pub mod ask;
pub mod clock;
mod count;
mod digits;
pub mod explain;
#[cfg(feature = "tables")]
#[allow(missing_debug_implementations)]
mod files;
#[allow(missing_debug_implementations)]
mod gpu;
#[allow(missing_debug_implementations)]
mod literal;
pub mod picture;
pub mod random;
pub mod retrograde;
pub mod rules;
mod run;
#[allow(missing_debug_implementations)]
mod search;
mod shapes;
mod solve;
pub mod tdl;
mod threads;
mod value;
mod word;

/// What the program, the tests and the programs in `results/` need of the rooms that are not for users. It may
/// change at any time, and no version number says so: tools that compare versions pass over what is hidden.
#[doc(hidden)]
pub mod internals {
    pub mod count {
        pub use crate::count::*;
    }
    pub mod digits {
        pub use crate::digits::*;
    }
    #[cfg(feature = "tables")]
    pub mod files {
        pub use crate::files::*;
    }
    pub mod gpu {
        pub use crate::gpu::*;
    }
    pub mod literal {
        pub use crate::literal::*;
    }
    pub mod run {
        pub use crate::run::{LONGEST_CONFIRMATION, Opener, Runner};
    }
    pub mod search {
        pub use crate::search::*;
    }
    pub mod shapes {
        pub use crate::shapes::*;
    }
    pub mod solve {
        pub use crate::solve::*;
    }
}

pub use run::report;

#[doc(inline)]
pub use ask::Ranked;
#[doc(inline)]
pub use count::list::{ListedPositions, Listing, Ranks};
#[doc(inline)]
pub use count::tally::{Tally, TallyRow};
#[doc(inline)]
pub use count::{Category, Method, Verdict, decide};
#[doc(inline)]
pub use known::{Known, Source, Worth, WorthError};
#[doc(inline)]
pub use rules::{Action, Board, BothSurrounded, Color, DoveSet, Game, Rules};
#[doc(inline)]
pub use run::count::{Count, count};
#[doc(inline)]
pub use run::rank::{rank, rank_within};
#[doc(inline)]
pub use run::solve::{Solve, SolvedGame, solve};
#[doc(inline)]
pub use run::{Backend, Observer, RunError};
#[doc(inline)]
pub use shapes::{Shape, ShapeError};
#[doc(inline)]
pub use solve::Round;
#[cfg(feature = "tables")]
#[doc(inline)]
pub use solve::files::tables::{TableError, Tablebase};
#[doc(inline)]
pub use solve::solved::{Longest, Lookup, LookupError, Solution, SolutionRow, SolvedPositions};
#[doc(inline)]
pub use value::{Value, Wdl};
