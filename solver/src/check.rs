//! Checks values of a solved game by the literal rules: each is derived again from those of its successors, without the
//! solver's code.
//!
//! This proves the values of all checked positions, given those that they depend on. A win in n needs a loss in n − 1
//! after some action, and none quicker; a loss in n needs wins after all actions, the slowest in n − 1. So each depends
//! on smaller distances, down to what the rules decide directly. If all positions pass, all values are right. Where
//! only the wins are kept, a pass proves less: drawn positions in a cycle could alternately be marked won and lost, and
//! each of them would agree with its successors.

use std::ops::Range;

use rayon::prelude::*;

use super::solved::{LookupError, Solved};
use super::space::layout::{Class, ClassId, Layout};
use crate::known::Worth;
use crate::value::Value;
use dovemate::random::Random;
use dovemate::rules::{Board, Color, Game, Outcome};

/// Games with at most this many places are checked in full.
const ALL_PLACES: u64 = 30_000;
/// The number of places drawn in larger games, uniformly.
const SAMPLE: u64 = 20_000;
/// Where random access to values is slow, places are drawn from this many boss placements.
const PLACEMENTS: u64 = 40;

/// The number of places that a check examines in a game with `places` places.
pub(crate) const fn places_checked(places: u64) -> u64 {
    if places <= ALL_PLACES { places } else { SAMPLE }
}

/// The coverage of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of places. They are all different if `all`; otherwise they are drawn, and may repeat.
    pub places: u64,
    /// Whether all places of the game were checked.
    pub all: bool,
    /// The number of boss placements that the places were drawn from, if not from all.
    pub placements: Option<u64>,
}

/// A value that does not follow from the rules and its successors.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{board} with {mover:?} to move is solved as {found}, but its successors make it {derived}")]
pub struct Wrong {
    /// The board.
    pub board: Board,
    /// The player to move.
    pub mover: Color,
    /// The solver's value.
    pub found: Worth,
    /// The value that follows from the rules and the solver's values of the successors.
    pub derived: Worth,
}

/// Why a check fails.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A value is wrong.
    #[error(transparent)]
    Wrong(#[from] Box<Wrong>),
    /// A value cannot be read.
    #[error(transparent)]
    Unread(#[from] LookupError),
}

/// Checks all places of a small game, or a sample of a large one, drawn with this seed. If random access to values is
/// slow, as in rounds, it draws boss placements of classes, each with a probability in proportion to its places, and
/// then places of each. `on_place` is called after every place.
///
/// # Errors
/// If a value does not follow from those of the successors, or cannot be read. If there are several such values, any
/// one of them is reported.
pub(crate) fn check(
    solved: &dyn Solved,
    seed: u64,
    on_place: &(dyn Fn() + Sync),
) -> Result<Checked, CheckError> {
    let places = solved.places();
    let all = places <= ALL_PLACES;
    let is_near = !all && solved.is_slow_at_random();
    if is_near {
        for number in sample(seed, PLACEMENTS, 0..places) {
            let address = solved.index().nth_address(number).expect("the number is below that of the places");
            let near = places_of(solved.layout(), address.block.class, address.block.placement);
            check_places(solved, &sample(seed ^ number, SAMPLE / PLACEMENTS, near), on_place)?;
        }
    } else {
        let numbers = if all { (0..places).collect() } else { sample(seed, SAMPLE, 0..places) };
        check_places(solved, &numbers, on_place)?;
    }
    Ok(Checked { places: places_checked(places), all, placements: is_near.then_some(PLACEMENTS) })
}

/// `count` numbers drawn from a range with a seed, ascending, because neighbouring places share much of what is
/// read for them.
pub(crate) fn sample(seed: u64, count: u64, range: Range<u64>) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut numbers: Vec<u64> =
        (0..count).map(|_| range.start + random.below(range.end - range.start)).collect();
    numbers.sort_unstable();
    numbers
}

/// The places on a boss placement of a class.
pub(crate) fn places_of(layout: &Layout, class: ClassId, placement: usize) -> Range<u64> {
    let size = layout[class].placement_places();
    let first = layout.classes[..class.0].iter().map(Class::places).sum::<u64>() + placement as u64 * size;
    first..first + size
}

/// Checks the places with these numbers, as [`check`] does.
fn check_places(
    solved: &dyn Solved,
    numbers: &[u64],
    on_place: &(dyn Fn() + Sync),
) -> Result<(), CheckError> {
    numbers.par_iter().try_for_each(|&number| {
        let (board, mover) = solved.position(number).expect("the number is below that of the places");
        let found = value(solved, &board, mover)?;
        let derived = derive(&solved.game(), &board, mover, |after, mover| value(solved, after, mover))?;
        let has_distances = solved.knows_distances();
        let [found, derived] =
            [found, derived].map(|worth| if has_distances { worth } else { worth.without_distance() });
        on_place();
        if found == derived { Ok(()) } else { Err(Box::new(Wrong { board, mover, found, derived }).into()) }
    })
}

fn value(solved: &dyn Solved, board: &Board, mover: Color) -> Result<Worth, LookupError> {
    let unsolved = || LookupError::Other(format!("the part of the game with {board} is not solved").into());
    Ok(solved.probe(board, mover)?.ok_or_else(unsolved)?.worth)
}

/// The best value that an action leads to; a loss in 0 if there is no action. `value` gives the values of the positions
/// after actions that leave the game open.
///
/// # Errors
/// Those of `value`.
pub(crate) fn derive<E>(
    game: &Game,
    board: &Board,
    mover: Color,
    value: impl Fn(&Board, Color) -> Result<Worth, E>,
) -> Result<Worth, E> {
    let mut best = None;
    for (_, after) in game.legal_actions(board, mover) {
        let worth = match game.rules.outcome_of(&after, mover) {
            Outcome::Won => Worth::Exact(Value::Win(1)),
            Outcome::Lost => Worth::Exact(Value::Lose(1)),
            Outcome::Drawn => Worth::Exact(Value::Draw),
            Outcome::Open => value(&after, mover.opponent())?.before(),
        };
        best = best.filter(|best: &Worth| *best >= worth).or(Some(worth));
    }
    Ok(best.unwrap_or(Worth::Exact(Value::Lose(0))))
}
