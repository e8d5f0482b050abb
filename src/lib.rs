//! Exact, exhaustive analysis of the board game Tokyo Doves.
//!
//! Each module depends only on those before it:
//!
//! - [`rules`] implements the game literally; every fast path is checked against it.
//! - [`shapes`] describes where doves stand, regardless of colour: canonical shapes, boss placements and the enclosure
//!   prune, deals of doves to slots, the plane on which doves move, and closed forms of the numbers of positions.
//! - [`count`] decides the assignments of a boss placement, by two methods: how many positions are mates, wins in one,
//!   or stuck. It lists them, adds up by number of doves, and has the published figures, which only ever check.
//! - [`retrograde`] analyses any finite game; [`games`] has the small games of the articles, Tokyo Doves by the literal
//!   rules, and what rules against repetition change.
//! - [`solve`] is the fast solver: who wins, and in how many plies, for up to billions of positions, in memory or
//!   files.
//! - [`gpu`] counts on a GPU and computes the rounds of [`solve`] there; its shaders are twins of files in [`shapes`],
//!   [`count`] and [`solve`].
//! - [`run`] chooses between CPU and GPU and lets the CPU finish what a GPU leaves.
//! - [`search`] proves wins and losses in n plies; [`ask`] ranks actions, follows lines and draws puzzles.
//! - [`explain`] says why a position is a mate, or why it is not; [`tdl`] reads and writes the file format of the crate
//!   `tokyodoves`; [`picture`] draws boards, in a terminal and as SVG; [`digits`] formats long numbers.
//! - [`verify`] checks the claims of the articles, and `pages` has every HTML page.
//!
//! # Features
//!
//! All are on by default; a library user who needs none of them sets `default-features = false`.
//!
//! - `gpu`: counting and solving on a GPU, through `wgpu`. Without it [`gpu`] finds no adapter, and the CPU does
//!   everything.
//! - `report`: the pages of results and of puzzles, with `maud` and `plotters`, and drawings of graphs.
//! - `tables`: solved games in files, with `zstd`, including games too large for memory.
//! - `cli`: the program, with `clap`; it needs the other features.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod ask;
pub mod count;
pub mod digits;
pub mod explain;
pub mod games;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "gpu/absent.rs"]
pub mod gpu;
#[cfg(feature = "report")]
pub mod pages;
pub mod picture;
pub mod retrograde;
pub mod rules;
pub mod run;
pub mod search;
pub mod shapes;
pub mod solve;
pub mod tdl;
pub mod verify;
