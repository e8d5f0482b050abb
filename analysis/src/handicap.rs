//! Handicap games, in which one player has fewer doves: the values of their starts.
//!
//! The values are those of `handicaps.csv`, which `results/handicaps` makes, for either player as the stronger one.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Known, Lookup, LookupError, Source, Worth};
use dovemate::rules::{Board, BothSurrounded, Color, DoveSet, Game, Rules};

/// The games in the file, each with red and with green as the stronger player.
static SOLVED: LazyLock<Vec<Handicap>> =
    LazyLock::new(|| solved().expect("the program's own handicaps are whole: tests read them"));

/// A game of unequal players whose start is solved.
#[derive(Debug)]
pub(crate) struct Handicap {
    game: Game,
    /// The value of the start with red and with green to move.
    start: [Worth; 2],
}

impl Handicap {
    /// The game, if its start is solved.
    pub(crate) fn of(game: &Game) -> Option<&'static Handicap> {
        SOLVED.iter().find(|handicap| handicap.game == *game)
    }
}

/// Reads the file; `None` if it is damaged.
fn solved() -> Option<Vec<Handicap>> {
    let mut handicaps = Vec::new();
    let mut file = csv::Reader::from_reader(&include_bytes!("handicaps.csv")[..]);
    for line in file.deserialize() {
        let HandicapRecord { red, green, returns, red_to_move, green_to_move } = line.ok()?;
        let (red, green): (DoveSet, DoveSet) = (red.parse().ok()?, green.parse().ok()?);
        let rules = Rules { returns, both_surrounded: BothSurrounded::MoverLoses };
        let (of_red, of_green): (Worth, Worth) = (red_to_move.parse().ok()?, green_to_move.parse().ok()?);
        if !(of_red.is_exact() && of_green.is_exact()) {
            return None;
        }
        handicaps.push(Handicap { game: Game { red, green, rules }, start: [of_red, of_green] });
        let exchanged = Game { red: green, green: red, rules };
        handicaps.push(Handicap { game: exchanged, start: [of_green, of_red] });
    }
    Some(handicaps)
}

/// The needed fields of a line of the file.
#[derive(Deserialize)]
struct HandicapRecord {
    red: String,
    green: String,
    returns: bool,
    red_to_move: String,
    green_to_move: String,
}

impl Lookup for Handicap {
    fn game(&self) -> Game {
        self.game
    }

    /// The value of the start, which is the same for all its images.
    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let image = |board: &Board| board.code().canonical(Color::Red);
        if image(board) != image(&Board::default()) {
            return Ok(None);
        }
        Ok(Some(Known { worth: self.start[mover as usize], source: Source::Openings }))
    }
}
