//! A small HTTP server whose answers a test gives.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// A status, the other lines of the head, and the body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

pub struct Host {
    address: SocketAddr,
    is_closed: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Host {
    /// Answers requests at this port by their paths, such as `/style.css`, several at a time.
    pub fn at(port: u16, answer: impl Fn(&str) -> Option<Answer> + Send + Sync + 'static) -> Host {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let is_closed = Arc::new(AtomicBool::new(false));
        let (closed, answer) = (Arc::clone(&is_closed), Arc::new(answer));
        let thread = thread::spawn(move || {
            for stream in listener.incoming().take_while(|_| !closed.load(Ordering::Relaxed)) {
                let answer = Arc::clone(&answer);
                thread::spawn(move || serve(stream.ok()?, &*answer));
            }
        });
        Host { address, is_closed, thread }
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Ends it: nothing answers at its address any more.
    pub fn close(self) {
        self.is_closed.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.address));
        self.thread.join().expect("no panic");
    }
}

/// Answers one request; `None` where the browser has left, or there is no answer.
fn serve(mut stream: TcpStream, answer: &impl Fn(&str) -> Option<Answer>) -> Option<()> {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let request = lines.next()?;
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let Answer { status, head, body } = answer(request.split(' ').nth(1)?)?;
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status} \r\n{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).ok()
}
