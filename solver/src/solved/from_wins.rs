//! Win, draw or loss of a position when only the wins are known.
//!
//! A position that is not won is lost if every action loses outright or leads to a win of the opponent;
//! otherwise it is drawn. So the set of wins decides every position, but gives no distances.

use crate::known::Worth;
use crate::value::Value;
use dovemate::rules::{Board, Color, Game, Outcome};

/// The value of a position without its distance, except that a win by an action that ends the game is a win in 1.
///
/// # Errors
/// Those of `is_win`, which decides whether a position is won.
pub(crate) fn value<E>(
    game: &Game,
    board: &Board,
    mover: Color,
    is_win: impl Fn(&Board, Color) -> Result<bool, E>,
) -> Result<Worth, E> {
    let actions =
        || game.legal_actions(board, mover).map(|(_, after)| (game.rules.outcome_of(&after, mover), after));
    if is_win(board, mover)? {
        let at_once = actions().any(|(outcome, _)| outcome == Outcome::Won);
        return Ok(if at_once { Worth::Exact(Value::Win(1)) } else { Worth::Win });
    }
    for (outcome, after) in actions() {
        let loses = match outcome {
            Outcome::Lost => true,
            Outcome::Won | Outcome::Drawn => false,
            Outcome::Open => is_win(&after, mover.opponent())?,
        };
        if !loses {
            return Ok(Worth::Exact(Value::Draw));
        }
    }
    Ok(Worth::Lose)
}
