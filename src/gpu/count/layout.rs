//! The layout of the words sent to a GPU and returned by it. Twin of `shaders/layout.wgsl` and of the structs in
//! `shaders/count.wgsl`.

use crate::count::clause::GROUPS;
use crate::shapes::deals::{CONSTANTS, KINDS, MAX_SLOTS, ORDERS, OrderSet, deal_set};

/// The capacity of a group of a table, in clauses. The fullest group on any boss placement under any rules has 18 (a
/// test checks all boss placements); a boss placement whose table did not fit would be reported as not counted.
pub(crate) const GROUP_CAPACITY: usize = 18;
/// The capacity of a whole table, in clauses: the fullest has 73 (same test).
pub(crate) const MAX_CLAUSES: u32 = 80;
/// The capacity of a workgroup, in demands: no boss placement has more than 28 under any rules (same test).
pub(crate) const MAX_DEMANDS: usize = 28;
/// Bytes of one refutation table: two words per group, then clauses of 16 bytes each.
pub(crate) const TABLE_SIZE: u64 = (8 * GROUPS + 16 * GROUPS * GROUP_CAPACITY) as u64;

/// The number of words at the start of a batch, in the uniform buffer: the number of boss placements that follow, and
/// the serial number of the batch, which is never 0 and different for every batch.
pub(crate) const HEAD_WORDS: usize = 2;
/// The constants of [`crate::shapes::deals`], laid out as `Constants` in `shaders/count.wgsl`.
pub(crate) fn constants() -> Vec<u32> {
    let deal_sets = (0..=KINDS as u32).map(deal_set);
    let order_sets: Vec<OrderSet> = CONSTANTS.by_kinds.iter().flatten().copied().chain(deal_sets).collect();
    let sets = &CONSTANTS.opposing_sets;
    let starts = (0..=sets.len()).map(|slots| sets[..slots].iter().map(Vec::len).sum::<usize>() as u32);
    let order_sets: &[u32] = bytemuck::cast_slice(&order_sets);
    order_sets.iter().copied().chain(starts).chain(sets.concat()).collect()
}

const _: () =
    assert!(ORDERS == 120 && KINDS == 5 && MAX_SLOTS == 10, "the shaders have these numbers in their types");
