//! Exact, exhaustive analysis of the board game Tokyo Doves.
//!
//! Data flows one way, each module knowing only those before it:
//!
//! [`rules`] → [`shapes`] → [`count`] → [`gpu`] → [`run`] → [`tally`] → [`verify`], `report` → the program.
//!
//! - [`rules`] is the game, literally; everything else is held against it.
//! - [`shapes`] is where doves stand, whatever their colours: canonical shapes in one table, boss placements and the enclosure prune,
//!   deals of doves to slots, and the plane on which doves move.
//! - [`count`] has the work list of a count, and decides the assignments of a boss placement, in two ways.
//! - [`gpu`] does the same on a GPU, and the rounds of [`solve`]; its shaders are twins of files in [`shapes`], [`count`] and [`solve`].
//! - [`run`] chooses between CPU and GPU and lets the CPU finish what a GPU leaves; [`tally`] adds up by number of doves.
//! - [`count_game`] counts in games with fewer doves.
//! - [`positions`] has the closed forms. [`published`] has all figures that others have printed, and [`verify`] checks them.
//!
//! For looking at single positions, on [`rules`] and [`count`] alone:
//!
//! - [`explain`] says why a position is a mate, or why not.
//! - [`list`](mod@list) goes over all mates, or draws from them; [`tdl`] is the file format that the crate `tokyodoves` reads.
//! - [`picture`] draws boards, in a terminal and as SVG; [`digits`] writes long numbers.
//! - `report` puts all results on a page.
//!
//! For players, on [`search`], which proves wins and losses in n plies, and on values from solved games:
//!
//! - [`ask`] ranks actions, follows lines and draws puzzles.
//! - [`repetition`] says what rules against repetition do to the value of games.
//!
//! For solving games, beside all this: [`retrograde`] analyses any finite game, and [`games`] has the small ones of the
//! articles and Tokyo Doves by the literal rules. [`solve`] is the fast way, with [`solution`] for the table that a solved game comes to.
//!
//! # Features
//!
//! All are on by default; a library user who wants none of them says `default-features = false`.
//!
//! - `gpu`: counting and solving on a GPU, through `wgpu`. Without it [`gpu`] finds no adapter, and the CPU does everything.
//! - `report`: the pages of results and of puzzles, with `maud` and `plotters`, and drawings of graphs.
//! - `tables`: solved games in files, with `zstd`, and with them games that memory does not hold.
//! - `cli`: the program, with `clap`; it needs the others.
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
pub mod solution;
pub mod solve;
pub mod tally;
pub mod tdl;
pub mod verify;
