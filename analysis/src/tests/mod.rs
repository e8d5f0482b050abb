//! Answers for players, and the search that proves them, compared with what is solved.

mod model;
mod openings;
mod ranking;
mod search;
mod suggested;
