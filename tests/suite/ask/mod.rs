//! Answers for players, and the search that proves them.

mod bounds;
#[path = "../../../results/make/geography/mod.rs"]
mod geography;
mod openings;
mod ranking;
mod search;
mod suggested;
