//! Choosing a GPU: adapters are opened and tested until one is usable.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::job::Count;
use crate::clock::Instant;
use crate::count::Method;
use crate::gpu::count::{Engine, open_tested};
use crate::gpu::{AdapterDescription, Adapters, GpuError};
use crate::run::backend::{Backend, NoGpu};
use crate::run::error::RunError;
use crate::run::observer::Observer;

/// The GPU to compute on, ready and tested, or why there is none.
pub struct Chosen {
    /// The adapter, and its engine.
    pub gpu: Option<(AdapterDescription, Engine)>,
    /// Why there is none, if there might have been one.
    pub no_gpu: Option<NoGpu>,
    /// The time for finding, opening and testing it.
    pub start_up: Duration,
}

/// Chooses an adapter for a count, out of `found` or of all, and opens and tests it; none if the CPU was
/// requested.
///
/// # Errors
/// If a GPU was requested, by backend or by name, and none is usable.
pub(super) fn choose(job: &Count, found: Option<&Adapters>) -> Result<Chosen, RunError> {
    let began = Instant::now();
    if job.backend == Backend::Cpu {
        return Ok(Chosen { gpu: None, no_gpu: None, start_up: Duration::ZERO });
    }
    let found_here;
    let adapters = match found {
        Some(adapters) => adapters,
        None => {
            found_here = Adapters::find();
            &found_here
        }
    };
    let must = job.needs_gpu();
    if let Some(what) = adapters.failure() {
        let no_gpu = NoGpu::Crashed(what);
        return match must {
            true => Err(RunError::NoGpu(no_gpu)),
            false => Ok(Chosen { gpu: None, no_gpu: Some(no_gpu), start_up: began.elapsed() }),
        };
    }
    let candidates = match &job.adapter {
        Some(selection) => vec![adapters.select(selection)?],
        None => adapters.hardware(),
    };
    let open = |index| open_tested(adapters, index, job.question(Method::Exhaustive));
    let choose = || choose_among(adapters, candidates, must, job.observer, open);
    let chosen = reporting_slow_compiles(adapters, job.observer, choose)?;
    Ok(Chosen { start_up: began.elapsed(), ..chosen })
}

/// Runs work that may compile shaders; if a driver is slow at it, the observer gets a message.
fn reporting_slow_compiles<R>(adapters: &Adapters, observer: &dyn Observer, work: impl FnOnce() -> R) -> R {
    const TICK: Duration = Duration::from_millis(100);
    let (working, is_over) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = is_over.recv_timeout(TICK) {
                if adapters.is_compiling_slow() {
                    observer.say("compiling shaders");
                    break;
                }
            }
        };
        // If the system starts no thread, only the message is lost.
        let _ = thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(working);
        result
    })
}

/// Opens and tests the candidates until one is usable.
///
/// # Errors
/// If a GPU was requested and none is usable.
pub fn choose_among(
    adapters: &Adapters,
    candidates: Vec<AdapterDescription>,
    must: bool,
    observer: &dyn Observer,
    open: impl Fn(usize) -> Result<Engine, GpuError>,
) -> Result<Chosen, RunError> {
    let mut failed = Vec::new();
    let gpu = candidates.into_iter().find_map(|adapter| match open(adapter.index) {
        Ok(engine) => Some((adapter, engine)),
        Err(error) => {
            failed.push((adapter, error));
            None
        }
    });
    let is_refused = must && gpu.is_none();
    for (adapter, error) in failed.iter().filter(|_| !is_refused) {
        observer.warn(&format!("{}; it is not used", error.at_opening(adapter)));
    }
    let others = adapters.descriptions();
    let no_gpu = match (failed.is_empty(), others.is_empty()) {
        _ if gpu.is_some() => None,
        (false, _) => Some(NoGpu::Failed(failed)),
        (true, true) => Some(NoGpu::NoAdapter),
        (true, false) => Some(NoGpu::OnlyIfNamed(others)),
    };
    match no_gpu {
        Some(no_gpu) if must => Err(RunError::NoGpu(no_gpu)),
        no_gpu => Ok(Chosen { gpu, no_gpu, start_up: Duration::ZERO }),
    }
}
