//! Traps: of actions with equal value, the better ones are those after which the opponent can more easily go
//! wrong.
//!
//! The opponent's *ways* are the actions that keep the value: after a drawing action those that draw, after a losing
//! action those that still win, at any distance. They are counted where all values are known.

use super::{Lookup, LookupError, Ranked, Ways};
use crate::search::Search;
use dovemate::rules::{Board, Color, Game, Outcome};
use dovemate_solver::Wdl;

/// Maximum number of values probed for one ranking.
const MAX_QUERIES: usize = 2_000;

/// Counts the ways after each of these actions, which all have this value. Counts none of them if a value is unknown,
/// there are too many to probe, or the search is to stop, because the numbers are useful only in comparison.
///
/// # Errors
/// If values cannot be read.
pub(super) fn count<'r>(
    game: &Game,
    lookup: &dyn Lookup,
    actions: impl Iterator<Item = &'r mut Ranked>,
    value: Wdl,
    mover: Color,
    search: &Search,
) -> Result<(), LookupError> {
    let mut actions: Vec<&mut Ranked> = actions.collect();
    let mut counter = WayCounter { game, lookup, search, queries: 0 };
    let ways = |ranked: &&mut Ranked| match game.rules.outcome_of(&ranked.after, mover) {
        Outcome::Open => counter.ways(&ranked.after, mover.opponent(), value.before()),
        _ => Ok(Some(Ways::default())),
    };
    let counted: Option<Vec<Ways>> = actions.iter().map(ways).collect::<Result<_, _>>()?;
    for (ranked, ways) in actions.iter_mut().zip(counted.into_iter().flatten()) {
        ranked.ways = Some(ways);
    }
    Ok(())
}

/// Counts ways until a value is unknown, or its probes or time run out.
struct WayCounter<'a> {
    game: &'a Game,
    lookup: &'a dyn Lookup,
    search: &'a Search,
    /// The number of values probed so far.
    queries: usize,
}

impl WayCounter<'_> {
    /// The ways in which a player keeps a value; `None` if they cannot be counted.
    fn ways(&mut self, board: &Board, player: Color, kept: Wdl) -> Result<Option<Ways>, LookupError> {
        let mut ways = Ways::default();
        for (_, after) in self.game.legal_actions(board, player) {
            let Some(value) = self.value_of_action(&after, player)? else { return Ok(None) };
            ways.kept += u32::from(value == kept);
            ways.answers += 1;
        }
        Ok(Some(ways))
    }

    /// The value of an action to the player who takes it, by the board after it.
    fn value_of_action(&mut self, after: &Board, player: Color) -> Result<Option<Wdl>, LookupError> {
        if let Some(value) = Wdl::of(self.game.rules.outcome_of(after, player)) {
            return Ok(Some(value));
        }
        if self.queries == MAX_QUERIES || self.search.check_clock().is_err() {
            return Ok(None);
        }
        self.queries += 1;
        let known = self.lookup.probe(after, player.opponent())?;
        Ok(known.and_then(|known| known.worth.before().wdl()))
    }
}
