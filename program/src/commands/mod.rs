//! One module for each command, with its arguments and its use of the libraries; `document` is shared by two.

pub mod adapters;
pub mod bench;
pub mod best;
#[cfg(feature = "packaging")]
pub mod completions;
pub mod count;
mod document;
pub mod explain;
pub mod list;
#[cfg(feature = "packaging")]
pub mod man;
pub mod openings;
pub mod play;
pub mod positions;
pub mod puzzles;
pub mod serve;
pub mod show;
pub mod solve;
pub mod svg;
pub mod verify;
