//! Grundy numbers of impartial games in which play cannot cycle.
//!
//! The Grundy number of a position is the least number that none of its successors has (its *mex*). A finished position
//! has 0 if the player to move has lost, as always in normal play, and 1 if that player has won. So the number is 0
//! exactly in the lost positions, even in misère play and in games whose winning condition is part of the position. But
//! only in normal play is the number of a sum of games the exclusive or of the parts' numbers.

use super::{End, Graph};

/// Why positions have no Grundy numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGrundyNumbers {
    /// Play can cycle.
    #[error("the game can go in circles, so its positions have no Grundy numbers")]
    Circle,
    /// Play can end drawn.
    #[error("the game can end drawn, so its positions have no Grundy numbers")]
    Drawn,
}

/// The Grundy number of an end, from the point of view of the player to move then.
const fn of_end(end: End) -> Option<u32> {
    match end {
        End::Lost => Some(0),
        End::Won => Some(1),
        End::Drawn => None,
    }
}

impl<P> Graph<P> {
    /// The Grundy number of every position, by number.
    ///
    /// # Errors
    /// If play can cycle or end drawn.
    pub fn grundy_numbers(&self) -> Result<Vec<u32>, NoGrundyNumbers> {
        let order = self.successors_first().ok_or(NoGrundyNumbers::Circle)?;
        let mut numbers = vec![0; self.len()];
        let mut below = Vec::new();
        for position in order {
            if let Some(end) = self.without_action(position) {
                numbers[position] = of_end(end).ok_or(NoGrundyNumbers::Drawn)?;
                continue;
            }
            below.clear();
            below.extend(self.successors(position).iter().map(|&successor| numbers[successor as usize]));
            // An action that wins leaves the other player with a loss.
            for (end, left) in [(End::Won, End::Lost), (End::Lost, End::Won), (End::Drawn, End::Drawn)] {
                if self.can_end(position, end) {
                    below.push(of_end(left).ok_or(NoGrundyNumbers::Drawn)?);
                }
            }
            numbers[position] = mex(&mut below);
        }
        Ok(numbers)
    }

    /// The positions in an order in which each comes after all of its successors; `None` if play can cycle.
    pub fn successors_first(&self) -> Option<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            No,
            Above,
            Done,
        }
        let mut seen = vec![Seen::No; self.len()];
        let mut order = Vec::with_capacity(self.len());
        // The positions on the current path, each with the number of its successors already visited.
        let mut way: Vec<(usize, usize)> = Vec::new();
        for start in 0..self.len() {
            if seen[start] == Seen::No {
                seen[start] = Seen::Above;
                way.push((start, 0));
            }
            while let Some((position, looked_at)) = way.last_mut() {
                match self.successors(*position).get(*looked_at) {
                    None => {
                        seen[*position] = Seen::Done;
                        order.push(*position);
                        way.pop();
                    }
                    Some(&successor) => {
                        *looked_at += 1;
                        match seen[successor as usize] {
                            Seen::Above => return None,
                            Seen::Done => (),
                            Seen::No => {
                                seen[successor as usize] = Seen::Above;
                                way.push((successor as usize, 0));
                            }
                        }
                    }
                }
            }
        }
        Some(order)
    }
}

/// The least number that is not among these. Sorts them.
pub fn mex(numbers: &mut [u32]) -> u32 {
    numbers.sort_unstable();
    let mut mex = 0;
    for &number in numbers.iter() {
        match number.cmp(&mex) {
            std::cmp::Ordering::Less => (),
            std::cmp::Ordering::Equal => mex += 1,
            std::cmp::Ordering::Greater => break,
        }
    }
    mex
}
