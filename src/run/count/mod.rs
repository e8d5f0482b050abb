//! Running a count: which backend and method, and what confirms the result.

#[cfg(feature = "gpu")]
mod check;
#[cfg(feature = "gpu")]
pub(super) mod confirm;
pub mod game;
mod runner;

#[cfg(feature = "gpu")]
use super::Backend;
use super::{Observer, RunError};
use crate::count::Method;
#[cfg(feature = "gpu")]
pub use confirm::PATIENCE;
pub use runner::{Confirmation, Job, Report, Runner};

/// Counts.
///
/// # Errors
/// If there is no way to count as requested. A GPU that fails halfway is not an error: the CPU finishes, and the report
/// says so.
pub fn count(job: &Job, observer: &dyn Observer) -> Result<Report, RunError> {
    #[cfg(feature = "gpu")]
    match (job.chooses_method, job.backend) {
        (true, Backend::Gpu) => return confirm::choose_method(job, observer),
        (true, Backend::Auto) => return confirm::confirm_on_any(job, observer),
        (false, _) | (true, Backend::Cpu) => {}
    }
    let method = if job.chooses_method { Method::Factored } else { job.question.method };
    Runner::start(job, method, observer, |runner, workload| runner.run_on(workload, observer))
}
