//! Choosing a GPU: adapters are opened and tested until one is usable.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::{Backend, NoGpu, Observer, RunError};
use crate::gpu::{AdapterDescription, Adapters, GpuError, Selection};

/// The GPU to compute on, ready and tested, or why there is none.
pub(super) struct Chosen<E> {
    pub gpu: Option<(AdapterDescription, E)>,
    pub no_gpu: Option<NoGpu>,
    /// The time for finding, opening and testing it.
    pub start_up: Duration,
}

/// Chooses an adapter that `open` opens and tests; none if the CPU was requested.
///
/// # Errors
/// If a GPU was requested, by kind or by name, and there is none or the best one is not usable.
pub(super) fn choose<E>(
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
pub(super) fn said_when_slow<R>(adapters: &Adapters, observer: &dyn Observer, work: impl FnOnce() -> R) -> R {
    const SLOW: Duration = Duration::from_secs(1);
    const TICK: Duration = Duration::from_millis(100);
    let (working, is_over) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = is_over.recv_timeout(TICK) {
                if adapters.compiling().is_some_and(|elapsed| elapsed > SLOW) {
                    observer.say("compiling shaders");
                    break;
                }
            }
        };
        // Where the system starts no thread, nothing but the message is missing.
        let _ = thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(working);
        result
    })
}

/// Opens and tests the candidates until one is usable. If a GPU was requested, a failure is an error.
pub(super) fn choose_among<E>(
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
