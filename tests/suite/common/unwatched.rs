//! Somebody who watches nothing.

use dovemate::run::Observer;

/// Watches nothing, and is not to be told that anything is wrong.
pub struct Unwatched;

impl Observer for Unwatched {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn warn(&self, message: &str) {
        panic!("{message}");
    }
}
