//! The threads of a computation: a pool of its own, or the calling thread where no other can be started, as in a
//! browser. There rayon's global pool falls back to the calling thread by itself.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// The number of threads of this computation; outside of a pool, the number that it would start. Rayon's own function
/// would start the global pool first, and panic if it could not.
pub fn number() -> usize {
    match rayon::current_thread_index() {
        Some(_) => rayon::current_num_threads(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Threads that have been started; in a browser, the calling thread.
#[derive(Debug)]
pub struct Threads(Option<ThreadPool>);

impl Threads {
    /// Starts this many threads, or one for each core.
    ///
    /// # Errors
    /// If the system starts none.
    pub fn start(number: Option<usize>) -> Result<Threads, ThreadPoolBuildError> {
        if cfg!(target_family = "wasm") {
            return Ok(Threads(None));
        }
        let pool = ThreadPoolBuilder::new().num_threads(number.unwrap_or(0));
        Ok(Threads(Some(pool.build()?)))
    }

    /// The number of threads.
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
