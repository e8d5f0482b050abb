//! The observer of a count.

use std::fmt;

use crate::count::Method;
use crate::count::tally::Tally;
use crate::run::report::Processor;

/// Watches a count. `()` watches nothing.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use dovemate::{Count, Method, Observer, count};
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
/// let tally = count(Count::mates().doves(2..=5).method(Method::Factored).observer(&decided))?;
/// assert_eq!(decided.0.into_inner(), tally.total().assignments);
/// # Ok::<(), dovemate::RunError>(())
/// ```
pub trait Observer: Sync {
    /// A processor begins to count a number of assignments by a method, first for the result, then perhaps to confirm
    /// it.
    fn begin(&self, _by: &Processor, _method: Method, _assignments: u64) {}
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

impl fmt::Debug for dyn Observer + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
