//! A small game, solved on the spot.

use serde::Serialize;

use crate::documents::{FORMAT, GameDocument, PROGRAM, VERSION, WorthDocument};
use crate::reply::{Refused, json};
use crate::texts::Language;
use dovemate::rules::{Board, Color, Game};
use dovemate::solve::Bounds;
use dovemate::solve_within;
use dovemate::{Known, Lookup, Round, SolutionRow, SolvedGame, Worth};

/// The most kinds of a player, bosses not counted. Solving such a game takes a second and 135 MB.
const MAX_KINDS: u32 = 3;

#[derive(Serialize)]
struct SolvedDocument<'a> {
    program: &'static str,
    version: &'static str,
    format: u32,
    #[serde(flatten)]
    game: GameDocument,
    positions: u64,
    rows: &'a [SolutionRow],
    start: Vec<StartDocument>,
    /// Null if all positions are draws.
    longest: Option<LongestDocument>,
}

/// The value of the start.
#[derive(Serialize)]
struct StartDocument {
    to_move: &'static str,
    #[serde(flatten)]
    worth: WorthDocument,
}

/// A position with the greatest distance.
#[derive(Serialize)]
struct LongestDocument {
    board: String,
    to_move: &'static str,
    #[serde(flatten)]
    worth: WorthDocument,
}

/// A round that is finished.
#[derive(Serialize)]
struct RoundDocument {
    round: u32,
    wins: u64,
    losses: u64,
}

/// The solved game, and the document about it; `progress` receives every round.
pub fn solve(game: Game, language: Language, progress: fn(&str)) -> Result<(SolvedGame, String), Refused> {
    if game.red.len().max(game.green.len()) > MAX_KINDS {
        return Err(Refused::Wrong(language.most_kinds(MAX_KINDS, game)));
    }
    let report = |round: Round| {
        let Round { number, wins, losses, .. } = round;
        progress(&json(&RoundDocument { round: number, wins, losses }));
    };
    let solved = solve_within(game, Bounds::default(), &report).expect("nothing bounds it");
    let document = json(&document(game, &solved));
    Ok((solved, document))
}

fn document<'a>(game: Game, solved: &'a SolvedGame) -> SolvedDocument<'a> {
    let start = |mover: Color| {
        let Known { worth, .. } = solved.value(&Board::default(), mover).ok()??;
        Some(StartDocument { to_move: mover.name(), worth: worth.into() })
    };
    let solution = solved.solution();
    SolvedDocument {
        program: PROGRAM,
        version: VERSION,
        format: FORMAT,
        game: GameDocument::of(&game),
        positions: solution.count(|_| true),
        rows: solution.rows(),
        start: Color::ALL.into_iter().filter_map(start).collect(),
        longest: solved.longest().map(|longest| LongestDocument {
            board: longest.board.to_string(),
            to_move: longest.mover.name(),
            worth: Worth::Exact(longest.value).into(),
        }),
    }
}
