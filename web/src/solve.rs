//! A small game, solved on the spot.

use serde::Serialize;

use crate::documents::AboutGame;
use crate::reply::{Refused, json};
use crate::texts::Language;
use dovemate::rules::{Board, Color, Game};
use dovemate_solver::{Known, Longest, Lookup, Round, SolutionRow, SolvedGame, Worth};
use dovemate_solver::{Solve, solve as solve_game};

/// Maximum number of kinds per player, bosses not counted. Solving such a game takes a page some seconds and up to
/// 220 MB.
const MAX_KINDS: u32 = 3;

#[derive(Serialize)]
struct SolvedDocument<'a> {
    positions: u64,
    rows: &'a [SolutionRow],
    start: Vec<StartDocument>,
    /// A position at the greatest distance; null if all positions are draws.
    longest: Option<Longest>,
}

/// The value of the start.
#[derive(Serialize)]
struct StartDocument {
    to_move: Color,
    #[serde(flatten)]
    worth: Worth,
}

/// A finished round.
#[derive(Serialize)]
struct RoundDocument {
    round: u32,
    wins: u64,
    losses: u64,
}

/// The solved game, and the document about it. `progress` is called after every round.
pub fn solve(game: Game, language: Language, progress: fn(&str)) -> Result<(SolvedGame, String), Refused> {
    if game.red.len().max(game.green.len()) > MAX_KINDS {
        return Err(Refused::Wrong(language.most_kinds(MAX_KINDS, game)));
    }
    let report = |round: Round| {
        let Round { number, wins, losses, .. } = round;
        progress(&json(&RoundDocument { round: number, wins, losses }));
    };
    let solved = solve_game(Solve::new(game).on_round(&report)).expect("there are no limits");
    let document = json(&AboutGame::new(&game, SolvedDocument::of(&solved)));
    Ok((solved, document))
}

impl SolvedDocument<'_> {
    fn of(solved: &SolvedGame) -> SolvedDocument<'_> {
        let start = |to_move: Color| {
            let Known { worth, .. } = solved.probe(&Board::default(), to_move).ok()??;
            Some(StartDocument { to_move, worth })
        };
        let solution = solved.solution();
        SolvedDocument {
            positions: solution.count(|_| true),
            rows: solution.rows(),
            start: Color::ALL.into_iter().filter_map(start).collect(),
            longest: solved.longest(),
        }
    }
}
