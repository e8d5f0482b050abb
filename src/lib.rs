//! Exact, exhaustive analysis of the board game Tokyo Doves.
//!
//! Data flows one way, each module knowing only those before it:
//!
//! [`rules`] → [`shapes`] → [`mates`] → [`gpu`] → [`run`] → [`verify`] → the program, with [`tally`] for the results.
//!
//! - [`rules`] is the game, literally; everything else is held against it.
//! - [`shapes`] enumerates where doves stand: canonical shapes, boss placements, the enclosure prune.
//! - [`mates`] decides the assignments of a boss placement, in two ways.
//! - [`gpu`] does the same on a GPU; its shaders are twins of files in [`shapes`] and [`mates`].
//! - [`run`] chooses between them and lets the CPU finish what a GPU leaves; [`tally`] adds up by number of doves.
//! - [`count_game`] counts in games with fewer doves.
//! - [`positions`] has the closed forms, and [`verify`] checks the published claims.
//!
//! For looking at single positions, on [`rules`] and [`mates`] alone:
//!
//! - [`explain`] says why a position is a mate, or why not.
//! - [`list`](mod@list) goes over all mates, or draws from them; [`tdl`] is the file format that the crate `tokyodoves` reads.
//! - [`picture`] draws boards, in a terminal and as SVG.
//! - [`report`] puts all results on a page.
#![warn(missing_docs)]

pub mod count_game;
pub mod explain;
pub mod gpu;
pub mod list;
pub mod mates;
pub mod picture;
pub mod positions;
pub mod report;
pub mod retrograde;
pub mod rules;
pub mod run;
pub mod shapes;
pub mod solution;
pub mod tally;
pub mod tdl;
pub mod verify;
