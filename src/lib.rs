//! Exact, exhaustive analysis of the board game Tokyo Doves.
//!
//! Data flows one way; each module depends only on those before it:
//!
//! [`rules`] → [`shapes`] → [`count`] → [`gpu`] → [`run`] → [`tally`] → [`verify`], `report` → the program.
//!
//! - [`rules`] implements the game literally; every fast path is checked against it.
//! - [`shapes`] describes where doves stand, regardless of colour: canonical shapes, boss placements and the enclosure
//!   prune, deals of doves to slots, and the plane on which doves move.
//! - [`count`] lists the work of a count and decides the assignments of a boss placement, by two methods.
//! - [`gpu`] counts on a GPU and computes the rounds of [`solve`] there; its shaders are twins of files in [`shapes`],
//!   [`count`] and [`solve`].
//! - [`run`] chooses between CPU and GPU and lets the CPU finish what a GPU leaves; [`tally`] adds up by number of
//!   doves.
//! - [`count_game`] counts in games with fewer doves.
//! - [`positions`] has the closed forms, [`published`] every figure printed by others; [`verify`] checks the claims of
//!   the articles.
//!
//! Single positions, using [`rules`] and [`count`] alone:
//!
//! - [`explain`] says why a position is a mate, or why it is not.
//! - [`list`](mod@list) enumerates all mates or samples them; [`tdl`] reads and writes the file format of the crate
//!   `tokyodoves`.
//! - [`picture`] draws boards, in a terminal and as SVG; [`digits`] formats long numbers.
//! - `report` puts all results on one page.
//!
//! For players, using [`search`], which proves wins and losses in n plies, and the values of solved games:
//!
//! - [`ask`] ranks actions, follows lines and draws puzzles.
//! - [`repetition`] says how rules against repetition change the values of games.
//!
//! Solving: [`retrograde`] analyses any finite game; [`games`] has the small games of the articles, and Tokyo Doves by
//! the literal rules. [`solve`] is the fast solver, and [`solution`] the table that summarizes a solved game.
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
pub mod count_game;
pub mod digits;
pub mod explain;
pub mod games;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "gpu/absent.rs"]
pub mod gpu;
pub mod list;
pub mod picture;
pub mod positions;
pub mod published;
pub mod repetition;
#[cfg(feature = "report")]
pub mod report;
pub mod retrograde;
pub mod rules;
pub mod run;
pub mod search;
pub mod shapes;
pub mod solve;
pub mod tally;
pub mod tdl;
pub mod verify;
