//! The threads of a computation: a pool of its own, the pool in which it already runs, or the calling thread where no
//! other can be started, as in a browser. There rayon's global pool falls back to the calling thread by itself.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// A pool that has been started, or the caller's own threads: see [`Threads::here`].
#[derive(Debug)]
pub struct Threads(Option<ThreadPool>);

impl Threads {
    /// No threads of its own: work runs where it is called, and its parallel parts use the pool that the caller is in,
    /// or else rayon's global one.
    pub const fn here() -> Threads {
        Threads(None)
    }

    /// Starts this many threads or, for `None`, as many as rayon does by default: one for each core, unless
    /// `RAYON_NUM_THREADS` says otherwise. In a browser it starts none.
    ///
    /// # Errors
    /// If the system does not start all of them.
    pub fn start(number: Option<usize>) -> Result<Threads, ThreadPoolBuildError> {
        if cfg!(target_family = "wasm") {
            return Ok(Threads::here());
        }
        let pool = ThreadPoolBuilder::new().num_threads(number.unwrap_or(0));
        Ok(Threads(Some(pool.build()?)))
    }

    /// The number of threads started; 1 if none were.
    pub(crate) fn number(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs `work` on these threads and returns its result.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}
