//! The library's errors in either language, and words for doves and their moves.

use std::error::Error;

use super::Language;
use dovemate::count::DovesError;
use dovemate::gpu::GpuError;
use dovemate::rules::{
    ActionTextError, BoardError, BoardTextError, CodeError, Dove, DoveSetError, Kind, NameError,
    PositionError, Refusal,
};

impl Language {
    /// A sentence about an error. If the table contains no text for it, the sentence is the library's.
    pub fn error(self, error: &(dyn Error + 'static)) -> String {
        let known = None
            .or_else(|| error.downcast_ref().and_then(|error| self.board_text(error)))
            .or_else(|| error.downcast_ref().and_then(|error| self.board(error)))
            .or_else(|| error.downcast_ref().and_then(|error| self.code(error)))
            .or_else(|| error.downcast_ref().and_then(|error| self.action(error)))
            .or_else(|| error.downcast_ref().and_then(|error| self.dove_set(error)))
            .or_else(|| error.downcast_ref().and_then(|error| self.position(error)))
            .or_else(|| error.downcast_ref().map(|error| self.name(error)))
            .or_else(|| error.downcast_ref().map(|error: &DovesError| self.no_doves(error)))
            .or_else(|| error.downcast_ref().and_then(|error| self.gpu(error)));
        known.unwrap_or_else(|| error.to_string())
    }

    /// The name of a dove, such as `the red Aniki (A)`.
    pub fn dove(self, dove: Dove) -> String {
        let kind = match dove.kind {
            Kind::Boss => self.kind_boss(),
            Kind::Aniki => self.aniki(),
            Kind::Yaibato => self.yaibato(),
            Kind::Mamedeppo => self.mamedeppo(),
            Kind::Totsu => self.totsu(),
            Kind::Hajike => self.hajike(),
        };
        self.dove_named(self.color(dove.color), kind, dove.letter())
    }

    /// How a kind of dove moves.
    pub fn way(self, kind: Kind) -> String {
        match kind {
            Kind::Boss | Kind::Aniki => self.way_all_around(),
            Kind::Yaibato => self.way_orthogonal(),
            Kind::Mamedeppo => self.way_diagonal(),
            Kind::Totsu => self.way_totsu(),
            Kind::Hajike => self.way_hajike(),
        }
    }

    /// A sentence that says why a dove cannot go to a cell, or back to the hand.
    pub fn refusal(self, dove: Dove, refusal: Refusal) -> String {
        let named = |letter| Dove::from_letter(letter).map_or_else(String::new, |dove| self.dove(dove));
        match refusal {
            Refusal::NotInGame(letter) => self.refused_not_in_game(named(letter)),
            Refusal::InHand(letter) => self.refused_in_hand(named(letter)),
            Refusal::NoReturns => self.refused_no_returns(),
            Refusal::BossStays => self.refused_boss_stays(),
            Refusal::Occupied(letter) => self.refused_occupied(named(letter)),
            Refusal::InTheWay(letter) => self.refused_in_the_way(named(letter)),
            Refusal::TouchesNone => self.refused_touches_none(),
            Refusal::BesideBoss => self.refused_beside_boss(),
            Refusal::Isolated(letter) => self.refused_isolated(named(letter)),
            Refusal::TooLarge { rows, columns } => self.refused_too_large(rows, columns),
            _ => self.refused_moves(self.dove(dove), self.way(dove.kind)),
        }
    }

    fn board_text(self, error: &BoardTextError) -> Option<String> {
        Some(match error {
            BoardTextError::UnknownLetter { row, column, letter } => {
                self.unknown_letter(error, row, column, letter.escape_debug())
            }
            BoardTextError::TooManyColumns { row, columns } => self.too_many_columns(error, row, columns),
            BoardTextError::TooManyRows(rows) => self.too_many_rows(error, rows),
            BoardTextError::Board(error) => return self.board(error),
            _ => return None,
        })
    }

    fn board(self, error: &BoardError) -> Option<String> {
        Some(match error {
            BoardError::MissingBoss(letter) => self.missing_boss(error, letter),
            BoardError::Twice(letter) => self.stands_twice(error, letter),
            BoardError::SameCell(letter, other) => self.same_cell(error, letter, other),
            BoardError::TooLarge { rows, columns } => self.too_large(error, rows, columns),
            BoardError::Isolated(letter) => self.isolated(error, letter),
            _ => return None,
        })
    }

    fn code(self, error: &CodeError) -> Option<String> {
        match (self, error) {
            (Language::Japanese, CodeError::Board(_, error)) => self.board(error),
            _ => Some(self.no_code(error)),
        }
    }

    fn action(self, error: &ActionTextError) -> Option<String> {
        Some(match error {
            ActionTextError::Malformed(text) => self.no_action(error, text.escape_debug()),
            ActionTextError::OnBoard(letter) => self.is_on_board(error, letter),
            ActionTextError::InHand(letter) => self.is_in_hand(error, letter),
            ActionTextError::ReturnedBoss => self.boss_stays(error),
            _ => return None,
        })
    }

    fn dove_set(self, error: &DoveSetError) -> Option<String> {
        Some(match error {
            DoveSetError::Empty => self.no_kinds(error),
            DoveSetError::NoKind(letter) => self.no_kind(error, letter.escape_default()),
            DoveSetError::Twice(letter) => self.kind_twice(error, letter),
            _ => return None,
        })
    }

    fn position(self, error: &PositionError) -> Option<String> {
        Some(match error {
            PositionError::NotInGame { letter, red, green } => {
                self.dove_not_in_game(error, letter, red, green)
            }
            PositionError::Over(player) => self.is_over(error, self.color(*player)),
            _ => return None,
        })
    }

    fn gpu(self, error: &GpuError) -> Option<String> {
        Some(match error {
            GpuError::Undone { undone, placements } => self.gpu_undone(undone, placements),
            GpuError::Undecided { blocks, decided } => self.gpu_undecided(blocks, decided),
            GpuError::Differs { placement, found, expected } => self.gpu_differs(placement, found, expected),
            _ => return None,
        })
    }

    fn name(self, error: &NameError) -> String {
        self.no_name(error, error.text.escape_debug(), error.names.join(", "))
    }
}
