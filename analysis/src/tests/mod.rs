//! Answers for players, and the search that proves them, compared with solved games.

mod model;
mod openings;
mod ranking;
mod search;
mod suggested;
