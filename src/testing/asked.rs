//! Which other programs and devices tests may use, and how many cases they try.

/// Whether tests that need this run, because `DOVEMATE_TEST_WITH` names it, as in `browser gpu`, or is `all`. Then it
/// must be there. The test target `what_was_skipped` lists those that are not asked for.
pub(crate) fn is_asked_for(what: &str) -> bool {
    let asked = std::env::var("DOVEMATE_TEST_WITH").unwrap_or_default();
    asked.split_whitespace().any(|word| [what, "all"].contains(&word))
}

/// How many cases a test tries: a few, or all of them if `DOVEMATE_TEST_WITH` asks for `cases`.
pub(crate) fn cases<T>(few: T, all: T) -> T {
    if is_asked_for("cases") { all } else { few }
}
