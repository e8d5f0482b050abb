//! Answers for players, and the search that proves them.

mod openings;
mod ranking;
mod search;
mod suggested;
