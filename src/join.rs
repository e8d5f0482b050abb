//! Running two closures at the same time.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs `beside` on a new thread and `here` on this one, and returns both results. Unlike `rayon::join`, it takes no
/// thread from the pool, which both may use. If the system starts no thread, they run one after the other.
pub(crate) fn join<A: Send, B>(beside: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
    let beside = Mutex::new(Some(beside));
    let run = || {
        let beside = beside.lock().unwrap_or_else(PoisonError::into_inner).take();
        beside.expect("it is run once")()
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, run);
        let here = here();
        let beside = thread.map_or_else(|_| Ok(run()), thread::ScopedJoinHandle::join);
        (beside.unwrap_or_else(|panic| resume_unwind(panic)), here)
    })
}
