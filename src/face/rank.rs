//! All actions of a player, best first.

use std::sync::{Mutex, PoisonError};

use super::lookup::{Lookup, LookupError};
use crate::ask::{Asker, Limits, Ranked, Values, Worth};
use crate::rules::{Board, Color};

/// Values as [`Asker`] takes them, with the first error met.
struct Recorded<'a> {
    values: &'a dyn Lookup,
    error: Mutex<Option<LookupError>>,
}

impl Values for Recorded<'_> {
    fn worth(&self, board: &Board, mover: Color) -> Option<Worth> {
        let value = self.values.value(board, mover).unwrap_or_else(|error| {
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            None
        });
        value.map(|value| Worth::of(value, self.values.knows_distances(board.doves().count() as u32)))
    }
}

/// Every legal action of a player, best first: the quickest win, then draws, then the slowest loss.
///
/// ```
/// use dovemate::{Board, Color, Game, rank, solve};
///
/// let solved = solve(Game::both("A")?)?;
/// let board: Board = "b-a;-BA".parse()?;
/// for ranked in rank(&solved, &board, Color::Red)? {
///     println!("{} {}", ranked.text, ranked.worth);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
pub fn rank(values: &dyn Lookup, board: &Board, mover: Color) -> Result<Vec<Ranked>, LookupError> {
    rank_within(values, board, mover, 0)
}

/// Like [`rank`], but unknown wins and losses within `plies` plies are proved by search. With many doves, more than a
/// dozen plies take long.
///
/// ```
/// use dovemate::{Board, Color, Game, rank_within};
///
/// let board: Board = "YmaH;MtAT;-yh-;B-b-".parse()?;
/// let best = rank_within(&Game::default(), &board, Color::Red, 5)?.swap_remove(0);
/// assert_eq!((&best.text[..], best.worth.to_string()), ("TE3", "win in 5".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`rank`].
pub fn rank_within(values: &dyn Lookup, board: &Board, mover: Color, plies: u32) -> Result<Vec<Ranked>, LookupError> {
    // Values that cannot be read are reported at once, not after a search.
    for (_, after) in values.game().legal_actions(board, mover) {
        values.value(&after, mover.opponent())?;
    }
    let recorded = Recorded { values, error: Mutex::new(None) };
    let limits = Limits { plies, deadline: None };
    let ranking = Asker::new(values.game(), Some(&recorded)).rank(board, mover, limits)?;
    let error = recorded.error.into_inner().unwrap_or_else(PoisonError::into_inner);
    error.map_or(Ok(ranking.actions), Err)
}
