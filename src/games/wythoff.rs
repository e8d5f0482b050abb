//! Wythoff's game, the article's game (*): black and white stones. A player takes one or more stones of one colour, or
//! equally many of both. Taking the last stone wins or, in *misère* play, loses.
//!
//! Wythoff (1907): with φ = (1 + √5) ÷ 2 the lost positions are those of ⌊nφ⌋ and ⌊nφ⌋ + n stones, n = 0, 1, 2, …, in
//! either colour. In misère play the first two pairs, 0 and 0 with 1 and 2, are replaced by 0 and 1 with 2 and 2; all
//! others stay.

use crate::retrograde::{Unmarked, lost_positions};

/// The lost positions with up to `most` stones of each colour, found by marking: (black, white), black changing
/// fastest.
pub fn lost(most: u32, misere: bool) -> Vec<[u32; 2]> {
    let base = most as usize + 1;
    let before = |position: usize, unmarked: &mut Unmarked| {
        let (black, white) = (position % base, position / base);
        (1..base - black).for_each(|more| unmarked.mark(position + more));
        (1..base - white).for_each(|more| unmarked.mark(position + more * base));
        (1..base - black.max(white)).for_each(|more| unmarked.mark(position + more * (base + 1)));
    };
    let numbers = lost_positions(base * base, misere.then_some(0), before);
    numbers.into_iter().map(|number| [(number % base) as u32, (number / base) as u32]).collect()
}

/// ⌊nφ⌋ and ⌊nφ⌋ + n in integer arithmetic: nφ = (n + √(5n²)) ÷ 2, and rounding the root down first changes nothing.
pub fn golden_pair(n: u32) -> [u64; 2] {
    let n = u64::from(n);
    let less = ((u128::from(n) + (5 * u128::from(n) * u128::from(n)).isqrt()) / 2) as u64;
    [less, less + n]
}

/// The same positions as [`lost`], by the formula.
pub fn lost_by_formula(most: u32, misere: bool) -> Vec<[u32; 2]> {
    let pair = |n: u32| match (misere, n) {
        (true, 0) => [0, 1],
        (true, 1) => [2, 2],
        _ => golden_pair(n),
    };
    // The differences of the pairs are distinct, so none is greater than `most`.
    let fits = (0..=most).map(pair).filter(|&[_, greater]| greater <= u64::from(most));
    let mut positions: Vec<[u32; 2]> =
        fits.flat_map(|[less, greater]| [[less as u32, greater as u32], [greater as u32, less as u32]]).collect();
    positions.sort_unstable_by_key(|&[black, white]| (white, black));
    positions.dedup();
    positions
}
