//! Requests and responses: what is refused, what is a file of the page, what is a question.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Serialize;
use tokio::sync::Semaphore;

use super::answer::NoAnswer;
use super::host::is_this_host;
use super::page::{self, File};
use super::question::Question;
use super::workers::Queue;
use dovemate::rules::Game;

/// Connections at the same time; others wait to be accepted.
const CONNECTIONS: usize = 256;
/// The most bytes of a request's head, and of its path with the query.
const MAX_HEAD: usize = 16 << 10;
const MAX_PATH: usize = 2000;
/// The time for a request's head to arrive.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause after a connection could not be accepted, as when too many files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// What the page may load: only what comes from this server, and images in `data:` URLs.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                          connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JSON: &str = "application/json; charset=utf-8";

/// An answer that is no result.
#[derive(Serialize)]
struct Refusal<'a> {
    error: &'a str,
}

struct Service {
    address: SocketAddr,
    game: Game,
    files: Vec<File>,
    queue: Arc<Queue>,
}

/// Answers requests until the process ends.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve(listener: TcpListener, address: SocketAddr, game: Game, queue: Arc<Queue>) -> io::Result<Infallible> {
    listener.set_nonblocking(true)?;
    let service = Arc::new(Service { address, game, files: page::files(&game), queue });
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let connections = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let permit = Arc::clone(&connections).acquire_owned().await.expect("it is never closed");
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(_) => {
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            let service = Arc::clone(&service);
            tokio::spawn(async move {
                let answer = service_fn(|request| service.answer(request));
                // What goes wrong with a connection concerns the other end only.
                let _ = http1::Builder::new()
                    // A date would be wrong by a clock before 1970, and hyper panics then.
                    .auto_date_header(false)
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .max_buf_size(MAX_HEAD)
                    .serve_connection(TokioIo::new(stream), answer)
                    .await;
                drop(permit);
            });
        }
    })
}

impl Service {
    /// The response to a request. The future is dropped while it waits if the other end goes away.
    async fn answer(&self, request: Request<Incoming>) -> Result<Response<String>, Infallible> {
        let (status, kind, body) = match self.content(&request).await {
            Ok((kind, body)) => (StatusCode::OK, kind, body),
            Err((status, error)) => {
                (status, JSON, serde_json::to_string(&Refusal { error: &error }).expect("it is JSON"))
            }
        };
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

    async fn content(&self, request: &Request<Incoming>) -> Result<(&'static str, String), (StatusCode, String)> {
        let refused = |status, sentence: &str| Err((status, sentence.to_owned()));
        let text = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        if request.headers().get_all(header::HOST).iter().count() > 1 {
            return refused(StatusCode::BAD_REQUEST, "a request has one Host");
        }
        if !text(header::HOST).is_some_and(|host| is_this_host(host, self.address.ip())) {
            let sentence = match self.address.ip().is_unspecified() {
                true => "call this machine localhost or by its address".to_owned(),
                false => format!("this is http://{}/ and answers to no other name", self.address),
            };
            return Err((StatusCode::FORBIDDEN, sentence));
        }
        if text(HeaderName::from_static("sec-fetch-site"))
            .is_some_and(|site| matches!(site, "cross-site" | "same-site"))
            && request.uri().path() != "/"
        {
            return refused(StatusCode::FORBIDDEN, "questions of other pages are not answered");
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return refused(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered");
        }
        if !request.body().is_end_stream() {
            return refused(StatusCode::PAYLOAD_TOO_LARGE, "a question has no body");
        }
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or(""));
        if path.len() + query.len() > MAX_PATH {
            return refused(StatusCode::URI_TOO_LONG, "the address is too long");
        }
        if let Some(file) = self.files.iter().find(|file| file.path == path) {
            return Ok((file.kind, file.content.clone()));
        }
        match Question::read(path, query, self.game) {
            None => Err((StatusCode::NOT_FOUND, format!("there is nothing at {path}; / is the board page"))),
            Some(Err(sentence)) => Err((StatusCode::BAD_REQUEST, sentence)),
            Some(Ok(question)) => {
                let answer = self.queue.ask(question).answer().await;
                // A question that makes its worker panic has no answer.
                let gone = |_| (StatusCode::INTERNAL_SERVER_ERROR, "the answer was lost; this is a bug".to_owned());
                let json = answer.map_err(gone)?.map_err(|none| match none {
                    NoAnswer::Question(sentence) => (StatusCode::BAD_REQUEST, sentence),
                    NoAnswer::Values(sentence) => (StatusCode::INTERNAL_SERVER_ERROR, sentence),
                })?;
                Ok((JSON, json))
            }
        }
    }
}
