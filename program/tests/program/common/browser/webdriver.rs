//! WebKit, as WebKitGTK has it, over WebDriver, on a screen in memory.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::program::{Running, started};
use super::super::{PATIENCE, wait_for};
use super::{Driver, Mouse, as_json, key_actions, mouse_actions};

/// Records what goes wrong in a page, because the driver does not report it.
const FAULTS: &str = "globalThis.faults = []; \
                      addEventListener('error', ({ message }) => faults.push(String(message))); \
                      addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))";

pub struct WebKit {
    _process: Running,
    _screen: Running,
    /// The address of the session.
    session: String,
    /// Scripts that run in every page.
    scripts: Vec<String>,
    complaints: Vec<String>,
    _home: TempDir,
}

impl WebKit {
    pub fn start(program: &str, theme: &str) -> WebKit {
        let home = tempfile::tempdir().expect("a folder");
        let screen = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1600x1200x24"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut screen = Running(screen.expect("Xvfb is installed beside WebKitWebDriver"));
        let mut display = String::new();
        BufReader::new(screen.stdout.take().expect("a pipe")).read_line(&mut display).expect("a display");
        // The driver cannot choose a free port itself.
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let process = started(
            Command::new(program)
                .arg(format!("--port={port}"))
                .env("DISPLAY", format!(":{}", display.trim()))
                .envs([("GTK_THEME", theme), ("LANGUAGE", "en"), ("LC_ALL", "C.UTF-8")])
                .envs(["HOME", "TMPDIR", "XDG_RUNTIME_DIR"].map(|name| (name, home.path())))
                .stdin(Stdio::null()),
        );
        let driver = format!("http://127.0.0.1:{port}");
        wait_for("the driver", || minreq::get(format!("{driver}/status")).with_timeout(5).send().ok());
        let options = json!({ "args": ["--automation", "--javascript-can-open-windows-automatically=true"] });
        let wanted = json!({ "alwaysMatch": { "webkitgtk:browserOptions": options } });
        let session = post(&format!("{driver}/session"), &json!({ "capabilities": wanted }));
        let mut webkit = WebKit {
            _process: process,
            _screen: screen,
            session: format!("{driver}/session/{}", session["sessionId"].as_str().expect("a session")),
            scripts: vec![FAULTS.to_owned()],
            complaints: Vec::new(),
            _home: home,
        };
        // The first window has bars, and is never narrower than they are.
        let before = webkit.windows();
        webkit.value(
            "Boolean(open('about:blank', 'bare', 'width=800,height=600,toolbar=no,location=no,menubar=no'))",
        );
        let bare = wait_for("a window", || webkit.windows().into_iter().find(|name| !before.contains(name)));
        webkit.send("window", json!({ "handle": bare }));
        webkit
    }

    fn get(&self, what: &str) -> Value {
        answer(minreq::get(format!("{}/{what}", self.session)), what)
    }

    fn windows(&self) -> Vec<Value> {
        self.get("window/handles").as_array().expect("windows").clone()
    }

    /// Collects what went wrong in the page that is about to be left.
    fn collect(&mut self) {
        let faults = self.value("globalThis.faults?.splice(0) ?? []");
        self.complaints.extend(faults.as_array().expect("texts").iter().map(Value::to_string));
    }

    fn run_scripts(&mut self) {
        for script in self.scripts.clone() {
            self.value(&format!("(() => {{ {script}\n }})()"));
        }
    }
}

/// What the driver answers to a request; `what` is asked.
fn answer(request: minreq::Request, what: &str) -> Value {
    let response = request.with_timeout(PATIENCE.as_secs()).send().expect("the driver answers");
    let answer: Value = serde_json::from_str(response.as_str().expect("UTF-8")).expect("JSON");
    assert_eq!(response.status_code, 200, "{what}: {answer}");
    answer["value"].clone()
}

fn post(url: &str, body: &Value) -> Value {
    let body = body.to_string();
    let what = format!("{url} {body}");
    answer(minreq::post(url).with_header("Content-Type", "application/json").with_body(body), &what)
}

impl Driver for WebKit {
    fn send(&mut self, command: &str, parameters: Value) -> Value {
        post(&format!("{}/{command}", self.session), &parameters)
    }

    fn navigate(&mut self, url: &str) {
        self.collect();
        self.send("url", json!({ "url": url }));
        self.run_scripts();
    }

    fn refresh(&mut self) {
        self.collect();
        self.send("refresh", json!({}));
        self.run_scripts();
    }

    fn value(&mut self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             {}.then(value => done({{ value }}), error => done({{ error: String(error) }}))",
            as_json(expression)
        );
        let result = self.send("execute/async", json!({ "script": script, "args": [] }));
        assert!(result["error"].is_null(), "{expression}: {result}");
        serde_json::from_str(result["value"].as_str().expect("a text")).expect("JSON")
    }

    /// The driver has no command for this, so the script runs once the page is there.
    fn before_scripts(&mut self, script: &str) -> Value {
        self.scripts.push(script.to_owned());
        Value::Null
    }

    fn mouse(&mut self, what: Mouse, place: (f64, f64)) {
        self.send("actions", json!({ "actions": mouse_actions(what, place) }));
    }

    fn key(&mut self, key: &str) {
        self.send("actions", json!({ "actions": key_actions(key) }));
    }

    fn resize(&mut self, width: u32, height: u32) {
        self.send("window/rect", json!({ "x": 0, "y": 0, "width": width, "height": height }));
    }

    fn screenshot(&mut self) -> Value {
        self.get("screenshot")
    }

    fn complaints(&mut self) -> &[String] {
        self.collect();
        &self.complaints
    }
}

impl Drop for WebKit {
    fn drop(&mut self) {
        // Its browser ends with the session.
        let _ = minreq::delete(&self.session).with_timeout(10).send();
    }
}
