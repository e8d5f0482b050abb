//! The library as its users meet it: its face, what a search proves within bounds, the review of a game, and what must
//! hold of all values. What is private is tested beside it, in `src`.

#[path = "../../../src/testing/asked.rs"]
mod asked;
mod bounds;
mod face;
mod review;
mod values;

use asked::cases;
