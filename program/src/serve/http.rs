//! HTTP requests and responses: refusals, files of the page, and answers to questions.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::address::urls;
use super::host::is_this_host;
use super::workers;
use crate::io::complain;
use dovemate::clock::Instant;
use dovemate_solver::openings::Openings;
use dovemate_web::documents::PROGRAM;
use dovemate_web::page::{self, File};
use dovemate_web::texts::Language;
use dovemate_web::{Brain, Question, Refused};

/// Maximum number of connections at the same time; a further one waits until another ends.
const MAX_CONNECTIONS: usize = 512;
/// Maximum number of bytes of a request's head, and of its path and query together.
const MAX_HEAD_BYTES: usize = 16 << 10;
const MAX_PATH_BYTES: usize = 2000;
/// How long a client may take to send a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The pause when no connection can be accepted, for example because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The content security policy: the page may load only from this server, except images from `data:` URLs and
/// workers from `blob:` URLs.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; img-src 'self' data:; \
                          connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JSON: &str = "application/json; charset=utf-8";

/// A refusal: its status, and the reason as a sentence.
type Rejected = (StatusCode, String);

/// The response to an invalid question.
fn wrong(sentence: String) -> Rejected {
    (StatusCode::BAD_REQUEST, sentence)
}

/// The response to a question that cannot be answered.
fn rejected(refused: Refused) -> Rejected {
    match refused {
        Refused::Unknown(sentence) => (StatusCode::NOT_FOUND, sentence),
        Refused::Wrong(sentence) => wrong(sentence),
        Refused::Failed(sentence) => (StatusCode::INTERNAL_SERVER_ERROR, sentence),
    }
}

struct Service {
    address: SocketAddr,
    brain: &'static Brain,
    files: &'static [File],
    for_long_questions: Semaphore,
    /// [`REQUEST_TIMEOUT`], except in tests.
    request_timeout: Duration,
    operation: Operation,
}

/// The operator's settings of a server.
#[derive(Clone, Default)]
pub struct Operation {
    /// An additional name of this host.
    pub host: Option<String>,
    /// Whether each request is reported on standard error.
    pub is_logged: bool,
    /// If given, the server ends once no connection has been opened for that long and none is open.
    pub idle: Option<Duration>,
}

/// Answers requests with the page of a game, and with answers to questions, up to `workers` of them at a time.
///
/// # Errors
/// If the listener cannot be used, or a thread cannot be started.
pub fn serve(
    listener: TcpListener,
    workers: usize,
    brain: &'static Brain,
    operation: Operation,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let idle = operation.idle;
    let service = Service::new(listener.local_addr()?, brain, workers, REQUEST_TIMEOUT);
    let service = Arc::new(Service { operation, ..service });
    workers::runtime(workers)?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            let accepted = match idle {
                None => listener.accept().await,
                Some(idle) => match timeout(idle, listener.accept()).await {
                    Err(_) if places.available_permits() + 1 == MAX_CONNECTIONS => return Ok(()),
                    Err(_) => continue,
                    Ok(accepted) => accepted,
                },
            };
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let talk = Arc::clone(&service).talk(stream);
            tokio::spawn(async {
                talk.await;
                drop(place);
            });
        }
    })
}

impl Service {
    fn new(address: SocketAddr, brain: &'static Brain, workers: usize, request_timeout: Duration) -> Service {
        let urls = urls(address);
        let network = urls.get(1).map(String::as_str);
        let files = Vec::leak(page::files(&brain.game, &Openings::FILES, network));
        let for_long_questions = workers::for_long_questions(workers);
        let operation = Operation::default();
        Service { address, brain, files, for_long_questions, request_timeout, operation }
    }

    /// Answers the requests of a connection until the client closes it or takes too long to send one.
    async fn talk(self: Arc<Service>, stream: TcpStream) {
        let peer = stream.peer_addr().map(|peer| peer.ip().to_string()).unwrap_or_default();
        let talk = http1::Builder::new()
            // Hyper panics on a date if the clock is before 1970.
            .auto_date_header(false)
            .timer(TokioTimer::new())
            .header_read_timeout(self.request_timeout)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service_fn(|request| self.answer(request, &peer)));
        // An error of a connection concerns only its client.
        let _ = talk.await;
    }

    /// The response to a request. If the client goes away meanwhile, the future is dropped.
    async fn answer(
        &self,
        request: Request<Incoming>,
        peer: &str,
    ) -> Result<Response<Full<Bytes>>, Infallible> {
        let (began, asked) = (Instant::now(), format!("{} {}", request.method(), request.uri()));
        let (status, kind, body) = match self.content(request).await {
            Ok((kind, body)) => (StatusCode::OK, kind, body),
            Err((status, error)) => {
                // A proxy may refuse, too, so the refusal names this program.
                let refusal = serde_json::json!({ "program": PROGRAM, "error": error });
                (status, JSON, refusal.to_string().into())
            }
        };
        if self.operation.is_logged {
            // It panics, too, if the clock is before 1970.
            let now = SystemTime::now().max(SystemTime::UNIX_EPOCH);
            let (date, status) = (humantime::format_rfc3339_seconds(now), status.as_u16());
            let (bytes, time) = (body.len(), began.elapsed().as_secs_f64());
            complain(format_args!("{date} {peer} {asked} {status} {bytes} {time:.3}"));
        }
        let mut response = Response::new(Full::new(body));
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

    async fn content(&self, mut request: Request<Incoming>) -> Result<(&'static str, Bytes), Rejected> {
        let text = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let language = text(header::ACCEPT_LANGUAGE).map(Language::accepted).unwrap_or_default();
        if request.headers().get_all(header::HOST).iter().count() > 1 {
            return Err(wrong(language.one_host()));
        }
        if !text(header::HOST)
            .is_some_and(|host| is_this_host(host, self.address.ip(), self.operation.host.as_deref()))
        {
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
        if !timeout(self.request_timeout, is_empty(request.body_mut())).await.unwrap_or(false) {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, language.no_body()));
        }
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or(""));
        if path.len() + query.len() > MAX_PATH_BYTES {
            return Err((StatusCode::URI_TOO_LONG, language.address_too_long()));
        }
        if let Some(file) = self.files.iter().find(|file| file.path == path) {
            return Ok((file.kind, Bytes::from_static(&file.content)));
        }
        // The worker panicked, so there is no answer.
        let lost = |_| (StatusCode::INTERNAL_SERVER_ERROR, language.answer_lost());
        let name = path.strip_prefix("/api/").unwrap_or("");
        let question = match Question::read(name, query, self.brain.game, language) {
            Some(Ok(question)) if !question.is_own() => question,
            Some(Err(sentence)) => return Err(wrong(sentence)),
            _ => return Err((StatusCode::NOT_FOUND, language.nothing_at(path))),
        };
        let answer = workers::answer(self.brain, question, language, &self.for_long_questions).await;
        Ok((JSON, answer.map_err(lost)?.map_err(rejected)?.into()))
    }
}

/// Whether a body is empty; one of unknown length is read up to its first byte.
async fn is_empty(body: &mut Incoming) -> bool {
    while let Some(frame) = body.frame().await {
        if !frame.is_ok_and(|frame| frame.into_data().map_or(true, |data| data.is_empty())) {
            return false;
        }
    }
    true
}
