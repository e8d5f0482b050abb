//! Counts the mates of the board game Tokyo Doves, exhaustively: every boss placement of every canonical shape, every
//! assignment of the other doves, on the CPU or on a GPU.
//!
//! ```
//! use dovemate::{Board, Color, Count, Rules, Verdict};
//!
//! // Rows from the top; upper case is red, lower case green, and '-' is empty.
//! let board: Board = "-Y-B;--ay;H---;b---".parse()?;
//! assert_eq!(dovemate::decide(&board, Color::Red, Rules::default()), Verdict::Mate);
//!
//! // How many mates there are with up to six doves on the board; `Count::mates()` alone counts all 4,779,515,952.
//! let tally = dovemate::count(Count::mates().doves(2..=6))?;
//! assert_eq!(tally.total().positions, 14_310);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`decide`](fn@decide) returns whether a position is a mate, a win in one or neither; [`explain`] gives the
//!   reasons.
//! - [`count`](fn@count) counts the positions of a [`Category`] in any [`Game`] on the CPU, and in Tokyo Doves itself
//!   also on a GPU. [`Count`] has the options; [`Listing`] lists the positions.
//! - [`rules`] is the game itself, [`shapes`] the geometry of shapes: where doves stand, up to symmetry. [`picture`]
//!   draws boards, and [`tdl`] reads and writes the files of the crate `tokyodoves`.
//! - [`count`](mod@count) and [`gpu`] are the building blocks of counts and of work on a GPU.
//!
//! Who wins a position, and in how many plies, is the subject of the package `dovemate-solver`; best actions, reviews
//! and puzzles are that of `dovemate-analysis`. No verdict or count panics: every failure is an error, whose message
//! says what is wrong. An [`Observer`] watches a count, and [`Limits`] may stop it.
//!
//! # Features
//!
//! - `gpu`, on by default: counting on a GPU, through `wgpu`. Without it the CPU counts.
//!
//! # Systems
//!
//! The library targets 64-bit systems. It also works on `wasm32-unknown-unknown`: on the calling thread, with the
//! browser's [`clock`] and, with the feature `gpu`, its GPU. Big-endian machines are untested, as are C libraries other
//! than glibc on Linux.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unreachable_pub)]
#![warn(missing_debug_implementations, missing_docs)]
#![forbid(unsafe_code)]

// Some test helpers are also part of the integration tests, so they import the library by this name.
#[cfg(test)]
extern crate self as dovemate;

mod bits;
mod join;

pub mod clock;
pub mod count;
pub mod explain;
pub mod gpu;
mod limits;
pub mod picture;
pub mod random;
pub mod rules;
mod run;
pub mod shapes;
pub mod tdl;
#[cfg(test)]
mod testing;
pub mod threads;
#[cfg(not(target_family = "wasm"))]
pub mod waiting;

pub use count::{Category, ListedPositions, Listing, Method, Ranks, Tally, TallyRow, Verdict, decide};
pub use limits::{Limit, Limits, Stop};
pub use rules::{Action, Board, BothSurrounded, Color, DoveSet, Game, Rules};
pub use run::{Backend, Count, Observer, RunError, Runner, count, report};
pub use shapes::{Shape, ShapeError};
