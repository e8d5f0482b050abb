//! The workers: a fixed number of threads that answer questions in turn, however many pages ask at once.
//!
//! Workers share their searches, so a question that is asked again resumes the search where it stopped. A search ends
//! when its client is gone.

#[cfg(test)]
mod tests;

use std::io;
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use dovemate::Stop;
use dovemate_web::texts::Language;
use dovemate_web::{Asking, Brain, Question, Reply};

/// A runtime with one thread for events, and up to `workers` threads for answers.
///
/// # Errors
/// If the system cannot start a thread.
pub fn runtime(workers: usize) -> io::Result<Runtime> {
    let mut builder = Builder::new_current_thread();
    // Started workers never end, so if no second one can be started, the first does all the work.
    builder.enable_all().max_blocking_threads(workers).thread_keep_alive(Duration::MAX);
    // Tokio panics if it cannot start the first worker. So check that a thread can be started, then make it start one
    // now.
    let _ = thread::Builder::new().spawn(|| ())?.join();
    let runtime = builder.build()?;
    runtime.spawn_blocking(|| ());
    Ok(runtime)
}

/// A client that waits for an answer; dropping it, when the client is gone, stops the search.
struct Waiting(Stop);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Permits for questions that can wait: one fewer than there are workers, but at least one. With several workers, one
/// is always free of such questions, and a player's action never waits for them.
pub fn for_long_questions(workers: usize) -> Semaphore {
    Semaphore::new(workers.saturating_sub(1).max(1))
}

/// Waits for the answer to a question; a question that can wait first waits for one of these permits.
///
/// # Errors
/// If the question causes a panic.
pub async fn answer(
    brain: &'static Brain,
    question: Question,
    language: Language,
    for_long_questions: &Semaphore,
) -> Result<Reply, JoinError> {
    let _turn = match question.can_wait() {
        true => for_long_questions.acquire().await.ok(),
        false => None,
    };
    let waiting = Waiting(Stop::default());
    let asking = Asking { language, stop: waiting.0.clone(), ..Asking::default() };
    spawn_blocking(move || brain.answer(&question, &asking)).await
}
