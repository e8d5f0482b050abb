//! A line of actions as one HTML page, with a picture of the board and one of every action. No network, no
//! scripts.

use maud::{PreEscaped, html};

use super::{Boards, STYLE, document, escaped};
use dovemate::ask::{Line, texts};
use dovemate::rules::{Board, Color, Game};
use dovemate_web::texts::Language;

/// What the page shows.
pub struct LinePage<'a> {
    pub language: Language,
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
        let boards = Boards { language, game: self.game, has_paper: true };
        let mover = language.color(self.mover);
        let first = match &self.worth {
            Some(worth) => language.to_move_worth(&mover, worth),
            None => language.whose_turn(&mover),
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
                ol.boards { (boards.line(self.board, self.mover, self.line, &first)) }
            }
            footer { p { code { (texts.join(" ")) } } p { (language.made_with()) code { (self.command) } } }
        };
        document(language, &title, "light", STYLE, &body)
    }
}
