//! Running: chooses the backend, streams results into place, and lets the CPU finish what a GPU leaves.
//!
//! Only this module knows both engines. It serves any computation; [`count()`] adds what counting needs, [`solve()`]
//! what solving needs.

pub mod count;
pub mod solve;
#[cfg(all(test, feature = "gpu"))]
mod tests;

use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fmt, thread};

use crate::gpu::{AdapterDescription, Adapters, GpuError, Selection, SelectionError};
use crate::solve::Halted;

pub use self::solve::solve;
pub use count::{Confirmation, Job, PATIENCE, Report, Runner, count};

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

/// Why a run has no result.
///
/// ```
/// use dovemate::{Count, RunError, count};
///
/// let nothing = count(&Count::mates().adapter("no such adapter".parse()?));
/// assert!(matches!(nothing, Err(RunError::Selection(_) | RunError::NoAdapter(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The selection names no adapter.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A GPU was requested and there is none.
    #[error("no GPU found: {0}")]
    NoAdapter(NoGpu),
    /// The adapter has no room for the game.
    #[error("adapter {adapter} is too small: {error}")]
    TooLarge {
        /// The adapter.
        adapter: Box<AdapterDescription>,
        /// The memory it needs.
        error: GpuError,
    },
    /// The adapter failed its self-test.
    #[error("adapter {adapter} failed its self-test: {error}")]
    SelfTest {
        /// The adapter.
        adapter: Box<AdapterDescription>,
        /// What went wrong.
        error: GpuError,
    },
    /// The solver met one of its bounds.
    #[error("the game is not solved after {} rounds: {}", .0.round, .0.bound)]
    Halted(Box<Halted>),
    /// The CPU threads could not be started.
    #[error("the CPU threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<Box<Halted>> for RunError {
    fn from(halted: Box<Halted>) -> RunError {
        RunError::Halted(halted)
    }
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
    /// Counting starts, over a number of assignments; or starts over, by another method or because a GPU is not
    /// believed.
    fn begin(&self, assignments: u64) {
        let _ = assignments;
    }
    /// More assignments are decided.
    fn advance(&self, assignments: u64) {
        let _ = assignments;
    }
    /// The result is known; what follows only confirms it.
    fn counted(&self, tally: &Tally) {
        let _ = tally;
    }
    /// Reports a step that takes a while.
    fn say(&self, message: &str) {
        let _ = message;
    }
    /// Reports something that the user should know at once.
    fn warn(&self, message: &str) {
        let _ = message;
    }
}

impl Observer for () {}

/// Why no GPU was used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoGpu {
    /// No driver offers an adapter.
    NoAdapter,
    /// All adapters are software, and none of them was named.
    SoftwareOnly(Vec<AdapterDescription>),
    /// The adapters that failed their self-tests, with the errors.
    Failed(Vec<(AdapterDescription, GpuError)>),
    /// The adapter has no room for the game.
    TooLarge(Box<AdapterDescription>, GpuError),
    /// An exhaustive count would take this long, more than a user should wait unasked; and so would a factored one.
    TooSlow(Box<AdapterDescription>, Duration),
}

impl fmt::Display for NoGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGpu::NoAdapter if cfg!(feature = "gpu") => {
                f.write_str("no Vulkan, Metal or DX12 driver offers an adapter")
            }
            NoGpu::NoAdapter => f.write_str("this build has no GPU code; its feature `gpu` is switched off"),
            NoGpu::SoftwareOnly(adapters) => {
                write!(f, "only software adapters, which are used only if named: {}", joined(adapters.iter()))
            }
            NoGpu::Failed(failures) => {
                let failures: Vec<String> = failures
                    .iter()
                    .map(|(adapter, error)| format!("{adapter} failed its self-test: {error}"))
                    .collect();
                f.write_str(&failures.join("; "))
            }
            NoGpu::TooLarge(adapter, error) => write!(f, "{adapter} is too small: {error}"),
            NoGpu::TooSlow(adapter, duration) => {
                write!(f, "{adapter} would take {:.0} s for the exhaustive method", duration.as_secs_f64())
            }
        }
    }
}

fn joined<'a>(adapters: impl Iterator<Item = &'a AdapterDescription>) -> String {
    adapters.map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The GPU to compute on, ready and tested, or why there is none.
struct Chosen<E> {
    gpu: Option<(AdapterDescription, E)>,
    no_gpu: Option<NoGpu>,
    /// The time for finding, opening and testing it.
    start_up: Duration,
}

/// Chooses an adapter that `open` opens and tests; none if the CPU was requested.
///
/// # Errors
/// If a GPU was requested, by kind or by name, and none is usable.
fn choose<E>(
    backend: Backend,
    adapter: Option<&Selection>,
    observer: &dyn Observer,
    open: impl Fn(&Adapters, usize) -> Result<E, GpuError>,
) -> Result<Chosen<E>, RunError> {
    let began = Instant::now();
    if backend == Backend::Cpu {
        return Ok(Chosen { gpu: None, no_gpu: None, start_up: Duration::ZERO });
    }
    let adapters = Adapters::find();
    let candidates = match adapter {
        Some(selection) => vec![adapters.select(selection)?],
        None => adapters.hardware(),
    };
    let must = backend == Backend::Gpu || adapter.is_some();
    let chosen = said_when_slow(&adapters, observer, || choose_among(&adapters, candidates, must, observer, open))?;
    Ok(Chosen { start_up: began.elapsed(), ..chosen })
}

/// Runs work that may compile shaders, and tells the observer if compiling takes more than a second.
fn said_when_slow<R>(adapters: &Adapters, observer: &dyn Observer, work: impl FnOnce() -> R) -> R {
    const SLOW: Duration = Duration::from_secs(1);
    const TICK: Duration = Duration::from_millis(100);
    let (working, is_over) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = is_over.recv_timeout(TICK) {
                if adapters.compiling().is_some_and(|elapsed| elapsed > SLOW) {
                    observer.say("compiling shaders");
                    break;
                }
            }
        });
        let result = work();
        drop(working);
        result
    })
}

/// Opens and tests the candidates until one is usable. If a GPU was requested, a failure is an error.
fn choose_among<E>(
    adapters: &Adapters,
    candidates: Vec<AdapterDescription>,
    must: bool,
    observer: &dyn Observer,
    open: impl Fn(&Adapters, usize) -> Result<E, GpuError>,
) -> Result<Chosen<E>, RunError> {
    let start_up = Duration::ZERO;
    let (mut failed, mut too_large) = (Vec::new(), None);
    for adapter in candidates {
        match open(adapters, adapter.index) {
            Ok(engine) => return Ok(Chosen { gpu: Some((adapter, engine)), no_gpu: None, start_up }),
            Err(error @ GpuError::Room { .. }) if must => {
                return Err(RunError::TooLarge { adapter: Box::new(adapter), error });
            }
            Err(error @ GpuError::Room { .. }) => too_large = Some(NoGpu::TooLarge(Box::new(adapter), error)),
            Err(error) if must => return Err(RunError::SelfTest { adapter: Box::new(adapter), error }),
            Err(error) => {
                observer.warn(&format!("adapter {adapter} failed its self-test: {error}; it is not used"));
                failed.push((adapter, error));
            }
        }
    }
    let software = adapters.descriptions();
    let no_gpu = match (too_large, failed.is_empty(), software.is_empty()) {
        (Some(too_large), _, _) => too_large,
        (None, false, _) => NoGpu::Failed(failed),
        (None, true, true) => NoGpu::NoAdapter,
        (None, true, false) => NoGpu::SoftwareOnly(software),
    };
    if must {
        return Err(RunError::NoAdapter(no_gpu));
    }
    Ok(Chosen { gpu: None, no_gpu: Some(no_gpu), start_up })
}
