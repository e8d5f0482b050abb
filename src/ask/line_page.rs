//! A line of actions as one HTML page: a picture of the board, and one of every action. No network, no scripts.

use maud::{DOCTYPE, PreEscaped, html};

use super::Line;
use crate::picture::svg::Picture;
use crate::report::image_url;
use crate::rules::{Board, Color, Game};

const STYLE: &str = include_str!("page.css");

/// What the page shows.
pub struct LinePage<'a> {
    /// The game.
    pub game: Game,
    /// The board at the beginning.
    pub board: &'a Board,
    /// The player to move on it.
    pub mover: Color,
    /// What the position is worth to that player, in words.
    pub worth: String,
    /// The actions, each with the board that it leads to.
    pub line: &'a Line,
    /// The actions as texts.
    pub texts: &'a [String],
    /// The command line that made the page.
    pub command: String,
}

impl LinePage<'_> {
    /// The page as an HTML document.
    pub fn html(&self) -> String {
        let title = format!("Tokyo Doves: {} for {}", self.worth, self.mover.name());
        let boards: Vec<&Board> = std::iter::once(self.board).chain(self.line.iter().map(|(_, after)| after)).collect();
        let picture = |board: &Board, actions, caption: &str| {
            let svg = Picture { board, actions, caption, has_paper: true }.svg_in(&self.game);
            html! { li { img src=(image_url(&svg)) alt={ "Board " (board) ", " (caption) }; } }
        };
        let player = |ply: usize| if ply.is_multiple_of(2) { self.mover } else { self.mover.opponent() };
        let caption = |ply: usize| format!("{}. {} {}", ply + 1, player(ply).name(), self.texts[ply]);
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light";
                    meta name="generator" content={ "dovemate " (env!("CARGO_PKG_VERSION")) };
                    title { (title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        h1 { (title) }
                        p {
                            "From " code { (self.board) } " with " (self.mover.name()) " to move, one line of best play: the winner hurries, \
                             the loser delays. Red doves are discs with upper-case letters, green ones squares with lower-case letters; \
                             the marks say how a dove moves, and thick bars are walls."
                        }
                    }
                    main {
                        ol.boards {
                            (picture(self.board, &[], &format!("{} to move: {}", self.mover.name(), self.worth)))
                            @for (ply, step) in self.line.iter().enumerate() {
                                (picture(boards[ply], std::slice::from_ref(step), &caption(ply)))
                            }
                        }
                    }
                    footer { p { code { (self.texts.join(" ")) } } p { "Made with " code { (self.command) } } }
                }
            }
        };
        markup.into_string()
    }
}
