//! Tests of connections and their clients.

use std::net::Ipv4Addr;
use std::sync::mpsc;

use tokio::io::AsyncWriteExt;

use super::*;
use dovemate::rules::Game;

/// Far longer than anything takes, even on a slow and busy machine.
const LONG: Duration = Duration::from_secs(300);

/// Whether a connection with this request timeout is closed within a time, if its client sends these bytes and then
/// leaves or waits. The only worker is busy, so no question is answered.
fn is_closed(bytes: &str, leaves: bool, request_timeout: Duration, within: Duration) -> bool {
    workers::runtime(1).expect("a runtime").block_on(async {
        let (_busy, work) = mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || work.recv());
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let brain = Box::leak(Box::new(Brain::new(Game::default())));
        let service = Arc::new(Service::new(address, brain, 1, request_timeout));
        let mut sender = TcpStream::connect(address).await.expect("it listens");
        let (stream, _) = listener.accept().await.expect("a connection");
        sender.write_all(bytes.as_bytes()).await.expect("a write");
        let sender = Some(sender).filter(|_| !leaves);
        let talk = tokio::spawn(service.talk(stream));
        let ended = tokio::time::timeout(within, talk).await;
        drop(sender);
        ended.is_ok()
    })
}

#[test]
fn no_client_holds_a_connection() {
    let head = "GET /app.js HTTP/1.1\r\nHost: localhost\r\n";
    for bytes in [
        String::new(),
        head.to_owned(),
        format!("{head}\r\n"),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n"),
        format!("{head}Content-Length: 5\r\n\r\n"),
    ] {
        assert!(is_closed(&bytes, false, Duration::from_millis(100), LONG), "{bytes:?}");
    }
}

#[test]
fn waiting_clients_are_not_dropped() {
    let question = "GET /api/position?board=b;B HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let request_timeout = Duration::from_secs(2);
    assert!(!is_closed(question, false, request_timeout, 2 * request_timeout));
}

#[test]
fn a_dropped_connection_ends_its_question() {
    let question = "GET /api/position?board=b;B HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert!(is_closed(question, true, LONG, LONG));
}
