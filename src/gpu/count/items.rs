//! The items of a boss placement's work: the rows of its blocks, each a deal of the opponent's doves with all
//! orders of the mover's.

use std::sync::LazyLock;

use crate::shapes::deals::{CONSTANTS, MAX_SLOTS, ORDERS, deals};

/// The capacity of a group of a table, in clauses. The fullest group on any boss placement under any rules
/// has 18 (a test checks all of them); a table that did not fit would be reported, not truncated.
pub const GROUP_CAPACITY: usize = 18;
/// The capacity of a whole table, in clauses: the fullest has 73 (same test).
pub const MAX_CLAUSES: u32 = 80;
/// The capacity of a workgroup, in demands: 28 are the most on any boss placement under any rules (same
/// test).
pub const MAX_DEMANDS: usize = 28;
/// The most items in a slice: 64 whole blocks, as most have a row for each order. So demands are gathered
/// once for many blocks, and no invocation comes near the 65,535 loop iterations after which an old driver,
/// Mesa 22's lavapipe, ends loops.
pub(super) const SLICE_ITEMS: u32 = 64 * ORDERS as u32;

/// The number of items of a boss placement, by its number of slots.
pub(super) static ITEMS: LazyLock<[u32; MAX_SLOTS + 1]> = LazyLock::new(|| {
    let items = |sets: &Vec<u32>| sets.iter().map(|set| deals(set.count_ones()) as u32).sum();
    std::array::from_fn(|slots| items(&CONSTANTS.opposing_sets[slots]))
});
