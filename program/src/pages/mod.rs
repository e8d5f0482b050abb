//! Every page as one self-contained HTML document: no network, no scripts.
//!
//! [`report`] has all results, [`puzzles`] a sheet of puzzles with their solutions, [`line`](mod@line) a line of play.

pub mod line;
pub mod puzzles;
pub mod report;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use dovemate::rules::{BothSurrounded, Rules};

/// A self-contained HTML document. `color_scheme` is the one that its style supports: `light`, or `light dark`.
pub(crate) fn document(title: &str, color_scheme: &str, style: &str, body: &Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content=(color_scheme);
                meta name="generator" content={ "dovemate " (env!("CARGO_PKG_VERSION")) };
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    markup.into_string()
}

/// A sentence on how rules differ from the usual ones, with a space before it; empty if they do not.
fn variant(rules: Rules) -> String {
    let both = match rules.both_surrounded {
        BothSurrounded::MoverLoses => None,
        BothSurrounded::MoverWins => Some("an action that surrounds both bosses wins"),
        BothSurrounded::Draw => Some("an action that surrounds both bosses is a draw"),
    };
    let returns = (!rules.returns).then_some("no dove goes back to the hand");
    let parts: Vec<&str> = returns.into_iter().chain(both).collect();
    if parts.is_empty() { String::new() } else { format!(" By the rules here, {}.", parts.join(", and ")) }
}

/// An SVG document as the URL of an image.
pub(crate) fn image_url(svg: &str) -> String {
    let mut url = "data:image/svg+xml,".to_owned();
    for byte in svg.bytes() {
        if byte.is_ascii_graphic() && !b"\"#%<>{}".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url += &format!("%{byte:02X}");
        }
    }
    url
}
