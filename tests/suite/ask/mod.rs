//! Answers for players, and the search that proves them.

mod ranking;
mod search;
