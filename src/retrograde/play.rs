//! Play that follows from values: the longest win or loss, and lines of best play.

use super::Graph;
use crate::value::Value;

impl<P> Graph<P> {
    /// The first decided position with the greatest distance; `None` if all are drawn.
    pub fn longest(&self, values: &[Value]) -> Option<usize> {
        let plies = |&position: &usize| values[position].plies();
        let decided = (0..values.len()).filter(|position| plies(position).is_some());
        decided.reduce(|longest, position| if plies(&position) > plies(&longest) { position } else { longest })
    }

    /// A line of best play: the positions from this one to the last before the end, the winner taking the quickest win
    /// and the loser the slowest loss. Among equally good actions it takes the one to the position with the least
    /// number. From a draw the line is that position alone, as it need never end.
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
