//! The errors of counts.

use std::ops::RangeInclusive;

use crate::Limit;
use crate::gpu::{NoGpu, SelectionError};

/// Why a run has no result.
///
/// ```
/// use dovemate::{Count, RunError, count};
///
/// let nothing = count(Count::mates().adapter("no such adapter".parse()?));
/// assert!(matches!(nothing, Err(RunError::Selection(_) | RunError::NoGpu(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The selection names no adapter.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A GPU was requested and none can be used.
    #[error("no GPU can be used: {0}")]
    NoGpu(NoGpu),
    /// A GPU was requested for the factored method.
    #[error(
        "the factored method counts on the CPU only; a GPU tests every assignment, by the exhaustive method"
    )]
    FactoredOnGpu,
    /// The two methods differ, so one of them is wrong, or the machine is at fault.
    #[error(
        "boss placement {placement}: {factored} by the factored method, {exhaustive} by the exhaustive one; please report this"
    )]
    Contradiction {
        /// The boss placement.
        placement: String,
        /// The factored method's count.
        factored: u64,
        /// The exhaustive method's count.
        exhaustive: u64,
    },
    /// A limit was reached.
    #[error("the count is not finished: {0}")]
    Limit(Limit),
    /// No board of the game has any of these numbers of doves.
    #[error(
        "no board of this game has {} to {} doves; give numbers from 2 to {most}, the smaller one first",
        .doves.start(), .doves.end()
    )]
    NoBoard {
        /// The numbers of doves, bosses included.
        doves: RangeInclusive<u32>,
        /// Maximum number of doves of the game.
        most: u32,
    },
    /// The CPU threads could not be started.
    #[error("the CPU threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
