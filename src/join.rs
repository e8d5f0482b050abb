//! Two pieces of work at the same time.

use std::panic::resume_unwind;
use std::thread;

/// Runs `beside` on a thread of its own and `here` meanwhile, and returns what both return. Unlike
/// `rayon::join`, it takes no thread from the pool, which both may use.
pub(crate) fn join<A: Send, B>(beside: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let beside = scope.spawn(beside);
        let here = here();
        (beside.join().unwrap_or_else(|panic| resume_unwind(panic)), here)
    })
}
