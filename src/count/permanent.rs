//! Permanents of 0/1 matrices with five columns, for all orders of the opposing doves at once.
//!
//! The number of ways to give some slots different kinds, each slot a kind that it allows, is the permanent
//! of the matrix `allowed[slot][kind]`. Here an entry is a set of orders of the opposing doves: those under
//! which the slot allows the kind. Numbers are *bit-sliced* accordingly: a number is a few sets, and bit b of
//! an order's number says whether the b-th set contains the order. So one `&` multiplies, and a full adder
//! adds, for up to 120 orders at once.
//!
//! Laplace's expansion along the first two rows keeps the numbers small. With S ranging over the ten pairs of kinds,
//! permanent = Σ p₂(rows 0–1, kinds S) · p(the other rows, the other three kinds), where p₂ is 0, 1 or 2. The two terms
//! of p₂ are added with `^` and `&`; if there are no other rows, each is counted by itself. The second factor is 1 if
//! there is no other row, and the number of allowed kinds, up to 3, if there is one; for two or three rows it is at
//! most 6. Slots that allow every kind need no row: see [`factored`](super::factored).

use super::sets::Kinds;
use super::sides::arrangements;
use crate::bits::Bits;
use crate::shapes::deals::{KINDS, OrderSet};

/// The orders of the opposing doves under which each kind may stand on a slot.
pub(crate) type OrderRow = [OrderSet; KINDS];

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

/// A bit-sliced number: 0 to 7.
type SlicedNumber = [OrderSet; 3];

/// The permanents of one to five rows, summed over all orders.
///
/// # Panics
/// If there are no rows, or more than five.
pub(crate) fn permanents(rows: &[OrderRow]) -> u64 {
    match rows {
        [row] => row.iter().map(|&orders| count(orders)).sum(),
        [a, b] => EXPANSION.iter().map(|&([i, j], _)| count(a[i] & b[j]) + count(a[j] & b[i])).sum(),
        [a, b, c] => expand(a, b, |[k, l, m]| add_bits(c[k], c[l], c[m])),
        [a, b, c, d] => {
            expand(a, b, |[k, l, m]| add_pairs(pair(c, d, [l, m]), pair(c, d, [k, m]), pair(c, d, [k, l])))
        }
        [a, b, c, d, e] => expand(a, b, |[k, l, m]| {
            let term = |last: usize, kinds| pair(c, d, kinds).map(|bit| bit & e[last]);
            add_pairs(term(k, [l, m]), term(l, [k, m]), term(m, [k, l]))
        }),
        _ => panic!("{} rows; there must be one to five", rows.len()),
    }
}

fn count(orders: OrderSet) -> u64 {
    u64::from(orders.count_ones())
}

/// The expansion along two rows, with the permanent of the other rows in three columns.
fn expand(a: &OrderRow, b: &OrderRow, others: impl Fn([usize; 3]) -> SlicedNumber) -> u64 {
    let mut sum = 0;
    for (kinds, other_kinds) in EXPANSION {
        let [ones, twos] = pair(a, b, kinds);
        if ones | twos == 0 {
            continue;
        }
        let number = others(other_kinds);
        for (bit, half) in number.into_iter().enumerate().filter(|(_, half)| *half != 0) {
            sum += count(ones & half) << bit;
            sum += count(twos & half) << (bit + 1);
        }
    }
    sum
}

/// The permanent of two rows in two columns: 0 to 2.
fn pair(a: &OrderRow, b: &OrderRow, [i, j]: [usize; 2]) -> [OrderSet; 2] {
    let straight = a[i] & b[j];
    let crossed = a[j] & b[i];
    [straight ^ crossed, straight & crossed]
}

/// The sum of three numbers of one bit.
fn add_bits(a: OrderSet, b: OrderSet, c: OrderSet) -> SlicedNumber {
    [a ^ b ^ c, a & b | c & (a ^ b), 0]
}

/// The sum of three numbers of 0 to 2.
fn add_pairs([a0, a1]: [OrderSet; 2], [b0, b1]: [OrderSet; 2], [c0, c1]: [OrderSet; 2]) -> SlicedNumber {
    let carry = a0 & b0 | c0 & (a0 ^ b0);
    // Four bits are worth 2: a1, b1, c1 and the carry.
    let (low, high) = (a1 ^ b1, a1 & b1);
    let (other_low, other_high) = (c1 ^ carry, c1 & carry);
    [a0 ^ b0 ^ c0, low ^ other_low, high | other_high | low & other_low]
}

/// The number of ways to give the slots different kinds out of `kinds`, each slot one that it allows: a permanent,
/// expanded row by row. Most slots allow every kind; these take the kinds that the others leave.
pub(crate) fn ways(kinds: Kinds, allowed: impl IntoIterator<Item = Kinds>) -> u64 {
    let mut bounded = [Kinds::NONE; KINDS];
    let (mut rows, mut others) = (0, 0);
    for allowed in allowed {
        if allowed & kinds == kinds {
            others += 1;
        } else if rows < KINDS {
            bounded[rows] = allowed & kinds;
            rows += 1;
        } else {
            return 0;
        }
    }
    let left = kinds.count().saturating_sub(rows as u32);
    expand_rows(&bounded[..rows], 0) * arrangements(left, others)
}

/// The number of ways to give the slots of these rows different kinds that they allow, none of them in `taken`.
fn expand_rows(rows: &[Kinds], taken: u32) -> u64 {
    match rows {
        [] => 1,
        [last] => u64::from((last.0 & !taken).count_ones()),
        [first, others @ ..] => {
            (first.0 & !taken).bits().map(|kind| expand_rows(others, taken | 1 << kind)).sum()
        }
    }
}
