//! A line of actions as one HTML page, with a picture of the board and one of every action. No network, no scripts.

use maud::{PreEscaped, html};

use super::{document, escaped, image_url};
use crate::texts::Language;
use dovemate::ask::{Line, texts};
use dovemate::picture::svg::Picture;
use dovemate::rules::{Board, Color, Game};

const STYLE: &str = include_str!("page.css");

/// What the page shows.
pub struct LinePage<'a> {
    /// The language.
    pub language: Language,
    /// The game.
    pub game: Game,
    /// The board at the beginning.
    pub board: &'a Board,
    /// The player to move on it.
    pub mover: Color,
    /// What the line is, in words, as in *win in 5 for red*.
    pub title: String,
    /// How the line came about, as the end of a sentence.
    pub about: &'a str,
    /// What is known of the first position, in words, if anything is.
    pub worth: Option<String>,
    /// The actions, each with the board it leads to.
    pub line: &'a Line,
    /// The command line that made the page.
    pub command: String,
}

impl LinePage<'_> {
    /// The page as an HTML document.
    pub fn html(&self) -> String {
        let texts = texts(self.board, self.line);
        let language = self.language;
        let title = language.page_title(&self.title);
        let boards: Vec<&Board> = std::iter::once(self.board).chain(self.line.iter().map(|(_, after)| after)).collect();
        let picture = |board: &Board, actions, caption: &str| {
            let svg = Picture { board, actions, caption, has_paper: true, hand_words: language.hand_words() }
                .svg_in(&self.game);
            html! { li { img src=(image_url(&svg)) alt=(language.board_alt(board, caption)); } }
        };
        let player = |ply: usize| if ply.is_multiple_of(2) { self.mover } else { self.mover.opponent() };
        let caption = |ply: usize| language.step(ply + 1, language.color(player(ply)), &texts[ply]);
        let mover = language.color(self.mover);
        let first = match &self.worth {
            Some(worth) => language.to_move_worth(&mover, worth),
            None => language.to_move(&mover),
        };
        let body = html! {
            header {
                h1 { (title) }
                p {
                    (PreEscaped(language.line_from(self.board, &mover, escaped(self.about))))
                    (language.signs_of_doves()) (language.unusual_rules(self.game.rules))
                }
            }
            main {
                ol.boards {
                    (picture(self.board, &[], &first))
                    @for (ply, step) in self.line.iter().enumerate() {
                        (picture(boards[ply], std::slice::from_ref(step), &caption(ply)))
                    }
                }
            }
            footer { p { code { (texts.join(" ")) } } p { (language.made_with()) code { (self.command) } } }
        };
        document(language, &title, "light", STYLE, &body)
    }
}
