//! The files of the board page for a server, and the whole page as one file that needs no server.
//!
//! The page consists of plain HTML, CSS and ES modules in `page/`, and of the library as WebAssembly. Its doves are
//! drawn by [`dovemate::picture::svg`].

use data_encoding::BASE64;
use miniz_oxide::deflate::compress_to_vec;
use serde_json::{Map, Value as Json};

use crate::sheet;
use dovemate::picture::{rules, svg};
use dovemate::rules::{Game, Rules};

/// The page with its placeholders, and the style sheet.
const HTML: &str = include_str!("../page/index.html");
const CSS: &str = include_str!("../page/style.css");

/// This package as WebAssembly, and its border to JavaScript: `web/build` makes both.
const MODULE: &[u8] = include_bytes!("../dovemate.wasm");
const BORDER: &str = include_str!("../dovemate.js");
const WORKER: &str = include_str!("../page/worker.js");

/// The service worker and the manifest that make a page installable.
const SERVICE: &str = include_str!("../page/service.js");
const MANIFEST: &str = include_str!("../page/manifest.webmanifest");

/// The media types.
const HTML_TYPE: &str = "text/html; charset=utf-8";
const CSS_TYPE: &str = "text/css; charset=utf-8";
const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";
const SVG_TYPE: &str = "image/svg+xml";
const WASM_TYPE: &str = "application/wasm";
const BYTES_TYPE: &str = "application/octet-stream";

/// The highest compression level that is still quick.
const COMPRESSION_LEVEL: u8 = 9;

/// The border and the given modules of `page/`, each with its name.
macro_rules! modules {
    ($($name:literal)*) => {
        &[("dovemate.js", BORDER), $(($name, include_str!(concat!("../page/", $name)))),*]
    };
}

/// The page's modules by name.
const MODULES: &[(&str, &str)] = modules! {
    "storage.js" "words.js" "brain.js" "position.js" "theme.js" "elements.js" "board.js"
    "session.js" "source.js" "analysis.js" "game.js" "picture.js" "learn.js" "play.js" "puzzle.js"
    "setup.js" "clock.js" "tallies.js" "count.js" "state.js" "view.js" "commands.js" "app.js"
};

/// The module that starts the page. It has no static imports, so that it can say what prevents the start.
const START: &str = include_str!("../page/start.js");

/// A file of the page.
pub struct File {
    /// Its path on the server.
    pub path: String,
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// The files of openings that a page loads: their names and contents.
pub type OpeningsFiles<'a> = [(&'a str, &'a [u8])];

/// All files of the page, for a server of this game. `network` is the server's address for other machines, if any.
pub fn files(game: &Game, openings: &OpeningsFiles, network: Option<&str>) -> Vec<File> {
    let file =
        |path: &str, kind, content: &[u8]| File { path: format!("/{path}"), kind, content: content.to_vec() };
    let text = |path: &str, kind, content: String| file(path, kind, content.as_bytes());
    let head =
        "<link rel=\"stylesheet\" href=\"style.css\">\n<script type=\"module\" src=\"start.js\"></script>";
    let mut files = vec![
        text("", HTML_TYPE, document(game, network, head, "")),
        text("style.css", CSS_TYPE, style()),
        text("icon.svg", SVG_TYPE, icon()),
        text("worker.js", SCRIPT_TYPE, worker()),
        file("dovemate.wasm", WASM_TYPE, MODULE),
    ];
    files.extend(MODULES.iter().map(|(name, content)| file(name, SCRIPT_TYPE, content.as_bytes())));
    files.push(file("start.js", SCRIPT_TYPE, START.as_bytes()));
    for (name, svg) in rules::pictures() {
        files.push(text(&format!("rules/{name}"), SVG_TYPE, svg));
    }
    for (name, content) in openings {
        files.push(file(&format!("openings/{name}.bin"), BYTES_TYPE, content));
    }
    files
}

/// The script of a worker as one classic script without imports, because in a page opened from a file a worker cannot
/// load other scripts.
fn worker() -> String {
    const IMPORT: &str = "import init, { Brain } from \"./dovemate.js\";\n";
    let border = BORDER.lines().filter(|line| !line.starts_with("export {"));
    let border: String =
        border.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line))).collect();
    format!("{border}const init = __wbg_init;\n{}", WORKER.replace(IMPORT, ""))
}

/// The page's HTML with these lines in its head and at the end of its body.
fn document(game: &Game, network: Option<&str>, head: &str, foot: &str) -> String {
    let Game { red, green, rules: Rules { returns, both_surrounded } } = game;
    let returns = if *returns { "yes" } else { "no" };
    let network = network.map_or(String::new(), |address| format!(" data-network=\"{address}\""));
    let body = format!(
        "<body data-red=\"{red}\" data-green=\"{green}\" data-returns=\"{returns}\" \
         data-both-surrounded=\"{both_surrounded}\"{network}"
    );
    HTML.replace("<!-- head -->", head)
        .replace("<!-- doves -->", &svg::definitions())
        .replace("<!-- foot -->", foot)
        .replace("<!-- repository -->", &link(env!("CARGO_PKG_REPOSITORY")))
        .replace("<body", &body)
}

/// A link to the repository, if it is published.
fn link(repository: &str) -> String {
    if repository.is_empty() {
        String::new()
    } else {
        format!(" · <a href=\"{repository}\">{repository}</a>")
    }
}

fn style() -> String {
    format!("{}{CSS}{}", svg::style_sheet(), sheet::STYLE)
}

/// The page's icon: the red boss.
fn icon() -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"60\" viewBox=\"-20 -20 40 40\">{}<use href=\"#red-boss\"/></svg>",
        svg::painted(&svg::definitions(), svg::LIGHT)
    )
}

/// The page of a game as one file that needs neither a server nor a network.
pub fn export(game: &Game, openings: &OpeningsFiles) -> String {
    whole(game, openings, ("", ""))
}

/// The page of a game as files for a static host, each with its name. A browser can install the page from there, and
/// then needs no network.
pub fn installable(game: &Game, openings: &OpeningsFiles) -> [(&'static str, String); 5] {
    // service.js recognises the page by this line.
    const LINK: &str = "<link rel=\"manifest\" href=\"manifest.webmanifest\">\n";
    const SOURCES: &str = " 'self'";
    let japanese = MANIFEST.replace("Tokyo Doves", "トウキョウのハト");
    [
        ("index.html", whole(game, openings, (LINK, SOURCES))),
        ("service.js", SERVICE.to_owned()),
        ("manifest.webmanifest", MANIFEST.to_owned()),
        ("manifest.ja.webmanifest", japanese.replace("\"en\"", "\"ja\"")),
        ("icon.svg", icon()),
    ]
}

/// The page in one file, with an additional line in its head and an additional source that its policy allows.
fn whole(game: &Game, openings: &OpeningsFiles, (link, sources): (&str, &str)) -> String {
    let data = |kind: &str, text: &str| format!("data:{kind};base64,{}", BASE64.encode(text.as_bytes()));
    // A module that is a data URL has no folder, so it imports by bare names, which the import map resolves.
    let bare = |text: &str| text.replace("from \"./", "from \"").replace("import(\"./", "import(\"");
    let modules =
        MODULES.iter().map(|&(name, text)| (name.to_owned(), data("text/javascript", &bare(text)).into()));
    let imports = serde_json::json!({ "imports": Map::from_iter(modules) });
    let policy = format!(
        "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; \
         worker-src blob:{sources}; style-src 'unsafe-inline'; img-src data:{sources}; manifest-src{sources}"
    );
    let head = format!(
        "{link}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{}</style>\n<script type=\"importmap\">{imports}</script>",
        style()
    );
    let named = |(name, svg): (String, String)| {
        (name.trim_end_matches(".svg").to_owned(), data(SVG_TYPE, &svg).into())
    };
    let pictures = Json::Object(Map::from_iter(rules::pictures().into_iter().map(named)));
    let worker = worker();
    let own = [("module", MODULE), ("worker", worker.as_bytes())];
    let openings = openings.iter().map(|(name, bytes)| (format!("openings-{name}"), *bytes));
    let all = own.iter().map(|(name, bytes)| (name.to_string(), *bytes)).chain(openings);
    let packed = all.map(|(id, bytes)| {
        let text = BASE64.encode(&compress_to_vec(bytes, COMPRESSION_LEVEL));
        format!("<script type=\"text/plain\" id=\"{id}\">{text}</script>\n")
    });
    let foot = packed.collect::<String>()
        + &format!("<script type=\"application/json\" id=\"pictures\">{pictures}</script>\n")
        + &format!("<script type=\"module\">{}</script>", bare(START));
    document(game, None, &head, &foot)
        .replace("href=\"icon.svg\"", &format!("href=\"{}\"", data(SVG_TYPE, &icon())))
}
