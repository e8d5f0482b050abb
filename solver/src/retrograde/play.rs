//! Play on a graph: whether it always ends, the longest win or loss, and lines of best play.

use super::Graph;
use super::solve::Predecessors;
use crate::value::Value;

impl<P> Graph<P> {
    /// The positions in an order in which each comes after all of its successors; `None` if play can go in
    /// circles.
    pub fn successors_first(&self) -> Option<Vec<usize>> {
        let predecessors = Predecessors::of(self);
        let mut open: Vec<usize> = (0..self.len()).map(|position| self.successors(position).len()).collect();
        let mut order: Vec<usize> = (0..self.len()).filter(|&position| open[position] == 0).collect();
        let mut next = 0;
        while let Some(&position) = order.get(next) {
            next += 1;
            for &predecessor in predecessors.of_position(position) {
                open[predecessor as usize] -= 1;
                if open[predecessor as usize] == 0 {
                    order.push(predecessor as usize);
                }
            }
        }
        (order.len() == self.len()).then_some(order)
    }

    /// The first decided position with the greatest distance; `None` if all are drawn.
    pub fn longest(&self, values: &[Value]) -> Option<usize> {
        let decided = (0..values.len()).rev().filter(|&position| values[position].plies().is_some());
        decided.max_by_key(|&position| values[position].plies())
    }

    /// A line of best play: the positions from this one to the last before the end, the winner taking the quickest win
    /// and the loser the slowest loss. Among equally good actions it takes the one to the position with the least
    /// number. From a draw the line is that position alone, because play may never end.
    pub fn best_line(&self, values: &[Value], from: usize) -> Vec<usize> {
        let mut line = vec![from];
        let mut position = from;
        while values[position].plies().is_some() {
            let best = self.successors(position).iter().map(|&successor| successor as usize);
            let next = best.rev().max_by_key(|&successor| values[successor].before());
            match next {
                // Where every successor is worse, the best action ends the game.
                Some(next) if values[next].before() == values[position] => {
                    line.push(next);
                    position = next;
                }
                _ => break,
            }
        }
        line
    }
}
