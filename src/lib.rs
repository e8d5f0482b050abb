//! Exact, exhaustive analysis of the board game Tokyo Doves.
//!
//! Data flows one way, each module knowing only those before it:
//!
//! [`rules`] → [`shapes`] → [`mates`] → [`gpu`] → [`run`] → [`verify`] → the program, with [`tally`] for the results.
//!
//! - [`rules`] is the game, literally; everything else is held against it.
//! - [`shapes`] enumerates where doves stand: canonical shapes, boss placements, the enclosure prune.
//! - [`mates`] decides the assignments of a boss placement, in two ways.
//! - [`gpu`] does the same on a GPU.
//! - [`run`] chooses between them and lets the CPU finish what a GPU leaves.
//! - [`tally`] adds up by number of doves; [`positions`] has closed forms.
//! - [`verify`] checks the published claims.
//! - [`report`] puts all this on a page.
#![warn(missing_docs)]

pub mod explain;
pub mod gpu;
pub mod list;
pub mod mates;
pub mod picture;
pub mod positions;
pub mod report;
pub mod rules;
pub mod run;
pub mod shapes;
pub mod tally;
pub mod tdl;
pub mod verify;
