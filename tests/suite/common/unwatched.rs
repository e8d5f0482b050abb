//! An observer that ignores progress.

use dovemate::internals::run::Observer;

/// Ignores progress, and fails the test on a warning.
pub struct Unwatched;

impl Observer for Unwatched {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn warn(&self, message: &str) {
        panic!("{message}");
    }
}
