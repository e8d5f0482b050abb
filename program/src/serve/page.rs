//! The files of the board page, as a server sends them, and the page as one file that needs no server.
//!
//! The page is plain HTML, CSS and ES modules in `page/`, put together when the program is built. The doves are those
//! of [`dovemate::picture::svg`].

use data_encoding::BASE64;
use serde::Serialize;

use dovemate::Value;
use dovemate::ask::level::Level;
use dovemate::internals::literal::{LiteralPosition, LiteralSolution};
use dovemate::picture::{rules, svg};
use dovemate::rules::{Color, Dove, Game, Kind};

/// The page with its placeholders, and the style sheet.
const HTML: &str = include_str!("page/index.html");
const CSS: &str = include_str!("page/style.css");

/// The media type of pictures.
const SVG: &str = "image/svg+xml";

/// The modules by name, each after those that it imports.
const MODULES: [(&str, &str); 20] = [
    ("storage.js", include_str!("page/storage.js")),
    ("theme.js", include_str!("page/theme.js")),
    ("rules.js", include_str!("page/rules.js")),
    ("words.js", include_str!("page/words.js")),
    ("board.js", include_str!("page/board.js")),
    ("chart.js", include_str!("page/chart.js")),
    ("session.js", include_str!("page/session.js")),
    ("source.js", include_str!("page/source.js")),
    ("record.js", include_str!("page/record.js")),
    ("ending.js", include_str!("page/ending.js")),
    ("review.js", include_str!("page/review.js")),
    ("analysis.js", include_str!("page/analysis.js")),
    ("game.js", include_str!("page/game.js")),
    ("picture.js", include_str!("page/picture.js")),
    ("preview.js", include_str!("page/preview.js")),
    ("learn.js", include_str!("page/learn.js")),
    ("play.js", include_str!("page/play.js")),
    ("puzzle.js", include_str!("page/puzzle.js")),
    ("setup.js", include_str!("page/setup.js")),
    ("app.js", include_str!("page/app.js")),
];

/// A file that is sent.
pub struct File {
    pub path: String,
    /// Its media type.
    pub kind: &'static str,
    pub content: String,
}

/// All files of the page, for a server of this game.
pub fn files(game: &Game) -> Vec<File> {
    let file = |path: &str, kind, content: String| File { path: path.to_owned(), kind, content };
    let head = "<link rel=\"stylesheet\" href=\"style.css\">\n<script type=\"module\" src=\"app.js\"></script>";
    let mut files = vec![
        file("/", "text/html; charset=utf-8", document(game, head, "")),
        file("/style.css", "text/css; charset=utf-8", style()),
        file("/icon.svg", SVG, icon()),
    ];
    let module = |(name, text): (&str, &str)| file(&format!("/{name}"), "text/javascript; charset=utf-8", text.into());
    files.extend(MODULES.map(module));
    let picture = |(name, svg): (String, String)| file(&format!("/rules/{name}"), SVG, svg);
    files.extend(rules::pictures().into_iter().map(picture));
    files
}

/// The page's HTML with these lines in its head and at the end of its body.
fn document(game: &Game, head: &str, foot: &str) -> String {
    let levels = Level::ALL.into_iter().map(|level| match level.plies() {
        Some(plies) => format!("{level}:{plies}"),
        None => level.name().to_owned(),
    });
    let settings = [
        ("red", game.red.to_string()),
        ("green", game.green.to_string()),
        ("returns", if game.rules.returns { "yes" } else { "no" }.to_owned()),
        ("both-surrounded", game.rules.both_surrounded.name().to_owned()),
        ("levels", levels.collect::<Vec<_>>().join(" ")),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let settings: String = settings.iter().map(|(key, value)| format!(" data-{key}=\"{value}\"")).collect();
    HTML.replace("<!-- head -->", head)
        .replace("<!-- doves -->", &svg::definitions())
        .replace("<!-- foot -->", foot)
        .replace("<body", &format!("<body{settings}"))
}

fn style() -> String {
    format!("{}{CSS}", svg::STYLE)
}

/// The red boss.
fn icon() -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-20 -20 40 40\"><style>{}</style>{}<use href=\"#red-boss\"/></svg>",
        svg::STYLE,
        svg::definitions()
    )
}

/// A solved game as the page reads it: see `source.js`.
#[derive(Serialize)]
struct Embedded {
    /// The numbers of the positions that are won or lost, ascending, each as its difference from the one before.
    keys: String,
    /// Their distances: twice the plies, plus one for a loss.
    plies: String,
}

/// The most doves, bosses included, of a game that the page can hold.
pub const MAX_EMBEDDED: u32 = 6;

/// The page as one file that needs neither a server nor a network, with a solved game in it.
///
/// # Panics
/// If the game has more than [`MAX_EMBEDDED`] doves.
pub fn export(solved: &LiteralSolution) -> String {
    let game = *solved.game();
    assert!(game.most_doves() <= MAX_EMBEDDED, "the game is too large for a page");
    let data = |kind: &str, text: &str| format!("data:{kind};base64,{}", BASE64.encode(text.as_bytes()));
    // A module that is a data URL has no folder, so it imports by bare names, which the import map resolves.
    let bare = |text: &str| text.replace("from \"./", "from \"");
    let modules = MODULES.map(|(name, text)| (name, data("text/javascript", &bare(text))));
    let imports = serde_json::json!({ "imports": serde_json::Map::from_iter(modules.map(|(name, url)| (name.into(), url.into()))) });
    let policy = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:";
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{}</style>\n<script type=\"importmap\">{imports}</script>",
        style()
    );
    let named = |(name, svg): (String, String)| (name.trim_end_matches(".svg").to_owned(), data(SVG, &svg).into());
    let pictures = serde_json::Map::from_iter(rules::pictures().into_iter().map(named));
    let pictures = serde_json::Value::Object(pictures);
    let values = serde_json::to_string(&embedded(solved)).expect("it is JSON");
    let foot = format!(
        "<script type=\"application/json\" id=\"solved\">{values}</script>\n<script type=\"application/json\" id=\"pictures\">{pictures}</script>\n<script type=\"module\">import \"app.js\";</script>"
    );
    document(&game, &head, &foot).replace("href=\"icon.svg\"", &format!("href=\"{}\"", data(SVG, &icon())))
}

fn embedded(solved: &LiteralSolution) -> Embedded {
    let game = solved.game();
    let distance = |value| match value {
        Value::Draw => None,
        Value::Win(plies) => Some(2 * u64::from(plies)),
        Value::Lose(plies) => Some(2 * u64::from(plies) + 1),
    };
    let decided = solved.iter().filter_map(|(position, value)| Some((number(game, position), distance(value)?)));
    let mut decided: Vec<(u64, u64)> = decided.collect();
    decided.sort_unstable();
    let mut last = 0;
    let steps = decided.iter().map(|&(number, _)| number - std::mem::replace(&mut last, number));
    Embedded { keys: packed(steps), plies: packed(decided.iter().map(|&(_, plies)| plies)) }
}

/// Numbers in base64: 7 bits a byte, the lowest first; every byte of a number but its last has the highest bit set.
fn packed(numbers: impl Iterator<Item = u64>) -> String {
    let mut bytes = Vec::new();
    for mut number in numbers {
        while number >= 1 << 7 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    BASE64.encode(&bytes)
}

/// The number of a position: whether green is to move, then the square of each dove of the game in the order of the
/// codes, recoloured so that the mover is red. A dove that can be in hand has its square plus 1, and 0 in hand.
fn number(game: &Game, position: LiteralPosition) -> u64 {
    let is_green = position.mover() == Color::Green;
    let (red, green) = if is_green { (game.green, game.red) } else { (game.red, game.green) };
    let squares: Vec<(Dove, u32)> = position.code().doves().collect();
    let doves = Kind::ALL.into_iter().flat_map(|kind| Color::ALL.map(|color| Dove::new(color, kind)));
    let in_game = doves.filter(|dove| if dove.color == Color::Red { red } else { green }.contains(dove.kind));
    in_game.fold(u64::from(is_green), |number, dove| {
        let square = squares.iter().find(|(other, _)| *other == dove).map(|&(_, square)| u64::from(square));
        match dove.kind {
            Kind::Boss => number * 16 + square.expect("a boss is on the board"),
            _ => number * 17 + square.map_or(0, |square| square + 1),
        }
    })
}
