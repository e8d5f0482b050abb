//! Grundy numbers of impartial games in which play always ends, and never in a draw.
//!
//! The Grundy number of a position is the least number that none of its successors has. A finished position
//! has 0 if the player to move has lost, as always in normal play, and 1 if that player has won. So the
//! number is 0 exactly in the lost positions, even in misère play and in games whose winning condition is
//! part of the position. But only in normal play is the number of a sum of games the exclusive or of the
//! parts' numbers.

use super::{End, Graph};

/// The Grundy number of an end, from the point of view of the player to move then.
const fn of_end(end: End) -> Option<u32> {
    match end {
        End::Lost => Some(0),
        End::Won => Some(1),
        End::Drawn => None,
    }
}

impl<P> Graph<P> {
    /// The Grundy numbers of all positions, in the order of the positions' numbers; `None` if play can go in circles or
    /// end in a draw.
    pub fn grundy_numbers(&self) -> Option<Vec<u32>> {
        let mut numbers = vec![0; self.len()];
        for position in self.successors_first()? {
            if let Some(end) = self.without_action(position) {
                numbers[position] = of_end(end)?;
                continue;
            }
            let successors = self.successors(position).iter();
            let mut below: Vec<u32> = successors.map(|&successor| numbers[successor as usize]).collect();
            // An action that wins leaves the other player with a loss.
            for (end, left) in [(End::Won, End::Lost), (End::Lost, End::Won), (End::Drawn, End::Drawn)] {
                if self.can_end(position, end) {
                    below.push(of_end(left)?);
                }
            }
            below.sort_unstable();
            below.dedup();
            let taken = (0..).zip(&below).take_while(|(least, number)| least == *number);
            numbers[position] = taken.count() as u32;
        }
        Some(numbers)
    }
}
