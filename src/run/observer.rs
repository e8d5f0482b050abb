//! Watching a run.

use crate::count::tally::Tally;

/// Watches a run. `()` watches nothing.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use dovemate::{Count, Observer, count};
///
/// #[derive(Default)]
/// struct Decided(AtomicU64);
///
/// impl Observer for Decided {
///     fn advance(&self, assignments: u64) {
///         self.0.fetch_add(assignments, Ordering::Relaxed);
///     }
/// }
///
/// let decided = Decided::default();
/// let tally = count(&Count::mates().doves(2..=5).observer(&decided))?;
/// assert_eq!(decided.0.into_inner(), tally.total().assignments);
/// # Ok::<(), dovemate::RunError>(())
/// ```
pub trait Observer: Sync {
    /// Counting starts, over a number of assignments: first on the CPU, then on a GPU that confirms the
    /// result.
    fn begin(&self, _assignments: u64) {}
    /// More assignments are decided.
    fn advance(&self, _assignments: u64) {}
    /// The result is known; what follows only confirms it.
    fn counted(&self, _tally: &Tally) {}
    /// Reports a step that takes a while.
    fn say(&self, _message: &str) {}
    /// Reports a problem that the user should know at once.
    fn warn(&self, _message: &str) {}
}

impl Observer for () {}
