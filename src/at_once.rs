//! Two pieces of work at the same time.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;

/// Runs `beside` on a thread of its own and `here` meanwhile, and returns what both return. If the system starts no
/// thread, `beside` runs first and then `here`, so neither may wait for the other.
pub(crate) fn at_once<A: Send, B>(beside: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
    // A closure passed to a thread that does not start is lost, so the thread only borrows it.
    let waiting = Mutex::new(Some(beside));
    let beside = || {
        let work = waiting.lock().expect("nothing panics while it is taken").take();
        work.expect("it is taken once")()
    };
    thread::scope(|scope| match thread::Builder::new().spawn_scoped(scope, beside) {
        Ok(thread) => {
            let here = here();
            (thread.join().unwrap_or_else(|panic| resume_unwind(panic)), here)
        }
        Err(_) => (beside(), here()),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::at_once;

    #[test]
    fn both_run_at_the_same_time() {
        let ((question, asked), (answer, answered)) = (mpsc::channel(), mpsc::channel());
        let beside = move || {
            question.send(6).expect("it is waited for");
            answered.recv().expect("an answer")
        };
        let here = || {
            let asked: u32 = asked.recv().expect("a question");
            answer.send(asked * 7).expect("it is waited for");
            asked
        };
        assert_eq!(at_once(beside, here), (42, 6));
    }
}
