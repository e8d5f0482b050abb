//! Shared by several test files.

pub mod boards;
pub mod folders;
pub mod images;
#[cfg(feature = "gpu")]
pub mod log;

use dovemate::Value;
use dovemate::ask::{Known, Lookup, Worth};
use dovemate::rules::{Board, Color};

/// The value of a position, as far as a look-up knows it.
pub fn worth(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Worth> {
    lookup.value(board, mover).expect("values can be read").map(|known| known.worth)
}

/// The exact value of a position.
pub fn exact(lookup: &dyn Lookup, board: &Board, mover: Color) -> Option<Value> {
    lookup.value(board, mover).expect("values can be read").and_then(Known::exact)
}
