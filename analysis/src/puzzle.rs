//! Puzzles: positions in which the player to move wins in n plies.
//!
//! A puzzle is *unique* if, on each of the winner's turns except the last, whichever longest defence was chosen,
//! exactly one action wins in the fewest plies. Actions that lead to the same position, up to symmetry, count as one.
//!
//! Puzzles are drawn from *all* positions with the wanted numbers of doves, each equally likely ([`Draw`]), and
//! positions that are not puzzles are rejected. So every puzzle is equally likely, however many lines lead to it or
//! from it. (Going backwards from a mate drawn uniformly would favour positions that lead to many mates, or to mates
//! that few other positions lead to.) Duplicates are rejected too, so each set of n puzzles is equally likely. Wins in
//! few plies are common, and quick to test.

use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::{Analysis, Draw, Effort, Line, Lookup, LookupError};
use dovemate::Limits;
use dovemate::rules::{Board, Code, Color, Outcome};
use dovemate_solver::Value;

/// A position with a forced win, and its solution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Puzzle {
    /// The board.
    pub board: Board,
    /// The player to move, who wins.
    pub mover: Color,
    /// The number of plies in which the win is forced.
    pub plies: u32,
    /// Whether the solution is unique.
    pub is_unique: bool,
    /// A solution: a best action, a longest defence, and so on to the end, unless [`Analysis::principal_variation`]
    /// stops earlier.
    pub line: Line,
}

/// Draws puzzles of one game.
///
/// ```
/// use dovemate_analysis::Puzzler;
/// use dovemate::Game;
/// use dovemate_solver::solve;
///
/// let solved = solve(Game::both("AY")?)?;
/// let puzzles = Puzzler::new(&solved, 3, false).draw(4..=6, 2022, 2, 100_000, |_, _| ())?;
/// for puzzle in puzzles {
///     println!("{}, {} to move and win in {}", puzzle.board, puzzle.mover, puzzle.plies);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Puzzler<'a> {
    lookup: &'a dyn Lookup,
    plies: u32,
    is_unique: bool,
}

/// Positions drawn and tested at once, on all threads.
const BATCH_POSITIONS: usize = 512;

impl<'a> Puzzler<'a> {
    /// Draws wins in `plies` plies in the game of a lookup; only unique ones if `is_unique`. Positions that the lookup
    /// does not know are searched.
    pub fn new(lookup: &'a dyn Lookup, plies: u32, is_unique: bool) -> Puzzler<'a> {
        Puzzler { lookup, plies, is_unique }
    }

    /// Whether such a win may exist on boards with these numbers of doves. If not, the lookup's values exclude it.
    pub fn is_possible(&self, doves: RangeInclusive<u32>) -> bool {
        self.lookup.may_have(Value::Win(self.plies), doves)
    }

    /// Draws different puzzles with these numbers of doves, in batches, until there are `count`, or until the last
    /// `max_misses` positions or more gave no new puzzle. The same seed draws the same puzzles. `on_progress` receives
    /// the number of puzzles found and the number of positions drawn, after each batch. Without values, the search of a
    /// position has no limit but the number of plies: in a game with many doves, more than nine may take minutes.
    ///
    /// # Errors
    /// If values cannot be read.
    pub fn draw(
        &self,
        doves: RangeInclusive<u32>,
        seed: u64,
        count: usize,
        max_misses: u64,
        mut on_progress: impl FnMut(usize, u64),
    ) -> Result<Vec<Puzzle>, LookupError> {
        let mut draw = Draw::new(self.lookup.game(), doves, seed);
        let (mut puzzles, mut seen) = (Vec::new(), HashSet::new());
        let (mut drawn, mut misses) = (0, 0);
        while puzzles.len() < count && misses < max_misses && draw.total() > 0 {
            for puzzle in self.draw_batch(&mut draw)? {
                drawn += 1;
                misses += 1;
                let Some(puzzle) = puzzle else { continue };
                if puzzles.len() == count {
                    continue;
                }
                if seen.insert((puzzle.board.code().canonical(puzzle.mover), puzzle.mover)) {
                    puzzles.push(puzzle);
                    misses = 0;
                }
            }
            on_progress(puzzles.len(), drawn);
        }
        Ok(puzzles)
    }

    /// Draws a batch of positions and tests them on all threads. The results are in the order of drawing.
    fn draw_batch(&self, draw: &mut Draw) -> Result<Vec<Option<Puzzle>>, LookupError> {
        let batch: Vec<(Board, Color)> = (0..BATCH_POSITIONS).map(|_| draw.position()).collect();
        let limits = Limits::default();
        let test = |analysis: &mut Analysis, (board, mover): &(Board, Color)| {
            analysis.puzzle(board, *mover, self.plies, self.is_unique, &limits)
        };
        batch.par_iter().map_init(|| Analysis::new(self.lookup), test).collect()
    }
}

impl Analysis<'_> {
    /// A position as a puzzle: a win in `plies` plies, and a unique one if `must_be_unique`. `None` if it is not one,
    /// or a limit is reached.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn puzzle(
        &mut self,
        board: &Board,
        mover: Color,
        plies: u32,
        must_be_unique: bool,
        limits: &Limits,
    ) -> Result<Option<Puzzle>, LookupError> {
        let effort = Effort { limits: limits.clone(), ..Effort::plies(plies) };
        let stopped = self.stopped;
        if self.value(board, mover, &effort)? != Some(Value::Win(plies)) {
            return Ok(None);
        }
        let is_unique = has_one_way(self, board, mover, &effort)?;
        if must_be_unique && !is_unique {
            return Ok(None);
        }
        let ranking = self.rank(board, mover, &effort)?;
        let line = self.principal_variation(ranking.actions.first(), mover, 0, &effort)?;
        if limits.reached().is_some() || self.stopped > stopped {
            return Ok(None);
        }
        Ok(Some(Puzzle { board: board.clone(), mover, plies, is_unique, line }))
    }
}

/// The distinct positions with this value for the opponent that a player's actions lead to, each as one of
/// its boards.
fn positions_with_value(
    analysis: &mut Analysis,
    board: &Board,
    mover: Color,
    value: Value,
    effort: &Effort,
) -> Result<Vec<Board>, LookupError> {
    let opponent = mover.opponent();
    let game = *analysis.game();
    let effort = Effort { plies: value.plies().unwrap_or(0), ..effort.clone() };
    let mut positions: BTreeMap<Code, Board> = BTreeMap::new();
    for (_, after) in game.legal_actions(board, mover) {
        if game.rules.outcome_of(&after, mover) != Outcome::Open {
            continue;
        }
        if analysis.value(&after, opponent, &effort)? == Some(value) {
            positions.insert(after.code().canonical(opponent), after);
        }
    }
    Ok(positions.into_values().collect())
}

/// Whether a position that is won in `effort.plies` plies has a unique solution.
fn has_one_way(
    analysis: &mut Analysis,
    board: &Board,
    winner: Color,
    effort: &Effort,
) -> Result<bool, LookupError> {
    let plies = effort.plies;
    if plies <= 1 {
        return Ok(true);
    }
    let best = positions_with_value(analysis, board, winner, Value::Lose(plies - 1), effort)?;
    let [after] = &best[..] else {
        return Ok(false);
    };
    for board in positions_with_value(analysis, after, winner.opponent(), Value::Win(plies - 2), effort)? {
        let rest = Effort { plies: plies - 2, ..effort.clone() };
        if !has_one_way(analysis, &board, winner, &rest)? {
            return Ok(false);
        }
    }
    Ok(true)
}
