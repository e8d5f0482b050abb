//! Firefox, over WebDriver BiDi, which it has itself.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::program::Running;
use super::socket::Socket;
use super::{Driver, Mouse, as_json, key_actions, mouse_actions};

pub struct Firefox {
    /// Its other processes end with it.
    _process: Running,
    socket: Socket,
    /// The page.
    context: Value,
    _profile: TempDir,
}

impl Firefox {
    /// Starts a Firefox with these preferences besides the usual ones.
    pub fn start(program: &str, others: &[(&str, &str)]) -> Firefox {
        let profile = tempfile::tempdir().expect("a folder");
        // Scroll bars lie over the page, as on a phone.
        let usual =
            [("layout.css.prefers-color-scheme.content-override", "1"), ("ui.useOverlayScrollbars", "1")];
        // Of two choices for one preference, the last counts.
        let choices = usual.iter().chain(others);
        let choices: String =
            choices.map(|(name, value)| format!("user_pref(\"{name}\", {value});\n")).collect();
        std::fs::write(profile.path().join("user.js"), choices).expect("a write");
        let mut process = Command::new(program)
            .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
            .arg(profile.path())
            .env("LANGUAGE", "en")
            .env("HOME", profile.path())
            .env("TMPDIR", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
        let address = lines
            .find_map(|line| line.strip_prefix("WebDriver BiDi listening on ").map(str::to_owned))
            .expect("the browser says where it listens");
        // What the browser prints later must be read, too.
        thread::spawn(move || lines.for_each(drop));
        let is_complaint =
            |event: &Value| event["method"] == "log.entryAdded" && event["params"]["level"] == "error";
        let socket = Socket::connect(&format!("{address}/session"), is_complaint);
        let mut firefox =
            Firefox { _process: Running(process), socket, context: Value::Null, _profile: profile };
        firefox.socket.send("session.new", json!({ "capabilities": {} }));
        firefox.socket.send("session.subscribe", json!({ "events": ["log.entryAdded"] }));
        firefox.context =
            firefox.socket.send("browsingContext.getTree", json!({}))["contexts"][0]["context"].clone();
        firefox
    }
}

impl Driver for Firefox {
    fn send(&mut self, command: &str, mut parameters: Value) -> Value {
        parameters["context"] = self.context.clone();
        self.socket.send(command, parameters)
    }

    fn navigate(&mut self, url: &str) {
        self.send("browsingContext.navigate", json!({ "url": url, "wait": "interactive" }));
    }

    fn refresh(&mut self) {
        self.send("browsingContext.reload", json!({ "wait": "interactive" }));
    }

    fn value(&mut self, expression: &str) -> Value {
        let target = json!({ "context": self.context });
        let wanted = json!({ "expression": as_json(expression), "awaitPromise": true, "target": target });
        let result = self.socket.send("script.evaluate", wanted);
        assert_eq!(result["type"], "success", "{expression}: {result}");
        serde_json::from_str(result["result"]["value"].as_str().expect("a text")).expect("JSON")
    }

    fn before_scripts(&mut self, script: &str) -> Value {
        let function = format!("() => {{ {script}\n }}");
        self.socket.send("script.addPreloadScript", json!({ "functionDeclaration": function }))
    }

    fn mouse(&mut self, what: Mouse, place: (f64, f64)) {
        self.send("input.performActions", json!({ "actions": mouse_actions(what, place) }));
    }

    fn key(&mut self, key: &str) {
        self.send("input.performActions", json!({ "actions": key_actions(key) }));
    }

    fn resize(&mut self, width: u32, height: u32) {
        let viewport = json!({ "width": width, "height": height });
        self.send("browsingContext.setViewport", json!({ "viewport": viewport }));
    }

    fn screenshot(&mut self) -> Value {
        self.send("browsingContext.captureScreenshot", json!({}))["data"].clone()
    }

    fn complaints(&mut self) -> &[String] {
        &self.socket.complaints
    }
}
