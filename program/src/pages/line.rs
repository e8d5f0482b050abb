//! A line of actions as one HTML page, with a picture of the board and one of every action. No network, no scripts.

use maud::html;

use super::{document, image_url, variant};
use dovemate::ask::{Line, texts};
use dovemate::picture::svg::Picture;
use dovemate::rules::{Board, Color, Game};

const STYLE: &str = include_str!("page.css");

/// What the page shows.
pub struct LinePage<'a> {
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
        let title = format!("Tokyo Doves: {}", self.title);
        let boards: Vec<&Board> = std::iter::once(self.board).chain(self.line.iter().map(|(_, after)| after)).collect();
        let picture = |board: &Board, actions, caption: &str| {
            let svg = Picture { board, actions, caption, has_paper: true }.svg_in(&self.game);
            html! { li { img src=(image_url(&svg)) alt={ "Board " (board) ", " (caption) }; } }
        };
        let player = |ply: usize| if ply.is_multiple_of(2) { self.mover } else { self.mover.opponent() };
        let caption = |ply: usize| format!("{}. {} {}", ply + 1, player(ply).name(), texts[ply]);
        let worth = self.worth.as_ref().map(|worth| format!(": {worth}")).unwrap_or_default();
        let first = format!("{} to move{worth}", self.mover.name());
        let body = html! {
            header {
                h1 { (title) }
                p {
                    "From " code { (self.board) } " with " (self.mover.name()) " to move, " (self.about) ". Red doves are discs with \
                     upper-case letters, green ones squares with lower-case letters; the marks say how a dove moves, and thick bars are walls." (variant(self.game.rules))
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
            footer { p { code { (texts.join(" ")) } } p { "Made with " code { (self.command) } } }
        };
        document(&title, "light", STYLE, &body)
    }
}
