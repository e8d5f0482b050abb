//! The rules of Tokyo Doves, literally: the reference that every fast path is compared with.
//!
//! Two players, red and green, have six doves each. The doves stand on a plane without a fixed origin and
//! must always fit in a 4×4 box; where the bounding box is 4 wide (or high) there are walls along its left
//! and right (top and bottom) sides. A boss with a dove or a wall on all four orthogonal sides is surrounded,
//! and its owner loses.
//!
//! No rule is tuned for speed: each is written as in the rule book, on cells of the plane.

mod action;
mod ascii;
mod board;
mod cell;
mod code;
mod dove;
mod dove_set;
mod game;
pub(crate) mod name;
mod notation;
mod outcome;
mod refusal;

name::serialized_as_text!(Board, Code, Dove, DoveSet);

pub use action::Action;
pub use ascii::ascii_forms;
pub use ascii::with_line_feeds;
pub use board::{Board, BoardError, BoundingBox, Side};
pub use cell::{BOX_SIZE, Cell};
pub(crate) use code::board_of;
pub use code::{Code, CodeError};
pub use dove::{Color, Dove, Kind};
pub use dove_set::{DoveSet, DoveSetError};
pub use game::{Game, PositionError};
pub use name::{NameError, find_by_name};
pub(crate) use notation::grid;
pub use notation::{ActionTextError, BoardTextError, board_rows, doves_of_text};
pub use outcome::{BothSurrounded, Outcome, Rules};
pub use refusal::Refusal;
