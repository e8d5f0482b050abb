//! Traps: of actions with equal value, the better ones are those after which the opponent can more easily go wrong.
//!
//! The opponent's *ways* are the actions that keep the value: after a drawing action those that draw, after a losing
//! action those that still win, at whatever distance. They are counted where all values are known.

use super::{Lookup, LookupError, Ranked, Ways};
use crate::rules::{Color, Game, Outcome};
use crate::search::Search;

/// The most values that are looked up for one position.
const LOOK_UPS: usize = 2_000;

/// Counts the ways after each of these actions of equal value. If some value is unknown, there are too many, or the
/// search is to stop, it counts none of them: the numbers are of use only side by side.
///
/// # Errors
/// If values cannot be read.
pub fn count<'r>(
    game: &Game,
    lookup: &dyn Lookup,
    actions: impl Iterator<Item = &'r mut Ranked>,
    mover: Color,
    search: &Search,
) -> Result<(), LookupError> {
    let opponent = mover.opponent();
    let mut actions: Vec<&mut Ranked> = actions.collect();
    let mut left = LOOK_UPS;
    let mut counted = Vec::with_capacity(actions.len());
    for ranked in &actions {
        if game.rules.outcome_of(&ranked.after, mover) != Outcome::Open {
            counted.push(Ways { kept: 0, answers: 0 });
            continue;
        }
        // What the value is to the opponent.
        let kept = if ranked.worth.name() == "lose" { "win" } else { "draw" };
        let mut ways = Ways { kept: 0, answers: 0 };
        for (_, board) in game.legal_actions(&ranked.after, opponent) {
            let name = match game.rules.outcome_of(&board, opponent) {
                Outcome::Won => "win",
                Outcome::Lost => "lose",
                Outcome::Drawn => "draw",
                Outcome::Open => {
                    let Some(rest) = left.checked_sub(1).filter(|_| search.glance().is_ok()) else {
                        return Ok(());
                    };
                    left = rest;
                    let Some(known) = lookup.value(&board, mover)? else { return Ok(()) };
                    known.worth.before().name()
                }
            };
            ways.kept += u32::from(name == kept);
            ways.answers += 1;
        }
        counted.push(ways);
    }
    for (ranked, ways) in actions.iter_mut().zip(counted) {
        ranked.ways = Some(ways);
    }
    Ok(())
}
