//! Running a count: who counts and who confirms it ([`plan`]), the work ([`run`]), and the report.

mod job;
mod plan;
pub mod report;

mod run;
#[cfg(all(test, feature = "gpu"))]
mod tests;

use super::error::RunError;
use crate::count::tally::Tally;
pub use job::Count;
use report::Report;
pub use run::Runner;

/// Counts positions up to symmetry, by number of doves. Every position is decided; nothing is sampled. Takes a
/// [`Category`](crate::Category), or a [`Count`] with options.
///
/// ```
/// use dovemate::{Count, count};
///
/// let tally = count(Count::mates().doves(2..=6))?;
/// assert_eq!(tally.total().positions, 14_310);
/// # Ok::<(), dovemate::RunError>(())
/// ```
///
/// On a GPU, with every count compared with the CPU's:
///
/// ```no_run
/// use dovemate::{Backend, Count, count};
///
/// let tally = count(Count::mates().backend(Backend::Gpu))?;
/// println!("{} mates", tally.total().positions);
/// # Ok::<(), dovemate::RunError>(())
/// ```
///
/// # Errors
/// As [`Count::report`].
pub fn count<'a>(job: impl Into<Count<'a>>) -> Result<Tally, RunError> {
    Ok(job.into().report()?.tally)
}

impl Count<'_> {
    /// Counts, and also reports what ran where and what checked it.
    ///
    /// ```
    /// let report = dovemate::Count::wins().doves(2..=4).report()?;
    /// println!("{} positions, counted on {}", report.tally.total().positions, report.counted.by);
    /// # Ok::<(), dovemate::RunError>(())
    /// ```
    ///
    /// # Errors
    /// - no board of the game has any of these numbers of doves;
    /// - a GPU was requested, but the selection names no adapter, no GPU can be used, or only the CPU can make the
    ///   count: by the factored method, or of a smaller game;
    /// - a limit is reached;
    /// - the threads cannot be started;
    /// - the two methods differ.
    ///
    /// A GPU that fails halfway is not an error: the result is then the CPU's, and the report says so.
    pub fn report(&self) -> Result<Report, RunError> {
        let most = self.game.most_doves();
        if self.doves.start().max(&2) > self.doves.end().min(&most) {
            return Err(RunError::NoBoard { doves: self.doves.clone(), most });
        }
        Runner::new(self)?.run()
    }
}
