//! Chromium, over the DevTools protocol.

use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::program::{Running, started};
use super::super::wait_for;
use super::socket::Socket;
use super::{Driver, Mouse, codes_of};

pub struct Chromium {
    _process: Running,
    socket: Socket,
    _profile: TempDir,
}

impl Chromium {
    pub fn start(program: &str, options: &[&str]) -> Chromium {
        let profile = tempfile::tempdir().expect("a folder");
        let process = started(
            Command::new(program)
                .args(["--headless=new", "--no-sandbox", "--no-first-run", "--disable-sync"])
                .args(["--disable-background-networking", "--disable-component-update"])
                .args(["--hide-scrollbars", "--lang=en", "--remote-debugging-port=0"])
                .arg(format!("--user-data-dir={}", profile.path().display()))
                .args(options)
                .arg("about:blank")
                .env("LANGUAGE", "en")
                // What it leaves behind when it is killed goes with the profile.
                .env("TMPDIR", profile.path())
                .stdin(Stdio::null()),
        );
        let port = wait_for("the browser's port", || {
            let text = std::fs::read_to_string(profile.path().join("DevToolsActivePort")).ok()?;
            text.lines().next()?.parse::<u16>().ok()
        });
        let page = wait_for("the browser's page", || {
            let list = minreq::get(format!("http://127.0.0.1:{port}/json/list")).send().ok()?;
            let list: Value = serde_json::from_str(list.as_str().ok()?).ok()?;
            let page = list.as_array()?.iter().find(|target| target["type"] == "page")?;
            page["webSocketDebuggerUrl"].as_str().map(str::to_owned)
        });
        let is_complaint = |event: &Value| {
            matches!(event["method"].as_str(), Some("Runtime.exceptionThrown" | "Log.entryAdded"))
        };
        let socket = Socket::connect(&page, is_complaint);
        let mut chromium = Chromium { _process: process, socket, _profile: profile };
        for domain in ["Page", "Runtime", "Log"] {
            chromium.send(&format!("{domain}.enable"), json!({}));
        }
        chromium
    }
}

impl Driver for Chromium {
    fn send(&mut self, command: &str, parameters: Value) -> Value {
        self.socket.send(command, parameters)
    }

    fn navigate(&mut self, url: &str) {
        self.send("Page.navigate", json!({ "url": url }));
    }

    fn refresh(&mut self) {
        self.send("Page.reload", json!({}));
    }

    fn value(&mut self, expression: &str) -> Value {
        let wanted = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.send("Runtime.evaluate", wanted);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    fn before_scripts(&mut self, script: &str) -> Value {
        self.send("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }))
    }

    fn mouse(&mut self, what: Mouse, (x, y): (f64, f64)) {
        let kind = match what {
            Mouse::Press => "mousePressed",
            Mouse::Move => "mouseMoved",
            Mouse::Release => "mouseReleased",
        };
        let button = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.send("Input.dispatchMouseEvent", button);
    }

    fn key(&mut self, key: &str) {
        let (_, code) = codes_of(key);
        let text = if key == "Enter" { Some("\r") } else { (key.len() == 1).then_some(key) };
        let name = if key == " " { "Space" } else { key };
        let mut event = json!({ "type": "keyUp", "key": key, "code": name, "windowsVirtualKeyCode": code });
        let up = event.clone();
        event["type"] = json!(if text.is_some() { "keyDown" } else { "rawKeyDown" });
        if let Some(text) = text {
            event["text"] = json!(text);
        }
        self.send("Input.dispatchKeyEvent", event);
        self.send("Input.dispatchKeyEvent", up);
    }

    fn resize(&mut self, width: u32, height: u32) {
        let is_phone = width < 600;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.send("Emulation.setDeviceMetricsOverride", size);
    }

    fn screenshot(&mut self) -> Value {
        self.send("Page.captureScreenshot", json!({}))["data"].clone()
    }

    fn complaints(&mut self) -> &[String] {
        &self.socket.complaints
    }
}
