//! The library as its users meet it. What is private is tested beside it, in `src`.

#[path = "../../src/testing/boards.rs"]
mod boards;

mod ask;
mod count;
mod rules;
mod solve;
