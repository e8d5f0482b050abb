//! `dovemate serve` as a process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use super::program::{Running, interruptible};
use super::{PATIENCE, wait_for};

/// A running server, which ends with the test.
pub struct Server {
    pub process: Running,
    /// Its address, ending in `/`.
    pub url: String,
}

/// Starts the server on a free port.
pub fn serve(options: &str) -> Server {
    serve_at("0", options)
}

/// Starts the server on this port.
pub fn serve_at(port: &str, options: &str) -> Server {
    let mut process = interruptible(Path::new("."))
        .args(["serve", "--port", port])
        .args(options.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut url = String::new();
    BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut url).expect("it says where it is");
    Server { process: Running(process), url: url.trim_end().to_owned() }
}

/// The status and the JSON of an answer of the server at this address.
pub fn ask(url: &str, path_and_query: &str) -> (u16, Value) {
    let response = minreq::get(format!("{url}{path_and_query}"))
        .with_timeout(PATIENCE.as_secs())
        .send()
        .expect("an answer");
    let text = response.as_str().expect("UTF-8");
    (response.status_code, serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {text}")))
}

impl Server {
    /// The status and the JSON of an answer.
    pub fn ask(&self, path_and_query: &str) -> (u16, Value) {
        ask(&self.url, path_and_query)
    }

    /// The answer about a position or a line when the search is done, however long that takes: a question
    /// that is asked again goes on where it stopped.
    pub fn searched(&self, path_and_query: &str) -> Value {
        wait_for(path_and_query, || {
            let (status, answer) = self.ask(path_and_query);
            assert_eq!(status, 200, "{path_and_query}: {answer}");
            (answer["out_of_time"] != true).then_some(answer)
        })
    }

    /// `127.0.0.1:PORT`.
    pub fn host(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches('/')
    }

    pub fn port(&self) -> &str {
        self.host().rsplit(':').next().expect("a port")
    }
}
