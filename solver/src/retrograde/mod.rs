//! Retrograde analysis of any finite game. Nothing here is specific to Tokyo Doves.
//!
//! A [`Game`] defines where actions lead and what ends it. A [`Graph`] has all of its positions, or the reachable ones;
//! [`Graph::values`] gives each its [`Value`](crate::Value), a win, draw or loss with its distance, even where play can
//! go in circles. For impartial games in which play always ends there is [`Graph::grundy_numbers`].
//! [`validate`](fn@validate) trusts no edge or value: it derives every value again from the game's actions and the
//! values of the successors alone.

mod game;
mod graph;
mod grundy;
mod play;
mod solve;
mod validate;

pub use game::{After, End, Game};
pub use graph::{Graph, NotClosed};
pub use validate::{Inconsistent, validate};
