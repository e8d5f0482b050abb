//! The library as its users meet it: its face, what a search proves within bounds, the review of a game, and what must
//! hold of all values. What is private is tested beside it, in `src`.

#[path = "../../../src/testing/asked.rs"]
mod asked;
mod bounds;
mod face;
mod review;
mod values;

/// How many cases a test tries: a few, or all of them if `DOVEMATE_TEST_WITH` asks for `cases`.
fn cases<T>(few: T, all: T) -> T {
    if asked::is_asked_for("cases") { all } else { few }
}
