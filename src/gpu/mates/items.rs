//! What an item of a boss placement's work is, how many there are, and how long one may take.
//!
//! With the factored method an item is one opposing set and 32 of the orders of its doves, with the exhaustive one an opposing
//! placement and up to [`ORDERS_PER_ITEM`] orders of the mover's doves.

use crate::mates::Method;
use crate::mates::orders::{CONSTANTS, deals};
use crate::mates::pairs::KINDS;
use crate::mates::table::GROUPS;

/// Clauses that a group of a table has room for. The fullest group has 18, on any boss placement under any rules (a test
/// looks at all); a table that did not fit would be reported, not cut.
pub(super) const GROUP_CAPACITY: usize = 18;
/// Clauses that a whole table has at most: 73 (the same test), with some room.
pub(super) const MOST_CLAUSES: u32 = 80;
/// Invocations of a workgroup that counts a slice.
pub(super) const WORKGROUP_SIZE: u32 = 64;
/// The mover's orders in an item of the exhaustive method.
pub(super) const ORDERS_PER_ITEM: usize = 30;

/// How many orders a word of the factored method's items has.
const ORDERS_PER_WORD: usize = u32::BITS as usize;

/// The items of the factored method for a number of slots: an opposing set, and from bit 10 the word of its orders.
pub(super) fn factored_items(slots: u32) -> impl Iterator<Item = u32> {
    CONSTANTS.opposing_sets[slots as usize].iter().flat_map(|&set| {
        let words = deals(set.count_ones()).div_ceil(ORDERS_PER_WORD) as u32;
        (0..words).map(move |word| set | word << 10)
    })
}

/// How many items a boss placement with this number of slots has.
pub(super) fn items(slots: u32, method: Method) -> u32 {
    match method {
        Method::Factored => factored_items(slots).count() as u32,
        Method::Exhaustive => {
            let sets = CONSTANTS.opposing_sets[slots as usize].iter().map(|set| set.count_ones());
            sets.map(|count| deals(count) * deals(slots - count).div_ceil(ORDERS_PER_ITEM)).sum::<usize>() as u32
        }
    }
}

/// The most loop iterations that an item takes, over all loops of the shader, of a group of invocations that run in step: a loop
/// takes as many as the invocation that needs most.
const fn iterations_per_item(method: Method) -> u32 {
    match method {
        // The places of the opponent and of who decides; the clauses of the boss, the puts, and for each row of some slot, which
        // need not be the same one in all invocations.
        Method::Factored => 1 + 2 * KINDS as u32 + GROUP_CAPACITY as u32 * (2 + KINDS as u32),
        // The numbers of opposing slots and one dealing; then for each order a dealing, the groups, and every clause, as all
        // invocations go over the groups together.
        Method::Exhaustive => {
            2 + 2 * KINDS as u32 + ORDERS_PER_ITEM as u32 * (1 + KINDS as u32 + GROUPS as u32 + MOST_CLAUSES)
        }
    }
}

/// The most loop iterations in building a table: each group judges at most its capacity of actions and a return. For each it goes
/// over ten slots, for each of these over at most eight lonely doves and the four steps of a Totsu; and some fifty iterations
/// for the opposing boss and the puts.
const ITERATIONS_OF_A_TABLE: u32 = (GROUP_CAPACITY as u32 + 1) * (10 * 13 + 50);

/// The items of a slice when nothing but time bounds it.
const fn preferred_items(method: Method) -> u32 {
    match method {
        Method::Factored => 1024,
        Method::Exhaustive => 16 * WORKGROUP_SIZE,
    }
}

/// The items of a slice that keeps invocations below `iterations` loop iterations, if that is given; `None` if a table or a single
/// item does not.
pub(super) fn slice_items(method: Method, iterations: Option<u32>) -> Option<u32> {
    let items_per_lane = match iterations {
        None => u32::MAX,
        Some(iterations) if iterations < ITERATIONS_OF_A_TABLE => 0,
        Some(iterations) => iterations / iterations_per_item(method),
    };
    let items = preferred_items(method).min(items_per_lane.saturating_mul(WORKGROUP_SIZE));
    (items > 0).then_some(items)
}
