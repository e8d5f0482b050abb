//! The files of the board page, as a server sends them, and the page as one file that needs no server.
//!
//! The page is plain HTML, CSS and ES modules in `page/`, put together when the program is built. The doves are those
//! of [`dovemate::picture::svg`].

use data_encoding::BASE64;

use super::{count, embedded};
use dovemate::ask::level::{Level, Skill};
use dovemate::internals::literal::LiteralSolution;
use dovemate::picture::{rules, svg};
use dovemate::rules::Game;

/// The page with its placeholders, and the style sheet.
const HTML: &str = include_str!("page/index.html");
const CSS: &str = include_str!("page/style.css");

/// The media type of pictures.
const SVG: &str = "image/svg+xml";

/// The modules by name, each after those that it imports.
const MODULES: &[(&str, &str)] = &[
    ("storage.js", include_str!("page/storage.js")),
    ("theme.js", include_str!("page/theme.js")),
    ("rules.js", include_str!("page/rules.js")),
    ("words.js", include_str!("page/words.js")),
    ("board.js", include_str!("page/board.js")),
    ("chart.js", include_str!("page/chart.js")),
    ("session.js", include_str!("page/session.js")),
    ("solved.js", include_str!("page/solved.js")),
    ("openings.js", include_str!("page/openings.js")),
    ("search.js", include_str!("page/search.js")),
    ("estimate.js", include_str!("page/estimate.js")),
    ("offline.js", include_str!("page/offline.js")),
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
    ("card.js", include_str!("page/card.js")),
    ("count.js", include_str!("page/count.js")),
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
    files.extend(MODULES.iter().copied().map(module));
    let picture = |(name, svg): (String, String)| file(&format!("/rules/{name}"), SVG, svg);
    files.extend(rules::pictures().into_iter().map(picture));
    files
}

/// The page's HTML with these lines in its head and at the end of its body.
fn document(game: &Game, head: &str, foot: &str) -> String {
    let levels = Level::ALL.into_iter().map(|level| {
        let Skill { plies, chance, overlooked: [threats, wins], .. } = level.skill();
        let plies = plies.map_or(String::new(), |plies| plies.to_string());
        format!("{level}:{plies}:{threats}:{wins}:{chance}")
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

/// The most doves, bosses included, of a game that is solved for an exported page.
const MAX_SOLVED: u32 = 6;

/// The page as one file that needs neither a server nor a network: with the game solved in it if it is small, otherwise
/// with the openings of the whole game, and with a search. It also has what counts all mates in the browser.
pub fn export(game: &Game) -> String {
    let data = |kind: &str, text: &str| format!("data:{kind};base64,{}", BASE64.encode(text.as_bytes()));
    // A module that is a data URL has no folder, so it imports by bare names, which the import map resolves.
    let bare = |text: &str| text.replace("from \"./", "from \"");
    let modules = MODULES.iter().map(|&(name, text)| (name, data("text/javascript", &bare(text))));
    let imports = serde_json::json!({ "imports": serde_json::Map::from_iter(modules.map(|(name, url)| (name.into(), url.into()))) });
    let policy = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:";
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{}</style>\n<script type=\"importmap\">{imports}</script>",
        style()
    );
    let named = |(name, svg): (String, String)| (name.trim_end_matches(".svg").to_owned(), data(SVG, &svg).into());
    let pictures = serde_json::Map::from_iter(rules::pictures().into_iter().map(named));
    let pictures = serde_json::Value::Object(pictures);
    let (name, values) = match game.most_doves() <= MAX_SOLVED {
        true => ("solved", embedded::solved(&LiteralSolution::new(*game))),
        false => ("openings", embedded::openings()),
    };
    let count = serde_json::Value::from(embedded::compressed(count::count(game.rules).as_bytes()));
    let scripts = [(name, values), ("pictures", pictures), ("count", count), ("model", embedded::model().into())];
    let script = |(id, json): &(&str, serde_json::Value)| {
        format!("<script type=\"application/json\" id=\"{id}\">{json}</script>\n")
    };
    let foot = scripts.iter().map(script).collect::<String>() + "<script type=\"module\">import \"app.js\";</script>";
    document(game, &head, &foot).replace("href=\"icon.svg\"", &format!("href=\"{}\"", data(SVG, &icon())))
}
