//! A fixed number of threads that answer questions, so that a hundred pages asking at once are served in turn.
//!
//! Every worker keeps its search from one question to the next. So a question that is asked again goes on where it
//! stopped, if the worker that had it before is free.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::answer::LateValues;
use super::answer::{Answer, Answerer};
use super::question::Question;
use crate::rules::Game;

/// A question that waits for its answer.
struct Job {
    question: Question,
    reply: oneshot::Sender<Answer>,
}

/// The questions that wait, and what the workers did last.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    waiting: VecDeque<Job>,
    /// The last question of every worker that is free.
    free: Vec<Option<Question>>,
    is_closed: bool,
}

impl Queue {
    /// For this many workers.
    pub fn new(workers: usize) -> Queue {
        let state = State { waiting: VecDeque::new(), free: vec![None; workers], is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a question. If the receiver is dropped before its turn comes, it is not worked on.
    pub fn ask(&self, question: Question) -> oneshot::Receiver<Answer> {
        let (reply, answer) = oneshot::channel();
        self.state().waiting.push_back(Job { question, reply });
        self.changed.notify_all();
        answer
    }

    /// Ends the workers once they are free.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Answers questions until the queue is closed; the values are those of `game`.
    pub fn work(&self, worker: usize, game: Game, values: &LateValues) {
        let mut answerer = Answerer::new(game, values);
        while let Some(job) = self.next(worker) {
            let question = job.question.clone();
            let answer = answerer.answer(&job.question);
            self.state().free[worker] = Some(question);
            // The page may have gone away.
            let _ = job.reply.send(answer);
        }
    }

    /// Waits for a question: one that this worker had last, or else the first that no other free worker had last.
    fn next(&self, worker: usize) -> Option<Job> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            state.waiting.retain(|job| !job.reply.is_closed());
            let is_last_of = |other: &Option<Question>, job: &Job| other.as_ref() == Some(&job.question);
            let place = state.waiting.iter().position(|job| is_last_of(&state.free[worker], job)).or_else(|| {
                state.waiting.iter().position(|job| state.free.iter().all(|other| !is_last_of(other, job)))
            });
            match place.and_then(|place| state.waiting.remove(place)) {
                Some(job) => {
                    state.free[worker] = None;
                    return Some(job);
                }
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(board: &str) -> Question {
        Question::read("/api/position", &format!("board={board}"), Game::default()).unwrap().unwrap()
    }

    #[test]
    fn who_has_gone_away_is_not_answered() {
        let queue = Queue::new(1);
        drop(queue.ask(question("b;B")));
        let waiting = queue.ask(question("bB"));
        assert_eq!(queue.next(0).map(|job| job.question), Some(question("bB")));
        drop(waiting);
    }

    #[test]
    fn a_question_goes_back_to_the_worker_that_had_it() {
        let queue = Queue::new(2);
        queue.state().free = vec![Some(question("b;B")), None];
        let answers = [queue.ask(question("b;B")), queue.ask(question("bB"))];
        // The second worker leaves the first question to the first worker, which is free.
        assert_eq!(queue.next(1).map(|job| job.question), Some(question("bB")));
        assert_eq!(queue.next(0).map(|job| job.question), Some(question("b;B")));
        drop(answers);
    }

    #[test]
    fn a_closed_queue_ends_its_workers() {
        let queue = Queue::new(1);
        queue.close();
        assert!(queue.next(0).is_none());
    }
}
