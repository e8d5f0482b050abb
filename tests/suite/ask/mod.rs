//! Answers for players, and the search that proves them.

mod bounds;
mod openings;
mod ranking;
mod review;
mod search;
mod suggested;
