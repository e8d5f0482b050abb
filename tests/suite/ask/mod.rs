//! What a search proves within bounds, the review of a game, and what must hold of all values.

mod bounds;
mod review;
mod values;
