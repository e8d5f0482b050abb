//! What values say about play: the longest fight, and a line in which both players play their best.

use super::{Graph, Value};

impl<P> Graph<P> {
    /// The first of the decided positions with the greatest distance; `None` if all are drawn.
    pub fn longest(&self, values: &[Value]) -> Option<usize> {
        let plies = |&position: &usize| values[position].plies();
        let decided = (0..values.len()).filter(|position| plies(position).is_some());
        decided.reduce(|longest, position| if plies(&position) > plies(&longest) { position } else { longest })
    }

    /// A line of best play: the positions from this one to the last before the end, the winner hurrying and the loser delaying.
    /// Among equally good actions the one to the position with the least number is taken. From a draw the line is that position
    /// alone: it need never end.
    pub fn best_line(&self, values: &[Value], from: usize) -> Vec<usize> {
        let mut line = vec![from];
        let mut position = from;
        while values[position].plies().is_some() {
            let best = self.successors(position).iter().map(|&successor| successor as usize);
            let next = best.rev().max_by_key(|&successor| values[successor].before());
            match next {
                // Where every successor is worse, an action that ends the game is best.
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
