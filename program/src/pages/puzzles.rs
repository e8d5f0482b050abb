//! Puzzles as one printable HTML page: the boards first, the solutions on a separate sheet. No network, no
//! scripts.

use maud::{Markup, html};

use super::{Boards, STYLE, document};
use dovemate::ask::{Puzzle, texts};
use dovemate::rules::Game;
use dovemate_web::texts::Language;

/// What the page shows.
pub struct PuzzlePage<'a> {
    pub language: Language,
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
        let language = self.language;
        let number = match self.puzzles.len() {
            1 => language.one_puzzle(),
            number => language.many_puzzles(number),
        };
        let title = language.puzzles_title(number, language.plies(self.plies));
        let returns = if self.game.rules.returns { language.cells_returns() } else { String::new() };
        let body = html! {
            header {
                h1 { (title) }
                p { (self.task()) }
            }
            main {
                ol.boards { @for (index, puzzle) in self.puzzles.iter().enumerate() { (self.puzzle(index, puzzle)) } }
            }
            section.solutions {
                h2 { (language.solutions()) }
                p {
                    (language.cells_named(returns))
                    @if self.is_unique { (language.no_other_way()) } @else { (language.maybe_other_ways()) }
                }
                ol { @for puzzle in self.puzzles { (solution(puzzle)) } }
                footer { p { (self.origin) } p { (language.made_with()) code { (self.command) } } }
            }
        };
        document(language, &title, "light", STYLE, &body)
    }

    fn task(&self) -> String {
        let language = self.language;
        let own = self.plies.div_ceil(2);
        let turns = if own == 1 { language.task_one() } else { language.task_many(own) };
        let one = if self.is_unique && own > 1 { language.task_unique() } else { String::new() };
        language.task(turns, one) + &language.signs_of_doves() + &language.unusual_rules(self.game.rules)
    }

    fn puzzle(&self, index: usize, puzzle: &Puzzle) -> Markup {
        let to_move = self.language.whose_turn(self.language.color(puzzle.mover));
        let caption = format!("{}. {to_move}", index + 1);
        let boards = Boards { language: self.language, game: self.game, has_paper: true };
        html! { li { (boards.picture(&puzzle.board, &[], &caption, &to_move)) } }
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
