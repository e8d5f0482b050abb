//! The library as its users see it: its public items, bounds that a search proves, the review of a game, and
//! properties of all values. Private code is tested beside it, in `src`.

#[path = "../../../src/testing/asked.rs"]
mod asked;
mod bounds;
mod face;
mod review;
mod values;

use asked::cases;
