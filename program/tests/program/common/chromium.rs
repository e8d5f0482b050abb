//! A Chromium that a test drives over the DevTools protocol.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use data_encoding::BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use super::{PATIENCE, wait_for, waited};

/// The name of a Chromium, if there is one; otherwise says that the test is skipped, or fails if a browser is
/// required.
pub fn browser() -> Option<&'static str> {
    let runs = |name: &&str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs);
    if found.is_none() {
        assert!(
            std::env::var("DOVEMATE_REQUIRE_BROWSER").as_deref() != Ok("1"),
            "no chromium found, but one is required"
        );
        super::say_skipped("the page is not loaded in a browser, as no chromium is installed");
    }
    found
}

/// A browser with one page.
pub struct Chromium {
    process: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    sent: u64,
    /// What went wrong in the page: exceptions, and messages of its console.
    pub complaints: Vec<String>,
    _profile: TempDir,
}

impl Chromium {
    /// Starts a browser; `None` if there is none and none is required.
    pub fn start() -> Option<Chromium> {
        Chromium::start_with(&["--disable-gpu"])
    }

    /// Starts a browser that has WebGPU, on a software driver of its own.
    pub fn start_with_webgpu() -> Option<Chromium> {
        Chromium::start_with(&["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"])
    }

    /// Starts a browser with these options.
    pub fn start_with(options: &[&str]) -> Option<Chromium> {
        let profile = tempfile::tempdir().expect("a folder");
        let process = Command::new(browser()?)
            .args(["--headless=new", "--no-sandbox", "--no-first-run", "--disable-sync"])
            .args(options)
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--lang=en",
            ])
            .args(["--remote-debugging-port=0", &format!("--user-data-dir={}", profile.path().display())])
            .arg("about:blank")
            .env("LANGUAGE", "en")
            // What it leaves behind when it is killed goes with the profile.
            .env("TMPDIR", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
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
        let (mut socket, _) = tungstenite::connect(page).expect("the browser listens");
        if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
            stream.set_read_timeout(Some(PATIENCE)).expect("an option");
        }
        let mut chromium = Chromium { process, socket, sent: 0, complaints: Vec::new(), _profile: profile };
        for domain in ["Page", "Runtime", "Log"] {
            chromium.send(&format!("{domain}.enable"), json!({}));
        }
        chromium.before_scripts(include_str!("aim.js"));
        Some(chromium)
    }

    /// Runs a script in every page that is loaded from now on, before those of the page.
    pub fn before_scripts(&mut self, script: &str) -> Value {
        self.send("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }))
    }

    /// Sends a command and returns its result.
    pub fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let command = json!({ "id": self.sent, "method": method, "params": parameters });
        self.socket.send(Message::text(command.to_string())).expect("the browser listens");
        loop {
            let message = self.socket.read().expect("the browser answers");
            let Ok(text) = message.to_text() else { continue };
            let answer: Value = serde_json::from_str(text).expect("JSON");
            if answer["id"] == self.sent {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            if matches!(answer["method"].as_str(), Some("Runtime.exceptionThrown" | "Log.entryAdded")) {
                self.complaints.push(answer["params"].to_string());
            }
        }
    }

    /// The value of an expression in the page; a promise is waited for.
    pub fn value(&mut self, expression: &str) -> Value {
        let wanted = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.send("Runtime.evaluate", wanted);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// The text of the first element that a selector finds.
    pub fn text(&mut self, selector: &str) -> String {
        let value = self.value(&format!("document.querySelector({}).textContent", json!(selector)));
        value.as_str().expect("text").to_owned()
    }

    /// Waits until an expression is true in the page.
    pub fn until(&mut self, expression: &str) {
        let guarded =
            format!("(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()");
        if waited(|| (self.value(&guarded) == true).then_some(())).is_none() {
            let page = self.value("document.body.innerText");
            panic!("never true: {expression}\ncomplaints: {:?}\npage: {page}", self.complaints);
        }
    }

    /// Opens an address, and waits for the board page to be ready.
    pub fn open(&mut self, url: &str) {
        // Otherwise another fragment of the same page would not load it.
        self.send("Page.navigate", json!({ "url": "about:blank" }));
        self.send("Page.navigate", json!({ "url": url }));
        self.until("document.body.dataset.ready === 'yes'");
    }

    /// Loads the page again.
    pub fn reload(&mut self) {
        self.value("document.body.dataset.ready = 'no'");
        self.send("Page.reload", json!({}));
        self.until("document.body.dataset.ready === 'yes'");
    }

    /// Aims at an element; where its middle is in the window.
    fn aim(&mut self, selector: &str) -> Option<(f64, f64)> {
        let place = self.value(&format!("aim.at({})", json!(selector)));
        Some((place[0].as_f64()?, place[1].as_f64()?))
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let button = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.send("Input.dispatchMouseEvent", button);
    }

    /// Clicks the middle of an element, once it is there.
    pub fn click(&mut self, selector: &str) {
        wait_for(&format!("a click on {selector}"), || {
            let place = self.aim(selector)?;
            self.mouse("mousePressed", place);
            self.mouse("mouseReleased", place);
            (self.value("aim.isClicked") == true).then_some(())
        });
        self.value("aim.end()");
    }

    /// Drags one element onto another, once they are there.
    pub fn drag(&mut self, from: &str, to: &str) {
        let (from, to) = wait_for(&format!("a press on {from}"), || {
            let to = self.aim(to)?;
            let from = self.aim(from)?;
            self.mouse("mousePressed", from);
            if self.value("aim.pressed === null") == false {
                return Some((from, to));
            }
            self.mouse("mouseReleased", from);
            None
        });
        self.value("aim.end()");
        self.mouse("mouseMoved", ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0));
        self.mouse("mouseMoved", to);
        self.mouse("mouseReleased", to);
    }

    /// Presses a key, by its name in the DOM.
    pub fn key(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, None),
            "Enter" => (13, Some("\r")),
            "Escape" => (27, None),
            " " => (32, Some(" ")),
            "ArrowLeft" => (37, None),
            "ArrowUp" => (38, None),
            "ArrowRight" => (39, None),
            "ArrowDown" => (40, None),
            other => panic!("no code for {other}"),
        };
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

    /// Makes the window this large; a small one is a phone.
    pub fn resize(&mut self, width: u32, height: u32) {
        let is_phone = width < 600;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.send("Emulation.setDeviceMetricsOverride", size);
    }

    /// Prefers a dark page, or a light one.
    pub fn prefer_dark(&mut self, is_dark: bool) {
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.send("Emulation.setEmulatedMedia", features);
    }

    /// What the window shows, as PNG.
    pub fn photograph(&mut self) -> Vec<u8> {
        let picture =
            self.send("Page.captureScreenshot", json!({ "format": "png", "optimizeForSpeed": false }));
        BASE64.decode(picture["data"].as_str().expect("a picture").as_bytes()).expect("base64")
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Only this browser; it may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
