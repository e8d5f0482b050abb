//! Retrograde analysis of any finite game. Nothing here is specific to Tokyo Doves.
//!
//! A [`Game`] says where actions lead and what ends it. A [`Graph`] holds all of its positions, or the reachable ones;
//! [`Graph::values`] gives each its [`Value`](crate::Value), a win, draw or loss with its distance, even where play can
//! cycle. For impartial games without cycles there is [`Graph::grundy_numbers`], and [`lost_positions`] for games too
//! large for a graph. [`validate`] trusts none of this: it derives every value again from the rules and the values of
//! the successors alone. The feature `report` adds drawings of graphs.

#[cfg(feature = "report")]
mod drawing;
mod game;
mod graph;
mod grundy;
mod play;
mod sieve;
mod solve;
mod validate;

#[cfg(feature = "report")]
pub use drawing::{Drawing, Edge, Node};
pub use game::{After, End, Game};
pub use graph::{Graph, Leaves};
pub use grundy::{NoGrundyNumbers, mex};
pub use sieve::{Unmarked, lost_positions};
pub use validate::{Inconsistent, validate};
