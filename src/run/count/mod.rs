//! Running a count: which backend and method, and what confirms the result.

#[cfg(feature = "gpu")]
mod confirm;
pub mod game;
mod job;
mod runner;

use super::RunError;
use crate::count::tally::Tally;
#[cfg(feature = "gpu")]
pub use confirm::{PATIENCE, confirm};
pub use job::Count;
pub use runner::{Confirmation, Report, Runner};

/// Counts positions up to symmetry, by number of doves. Every position is decided; nothing is sampled.
///
/// ```
/// use dovemate::{Count, count};
///
/// let tally = count(&Count::mates().doves(2..=6))?;
/// assert_eq!(tally.total().positions, 14_310);
/// # Ok::<(), dovemate::RunError>(())
/// ```
///
/// On a GPU, whose counts are compared with the CPU's:
///
/// ```no_run
/// use dovemate::{Backend, Count, count};
///
/// let tally = count(&Count::mates().backend(Backend::Gpu))?;
/// println!("{} mates", tally.total().positions);
/// # Ok::<(), dovemate::RunError>(())
/// ```
///
/// # Errors
/// As [`Count::report`].
pub fn count(count: &Count) -> Result<Tally, RunError> {
    Ok(count.report()?.tally)
}
