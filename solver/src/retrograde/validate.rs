//! The validator: it derives every value again from its successors, by the definition and without the
//! solver's code.
//!
//! If each value fits its successors, all are right. A win or a loss in n rests on values in fewer plies, down to ends,
//! so by induction over n each is right. And no win or loss is missing: of the positions that are won or lost but given
//! another value, take one with the least distance. It must be given as a draw, because given wins and losses are
//! right. The successors that decide it have smaller distances, so their values are right: one is given as lost, or all
//! are given as won. Then a draw does not fit them, which contradicts the assumption.

use std::fmt::Debug;

use rayon::prelude::*;

use super::{After, End, Game, Graph};
use crate::value::Value;

/// A value that does not follow from those of its successors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position:?} is given as {given}, but {derived} follows from its actions")]
pub struct Inconsistent<P: Debug> {
    /// The position.
    pub position: P,
    /// The value that was given.
    pub given: Value,
    /// The value that follows from its successors.
    pub derived: Value,
}

/// Checks the values of all positions of a graph, in the order of their numbers. Their distances must be less than
/// [`u32::MAX`], at which they saturate. The actions are those of the game, not of the graph.
///
/// # Errors
/// The first position whose value does not follow.
///
/// # Panics
/// If the number of values differs from the number of positions, an action leads out of the graph, or the
/// system starts no threads for rayon.
pub fn validate<G: Game>(
    game: &G,
    graph: &Graph<G::Position>,
    values: &[Value],
) -> Result<(), Inconsistent<G::Position>>
where
    G::Position: Debug,
{
    assert_eq!(graph.len(), values.len(), "a value for every position");
    let number_of = |position: &G::Position| graph.number(position).expect("the graph has all positions");
    let value_of = |position: &G::Position| values[number_of(position)];
    let wrong = (0..graph.len()).into_par_iter().find_first(|&number| {
        let position = &graph.positions()[number];
        derived(game, position, value_of) != values[number]
    });
    let Some(number) = wrong else { return Ok(()) };
    let position = graph.positions()[number].clone();
    let derived = derived(game, &position, value_of);
    Err(Inconsistent { position, given: values[number], derived })
}

/// The best value that an action of the player to move leads to or, if there is no action, that of the end.
fn derived<G: Game>(game: &G, position: &G::Position, value_of: impl Fn(&G::Position) -> Value) -> Value {
    let value = |after| match after {
        After::Position(next) => value_of(&next).before(),
        After::End(end) => value_of_end(end, 1),
    };
    let best = game.actions(position).into_iter().map(value).max();
    best.unwrap_or_else(|| value_of_end(game.without_action(position), 0))
}

/// The value of a game that ends in this many plies.
fn value_of_end(end: End, plies: u32) -> Value {
    match end {
        End::Won => Value::Win(plies),
        End::Drawn => Value::Draw,
        End::Lost => Value::Lose(plies),
    }
}
