//! The board page in a browser, and its questions as JSON: what `dovemate serve` serves.
//!
//! [`Site::run`] answers on one address until the process ends. Requests are read by one thread; everything that takes
//! time is done by a fixed number of workers, in turn, for as long as somebody waits for it. `doc/interface.md`
//! describes the questions and the answers.
//!
//! Only requests for this very host are answered, so that no other web page can read the answers through the browser;
//! nothing that arrives is written to disk.

mod address;
mod answer;
mod client;
mod embedded;
mod host;
mod http;
mod page;
mod question;
mod workers;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

pub use address::{qr_code, read_listened, urls};
pub use answer::{LateValues, Searches};
pub use page::export;

use dovemate::rules::Game;
use workers::Queue;

/// What is served.
pub struct Site {
    /// The game of the page, and of questions that name none.
    pub game: Game,
    /// The number of questions that are worked on at the same time.
    pub searches: usize,
}

impl Site {
    /// Serves until the process ends.
    ///
    /// # Errors
    /// If the listener cannot be used, or no thread can be started.
    pub fn run<'v>(
        &self,
        listener: TcpListener,
        values: &'v LateValues,
        searches: &'v Searches<'v>,
    ) -> io::Result<Infallible> {
        let address: SocketAddr = listener.local_addr()?;
        let queue = Arc::new(Queue::new(self.searches));
        thread::scope(|scope| {
            let queue = &queue;
            let start = |worker| {
                let work = move || queue.work(worker, self.game, values, searches);
                thread::Builder::new().spawn_scoped(scope, work).map(drop)
            };
            let started = (0..self.searches).try_for_each(start);
            let served = started.and_then(|()| http::serve(listener, address, self.game, Arc::clone(queue)));
            queue.close();
            served
        })
    }
}
