//! Puzzles as one printable HTML page: the boards first, the solutions on a separate sheet. No network, no scripts.

use maud::{Markup, html};

use super::{document, image_url, variant};
use dovemate::ask::{Puzzle, texts};
use dovemate::internals::digits::plies;
use dovemate::picture::svg::Picture;
use dovemate::rules::Game;

const STYLE: &str = include_str!("page.css");

/// What the page shows.
pub struct PuzzlePage<'a> {
    /// The game.
    pub game: Game,
    /// The puzzles, in order.
    pub puzzles: &'a [Puzzle],
    /// The number of plies in which they are won.
    pub plies: u32,
    /// Whether each puzzle has a single solution.
    pub is_unique: bool,
    /// What the puzzles were drawn from, and how.
    pub origin: String,
    /// The command line that made the page.
    pub command: String,
}

impl PuzzlePage<'_> {
    /// The page as an HTML document.
    pub fn html(&self) -> String {
        let title = format!("Tokyo Doves: {} to be won in {}", count(self.puzzles.len()), plies(self.plies));
        let body = html! {
            header {
                h1 { (title) }
                p { (self.task()) }
            }
            main {
                ol.boards { @for (index, puzzle) in self.puzzles.iter().enumerate() { (self.puzzle(index, puzzle)) } }
            }
            section.solutions {
                h2 { "Solutions" }
                p {
                    "Cells are relative to the red boss, for both players: N up, S down, E right, W left. +AN2E1 puts an Aniki, \
                     mE2 moves a Mamedeppo there" @if self.game.rules.returns { ", -t returns a Totsu" } ". The defences shown are the \
                     longest possible. "
                    @if self.is_unique {
                        "Up to the last action there is no other way to win in time."
                    } @else {
                        "There may be other ways."
                    }
                }
                ol { @for puzzle in self.puzzles { (solution(puzzle)) } }
                footer { p { (self.origin) } p { "Made with " code { (self.command) } } }
            }
        };
        document(&title, "light", STYLE, &body)
    }

    fn task(&self) -> String {
        let own = self.plies.div_ceil(2);
        let turns = if own == 1 { "one action".to_owned() } else { format!("at most {own} actions") };
        let one = if self.is_unique && own > 1 { ", in one way only up to the last action" } else { "" };
        format!(
            "The player to move wins with {turns} of their own, whatever the opponent does{one}. Red doves are \
             discs with upper-case letters, green ones squares with lower-case letters; the marks say how a dove moves, and \
             thick bars are walls.{}",
            variant(self.game.rules)
        )
    }

    fn puzzle(&self, index: usize, puzzle: &Puzzle) -> Markup {
        let caption = format!("{}. {} to move", index + 1, puzzle.mover.name());
        let svg = Picture { board: &puzzle.board, actions: &[], caption: &caption, has_paper: true }.svg_in(&self.game);
        let alt = format!("Board {}, {} to move", puzzle.board, puzzle.mover.name());
        html! { li { img src=(image_url(&svg)) alt=(alt); } }
    }
}

fn solution(puzzle: &Puzzle) -> Markup {
    let texts = texts(&puzzle.board, &puzzle.line);
    let (key, rest) = texts.split_first().expect("a win has an action");
    html! {
        li {
            strong { (key) } " " (rest.join(" "))
            " " code { (puzzle.board) }
        }
    }
}

fn count(puzzles: usize) -> String {
    if puzzles == 1 { "a puzzle".to_owned() } else { format!("{puzzles} puzzles") }
}
