//! What a search proves within bounds, and the review of a game.

mod bounds;
mod review;
