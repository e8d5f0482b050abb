//! Deals of doves to slots: which slots are the opponent's, and which kind stands on each slot of a player.
//!
//! One list of the 120 orders of the five kinds serves every number of slots. It is sorted so that, for each
//! n, its first 5·4·… (n factors) orders begin with different sequences of n kinds. These prefixes are all
//! the ways to give n slots different kinds, so a set of such ways is a `u128` for every n.

use std::sync::LazyLock;

use crate::rules::Kind;

/// Kinds other than the boss, numbered from 0 in the order A Y M T H, as [`Kind::OTHERS`] has them.
pub(crate) const KINDS: usize = Kind::OTHERS.len();
/// The greatest number of slots: 12 doves less the two bosses.
pub const MAX_SLOTS: usize = 2 * KINDS;

/// The number of orders of the five kinds.
pub(crate) const ORDERS: usize = 120;

/// A set of orders; bit i is the order with index i in the list.
pub(crate) type OrderSet = u128;

/// Constant tables, computed once and shared by all boss placements.
#[derive(Debug)]
pub(crate) struct Orders {
    /// The orders: the kind on the first, second, … slot of a player.
    pub orders: [[u8; KINDS]; ORDERS],
    /// `by_kinds[slot][kinds]`: the orders whose kind on this slot is in the set `kinds`.
    pub by_kinds: [[OrderSet; 1 << KINDS]; KINDS],
    /// For each number of slots, the sets of slots that may be the opponent's, sorted by size, then as
    /// numbers.
    pub opposing_sets: Vec<Vec<u32>>,
}

/// The number of deals of kinds to `slots` slots: 5 · 4 · …, `slots` factors. The first orders of
/// [`Orders::orders`], as many as there are deals, stand for one deal each.
pub(crate) const fn deals(slots: u32) -> usize {
    [1, 5, 20, 60, 120, 120][slots as usize]
}

/// The set of the orders that stand for the deals to `slots` slots: the first `deals(slots)`.
pub(crate) const fn deal_set(slots: u32) -> OrderSet {
    (1 << deals(slots)) - 1
}

/// The orders and what follows from them, computed on first use.
pub(crate) static CONSTANTS: LazyLock<Orders> = LazyLock::new(Orders::new);

impl Orders {
    fn new() -> Orders {
        let orders = nested_orders();
        let with = |slot: usize, kinds: usize| {
            let has_kind = |order: &[u8; KINDS]| OrderSet::from(kinds >> order[slot] & 1 == 1);
            orders.iter().enumerate().fold(0, |with, (index, order)| with | has_kind(order) << index)
        };
        Orders {
            orders,
            by_kinds: std::array::from_fn(|slot| std::array::from_fn(|kinds| with(slot, kinds))),
            opposing_sets: (0..=MAX_SLOTS as u32).map(opposing_sets).collect(),
        }
    }
}

/// The sets of slots that may be the opponent's: each player has at most five doves besides the boss.
fn opposing_sets(slots: u32) -> Vec<u32> {
    let fair = |set: &u32| set.count_ones() <= KINDS as u32 && slots - set.count_ones() <= KINDS as u32;
    let mut sets: Vec<u32> = (0..1 << slots).filter(fair).collect();
    sets.sort_by_key(|set| (set.count_ones(), *set));
    sets
}

/// All orders; for each n, those that are the first with their prefix of n kinds come before the others.
fn nested_orders() -> [[u8; KINDS]; ORDERS] {
    let sequences = sequences(KINDS, KINDS).into_iter();
    let all: Vec<[u8; KINDS]> = sequences.map(|order| order.try_into().expect("all kinds")).collect();
    let mut nested: Vec<[u8; KINDS]> = Vec::with_capacity(ORDERS);
    for n in 1..=KINDS {
        for order in &all {
            if nested.iter().all(|earlier| earlier[..n] != order[..n]) {
                nested.push(*order);
            }
        }
    }
    nested.try_into().expect("there are 5! orders")
}

/// All sequences of k distinct members of 0 … n − 1, in lexicographic order.
#[inline]
pub fn sequences(n: usize, k: usize) -> Vec<Vec<u8>> {
    let mut sequences = vec![vec![]];
    for _ in 0..k {
        let extend = |prefix: &Vec<u8>| {
            let rest = (0..n as u8).filter(|member| !prefix.contains(member));
            rest.map(|member| [&prefix[..], &[member]].concat()).collect::<Vec<_>>()
        };
        sequences = sequences.iter().flat_map(extend).collect();
    }
    sequences
}
