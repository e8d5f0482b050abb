//! Requests and responses: what is refused, what is a file of the page, what is a question.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;

use super::answer::{Refused, Served, wrong};
use super::client::{Client, Connection};
use super::host::is_this_host;
use super::page::{self, File};
use super::question::Question;
use super::workers;
use crate::texts::Language;

/// Connections at the same time.
const CONNECTIONS: usize = 512;
/// The most bytes of a request's head, and of its path with the query.
const MAX_HEAD: usize = 16 << 10;
const MAX_PATH: usize = 2000;
/// The time for a client to send a request, and to take the answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause when there is no place for a connection, or none can be accepted, as when too many files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// What the page may load: only what comes from this server, and images in `data:` URLs.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                          connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JSON: &str = "application/json; charset=utf-8";

struct Service {
    address: SocketAddr,
    served: &'static Served,
    files: Vec<File>,
}

/// Answers requests until the process ends: with the page of a game, and with answers to questions, of which so many
/// `workers` work on one each.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve(listener: TcpListener, workers: usize, served: &'static Served) -> io::Result<Infallible> {
    listener.set_nonblocking(true)?;
    let service = Arc::new(Service::new(listener.local_addr()?, served));
    workers::runtime(workers)?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let mut open: Vec<(AbortHandle, Arc<Client>)> = Vec::new();
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            while !has_place(&mut open) {
                tokio::time::sleep(PAUSE).await;
            }
            let client = Client::new(PATIENCE);
            let task = tokio::spawn(Arc::clone(&service).talk(stream, Arc::clone(&client)));
            open.push((task.abort_handle(), client));
        }
    })
}

/// Whether one more connection may be open. If need be, the one that has kept the server waiting for longest is closed;
/// one that waits for the server never is.
fn has_place(open: &mut Vec<(AbortHandle, Arc<Client>)>) -> bool {
    open.retain(|(task, _)| !task.is_finished());
    if open.len() < CONNECTIONS {
        return true;
    }
    let waiting = open.iter().enumerate().filter_map(|(place, (_, client))| Some((client.until()?, place)));
    let Some((_, place)) = waiting.min() else { return false };
    open.swap_remove(place).0.abort();
    true
}

impl Service {
    fn new(address: SocketAddr, served: &'static Served) -> Service {
        Service { address, served, files: page::files(&served.game) }
    }

    /// Answers the requests of a connection, until its client is gone or keeps the server waiting for too long.
    async fn talk(self: Arc<Service>, stream: TcpStream, client: Arc<Client>) {
        let answer = service_fn(|request| {
            client.has_asked(&request);
            self.answer(request, &client)
        });
        let connection = Connection { stream, client: Arc::clone(&client) };
        let talk = http1::Builder::new()
            // A date would be wrong by a clock before 1970, and hyper panics then.
            .auto_date_header(false)
            .max_buf_size(MAX_HEAD)
            .serve_connection(TokioIo::new(connection), answer);
        let (mut talk, mut lets_wait) = (pin!(talk), pin!(client.lets_wait()));
        // What goes wrong with a connection concerns the other end only.
        let ended = |context: &mut Context<'_>| match lets_wait.as_mut().poll(context) {
            Poll::Pending => talk.as_mut().poll(context).map(drop),
            Poll::Ready(()) => Poll::Ready(()),
        };
        poll_fn(ended).await;
    }

    /// The response to a request. The future is dropped while it waits if the other end goes away.
    async fn answer(&self, request: Request<Incoming>, client: &Client) -> Result<Response<String>, Infallible> {
        let (status, kind, body) = match self.content(request, client).await {
            Ok((kind, body)) => (StatusCode::OK, kind, body),
            Err((status, error)) => (status, JSON, serde_json::json!({ "error": error }).to_string()),
        };
        client.is_answered();
        let mut response = Response::new(body);
        *response.status_mut() = status;
        const FIXED: [(HeaderName, &str); 6] = [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
            (header::CACHE_CONTROL, "no-store"),
        ];
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.extend(FIXED.map(|(name, value)| (name, HeaderValue::from_static(value))));
        Ok(response)
    }

    async fn content(
        &self,
        mut request: Request<Incoming>,
        client: &Client,
    ) -> Result<(&'static str, String), Refused> {
        let text = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let language = text(header::ACCEPT_LANGUAGE).map(Language::accepted).unwrap_or_default();
        if request.headers().get_all(header::HOST).iter().count() > 1 {
            return Err(wrong(language.one_host()));
        }
        if !text(header::HOST).is_some_and(|host| is_this_host(host, self.address.ip())) {
            let sentence = match self.address.ip().is_unspecified() {
                true => language.call_localhost(),
                false => language.other_name(self.address),
            };
            return Err((StatusCode::FORBIDDEN, sentence));
        }
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if matches!(site, Some("cross-site" | "same-site")) && request.uri().path() != "/" {
            return Err((StatusCode::FORBIDDEN, language.no_other_pages()));
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Err((StatusCode::METHOD_NOT_ALLOWED, language.only_get()));
        }
        if !is_empty(request.body_mut()).await {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, language.no_body()));
        }
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or(""));
        if path.len() + query.len() > MAX_PATH {
            return Err((StatusCode::URI_TOO_LONG, language.address_too_long()));
        }
        if let Some(file) = self.files.iter().find(|file| file.path == path) {
            return Ok((file.kind, file.content.clone()));
        }
        match Question::read(path, query, self.served.game, language) {
            None => Err((StatusCode::NOT_FOUND, language.nothing_at(path))),
            Some(Err(sentence)) => Err(wrong(sentence)),
            Some(Ok(question)) => {
                client.waits();
                let answer = workers::answer(self.served, question, language).await;
                // A question that causes a panic has no answer.
                let gone = |_| (StatusCode::INTERNAL_SERVER_ERROR, language.answer_lost());
                Ok((JSON, answer.map_err(gone)??))
            }
        }
    }
}

/// Whether a body ends without a byte; one of unknown length is read as far as its first.
async fn is_empty(body: &mut Incoming) -> bool {
    while let Some(frame) = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await {
        if !frame.is_ok_and(|frame| frame.into_data().map_or(true, |data| data.is_empty())) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc;

    use tokio::io::AsyncWriteExt;

    use super::*;
    use dovemate::rules::Game;

    /// Whether a connection with little patience is closed, within a time that is long beside that, while its client
    /// sends these bytes so many times and then leaves or waits. The only worker is busy, so no question is answered.
    fn is_closed(bytes: &str, times: usize, leaves: bool) -> bool {
        workers::runtime(1).expect("a runtime").block_on(async {
            let (_busy, work) = mpsc::channel::<()>();
            tokio::task::spawn_blocking(move || work.recv());
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let service = Arc::new(Service::new(address, Served::of(Game::default())));
            let mut sender = TcpStream::connect(address).await.expect("it listens");
            let (stream, _) = listener.accept().await.expect("a connection");
            let talk = tokio::spawn(service.talk(stream, Client::new(LITTLE)));
            let all = bytes.repeat(times);
            let send = tokio::spawn(async move {
                // It is closed on the way.
                let _ = sender.write_all(all.as_bytes()).await;
                if !leaves {
                    std::future::pending::<()>().await;
                }
                drop(sender);
            });
            let ended = tokio::time::timeout(10 * LITTLE, talk).await;
            send.abort();
            ended.is_ok()
        })
    }

    const LITTLE: Duration = Duration::from_millis(500);

    #[test]
    fn no_client_holds_a_connection() {
        let head = "GET /app.js HTTP/1.1\r\nHost: localhost\r\n";
        let cases = [
            (String::new(), 1),
            (head.to_owned(), 1),
            (format!("{head}\r\n"), 1),
            // Far more than systems hold for who does not read.
            (format!("{head}\r\n"), 5000),
            (format!("{head}Transfer-Encoding: chunked\r\n\r\n"), 1),
            (format!("{head}Content-Length: 5\r\n\r\n"), 1),
        ];
        for (bytes, times) in cases {
            assert!(is_closed(&bytes, times, false), "{bytes:?} {times} times");
        }
    }

    #[test]
    fn who_waits_for_the_server_may_wait() {
        let question = "GET /api/position?board=b;B HTTP/1.1\r\nHost: localhost\r\n\r\n";
        assert!(!is_closed(question, 1, false));
    }

    #[test]
    fn a_dropped_connection_ends_its_question() {
        let browser = "User-Agent: Mozilla/5.0";
        let question = format!("GET /api/position?board=b;B HTTP/1.1\r\nHost: localhost\r\n{browser}\r\n\r\n");
        assert!(is_closed(&question, 1, true));
    }
}
