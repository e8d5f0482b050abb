//! The board page in a browser, and its questions as JSON: what `dovemate serve` serves.
//!
//! [`run`] answers on one address until the process ends. Requests are read by one thread; everything that takes
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

/// Serves until the process ends: the page of a game, which questions that name none are about, too. At most `workers`
/// questions are worked on at the same time.
///
/// # Errors
/// If the listener cannot be used.
pub fn run<'v>(
    listener: TcpListener,
    game: Game,
    workers: usize,
    values: &'v LateValues,
    searches: &'v Searches<'v>,
) -> io::Result<Infallible> {
    let address: SocketAddr = listener.local_addr()?;
    let queue = Arc::new(Queue::new(workers));
    thread::scope(|scope| {
        let queue = &queue;
        for worker in 0..workers {
            scope.spawn(move || queue.work(worker, game, values, searches));
        }
        let served = http::serve(listener, address, game, Arc::clone(queue));
        queue.close();
        served
    })
}
