//! Values by retrograde analysis: backwards from the ends, one ply per round.
//!
//! Round n + 1 examines the positions decided in n plies and their predecessors. A position with a successor that is
//! lost in n is won in n + 1. A position whose last open successor has now turned out to be won in n is lost in n + 1,
//! unless an action ends the game drawn. Rounds come in order of distance, so the first winning action found is a
//! quickest one, and the last losing action a slowest one. Every edge is visited at most once. A position that no round
//! decides is a draw: it is a drawn end, or its player has an action to another draw, or one that ends the game drawn.

use super::{End, Graph};
use crate::value::Value;

impl<P> Graph<P> {
    /// The values of all positions, in the order of the positions' numbers.
    pub fn values(&self) -> Vec<Value> {
        // Undecided positions are draws.
        let mut values = vec![Value::Draw; self.len()];
        // For each position, the number of distinct successors not yet known to be won. If an action ends the game in a
        // draw, it is one more, and so never falls to 0.
        let mut remaining = vec![0_u32; self.len()];
        let mut decided = Vec::new();
        let mut decided_next = Vec::new();
        for position in 0..self.len() {
            let can_end = |end| self.can_end(position, end);
            remaining[position] = self.successors(position).len() as u32 + u32::from(can_end(End::Drawn));
            let (value, round) = match self.without_action(position) {
                Some(End::Won) => (Value::Win(0), &mut decided),
                Some(End::Lost) => (Value::Lose(0), &mut decided),
                None if can_end(End::Won) => (Value::Win(1), &mut decided_next),
                None if remaining[position] == 0 => (Value::Lose(1), &mut decided_next),
                Some(End::Drawn) | None => continue,
            };
            values[position] = value;
            round.push(position as u32);
        }
        let predecessors = Predecessors::of(self);
        let mut plies = 0;
        while !decided.is_empty() || !decided_next.is_empty() {
            plies += 1;
            for &position in &decided {
                let is_won = matches!(values[position as usize], Value::Win(_));
                for &predecessor in predecessors.of_position(position as usize) {
                    let value = &mut values[predecessor as usize];
                    if *value != Value::Draw {
                        continue;
                    }
                    if is_won {
                        let remaining = &mut remaining[predecessor as usize];
                        *remaining -= 1;
                        if *remaining > 0 {
                            continue;
                        }
                    }
                    *value = if is_won { Value::Lose(plies) } else { Value::Win(plies) };
                    decided_next.push(predecessor);
                }
            }
            decided = std::mem::take(&mut decided_next);
        }
        values
    }
}

/// The edges of a graph, reversed.
pub(super) struct Predecessors {
    /// The start, in `positions`, of each position's predecessors, and the end of the last position's.
    starts: Vec<usize>,
    positions: Vec<u32>,
}

impl Predecessors {
    pub(super) fn of<P>(graph: &Graph<P>) -> Predecessors {
        let mut starts = vec![0; graph.len() + 1];
        for position in 0..graph.len() {
            for &successor in graph.successors(position) {
                starts[successor as usize] += 1;
            }
        }
        // Each count becomes the end of its range; filling the ranges backwards turns the ends into starts.
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut positions = vec![0; total];
        for position in 0..graph.len() {
            for &successor in graph.successors(position) {
                let start = &mut starts[successor as usize];
                *start -= 1;
                positions[*start] = position as u32;
            }
        }
        Predecessors { starts, positions }
    }

    pub(super) fn of_position(&self, position: usize) -> &[u32] {
        &self.positions[self.starts[position]..self.starts[position + 1]]
    }
}
