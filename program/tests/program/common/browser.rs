//! A browser that a test drives: Chromium, Firefox or WebKit, each over a protocol of its own.

mod bidi;
mod devtools;
mod socket;
mod webdriver;

use std::process::Command;

use data_encoding::BASE64;
use serde_json::{Value, json};

use self::bidi::Firefox;
use self::devtools::Chromium;
use self::webdriver::WebKit;
use super::{wait_for, waited};

/// What the protocols have in common, for a browser with one page.
pub trait Driver {
    /// Sends a command of the browser's protocol; returns its result.
    fn send(&mut self, command: &str, parameters: Value) -> Value;
    /// Loads an address.
    fn navigate(&mut self, url: &str);
    /// Loads the page again.
    fn refresh(&mut self);
    /// The value of an expression in the page; a promise is waited for.
    fn value(&mut self, expression: &str) -> Value;
    /// Runs a script in every page that is loaded from now on, before those of the page.
    fn before_scripts(&mut self, script: &str) -> Value;
    /// Uses the left button of the mouse, or none, at a place in the window.
    fn mouse(&mut self, what: Mouse, place: (f64, f64));
    /// Presses a key, by its name in the DOM.
    fn key(&mut self, key: &str);
    /// Makes the window this large inside; a small one is a phone.
    fn resize(&mut self, width: u32, height: u32);
    /// What the window shows, as PNG in base64.
    fn screenshot(&mut self) -> Value;
    /// What went wrong in the page so far: exceptions, and messages of its console.
    fn complaints(&mut self) -> &[String];
}

/// What is done with the mouse.
#[derive(Clone, Copy)]
pub enum Mouse {
    Press,
    Move,
    Release,
}

/// The engines of today's browsers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

impl Engine {
    /// The name of its program; `None` if no browsers are asked for.
    fn program(self) -> Option<&'static str> {
        let (names, question): (&[&str], _) = match self {
            Engine::Chromium => (&["chromium", "chromium-browser", "google-chrome"], "--version"),
            Engine::Firefox => (&["firefox-esr", "firefox"], "--version"),
            Engine::WebKit => (&["WebKitWebDriver"], "--help"),
        };
        let runs = |name: &str| {
            Command::new(name).arg(question).output().is_ok_and(|output| output.status.success())
        };
        super::is_asked_for("browser").then(|| {
            let found = names.iter().copied().find(|name| runs(name));
            found.unwrap_or_else(|| panic!("no {self:?} is installed, but browsers are asked for"))
        })
    }
}

/// A browser with one page.
pub type Browser = dyn Driver;

impl Browser {
    /// Starts a browser; `None` if none is asked for.
    pub fn start(engine: Engine) -> Option<Box<Browser>> {
        match engine {
            Engine::Chromium => Browser::chromium(),
            Engine::Firefox => Browser::firefox_with(&[]),
            Engine::WebKit => Browser::webkit_with("Adwaita"),
        }
    }

    fn of(mut driver: impl Driver + 'static) -> Option<Box<Browser>> {
        driver.before_scripts(include_str!("aim.js"));
        Some(Box::new(driver))
    }

    /// Starts a Chromium.
    pub fn chromium() -> Option<Box<Browser>> {
        Browser::chromium_with(&["--disable-gpu"])
    }

    /// Starts a Chromium that has WebGPU, on a software driver of its own.
    pub fn chromium_with_webgpu() -> Option<Box<Browser>> {
        Browser::chromium_with(&["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"])
    }

    /// Starts a Chromium with these options.
    pub fn chromium_with(options: &[&str]) -> Option<Box<Browser>> {
        Browser::of(Chromium::start(Engine::Chromium.program()?, options))
    }

    /// Starts a Firefox with these preferences.
    pub fn firefox_with(preferences: &[(&str, &str)]) -> Option<Box<Browser>> {
        Browser::of(Firefox::start(Engine::Firefox.program()?, preferences))
    }

    /// Starts a WebKit with this theme of GTK.
    pub fn webkit_with(theme: &str) -> Option<Box<Browser>> {
        Browser::of(WebKit::start(Engine::WebKit.program()?, theme))
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
            let complaints = self.complaints();
            panic!("never true: {expression}\ncomplaints: {complaints:?}\npage: {page}");
        }
    }

    /// Opens an address, and waits for the board page to be ready.
    pub fn open(&mut self, url: &str) {
        // On the same page, an address with another fragment would load nothing.
        self.navigate("about:blank");
        self.navigate(url);
        self.until("document.body.dataset.ready === 'yes'");
    }

    /// Loads the page again.
    pub fn reload(&mut self) {
        self.value("document.body.dataset.ready = 'no'");
        self.refresh();
        self.until("document.body.dataset.ready === 'yes'");
    }

    /// Aims at an element; returns where its middle is in the window, or `None` if there is none.
    fn aim(&mut self, selector: &str) -> Option<(f64, f64)> {
        let place = self.value(&format!("aim.at({})", json!(selector)));
        Some((place[0].as_f64()?, place[1].as_f64()?))
    }

    /// Clicks the middle of an element, once it is there.
    pub fn click(&mut self, selector: &str) {
        wait_for(&format!("a click on {selector}"), || {
            let place = self.aim(selector)?;
            self.mouse(Mouse::Press, place);
            self.mouse(Mouse::Release, place);
            (self.value("aim.isClicked") == true).then_some(())
        });
        self.value("aim.end()");
    }

    /// Drags one element onto another, once they are there.
    pub fn drag(&mut self, from: &str, to: &str) {
        let (from, to) = wait_for(&format!("a press on {from}"), || {
            let to = self.aim(to)?;
            let from = self.aim(from)?;
            self.mouse(Mouse::Press, from);
            if self.value("aim.pressed === null") == false {
                return Some((from, to));
            }
            self.mouse(Mouse::Release, from);
            None
        });
        self.value("aim.end()");
        self.mouse(Mouse::Move, ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0));
        self.mouse(Mouse::Move, to);
        self.mouse(Mouse::Release, to);
    }

    /// Lets the system prefer dark pages, or light ones; only Chromium can change that while it runs.
    pub fn prefer_dark(&mut self, is_dark: bool) {
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.send("Emulation.setEmulatedMedia", features);
    }

    /// What the window shows, as PNG.
    pub fn photograph(&mut self) -> Vec<u8> {
        let picture = self.screenshot();
        BASE64.decode(picture.as_str().expect("a picture").as_bytes()).expect("base64")
    }
}

/// A script that ends with the value of an expression as JSON, whatever type it has; a promise is waited for.
fn as_json(expression: &str) -> String {
    format!(
        "Promise.resolve().then(() => (\n{expression}\n)).then(value => JSON.stringify(value === undefined ? null : value))"
    )
}

/// The actions of WebDriver for the mouse.
fn mouse_actions(what: Mouse, (x, y): (f64, f64)) -> Value {
    let go = json!({ "type": "pointerMove", "x": x.round() as i64, "y": y.round() as i64 });
    let actions = match what {
        Mouse::Press => vec![go, json!({ "type": "pointerDown", "button": 0 })],
        Mouse::Move => vec![go],
        Mouse::Release => vec![go, json!({ "type": "pointerUp", "button": 0 })],
    };
    let mouse = json!({ "pointerType": "mouse" });
    json!([{ "type": "pointer", "id": "mouse", "parameters": mouse, "actions": actions }])
}

/// A key by its name in the DOM: its character in WebDriver, and its code in Windows, which Chromium wants.
fn codes_of(key: &str) -> (char, u8) {
    match key {
        "Tab" => ('\u{e004}', 9),
        "Enter" => ('\u{e007}', 13),
        "Escape" => ('\u{e00c}', 27),
        "End" => ('\u{e010}', 35),
        "Home" => ('\u{e011}', 36),
        "ArrowLeft" => ('\u{e012}', 37),
        "ArrowUp" => ('\u{e013}', 38),
        "ArrowRight" => ('\u{e014}', 39),
        "ArrowDown" => ('\u{e015}', 40),
        typed => (typed.parse().expect("one character"), typed.to_ascii_uppercase().as_bytes()[0]),
    }
}

/// The actions of WebDriver for a key, by its name in the DOM.
fn key_actions(key: &str) -> Value {
    let (value, _) = codes_of(key);
    let press = |kind: &str| json!({ "type": kind, "value": value });
    json!([{ "type": "key", "id": "keys", "actions": [press("keyDown"), press("keyUp")] }])
}
