//! Every page as one self-contained HTML document: no network, no scripts.
//!
//! [`report`] has all results, [`puzzles`] a sheet of puzzles with their solutions, [`line`](mod@line) a line of play.

pub mod line;
pub mod puzzles;
pub mod report;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::texts::Language;

/// A self-contained HTML document. `color_scheme` is the one that its style supports: `light`, or `light dark`.
pub(crate) fn document(language: Language, title: &str, color_scheme: &str, style: &str, body: &Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang=(language.tag()) {
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

/// Text as HTML.
fn escaped(text: &str) -> String {
    html! { (text) }.into_string()
}
