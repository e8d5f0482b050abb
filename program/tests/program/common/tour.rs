//! A tour of the board page, as the files in `tours/` have it: what a user does there, and what the page then shows.
//!
//! Each line is a step: a word, and what it is about. Claims that are waited for may follow, each after an arrow. `//`
//! begins a comment, and `{name}` stands for the value with this name.
//!
//! | step | what is done |
//! |---|---|
//! | `open FRAGMENT`, `reload` | loads the page, and waits until it is ready; `visit FRAGMENT` does not wait |
//! | `serve OPTIONS`, `stop` | starts a server, at the port of the one before, or stops it; the first page starts one |
//! | `export OPTIONS` | writes the page of a game to a file, which is opened from now on |
//! | `before SCRIPT` | runs a script before those of pages that are loaded from now on, in place of the one before |
//! | `size WIDTH HEIGHT`, `dark`, `light` | changes the window, or what colours the system prefers |
//! | `send COMMAND JSON` | sends a command of the browser's protocol |
//! | `click SELECTOR`, `drag SELECTOR onto SELECTOR` | uses the mouse |
//! | `key KEY…`, `tab SELECTOR` | presses keys, by their DOM names, or `Space`; presses Tab until this has the focus |
//! | `set SELECTOR = VALUE` | changes a field and leaves it |
//! | `act ACTION` | clicks what a legal action needs |
//! | `paste TEXT` | opens the field for texts and enters this one, in which `\n` ends a line and `\t` is a tab |
//! | `do EXPRESSION` | evaluates an expression in the page, with the names of `tour.js` and of the page's modules |
//! | `let NAME = EXPRESSION` | names its value |
//! | `look ahead BOARD` | lets the server find out all about a board, or the position that the page shows |
//! | `until CLAIM`, `expect CLAIM` | waits until a claim holds; fails if it does not |
//! | `well` | fails if the page is wider than the window, a text has a hole in it, or something went wrong |
//! | `picture NAME` | photographs the page |
//! | `for NAME in VALUE \| VALUE` | takes the steps that are indented below it with each of these values |
//! | `for NAME \| NAME` | does so with each row of the table below it, whose lines begin with `\|` |
//!
//! A claim is `SELECTOR` or `no SELECTOR`, if an element is or is not there; or it names what is looked at (`SELECTOR`,
//! for its text, `count SELECTOR`, `value EXPRESSION`), then `is`, `is not`, `has`, `lacks`, `begins` or `ends`, and a
//! text or JSON.

mod claim;

use std::collections::BTreeMap;
use std::path::Path;

use dovemate_analysis::level::Level;
use serde_json::{Value, json};

use self::claim::Claim;
use super::browser::{Browser, Engine};
use super::folders::Folder;
use super::server::{Server, serve_at};
use super::{WIN_IN_5, wait_for, waited};

/// The most bytes of a picture in `doc/`.
const MAX_PICTURE: usize = 160_000;

pub struct Tour {
    pub page: Box<Browser>,
    /// The values of names in steps.
    names: BTreeMap<String, String>,
    server: Option<Server>,
    /// The folder with the file of an exported page.
    folder: Option<Folder>,
    /// What runs before the scripts of a page.
    before: Option<Value>,
    /// The address of the page.
    address: String,
    /// The port of the server before, or 0 for any free one.
    port: String,
    /// The step that is taken, for messages about failures.
    step: String,
}

impl Drop for Tour {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in the step: {}", self.step);
        }
    }
}

/// Takes the steps of a file in `tours/` in this browser, if browsers are asked for.
pub fn walk(engine: Engine, name: &str) {
    if let Some(mut tour) = Tour::start(Browser::start(engine)) {
        tour.walk(name);
    }
}

impl Tour {
    /// A tour in this browser.
    pub fn start(browser: Option<Box<Browser>>) -> Option<Tour> {
        let mut page = browser?;
        page.before_scripts(concat!(include_str!("tour.js"), include_str!("tour/faults.js")));
        let levels = json!(Level::ALL.map(Level::name)).to_string();
        let names = [("WIN_IN_5", WIN_IN_5), ("VERSION", env!("CARGO_PKG_VERSION")), ("LEVELS", &levels)];
        let names = names.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let (address, port, step) = (String::new(), "0".to_owned(), String::new());
        Some(Tour { page, names, server: None, folder: None, before: None, address, port, step })
    }

    /// Lets a name stand for a value.
    pub fn name(&mut self, name: &str, value: &str) {
        self.names.insert(name.to_owned(), value.to_owned());
    }

    /// The value of a name.
    pub fn named(&self, name: &str) -> &str {
        &self.names[name]
    }

    /// Takes the steps of a file in `tours/`; nothing may have gone wrong in the page.
    pub fn walk(&mut self, name: &str) {
        self.walk_with_faults(name);
        self.is_well();
    }

    /// Takes the steps of a file in which the page is expected to complain.
    pub fn walk_with_faults(&mut self, name: &str) {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/tours").join(format!("{name}.tour"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        self.steps(&text);
    }

    /// Takes the steps of a text.
    pub fn steps(&mut self, text: &str) {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with("//"))
            .collect();
        self.block(&lines);
    }

    fn block(&mut self, mut lines: &[(usize, &str)]) {
        let indent = |line: &str| line.len() - line.trim_start().len();
        while let [(number, line), rest @ ..] = lines {
            let deeper = rest.iter().take_while(|(_, other)| indent(other) > indent(line)).count();
            let (body, rest) = rest.split_at(deeper);
            lines = rest;
            let step = self.filled(line.trim());
            self.step = format!("line {}: {step}", number + 1);
            match step.strip_prefix("for ") {
                Some(head) => self.each(head, body),
                None => {
                    let mut parts = step.split(" → ");
                    self.take(parts.next().unwrap_or_default());
                    parts.for_each(|claim| self.holds(claim, true));
                }
            }
        }
    }

    /// Takes the steps with each of the values, or with each row of the table before them.
    fn each(&mut self, head: &str, body: &[(usize, &str)]) {
        if let Some((name, values)) = head.split_once(" in ") {
            for value in values.split(" | ") {
                self.name(name, value);
                self.block(body);
            }
            return;
        }
        let names: Vec<&str> = head.split(" | ").collect();
        let rows = body.iter().take_while(|(_, line)| line.trim().starts_with('|')).count();
        let (rows, body) = body.split_at(rows);
        for (_, row) in rows {
            let row = self.filled(row);
            let values: Vec<&str> = row.trim().trim_start_matches('|').split('|').map(str::trim).collect();
            assert_eq!(values.len(), names.len(), "{row}");
            names.iter().zip(values).for_each(|(name, value)| self.name(name, value));
            self.block(body);
        }
    }

    /// A text with the values of its names. Braces with anything else in them stay.
    fn filled(&self, text: &str) -> String {
        self.names
            .iter()
            .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    fn take(&mut self, step: &str) {
        let (word, about) = step.split_once(' ').unwrap_or((step, ""));
        if self.address.is_empty() && ["open", "visit", "look"].contains(&word) {
            self.serve("");
        }
        let page = &mut *self.page;
        match word {
            "serve" => self.serve(about),
            "stop" => self.server = None,
            "export" => self.export(about),
            "open" => page.open(&format!("{}{about}", self.address)),
            "visit" => page.navigate(&format!("{}{about}", self.address)),
            "reload" => page.reload(),
            "size" => {
                let (width, height) = about.split_once(' ').expect("a width and a height");
                let [width, height] = [width, height].map(|size| size.parse().expect("a number"));
                page.resize(width, height);
                let is_there = format!("innerWidth === {width} && innerHeight === {height}");
                page.until(&format!("document.body.dataset.ready !== 'yes' || {is_there}"));
            }
            "dark" | "light" => page.prefer_dark(word == "dark"),
            "send" => {
                let (command, parameters) = about.split_once(' ').expect("a command and JSON");
                page.send(command, serde_json::from_str(parameters).expect("JSON"));
            }
            "before" => self.run_before(about),
            "click" => page.click(about),
            "drag" => {
                let (from, to) = about.split_once(" onto ").expect("from one onto another");
                page.drag(from, to);
            }
            "key" => about.split(' ').for_each(|key| page.key(if key == "Space" { " " } else { key })),
            "tab" => self.tab_to(about),
            "set" => {
                let (selector, value) = about.rsplit_once(" =").expect("a field and a value");
                set(page, selector, value.trim_start());
            }
            "act" => self.act(about),
            "paste" => self.paste(about),
            // The value of the expression may have no form in JSON.
            "do" => drop(self.value(&format!("Promise.resolve({about}).then(() => null)"))),
            "let" => {
                let (name, expression) = about.split_once(" = ").expect("a name and an expression");
                let value = self.value(expression);
                self.name(name, &value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
            "look" => self.look_ahead(about.trim_start_matches("ahead").trim()),
            "until" => self.holds(about, true),
            "expect" => self.holds(about, false),
            "well" => self.is_well(),
            "picture" => self.photograph(about),
            other => panic!("no such step: {other}"),
        }
    }

    /// Opens pages at this address from now on.
    pub fn from(&mut self, url: &str) {
        self.address = url.to_owned();
    }

    fn serve(&mut self, options: &str) {
        let server = serve_at(&self.port, options);
        self.address = server.url.clone();
        self.port = server.port().to_owned();
        self.name("ADDRESS", &server.url);
        self.server = Some(server);
    }

    fn export(&mut self, options: &str) {
        let folder = Folder::new();
        folder.dovemate(&format!("serve --export board.html {options}")).succeeds();
        self.address = format!("file://{}", folder.join("board.html").display());
        self.folder = Some(folder);
    }

    /// Clicks what a legal action needs: its dove, then its cell or the hand.
    fn act(&mut self, action: &str) {
        let module = if self.folder.is_some() { "session.js" } else { "./session.js" };
        let found = self.page.value(&format!(
            "import('{module}').then(({{ session }}) => {{ const {{ kind, dove, to }} = session.legal({}); return [kind, dove, String(to)] }})",
            json!(action)
        ));
        let [kind, dove, to] = [0, 1, 2].map(|index| found[index].as_str().expect("text"));
        self.page.click(&format!("[data-dove={dove}]"));
        match kind {
            "return" => self.page.click("[data-return]"),
            _ => self.page.click(&format!("[data-cell='{to}']")),
        }
    }

    fn run_before(&mut self, script: &str) {
        if let Some(before) = self.before.take() {
            self.page.send("Page.removeScriptToEvaluateOnNewDocument", before);
        }
        // The blank page that comes first may lack what the script needs.
        let script = format!("if (location.protocol !== 'about:') {{ {script} }}");
        self.before = Some(self.page.before_scripts(&script));
    }

    fn tab_to(&mut self, selector: &str) {
        // Tab passes over what is disabled until there is an answer.
        let page = &mut self.page;
        let selector = json!(selector);
        page.until(&format!("document.querySelector({selector}).matches(':enabled')"));
        let all =
            page.value("document.querySelectorAll('a, button, input, select, summary, textarea').length");
        for _ in 0..2 * all.as_u64().expect("a number") {
            if page.value(&format!("document.activeElement.matches({selector})")) == true {
                return;
            }
            page.key("Tab");
        }
        panic!("not reached by Tab");
    }

    fn paste(&mut self, text: &str) {
        let page = &mut self.page;
        // When values come, the page makes room for them, and a click at that moment misses.
        while page.value("document.getElementById('paste-text') === null") == true {
            page.click("[data-do=paste]");
        }
        let text = text.replace("\\n", "\n").replace("\\t", "\t");
        page.value(&format!("document.getElementById('paste-text').value = {}", json!(text)));
        page.click("[data-do=take]");
    }

    /// The value of an expression, in which the names of `tour.js` and of the page's modules are known.
    pub fn value(&mut self, expression: &str) -> Value {
        self.page.value(&in_page(expression))
    }

    /// Lets the server find out all about a board with red to move, or the position that the page shows, which is
    /// decided within 5 plies: so it answers at once what the page asks about it, however fast the machine is.
    fn look_ahead(&mut self, board: &str) {
        let place = match board {
            "" => self.value("boardText(session.place.doves) + '&to_move=' + session.place.mover"),
            board => json!(board),
        };
        let question = format!("board={}&depth=5&seconds=2", place.as_str().expect("text"));
        let server = self.server.as_ref().expect("a server");
        server.searched(&format!("api/position?{question}"));
        wait_for("the whole line", || {
            (server.searched(&format!("api/line?{question}"))["result"] != "unfinished").then_some(())
        });
    }

    /// Fails if the page is wider than the window, a text has a hole in it, or something went wrong.
    pub fn is_well(&mut self) {
        self.holds("value beyond() is 0", false);
        self.holds("value holes() is null", false);
        // The view *Count* looks for a GPU, and a tour may have stopped the server.
        let expected = ["No available adapters", "ERR_CONNECTION_REFUSED"];
        let is_fault = |text: &&String| !expected.iter().any(|part| text.contains(part));
        let faults = self.page.complaints().iter().filter(is_fault);
        assert_eq!(faults.collect::<Vec<_>>(), Vec::<&String>::new());
    }

    /// With `DOVEMATE_PICTURES=doc`, pictures are saved there.
    fn photograph(&mut self, name: &str) {
        let picture = self.page.photograph();
        assert!((10_000..MAX_PICTURE).contains(&picture.len()), "{name}: {} bytes", picture.len());
        if let Some(folder) = std::env::var_os("DOVEMATE_PICTURES") {
            let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(folder);
            std::fs::write(path.join(format!("board-{name}.png")), picture).expect("a write");
        }
    }

    /// Fails if a claim does not hold; with `waits`, if it never does.
    fn holds(&mut self, text: &str, waits: bool) {
        let claim = Claim::read(text);
        let mut found = Value::Null;
        let mut look = || {
            found = self.page.value(&claim.expression());
            claim.holds(&found).then_some(())
        };
        let holds = if waits { waited(look) } else { look() };
        if holds.is_none() {
            let complaints = self.page.complaints().join("\n");
            let page = self.page.value("document.body.innerText");
            let page = page.as_str().unwrap_or_default();
            panic!("not so: {text}\nfound: {found}\ncomplaints: {complaints}\nthe page:\n{page}");
        }
    }
}

/// Gives a field or a list this value, as a user does who then leaves it.
fn set(page: &mut Browser, selector: &str, value: &str) {
    page.value(&format!(
        "(() => {{ const field = document.querySelector({}); field.value = {}; \
         field.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()",
        json!(selector),
        json!(value)
    ));
}

/// An expression in which the names of `tour.js` and of the page's modules are known.
fn in_page(expression: &str) -> String {
    format!("(async () => {{ with (await tour.names()) return (\n{expression}\n) }})()")
}
