//! Which other programs and devices tests may use, and how many cases they try.

/// Whether `DOVEMATE_TEST_WITH` asks for the tests that need this: it names the thing, as in `browser gpu`, or `all`.
/// The thing must then be there. The test target `what_was_skipped` lists what is not asked for.
pub(crate) fn is_asked_for(what: &str) -> bool {
    let asked = std::env::var("DOVEMATE_TEST_WITH").unwrap_or_default();
    asked.split_whitespace().any(|word| [what, "all"].contains(&word))
}

/// How many cases a test tries: a few, or all of them if `DOVEMATE_TEST_WITH` asks for `cases`.
pub(crate) fn cases<T>(few: T, all: T) -> T {
    if is_asked_for("cases") { all } else { few }
}
