//! Permanents of 0/1 matrices of 5×5, for all opposing placements at once.
//!
//! The number of ways to give the mover's slots different kinds, each slot a kind that it allows, is the permanent of the matrix
//! `allowed[slot][kind]`. An entry here is a set of orders of the opposing doves: those under which the kind is allowed on the
//! slot. Numbers are *bit-sliced* accordingly: a number is a few sets, and bit b of the number that belongs to an order
//! says whether the b-th set has it. So one `&` multiplies, and a full adder adds, for up to 120 orders.
//!
//! Laplace's expansion along the first two rows keeps the numbers small: with S ranging over the ten pairs of kinds,
//! permanent = Σ p₂(rows 0–1, kinds S) · p₃(rows 2–4, the other kinds), where p₂ ≤ 2 and p₃ ≤ 6.
//!
//! The twin of this file is `shaders/permanent.wgsl`.

use super::orders::OrderSet;
use super::pairs::KINDS;

/// `allowed[slot][kind]`: the orders of the opposing doves under which the kind may stand on the slot.
pub type Allowed = [[OrderSet; KINDS]; KINDS];

/// The ten pairs of kinds, each with the three other kinds.
const EXPANSION: [([usize; 2], [usize; 3]); 10] = [
    ([0, 1], [2, 3, 4]),
    ([0, 2], [1, 3, 4]),
    ([0, 3], [1, 2, 4]),
    ([0, 4], [1, 2, 3]),
    ([1, 2], [0, 3, 4]),
    ([1, 3], [0, 2, 4]),
    ([1, 4], [0, 2, 3]),
    ([2, 3], [0, 1, 4]),
    ([2, 4], [0, 1, 3]),
    ([3, 4], [0, 1, 2]),
];

/// The sum of the permanents over all orders.
pub fn permanents(allowed: &Allowed) -> u64 {
    let mut sum = 0;
    for ([i, j], [k, l, m]) in EXPANSION {
        let pair = pair_permanent(allowed, 0, [i, j]);
        if pair == [0, 0] {
            continue;
        }
        let triple = triple_permanent(allowed, [k, l, m]);
        for (bit, half) in pair.iter().enumerate() {
            for (other_bit, third) in triple.iter().enumerate() {
                sum += u64::from((half & third).count_ones()) << (bit + other_bit);
            }
        }
    }
    sum
}

/// The permanent of the rows `row` and `row + 1` in two columns: 0 to 2.
fn pair_permanent(allowed: &Allowed, row: usize, [i, j]: [usize; 2]) -> [OrderSet; 2] {
    let straight = allowed[row][i] & allowed[row + 1][j];
    let crossed = allowed[row][j] & allowed[row + 1][i];
    [straight ^ crossed, straight & crossed]
}

/// The permanent of the last three rows in three columns: 0 to 6.
fn triple_permanent(allowed: &Allowed, [k, l, m]: [usize; 3]) -> [OrderSet; 3] {
    let term = |last: usize, pair: [usize; 2]| pair_permanent(allowed, 2, pair).map(|bit| bit & allowed[4][last]);
    let [a0, a1] = term(k, [l, m]);
    let [b0, b1] = term(l, [k, m]);
    let [c0, c1] = term(m, [k, l]);
    let carry = a0 & b0 | c0 & (a0 ^ b0);
    // Of the bits worth 2 there are four: a1, b1, c1 and the carry.
    let (low, high) = (a1 ^ b1, a1 & b1);
    let (other_low, other_high) = (c1 ^ carry, c1 & carry);
    [a0 ^ b0 ^ c0, low ^ other_low, high | other_high | low & other_low]
}

/// In how many ways the slots can get different kinds, each out of the set of kinds that it allows: one permanent, row by row.
pub fn ways(allowed: impl IntoIterator<Item = u32>) -> u64 {
    // ways[kinds]: in how many ways the slots so far take exactly these kinds.
    let mut ways = [0; 1 << KINDS];
    ways[0] = 1;
    for allowed in allowed {
        let mut longer = [0; 1 << KINDS];
        for (taken, ways) in ways.iter().enumerate().filter(|(_, ways)| **ways != 0) {
            for kind in (0..KINDS).filter(|kind| allowed >> kind & 1 == 1 && taken >> kind & 1 == 0) {
                longer[taken | 1 << kind] += ways;
            }
        }
        ways = longer;
    }
    ways.iter().sum()
}
