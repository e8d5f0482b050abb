//! A fixed number of threads that answer questions, so that a hundred pages asking at once are served in turn.
//!
//! They share their searches, so a question that is asked again goes on where it stopped. A search that nobody waits for
//! any more ends.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::RecvError;

use super::answer::{Answerer, LateValues, Reply, Searches};
use super::question::Question;
use crate::texts::Language;
use dovemate::rules::Game;

/// A question that waits for its answer.
struct PendingQuestion {
    question: Question,
    language: Language,
    reply: oneshot::Sender<Reply>,
    is_stopped: Arc<AtomicBool>,
}

/// A question that was asked. If it is dropped, nobody waits for the answer.
pub struct Asked {
    answer: oneshot::Receiver<Reply>,
    is_stopped: Arc<AtomicBool>,
}

impl Asked {
    /// The answer, when it is there.
    ///
    /// # Errors
    /// If the worker that had the question panicked.
    pub async fn answer(mut self) -> Result<Reply, RecvError> {
        (&mut self.answer).await
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// The questions that wait, and what the workers do.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    waiting: VecDeque<PendingQuestion>,
    /// What ends the question that each worker works on.
    workers: Vec<Option<Arc<AtomicBool>>>,
    is_closed: bool,
}

impl Queue {
    /// A queue for this many workers.
    pub fn new(workers: usize) -> Queue {
        let state = State { waiting: VecDeque::new(), workers: vec![None; workers], is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a question.
    pub fn ask(&self, question: Question, language: Language) -> Asked {
        let (reply, answer) = oneshot::channel();
        let is_stopped = Arc::<AtomicBool>::default();
        self.state().waiting.push_back(PendingQuestion {
            question,
            language,
            reply,
            is_stopped: Arc::clone(&is_stopped),
        });
        self.changed.notify_all();
        Asked { answer, is_stopped }
    }

    /// Ends the workers and what they search.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.workers.iter().flatten().for_each(|is_stopped| is_stopped.store(true, Ordering::Relaxed));
        self.changed.notify_all();
    }

    /// Answers questions until the queue is closed; the values are those of `game`. A question that causes a panic gets
    /// no answer.
    pub fn work<'v>(&self, worker: usize, game: Game, values: &'v LateValues, searches: &'v Searches<'v>) {
        let mut answerer = Answerer::new(game, values, searches);
        while let Some(PendingQuestion { question, language, reply, is_stopped }) = self.next(worker) {
            let answer = catch_unwind(AssertUnwindSafe(|| answerer.answer(&question, language, is_stopped)));
            self.state().workers[worker] = None;
            // The page may have gone away.
            drop(answer.map(|answer| reply.send(answer)));
        }
    }

    /// Waits for a question.
    fn next(&self, worker: usize) -> Option<PendingQuestion> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            state.waiting.retain(|job| !job.reply.is_closed());
            match state.waiting.pop_front() {
                Some(job) => {
                    state.workers[worker] = Some(Arc::clone(&job.is_stopped));
                    return Some(job);
                }
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use dovemate::ask::{Known, Lookup, LookupError};
    use dovemate::internals::search::Search;
    use dovemate::rules::{Board, BothSurrounded, Color, Rules};

    use crate::serve::http;
    use crate::serve::question::{Effort, Place};

    fn question(board: &str) -> Question {
        Question::read("/api/position", &format!("board={board}"), Game::default(), Language::English).unwrap().unwrap()
    }

    #[test]
    fn who_has_gone_away_is_not_answered() {
        let queue = Queue::new(1);
        drop(queue.ask(question("b;B"), Language::English));
        let waiting = queue.ask(question("bB"), Language::English);
        assert_eq!(queue.next(0).map(|job| job.question), Some(question("bB")));
        drop(waiting);
    }

    #[test]
    fn a_closed_queue_ends_its_workers() {
        let queue = Queue::new(1);
        queue.close();
        assert!(queue.next(0).is_none());
    }

    /// A question that takes an hour if nothing ends it: no openings are known under this ruling.
    fn long_question() -> Question {
        let rules = Rules { both_surrounded: BothSurrounded::Draw, ..Rules::default() };
        let place = Place { game: Game::whole(rules), board: Board::default(), mover: Color::Red };
        Question::Position(place, Effort { plies: Search::LONGEST, time: Duration::from_secs(3600) })
    }

    /// Waits far longer than it takes, as the machine may be busy.
    fn until(what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(120), "never so: {what}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Closes a queue when a test ends, also by failing: otherwise its scope would wait for the workers for ever.
    struct Closing<'q>(&'q Queue);

    impl Drop for Closing<'_> {
        fn drop(&mut self) {
            self.0.close();
        }
    }

    #[test]
    fn a_search_ends_when_nobody_waits_for_it_or_the_queue_is_closed() {
        let (queue, values, kept) = (Queue::new(1), LateValues::new(), Searches::default());
        let searches = || queue.state().workers.iter().flatten().count();
        let still_asked = thread::scope(|scope| {
            let _closing = Closing(&queue);
            scope.spawn(|| queue.work(0, Game::default(), &values, &kept));
            let asked = queue.ask(long_question(), Language::English);
            until("it searches", || searches() == 1);
            drop(asked);
            until("its place is free", || searches() == 0);
            let asked = queue.ask(long_question(), Language::English);
            until("it searches again", || searches() == 1);
            asked
        });
        drop(still_asked);
    }

    #[test]
    fn a_dropped_connection_ends_its_question() {
        // There is no worker, so nothing but the connection can end the question.
        let queue = Arc::new(Queue::new(1));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let served = Arc::clone(&queue);
        thread::spawn(move || http::serve(listener, address, Game::default(), served));
        let stopped = || -> Vec<bool> {
            queue.state().waiting.iter().map(|job| job.is_stopped.load(Ordering::Relaxed)).collect()
        };
        let mut stream = TcpStream::connect(address).expect("it listens");
        let browser = "User-Agent: Mozilla/5.0";
        write!(stream, "GET /api/position?board=b;B HTTP/1.1\r\nHost: {address}\r\n{browser}\r\n\r\n")
            .expect("a write");
        until("the question waits", || stopped() == [false]);
        drop(stream);
        until("nobody waits for it", || stopped() == [true]);
    }

    /// Panics at every question.
    struct Faulty;

    impl Lookup for Faulty {
        fn game(&self) -> Game {
            Game::default()
        }
        fn value(&self, _: &Board, _: Color) -> Result<Option<Known>, LookupError> {
            panic!("a fault, injected by a test")
        }
    }

    /// The only worker panics twice: each time nothing is answered, and the worker is there for the next question.
    #[test]
    fn a_fault_takes_one_answer_with_it() {
        let (queue, values, kept) = (Queue::new(1), LateValues::new(), Searches::default());
        assert!(values.set(Box::new(Faulty)).is_ok());
        let answer = |question| {
            tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime")
                .block_on(queue.ask(question, Language::English).answer())
        };
        let of_another_game = || {
            Question::read("/api/position", "board=b;B&kinds=A&depth=2", Game::default(), Language::English)
                .unwrap()
                .unwrap()
        };
        thread::scope(|scope| {
            let _closing = Closing(&queue);
            scope.spawn(|| queue.work(0, Game::default(), &values, &kept));
            for _ in 0..2 {
                assert!(answer(question("b;B")).is_err());
                assert!(answer(of_another_game()).is_ok());
            }
        });
    }
}
