//! Doves that a user arranges: their board, or why they do not form one.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::picture::{CellDocument, cells, text};
use crate::texts::Language;
use dovemate::rules::{Board, BoardError, Cell, Color, Dove, Game};

/// The answer about doves on cells.
#[derive(Serialize)]
pub struct ArrangementDocument {
    doves: BTreeMap<char, CellDocument>,
    /// Null if they do not form a board of the game.
    pub board: Option<String>,
    u64: Option<String>,
    /// The offset from the board's cells to those in the question.
    shift: CellDocument,
    /// Why they do not form a board of the game.
    wrong: Option<String>,
    /// The players whose bosses are surrounded.
    surrounded: Vec<&'static str>,
    /// Their text, if they fit in the box, each stands once, and no two share a cell.
    text: Option<String>,
}

impl ArrangementDocument {
    /// Judges doves on cells, which need not form a board of the game.
    pub fn of(game: &Game, doves: &[(Dove, Cell)], language: Language) -> ArrangementDocument {
        let placed = Board::new(doves.iter().copied());
        let is_unclear = matches!(placed, Err(BoardError::Twice(_) | BoardError::SameCell(..)));
        let stranger = doves.iter().find(|(dove, _)| !game.doves(dove.color).contains(dove.kind));
        let wrong = match (&placed, stranger) {
            (_, Some((dove, _))) => Some(language.refused_not_in_game(language.dove(*dove))),
            (Err(error), None) => Some(language.error(error)),
            (Ok(_), None) => None,
        };
        let board = placed.ok().filter(|_| wrong.is_none());
        let surrounded = |color: &Color| board.as_ref().is_some_and(|board| board.is_surrounded(*color));
        let least = |part: fn(&Cell) -> i8| doves.iter().map(|(_, cell)| part(cell)).min().unwrap_or(0);
        ArrangementDocument {
            doves: cells(doves.iter().copied()),
            u64: board.as_ref().map(|board| board.code().to_string()),
            shift: [least(|cell| cell.row), least(|cell| cell.column)],
            wrong,
            surrounded: Color::ALL.into_iter().filter(surrounded).map(Color::name).collect(),
            text: text(doves).filter(|_| !is_unclear),
            board: board.as_ref().map(Board::to_string),
        }
    }
}
