//! Answers as JSON: the keys that most of them share, and a position with every action and its value.
//!
//! `doc/interface.md` describes the format.

use std::sync::OnceLock;

use serde::Serialize;

use dovemate::rules::{Board, Color, Game};
use dovemate_analysis::review::Bounded;
use dovemate_analysis::{Line, Puzzle, Ranked, Ranking, Source, texts};

/// The format number. A new key does not change it; a new meaning of an old key does.
pub const FORMAT: u32 = 1;
/// The name of the program.
pub const PROGRAM: &str = "dovemate";
/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that the program was built from. The program sets this if it knows the commit.
pub static COMMIT: OnceLock<&str> = OnceLock::new();

/// The keys that most documents begin with: the program that wrote them, and the format.
#[derive(Serialize)]
pub struct Origin {
    program: &'static str,
    version: &'static str,
    /// Null in a page, and if the commit was not known when the program was built.
    commit: Option<&'static str>,
    format: u32,
}

/// The answer about a position: its value, its actions, and the line of best play.
#[derive(Serialize)]
pub struct Document<'a> {
    #[serde(flatten)]
    question: QuestionDocument,
    worth: Bounded,
    /// The source of the position's value; absent if it was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    /// The action to play; null if there is no legal action.
    choice: Option<ChoiceDocument<'a>>,
    /// How many actions may have the value of the position, if none is known to have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<usize>,
    /// How many plies were searched to the end; absent if nothing had to be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_plies: Option<u32>,
    out_of_time: bool,
    actions: &'a [Ranked],
    line: Vec<String>,
}

/// The keys that answers about a position begin with: the program, the position and the game.
#[derive(Serialize)]
pub struct QuestionDocument {
    #[serde(flatten)]
    origin: Origin,
    board: String,
    to_move: &'static str,
    #[serde(flatten)]
    game: GameDocument,
}

/// An answer about a game: the keys that all such answers begin with, and its own.
#[derive(Serialize)]
pub struct AboutGame<A> {
    #[serde(flatten)]
    origin: Origin,
    #[serde(flatten)]
    game: GameDocument,
    #[serde(flatten)]
    answer: A,
}

/// A puzzle with its solution.
#[derive(Serialize)]
pub struct FoundPuzzle {
    #[serde(flatten)]
    question: QuestionDocument,
    plies: u32,
    unique: bool,
    /// The actions of the solution, to the end.
    line: Vec<String>,
}

/// The doves and the rules of a game.
#[derive(Serialize)]
pub struct GameDocument {
    /// The doves of red, as [`dovemate::rules::DoveSet::with_boss`] writes them.
    pub red: String,
    /// The doves of green.
    pub green: String,
    /// Whether doves may be returned.
    pub returns: bool,
    /// The ruling on an action that surrounds both bosses.
    pub both_surrounded: &'static str,
}

/// `ground` is `proved` if the value of the action is proved, otherwise `suggested`.
#[derive(Serialize)]
struct ChoiceDocument<'a> {
    action: &'a str,
    ground: &'static str,
}

impl Origin {
    /// This program, in this format.
    pub fn of_format(format: u32) -> Origin {
        Origin { program: PROGRAM, version: VERSION, commit: COMMIT.get().copied(), format }
    }
}

impl QuestionDocument {
    /// The position with this player to move in a game.
    pub fn of(game: &Game, board: &Board, mover: Color) -> QuestionDocument {
        QuestionDocument {
            origin: Origin::of_format(FORMAT),
            board: board.to_string(),
            to_move: mover.name(),
            game: GameDocument::of(game),
        }
    }
}

impl<A> AboutGame<A> {
    /// An answer about this game.
    pub fn new(game: &Game, answer: A) -> AboutGame<A> {
        AboutGame { origin: Origin::of_format(FORMAT), game: GameDocument::of(game), answer }
    }
}

impl FoundPuzzle {
    /// A puzzle of a game.
    pub fn of(game: &Game, puzzle: &Puzzle) -> FoundPuzzle {
        FoundPuzzle {
            question: QuestionDocument::of(game, &puzzle.board, puzzle.mover),
            plies: puzzle.plies,
            unique: puzzle.is_unique,
            line: texts(&puzzle.board, &puzzle.line),
        }
    }
}

impl GameDocument {
    /// A game.
    pub fn of(game: &Game) -> GameDocument {
        GameDocument {
            red: game.red.with_boss(),
            green: game.green.with_boss(),
            returns: game.rules.returns,
            both_surrounded: game.rules.both_surrounded.name(),
        }
    }
}

impl<'a> Document<'a> {
    /// The ranking of the actions of a position, and the line that follows from it.
    pub fn of(game: &Game, board: &Board, mover: Color, ranking: &'a Ranking, line: &Line) -> Document<'a> {
        Document {
            question: QuestionDocument::of(game, board, mover),
            worth: ranking.into(),
            source: ranking.source().map(Source::name),
            choice: ranking.choice().map(ChoiceDocument::of),
            candidates: ranking.candidates(),
            searched_plies: ranking.searched,
            out_of_time: ranking.is_out_of_time,
            actions: &ranking.actions,
            line: texts(board, line),
        }
    }
}

impl<'a> ChoiceDocument<'a> {
    fn of(chosen: &'a Ranked) -> ChoiceDocument<'a> {
        let ground = if chosen.is_proved() { "proved" } else { "suggested" };
        ChoiceDocument { action: &chosen.text, ground }
    }
}
