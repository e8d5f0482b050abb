//! A connection's client: whose turn it is, and how long the server waits for it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use hyper::Request;
use hyper::body::Body;
use hyper::header;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// A client, as the parts of its connection know it.
pub struct Client {
    /// The time for it to send a request, and to take the answer.
    patience: Duration,
    state: Mutex<State>,
}

struct State {
    /// By when the client is to send a request or to take an answer; `None` while the server works on one.
    until: Option<Instant>,
    /// Whether the end of what the client sends tells nothing, as it has asked and may still read.
    may_still_read: bool,
    /// Whether the answer is there, but perhaps not written yet.
    is_answered: bool,
    /// Wakes the connection, where the end was hidden from it.
    hidden: Option<Waker>,
}

impl Client {
    /// A client that is to send a request.
    pub fn new(patience: Duration) -> Arc<Client> {
        let until = Some(Instant::now() + patience);
        let state = State { until, may_still_read: false, is_answered: false, hidden: None };
        Arc::new(Client { patience, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The client has sent a request. If it then closes its writing half, as `nc -N` does, it gets its answer. Browsers
    /// only close both: then nobody waits for the answer.
    pub fn has_asked(&self, request: &Request<impl Body>) {
        let agent = request.headers().get(header::USER_AGENT);
        let is_browser = agent.is_some_and(|agent| agent.as_bytes().starts_with(b"Mozilla/"));
        let mut state = self.state();
        state.until = Some(Instant::now() + self.patience);
        (state.may_still_read, state.is_answered) = (!is_browser, false);
    }

    /// The server works on the answer.
    pub fn waits(&self) {
        self.state().until = None;
    }

    /// The answer is there, and is written next.
    pub fn is_answered(&self) {
        let mut state = self.state();
        (state.until, state.is_answered) = (Some(Instant::now() + self.patience), true);
    }

    /// When the server will have waited long enough; `None` while the client waits for the server.
    pub fn until(&self) -> Option<Instant> {
        self.state().until
    }

    /// Returns when the server has waited long enough.
    pub async fn lets_wait(&self) {
        loop {
            let now = Instant::now();
            let until = self.until().unwrap_or(now + self.patience);
            if until <= now {
                return;
            }
            tokio::time::sleep_until(until).await;
        }
    }
}

/// A client's connection.
pub struct Connection {
    pub stream: TcpStream,
    pub client: Arc<Client>,
}

/// The end is not seen as long as the client may still read: hyper would close the connection.
impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let mut state = self.client.state();
        if buffer.filled().len() > before || !state.may_still_read {
            return Poll::Ready(Ok(()));
        }
        state.hidden = Some(context.waker().clone());
        Poll::Pending
    }
}

/// hyper flushes it when an answer is written as a whole; only then the end is seen.
impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<std::io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        let mut state = self.client.state();
        if std::mem::take(&mut state.is_answered) {
            state.may_still_read = false;
            state.hidden.take().into_iter().for_each(Waker::wake);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
