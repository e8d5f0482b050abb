//! Retrograde analysis of any finite game: it knows no dove.
//!
//! A [`Game`] says where actions lead and what ends it. A [`Graph`] holds all of its positions, or those that can be reached;
//! [`Graph::values`] gives each its [`Value`], win, draw or loss with the distance, also where play can go in circles. For
//! impartial games without circles there are [`Graph::grundy_numbers`], and [`lost_positions`] for those too large for a graph.
//! [`validate`] trusts none of this: it derives every value once more, from the rules and the values of the successors alone.
//! With the feature `report` there are drawings of graphs.

#[cfg(feature = "report")]
mod drawing;
mod game;
mod graph;
mod grundy;
mod play;
mod sieve;
mod solve;
mod validate;
mod value;

#[cfg(feature = "report")]
pub use drawing::{Drawing, Edge, Node};
pub use game::{After, End, Game};
pub use graph::{Graph, Leaves};
pub use grundy::{NoGrundyNumbers, mex};
pub use sieve::{Unmarked, lost_positions};
pub use validate::{Inconsistent, validate};
pub use value::Value;
