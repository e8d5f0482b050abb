//! Running a count: chooses the CPU or a GPU, and lets the CPU finish what a GPU leaves.

#[cfg(feature = "gpu")]
mod choosing;
pub mod count;

use std::fmt;
use std::time::Duration;

#[cfg(not(feature = "gpu"))]
use crate::gpu::Selection;
use crate::gpu::{AdapterDescription, GpuError, SelectionError};
use crate::rules::name::written_as_its_name;
use crate::solve::Halted;

#[cfg(feature = "gpu")]
pub use choosing::{Chosen, choose_among};
pub use count::{Confirmation, Report, Runner};
#[cfg(feature = "gpu")]
pub use count::{PATIENCE, count_and_confirm_on};

use crate::count::tally::Tally;

/// Where to compute.
///
/// ```
/// use dovemate::{Backend, Count};
///
/// // A GPU if there is one, otherwise the CPU.
/// let report = Count::mates().doves(2..=5).backend(Backend::Auto).report()?;
/// assert_eq!(report.tally.total().positions, 0);
/// # Ok::<(), dovemate::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// A hardware GPU that passes its self-test, otherwise the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// A GPU; an error if there is none.
    Gpu,
}

impl Backend {
    /// All three.
    pub const ALL: [Backend; 3] = [Backend::Auto, Backend::Cpu, Backend::Gpu];

    /// The name, as files have it.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Auto => "auto",
            Backend::Cpu => "cpu",
            Backend::Gpu => "gpu",
        }
    }
}

written_as_its_name!(Backend, "backend");

/// Why a run has no result.
///
/// ```
/// use dovemate::{Count, RunError, count};
///
/// let nothing = count(&Count::mates().adapter("no such adapter".parse()?));
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
    /// A GPU was requested, with the factored method.
    #[error("the factored method counts on the CPU only; a GPU tests every assignment, by the exhaustive method")]
    FactoredOnGpu,
    /// Less memory is allowed than the least that solving the game takes.
    #[error("the game takes at least {needed} bytes of memory, and {allowed} are allowed")]
    TooLittleMemory {
        /// The bytes that it takes.
        needed: u64,
        /// The bytes that are allowed.
        allowed: u64,
    },
    /// The solver met one of its bounds.
    #[error("the game is not solved after {} rounds: {}", .0.round, .0.bound)]
    Halted(Box<Halted>),
    /// The CPU threads could not be started.
    #[error("the CPU threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

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
    /// Counting starts, over a number of assignments: first on the CPU, then on a GPU that confirms the result.
    fn begin(&self, _assignments: u64) {}
    /// More assignments are decided.
    fn advance(&self, _assignments: u64) {}
    /// The result is known; what follows only confirms it.
    fn counted(&self, _tally: &Tally) {}
    /// Reports a step that takes a while.
    fn say(&self, _message: &str) {}
    /// Reports something that the user should know at once.
    fn warn(&self, _message: &str) {}
}

impl Observer for () {}

/// Why no GPU was used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoGpu {
    /// No driver offers an adapter.
    NoAdapter,
    /// A driver crashed or hung when it was asked for its adapters.
    Crashed(&'static str),
    /// All adapters are software or not certified, and none of them was named.
    OnlyIfNamed(Vec<AdapterDescription>),
    /// The adapters that failed their self-tests, with the errors.
    Failed(Vec<(AdapterDescription, GpuError)>),
    /// The game has fewer doves than Tokyo Doves, and is counted on the CPU only.
    FewerDoves,
    /// Counting all numbers of doves would take this long, and even the fewest longer than a user should wait unasked.
    TooSlow(Box<AdapterDescription>, Duration),
}

impl fmt::Display for NoGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGpu::NoAdapter if cfg!(feature = "gpu") => {
                f.write_str("no Vulkan, Metal or DX12 driver offers an adapter")
            }
            NoGpu::NoAdapter => f.write_str("this build has no GPU code; its feature `gpu` is switched off"),
            NoGpu::Crashed(what) => write!(f, "a driver {what} when it was asked for its adapters"),
            NoGpu::OnlyIfNamed(adapters) => {
                let adapters: Vec<String> = adapters.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "only software or uncertified adapters, which are used only if named: {}",
                    adapters.join("; ")
                )
            }
            NoGpu::Failed(failures) => {
                let failures: Vec<String> = failures.iter().map(|(adapter, error)| error.at_opening(adapter)).collect();
                f.write_str(&failures.join("; "))
            }
            NoGpu::FewerDoves => f.write_str("games with fewer doves are counted on the CPU only"),
            NoGpu::TooSlow(adapter, duration) => {
                write!(f, "{adapter} would take {:.0} s for the exhaustive method", duration.as_secs_f64())
            }
        }
    }
}

/// Refuses a run that asks for a GPU, as this build has no code for one; returns why none is used, if one might have
/// been.
#[cfg(not(feature = "gpu"))]
fn no_gpu(backend: Backend, adapter: Option<&Selection>) -> Result<Option<NoGpu>, RunError> {
    match (backend, adapter) {
        (Backend::Cpu, _) => Ok(None),
        (_, Some(selection)) => Err(selection.among(&[]).expect_err("no adapter is there").into()),
        (Backend::Gpu, None) => Err(RunError::NoGpu(NoGpu::NoAdapter)),
        (Backend::Auto, None) => Ok(Some(NoGpu::NoAdapter)),
    }
}
