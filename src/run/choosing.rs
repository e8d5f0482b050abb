//! Choosing a GPU: adapters are opened and tested until one is usable.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::{Backend, NoGpu, Observer, RunError};
use crate::gpu::{AdapterDescription, Adapters, GpuError, Selection};

/// The GPU to compute on, ready and tested, or why there is none.
pub struct Chosen<E> {
    /// The adapter, and what `open` has made of it.
    pub gpu: Option<(AdapterDescription, E)>,
    /// Why there is none, if there might have been one.
    pub no_gpu: Option<NoGpu>,
    /// The time for finding, opening and testing it.
    pub start_up: Duration,
}

/// Chooses an adapter that `open` opens and tests; none if the CPU was requested. Looks for adapters unless they have been
/// `found` already.
///
/// # Errors
/// If a GPU was requested, by kind or by name, and there is none that is usable.
pub(super) fn choose<E>(
    found: Option<&Adapters>,
    backend: Backend,
    adapter: Option<&Selection>,
    observer: &dyn Observer,
    open: impl Fn(&Adapters, usize) -> Result<E, GpuError>,
) -> Result<Chosen<E>, RunError> {
    let began = Instant::now();
    if backend == Backend::Cpu {
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
    let must = backend == Backend::Gpu || adapter.is_some();
    if let Some(what) = adapters.failure() {
        let no_gpu = NoGpu::Crashed(what);
        return match must {
            true => Err(RunError::NoAdapter(no_gpu)),
            false => Ok(Chosen { gpu: None, no_gpu: Some(no_gpu), start_up: began.elapsed() }),
        };
    }
    let candidates = match adapter {
        Some(selection) => vec![adapters.select(selection)?],
        None => adapters.hardware(),
    };
    let chosen =
        reporting_slow_compiles(adapters, observer, || choose_among(adapters, candidates, must, observer, open))?;
    Ok(Chosen { start_up: began.elapsed(), ..chosen })
}

/// Runs work that may compile shaders, and tells the observer if a driver is slow at it.
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
pub fn choose_among<E>(
    adapters: &Adapters,
    candidates: Vec<AdapterDescription>,
    must: bool,
    observer: &dyn Observer,
    open: impl Fn(&Adapters, usize) -> Result<E, GpuError>,
) -> Result<Chosen<E>, RunError> {
    let start_up = Duration::ZERO;
    let (mut failed, mut too_large, mut gpu) = (Vec::new(), Vec::new(), None);
    let mut first = None;
    for adapter in candidates {
        match open(adapters, adapter.index) {
            Ok(engine) => {
                gpu = Some((adapter, engine));
                break;
            }
            Err(error) => {
                first.get_or_insert_with(|| RunError::of_adapter(&adapter, &error));
                let refused = if matches!(error, GpuError::Room { .. }) { &mut too_large } else { &mut failed };
                refused.push((adapter, error));
            }
        }
    }
    if let Some(error) = first.filter(|_| must && gpu.is_none()) {
        return Err(error);
    }
    for (adapter, error) in &failed {
        observer.warn(&format!("{}; it is not used", error.at_opening(adapter)));
    }
    if gpu.is_some() {
        return Ok(Chosen { gpu, no_gpu: None, start_up });
    }
    let others = adapters.descriptions();
    let no_gpu = match (too_large.pop(), failed.is_empty(), others.is_empty()) {
        (Some((adapter, error)), _, _) => NoGpu::TooLarge(Box::new(adapter), error),
        (None, false, _) => NoGpu::Failed(failed),
        (None, true, true) => NoGpu::NoAdapter,
        (None, true, false) => NoGpu::OnlyIfNamed(others),
    };
    if must {
        return Err(RunError::NoAdapter(no_gpu));
    }
    Ok(Chosen { gpu: None, no_gpu: Some(no_gpu), start_up })
}
