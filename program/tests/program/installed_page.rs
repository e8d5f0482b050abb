//! The page as files for a static host, from which a browser installs it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use serde_json::json;

use crate::common::browser::Browser;
use crate::common::program::dovemate_in;

/// A static host of a folder.
struct Host {
    listener: TcpListener,
    is_closed: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    fn of(folder: &Path) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let is_closed = Arc::new(AtomicBool::new(false));
        let (own, folder, closed) =
            (listener.try_clone().expect("a socket"), folder.to_owned(), Arc::clone(&is_closed));
        let thread = thread::spawn(move || {
            for stream in own.incoming() {
                if closed.load(Ordering::Relaxed) {
                    return;
                }
                let folder = folder.clone();
                thread::spawn(move || stream.map(|stream| answer(stream, &folder)));
            }
        });
        Host { listener, is_closed, thread: Some(thread) }
    }

    fn url(&self) -> String {
        format!("http://{}/", self.listener.local_addr().expect("an address"))
    }

    /// Ends it: nothing answers at its address any more.
    fn close(mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.listener.local_addr().expect("an address")));
        self.thread.take().expect("a thread").join().expect("no panic");
    }
}

fn answer(mut stream: TcpStream, folder: &Path) {
    let mut head = BufReader::new(&stream).lines().map_while(Result::ok);
    let Some(request) = head.next() else { return };
    head.take_while(|line| !line.is_empty()).for_each(drop);
    let path = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
    let file: PathBuf = folder.join(if path.is_empty() { "index.html" } else { path });
    let kind = match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("svg") => "image/svg+xml",
        _ => "application/manifest+json",
    };
    let (status, body) = fs::read(&file).map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    // A browser may have left.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

/// Once it has been opened, the page needs no host any more. With a page that has changed its service changes, too,
/// which is where browsers look.
#[test]
fn an_installed_page_needs_no_host() {
    let folder = tempfile::tempdir().expect("a folder");
    dovemate_in(folder.path(), &["serve", "--export", "site/"], "").succeeds();
    let site = folder.path().join("site");
    let mut names: Vec<String> = fs::read_dir(&site)
        .expect("a folder")
        .map(|file| file.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, ["icon.svg", "index.html", "manifest.webmanifest", "service.js"]);
    let service = |folder: &Path| fs::read_to_string(folder.join("service.js")).expect("a script");
    // It is there already; with other rules it is another page.
    let first = service(&site);
    dovemate_in(folder.path(), &["serve", "--export", "site", "--no-return"], "").succeeds();
    assert_ne!(first, service(&site));

    let Some(mut page) = Browser::chromium() else { return };
    let host = Host::of(&site);
    let url = host.url();
    page.open(&url);
    page.until("navigator.serviceWorker.controller === null && document.querySelector('link[rel=manifest]')");
    assert_eq!(page.value("navigator.serviceWorker.ready.then(({ active }) => active !== null)"), true);
    let manifest = page.send("Page.getAppManifest", json!({}));
    assert_eq!(
        (&manifest["errors"], &manifest["url"]),
        (&json!([]), &json!(format!("{url}manifest.webmanifest")))
    );
    host.close();
    page.open(&format!("{url}#mode=count"));
    page.until("/counted on the CPU/.test(document.getElementById('tally-status').textContent)");
    assert_eq!(page.value("document.body.dataset.returns"), "no");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}
