//! Every page as one self-contained HTML document: no network, no scripts.
//!
//! [`puzzles`] has a sheet of puzzles with their solutions, [`line`](mod@line) a line of play.

pub mod line;
pub mod puzzles;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use dovemate::ask::{Line, texts};
use dovemate::picture::svg::{Picture, Theme};
use dovemate::rules::{Action, Board, Color, Game};
use dovemate_web::texts::Language;

/// The style of pages for printing.
const STYLE: &str = include_str!("page.css");

/// A self-contained HTML document. `color_scheme` is the one that its style supports: `light`, or `light
/// dark`.
pub(crate) fn document(
    language: Language,
    title: &str,
    color_scheme: &str,
    style: &str,
    body: &Markup,
) -> String {
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

/// How pictures of boards look on a page.
#[derive(Clone, Copy)]
struct Boards {
    language: Language,
    /// Doves of other games are not shown in hand.
    game: Game,
}

impl Boards {
    /// A picture of a board, with the actions that lead from it to the one that is drawn, and with its
    /// description.
    fn picture(self, board: &Board, actions: &[(Action, Board)], caption: &str, described: &str) -> Markup {
        let Boards { language, game } = self;
        let hand_words = language.hand_words();
        let theme = Theme::Light;
        let svg = Picture { board, actions, caption, theme, hand_words, is_turned: false }.svg(&game);
        html! { img src=(image_url(&svg)) alt=(language.board_alt(board, described)); }
    }

    /// The items of a list: the board at the beginning, with this caption, and every action of a line.
    fn line(self, board: &Board, mover: Color, line: &Line, first: &str) -> Markup {
        let texts = texts(board, line);
        let boards = std::iter::once(board).chain(line.iter().map(|(_, after)| after));
        let step = |((ply, board), step): ((usize, &Board), _)| {
            let player = if ply.is_multiple_of(2) { mover } else { mover.opponent() };
            let caption = format!("{}. {} {}", ply + 1, self.language.color(player), texts[ply]);
            self.picture(board, std::slice::from_ref(step), &caption, &caption)
        };
        html! {
            li { (self.picture(board, &[], first, first)) }
            @for picture in boards.enumerate().zip(line).map(step) { li { (picture) } }
        }
    }
}

/// An SVG document as the URL of an image.
fn image_url(svg: &str) -> String {
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

fn escaped(text: &str) -> String {
    html! { (text) }.into_string()
}
