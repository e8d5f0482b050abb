//! The library as its users meet it. What is private is tested beside it, in `src`.

#[path = "../../src/testing/asked.rs"]
mod asked;
#[path = "../../src/testing/boards.rs"]
mod boards;
#[path = "../../src/testing/images.rs"]
mod images;

mod count;
mod rules;

/// How many cases a test tries: a few, or all of them if `DOVEMATE_TEST_WITH` asks for `cases`.
fn cases<T>(few: T, all: T) -> T {
    if asked::is_asked_for("cases") { all } else { few }
}
