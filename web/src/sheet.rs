//! A sheet of puzzles to print, as HTML: first the boards, then the solutions on a separate page. The program writes it
//! to a file, the board page prints it.

use form_urlencoded::byte_serialize;

use crate::texts::Language;
use dovemate::ask::{Puzzle, texts};
use dovemate::picture::svg::{Picture, Theme};
use dovemate::rules::Game;

/// The style, both within the board page and for a separate document.
pub(crate) const STYLE: &str = include_str!("../page/sheet.css");

/// Puzzles of one game that are won in the same number of plies.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The game.
    pub game: Game,
    /// The puzzles, in order.
    pub puzzles: Vec<Puzzle>,
}

impl Sheet {
    /// A separate document, without scripts or links, that names the command line it was made with.
    pub fn document(&self, language: Language, command: &str) -> String {
        let command = command.replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{}</title><style>{STYLE}</style></head>\
             <body class=\"sheet\">{}<footer><p>{}<code>{command}</code></p></footer></body></html>\n",
            language.tag(),
            self.title(language),
            self.html(language),
            language.made_with(),
        )
    }

    /// The elements of the sheet.
    pub fn html(&self, language: Language) -> String {
        let returns = if self.game.rules.returns { language.cells_returns() } else { String::new() };
        let others = if self.is_unique() { language.no_other_way() } else { language.maybe_other_ways() };
        format!(
            "<h1>{}</h1><p>{}</p><ol class=\"boards\">{}</ol>\
             <section class=\"solutions\"><h2>{}</h2><p>{}{others}</p><ol>{}</ol></section>",
            self.title(language),
            self.task(language),
            (1..)
                .zip(&self.puzzles)
                .map(|(number, puzzle)| self.board(language, number, puzzle))
                .collect::<String>(),
            language.solutions(),
            language.cells_named(returns),
            self.puzzles.iter().map(solution).collect::<String>(),
        )
    }

    fn plies(&self) -> u32 {
        self.puzzles.first().map_or(0, |puzzle| puzzle.plies)
    }

    fn is_unique(&self) -> bool {
        self.puzzles.iter().all(|puzzle| puzzle.is_unique)
    }

    fn title(&self, language: Language) -> String {
        let number = match self.puzzles.len() {
            1 => language.one_puzzle(),
            number => language.many_puzzles(number),
        };
        language.puzzles_title(number, language.plies(self.plies()))
    }

    fn task(&self, language: Language) -> String {
        let own = self.plies().div_ceil(2);
        let turns = if own == 1 { language.task_one() } else { language.task_many(own) };
        let one = if self.is_unique() && own > 1 { language.task_unique() } else { String::new() };
        language.task(turns, one) + &language.signs_of_doves() + &language.unusual_rules(self.game.rules)
    }

    fn board(&self, language: Language, number: usize, Puzzle { board, mover, .. }: &Puzzle) -> String {
        let to_move = language.whose_turn(language.color(*mover));
        let caption = format!("{number}. {to_move}");
        let hand_words = language.hand_words();
        let (theme, actions) = (Theme::Light, &[][..]);
        let picture = Picture { board, actions, caption: &caption, theme, hand_words, is_turned: false };
        let svg = byte_serialize(picture.svg(&self.game).as_bytes()).collect::<String>().replace('+', "%20");
        let described = language.board_alt(board, to_move);
        format!("<li><img src=\"data:image/svg+xml,{svg}\" alt=\"{described}\"></li>")
    }
}

fn solution(puzzle: &Puzzle) -> String {
    match &*texts(&puzzle.board, &puzzle.line) {
        [key, rest @ ..] => {
            format!("<li><strong>{key}</strong> {} <code>{}</code></li>", rest.join(" "), puzzle.board)
        }
        [] => String::new(),
    }
}
