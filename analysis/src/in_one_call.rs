//! All actions of a player, best first.

use crate::{Analysis, Effort, Lookup, LookupError, Ranked};
use dovemate::rules::{Board, Color};

/// Every legal action of a player, best first: wins, the quickest first; draws; undecided ones; losses, the slowest
/// first. If the position's own value is known, but no action is known to have it, those that may have it come first.
///
/// ```
/// use dovemate::{Board, Color, Game};
/// use dovemate_analysis::rank;
/// use dovemate_solver::solve;
///
/// let solved = solve(Game::both("A")?)?;
/// let board: Board = "b-a;-BA".parse()?;
/// for ranked in rank(&solved, &board, Color::Red)? {
///     println!("{ranked}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
pub fn rank(lookup: &dyn Lookup, board: &Board, mover: Color) -> Result<Vec<Ranked>, LookupError> {
    rank_within(lookup, board, mover, 0)
}

/// Like [`rank`], but unknown wins and losses within `plies` plies are proved by search. With many doves,
/// more than a dozen plies take long.
///
/// ```
/// use dovemate::{Board, Color, Game};
/// use dovemate_analysis::rank_within;
///
/// let board: Board = "YmaH;MtAT;-yh-;B-b-".parse()?;
/// let best = rank_within(&Game::default(), &board, Color::Red, 5)?.swap_remove(0);
/// assert_eq!((&best.text[..], best.worth.to_string()), ("TE3", "win in 5".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`rank`].
pub fn rank_within(
    lookup: &dyn Lookup,
    board: &Board,
    mover: Color,
    plies: u32,
) -> Result<Vec<Ranked>, LookupError> {
    Ok(Analysis::new(lookup).rank(board, mover, &Effort::plies(plies))?.actions)
}
