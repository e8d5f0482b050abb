//! Puzzles: positions in which the player to move wins in n plies.
//!
//! A puzzle is *unique* if, at every turn of the winner but the last and after every longest defence, exactly one action leads to
//! a loss in one ply less than the win; actions that lead to the same position, up to symmetry, are one.
//!
//! Puzzles are drawn from *all* positions of the game, each equally likely ([`Draw`]), and what is no puzzle is thrown back. So
//! every puzzle is equally likely, whatever leads to it or from it. (Going backwards from a mate drawn evenly would favour
//! positions from which many mates can be reached, and those that follow from few.) A second copy of one is thrown back too: each set
//! of so many puzzles is equally likely. Wins in few plies are no rarity among positions, and the test of one takes microseconds.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::{Asker, Draw, Limits, Line, Values};
use crate::retrograde::Value;
use crate::rules::{Board, Code, Color, Game, Outcome, PositionError};

/// A position to be won, with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The board.
    pub board: Board,
    /// The player to move, who wins.
    pub mover: Color,
    /// In how many plies.
    pub plies: u32,
    /// Whether there is one solution only.
    pub is_unique: bool,
    /// A solution: a best action, a longest defence, and so on to the end.
    pub line: Line,
}

/// Finds puzzles of one game.
pub struct Puzzler<'a> {
    game: Game,
    values: Option<&'a dyn Values>,
    plies: u32,
    is_unique: bool,
}

/// Positions that are looked at together.
const BATCH: usize = 512;

impl<'a> Puzzler<'a> {
    /// Looks for wins in so many plies, unique ones only if that is wanted. Values are searched where nobody knows them.
    pub fn new(game: Game, values: Option<&'a dyn Values>, plies: u32, is_unique: bool) -> Puzzler<'a> {
        Puzzler { game, values, plies, is_unique }
    }

    /// The puzzle that a position is, if it is one. The asker must be one of this game.
    ///
    /// # Errors
    /// If the board has a dove that the game has not, or a boss on it is surrounded.
    pub fn puzzle(&self, asker: &mut Asker, board: &Board, mover: Color) -> Result<Option<Puzzle>, PositionError> {
        if asker.value(board, mover, self.plies)? != Some(Value::Win(self.plies)) {
            return Ok(None);
        }
        let is_unique = has_one_way(asker, board, mover, self.plies);
        if self.is_unique && !is_unique {
            return Ok(None);
        }
        let limits = Limits { plies: self.plies, deadline: None };
        let ranking = asker.rank(board, mover, limits)?;
        let line = asker.line(ranking.actions.first(), mover, 0);
        Ok(Some(Puzzle { board: board.clone(), mover, plies: self.plies, is_unique, line }))
    }

    /// Draws different puzzles until there are so many, or so many positions in a row were none. `advance` is told how many puzzles
    /// there are and how many positions were drawn.
    pub fn draw(
        &self,
        draw: &mut Draw,
        count: usize,
        patience: u64,
        mut advance: impl FnMut(usize, u64),
    ) -> Vec<Puzzle> {
        let (mut puzzles, mut seen) = (Vec::new(), HashSet::new());
        let (mut drawn, mut in_vain) = (0, 0);
        while puzzles.len() < count && in_vain < patience {
            let batch: Vec<(Board, Color)> = (0..BATCH).map(|_| draw.position()).collect();
            // In the order in which they were drawn, however many threads there are.
            let found: Vec<Option<Puzzle>> = batch
                .par_iter()
                .map_init(
                    || Asker::new(self.game, self.values),
                    |asker, (board, mover)| {
                        self.puzzle(asker, board, *mover).expect("what is drawn is a position of the game")
                    },
                )
                .collect();
            for puzzle in found {
                drawn += 1;
                in_vain += 1;
                let Some(puzzle) = puzzle.filter(|_| puzzles.len() < count) else { continue };
                if seen.insert((puzzle.board.code().invariant(puzzle.mover), puzzle.mover)) {
                    puzzles.push(puzzle);
                    in_vain = 0;
                }
            }
            advance(puzzles.len(), drawn);
        }
        puzzles
    }
}

/// The different positions after the actions of a player that are worth this to the other, each as one of its boards.
fn positions_worth(asker: &mut Asker, board: &Board, mover: Color, value: Value) -> Vec<Board> {
    let opponent = mover.opponent();
    let game = *asker.game();
    let mut positions: BTreeMap<Code, Board> = BTreeMap::new();
    for (_, after) in game.legal_actions(board, mover) {
        if game.rules.outcome_of(&after, mover) != Outcome::Open {
            continue;
        }
        let found =
            asker.value(&after, opponent, value.plies().unwrap_or(0)).expect("the game goes on after this action");
        if found == Some(value) {
            positions.insert(after.code().invariant(opponent), after);
        }
    }
    positions.into_values().collect()
}

/// Whether the winner in so many plies has one way only, up to the last action.
fn has_one_way(asker: &mut Asker, board: &Board, winner: Color, plies: u32) -> bool {
    if plies <= 1 {
        return true;
    }
    let best = positions_worth(asker, board, winner, Value::Lose(plies - 1));
    let [after] = &best[..] else {
        return false;
    };
    let loser = winner.opponent();
    let defences = positions_worth(asker, after, loser, Value::Win(plies - 2));
    defences.iter().all(|board| has_one_way(asker, board, winner, plies - 2))
}
