//! Running: chooses the backend, streams results into place, and lets the CPU finish what a GPU leaves.
//!
//! This is the only place that knows both engines. What is here serves whatever is computed; [`mates`] is what counting adds.

pub mod mates;

use crate::gpu::{AdapterDescription, Adapters, GpuError, Selection, SelectionError};

pub use mates::{Job, Report, Runner, run};

/// Where to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// A hardware GPU that passes its self-test, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// A GPU, or nothing.
    Gpu,
}

/// Why there is no count.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The selection names no adapter.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A GPU was asked for and there is none.
    #[error("{0}")]
    NoAdapter(String),
    /// The adapter failed its self-test.
    #[error("adapter {adapter} failed its self-test: {error}")]
    SelfTest {
        /// The adapter.
        adapter: Box<AdapterDescription>,
        /// What went wrong.
        error: GpuError,
    },
    /// The CPU threads could not be started.
    #[error("the CPU threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Watches a count.
pub trait Observer: Sync {
    /// Counting begins, over so many assignments.
    fn begin(&self, assignments: u64);
    /// So many more assignments are decided.
    fn advance(&self, assignments: u64);
    /// Something that the user should know at once.
    fn warn(&self, message: &str);
}

/// The GPU to compute on, ready and tested by `open`; `None` for the CPU.
fn choose<E>(
    backend: Backend,
    adapter: Option<&Selection>,
    observer: &dyn Observer,
    open: impl Fn(&Adapters, usize) -> Result<E, GpuError>,
) -> Result<Option<(AdapterDescription, E)>, RunError> {
    if backend == Backend::Cpu {
        return Ok(None);
    }
    let adapters = Adapters::find();
    let candidates = match adapter {
        Some(selection) => vec![adapters.select(selection)?],
        None => adapters.hardware(),
    };
    // A GPU that was asked for, by kind or by name, must do.
    let must = backend == Backend::Gpu || adapter.is_some();
    let mut failed = None;
    for adapter in candidates {
        match open(&adapters, adapter.index) {
            Ok(engine) => return Ok(Some((adapter, engine))),
            Err(error) => {
                let error = RunError::SelfTest { adapter: Box::new(adapter), error };
                if !must {
                    observer.warn(&format!("{error}; it is not used"));
                }
                failed.get_or_insert(error);
            }
        }
    }
    match failed {
        _ if !must => Ok(None),
        Some(error) => Err(error),
        None => Err(RunError::NoAdapter(no_hardware(&adapters))),
    }
}

fn no_hardware(adapters: &Adapters) -> String {
    let software: Vec<String> = adapters.descriptions().iter().map(ToString::to_string).collect();
    match software.first() {
        None => {
            "no GPU found: no Vulkan, Metal or DX12 driver offers an adapter; --backend cpu counts without one".into()
        }
        Some(_) => format!(
            "no GPU found, only software adapters: {}; name one with --adapter to use it all the same",
            software.join("; ")
        ),
    }
}
