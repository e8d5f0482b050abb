//! Nim: piles of stones; a player takes one or more stones from one pile. A player who cannot act loses or, in *misère*
//! play, wins: there, taking the last stone loses.
//!
//! Bouton (1901): a position is lost exactly if the exclusive or of the piles is 0. In misère play the same holds if
//! some pile has two stones or more; otherwise it is lost exactly if the number of piles with one stone is odd.

use crate::retrograde::{Unmarked, lost_positions};

/// Positions of `piles` piles with up to `most` stones each, where the piles are distinguishable.
///
/// They are numbered as `expand.grid` orders them in R, the first pile changing fastest: a number's digits in base
/// `most` + 1 are the piles, the first pile being the last digit. So taking stones always leads to a smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piles {
    /// The number of piles.
    pub piles: u32,
    /// The greatest number of stones in a pile.
    pub most: u32,
}

impl Piles {
    /// The number of positions; `None` if it exceeds a `u128`.
    pub fn positions(self) -> Option<u128> {
        (u128::from(self.most) + 1).checked_pow(self.piles)
    }

    /// The piles of the position with this number, the first pile first.
    pub fn position(self, mut number: usize) -> Vec<u32> {
        let base = self.most as usize + 1;
        let mut next = || {
            let pile = number % base;
            number /= base;
            pile as u32
        };
        (0..self.piles).map(|_| next()).collect()
    }

    /// The lost positions, by number ascending, found by marking.
    ///
    /// # Panics
    /// If there are more positions than memory can address.
    pub fn lost(self, misere: bool) -> Vec<usize> {
        let positions = self.positions().and_then(|positions| usize::try_from(positions).ok());
        let base = self.most as usize + 1;
        let before = |position: usize, unmarked: &mut Unmarked| {
            let mut unit = 1;
            for _ in 0..self.piles {
                let stones = position / unit % base;
                (1..base - stones).for_each(|more| unmarked.mark(position + more * unit));
                unit *= base;
            }
        };
        lost_positions(positions.expect("the positions can be numbered"), misere.then_some(0), before)
    }

    /// The numbers of the positions that Bouton's rule calls lost, ascending.
    pub fn lost_by_bouton(self, misere: bool) -> impl Iterator<Item = usize> {
        let positions = self.positions().and_then(|positions| usize::try_from(positions).ok()).unwrap_or(usize::MAX);
        let mut piles = vec![0; self.piles as usize];
        (0..positions).filter(move |_| {
            let is_lost = is_lost_by_bouton(&piles, misere);
            // Go on to the piles of the next number.
            for pile in &mut piles {
                if *pile < self.most {
                    *pile += 1;
                    break;
                }
                *pile = 0;
            }
            is_lost
        })
    }
}

/// Whether Bouton's rule calls a position lost.
pub fn is_lost_by_bouton(piles: &[u32], misere: bool) -> bool {
    let (or, xor) = piles.iter().fold((0, 0), |(or, xor), &pile| (or | pile, xor ^ pile));
    if misere && or <= 1 { xor == 1 } else { xor == 0 }
}
