//! A sheet of puzzles to print, as HTML: first the boards, then, on a separate page, the solutions. The program writes
//! it to a file; the board page prints it.

use form_urlencoded::byte_serialize;

use crate::texts::Language;
use dovemate::picture::svg::{Picture, Theme};
use dovemate::rules::{Action, Board, Game, Kind};
use dovemate_analysis::{Puzzle, texts};

/// The style sheet, for the board page and for a separate document.
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
    /// A separate document, without scripts or links, which quotes the command line that made it.
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
            "<h1>{}</h1><p>{}</p><p>{}</p><ol class=\"boards\">{}</ol>\
             <section class=\"solutions\"><h2>{}</h2><p>{}{others}</p><ol>{}</ol></section>",
            self.title(language),
            self.task(language),
            self.moves(language),
            (1..)
                .zip(&self.puzzles)
                .map(|(number, puzzle)| self.board(language, number, puzzle))
                .collect::<String>(),
            language.solutions(),
            language.cells_named(returns),
            self.puzzles.iter().map(|puzzle| self.solution(language, puzzle)).collect::<String>(),
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

    /// How each kind of dove in the game moves.
    fn moves(&self, language: Language) -> String {
        let Game { red, green, .. } = self.game;
        let is_there = |kind: &Kind| *kind == Kind::Boss || red.contains(*kind) || green.contains(*kind);
        let moves = |kind: Kind| format!("<b>{}</b> {}", kind.letter(), language.way(kind));
        Kind::ALL.into_iter().filter(is_there).map(moves).collect::<Vec<String>>().join("; ")
    }

    fn board(&self, language: Language, number: usize, puzzle: &Puzzle) -> String {
        let Puzzle { board, mover, .. } = puzzle;
        let to_move = language.whose_turn(language.color(*mover));
        let picture = self.picture(language, board, &[], &format!("{number}. {to_move}"));
        format!("<li><img src=\"{picture}\" alt=\"{}\"></li>", language.board_alt(board, to_move))
    }

    /// A solution in text, beside a picture of its first action.
    fn solution(&self, language: Language, Puzzle { board, line, .. }: &Puzzle) -> String {
        let texts = texts(board, line);
        let [key, rest @ ..] = &*texts else { return String::new() };
        let picture = self.picture(language, board, &line[..1], key);
        let rest = rest.join(" ");
        format!("<li><img src=\"{picture}\" alt=\"\"><strong>{key}</strong> {rest} <code>{board}</code></li>")
    }

    /// The address of a picture of a board after these actions.
    fn picture(
        &self,
        language: Language,
        board: &Board,
        actions: &[(Action, Board)],
        caption: &str,
    ) -> String {
        let (theme, hand_words) = (Theme::Light, language.hand_words());
        let picture = Picture { board, actions, caption, theme, hand_words, is_turned: false };
        let svg = byte_serialize(picture.svg(&self.game).as_bytes()).collect::<String>().replace('+', "%20");
        format!("data:image/svg+xml,{svg}")
    }
}
