//! The threads of a computation: a pool of its own, or the calling thread where no other can be started, as in a
//! browser. There rayon's global pool falls back to the calling thread by itself.

use rayon::ThreadPoolBuildError;

/// The number of threads of this computation; outside of a pool, the number that it would start. Rayon's own function
/// would start the global pool first, and panic if it could not.
pub(crate) fn number() -> usize {
    match rayon::current_thread_index() {
        Some(_) => rayon::current_num_threads(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Threads that have been started.
pub(crate) struct Threads {
    #[cfg(not(target_family = "wasm"))]
    pool: rayon::ThreadPool,
}

impl Threads {
    /// Starts this many threads, or one for each core.
    ///
    /// # Errors
    /// If the system starts none.
    #[cfg_attr(target_family = "wasm", allow(clippy::unnecessary_wraps))]
    pub(crate) fn start(number: Option<usize>) -> Result<Threads, ThreadPoolBuildError> {
        #[cfg(target_family = "wasm")]
        let threads = {
            let _ = number;
            Threads {}
        };
        #[cfg(not(target_family = "wasm"))]
        let threads =
            Threads { pool: rayon::ThreadPoolBuilder::new().num_threads(number.unwrap_or(0)).build()? };
        Ok(threads)
    }

    /// The number of threads.
    pub(crate) fn number(&self) -> usize {
        #[cfg(target_family = "wasm")]
        return 1;
        #[cfg(not(target_family = "wasm"))]
        self.pool.current_num_threads()
    }

    /// Runs `work` on these threads and returns its result.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(target_family = "wasm")]
        return work();
        #[cfg(not(target_family = "wasm"))]
        self.pool.install(work)
    }
}
