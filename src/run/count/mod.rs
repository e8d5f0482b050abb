//! Running a count: which backend and method, and what confirms the result.

#[cfg(feature = "gpu")]
mod confirm;
pub mod game;
mod runner;

#[cfg(feature = "gpu")]
use super::Backend;
use super::{Observer, RunError};
#[cfg(feature = "gpu")]
pub use confirm::{PATIENCE, confirm};
pub use runner::{Confirmation, Job, Report, Runner};

/// Counts.
///
/// # Errors
/// If there is no way to count as requested. A GPU that fails halfway is not an error: the result is then the CPU's, and
/// the report says so.
pub fn count(job: &Job, observer: &dyn Observer) -> Result<Report, RunError> {
    #[cfg(feature = "gpu")]
    if job.chooses_method && job.backend == Backend::Auto {
        return confirm::confirm_on_any(job, observer);
    }
    Ok(Runner::new(job, observer)?.run(observer))
}
