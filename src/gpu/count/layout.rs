//! The bytes that go to the GPU and come back. Twin of `shaders/layout.wgsl` and of the structs in
//! `shaders/slice.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::items::GROUP_CAPACITY;
use super::plan::Slice;
use crate::count::clause::GROUPS;
use crate::count::exhaustive::MoverPairs;
use crate::shapes::BossPlacement;
use crate::shapes::deals::{CONSTANTS, KINDS, MAX_SLOTS, ORDERS, OrderSet, deal_set};

/// Bytes of one refutation table: two words per group, then clauses of 16 bytes each.
pub const TABLE_SIZE: u64 = (8 * GROUPS + 16 * GROUPS * GROUP_CAPACITY) as u64;

/// The uniform parameters of a batch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Batch {
    /// The number of boss placements.
    pub placements: u32,
    /// The number of slices.
    pub slices: u32,
    /// The serial number for the done marks: not 0, and different for every batch.
    pub serial: u32,
}

/// A run of a boss placement's items, for one workgroup.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct SliceWords {
    /// The boss placement, by its index in the batch.
    pub table: u32,
    /// The boss placement's number of slots.
    pub slots: u32,
    /// The first item.
    pub first_item: u32,
    /// The number of items.
    pub items: u32,
}

/// What is sent with a batch.
pub(super) struct Upload {
    pub batch: Batch,
    /// The boss placements, each as its [`placement_word`].
    pub placements: Vec<u32>,
    pub slices: Vec<SliceWords>,
}

impl Upload {
    /// The batch of these slices of these boss placements.
    pub fn new(placements: &[BossPlacement], slices: &[Slice], serial: u32) -> Upload {
        let words = |&Slice { unit, first_item, items }: &Slice| SliceWords {
            table: unit,
            slots: placements[unit as usize].slots(),
            first_item,
            items,
        };
        Upload {
            batch: Batch { placements: placements.len() as u32, slices: slices.len() as u32, serial },
            placements: placements.iter().map(placement_word).collect(),
            slices: slices.iter().map(words).collect(),
        }
    }
}

impl Upload {
    /// All words, one after another: the batch, its boss placements, its slices.
    pub fn words(&self) -> Vec<u32> {
        let (batch, slices) =
            (bytemuck::cast_slice(&[self.batch]).to_vec(), bytemuck::cast_slice(&self.slices));
        [batch, self.placements.clone(), slices.to_vec()].concat()
    }
}

/// The result of a slice.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Count {
    /// The number found.
    pub found: u32,
    /// The number of items decided.
    pub decided: u32,
    /// The serial number of the batch.
    pub serial: u32,
}

/// A boss placement as one word: the cells in the low 16 bits, then the cell numbers of the two bosses.
pub(super) fn placement_word(placement: &BossPlacement) -> u32 {
    u32::from(placement.cells().0) | placement.own_boss() << 16 | placement.opposing_boss() << 20
}

/// The constants of [`crate::shapes::deals`], laid out as `Constants` in `shaders/slice.wgsl`.
pub(super) fn constants() -> Vec<u32> {
    let deal_sets = (0..=KINDS as u32).map(deal_set);
    let order_sets: Vec<OrderSet> = CONSTANTS.by_kinds.iter().flatten().copied().chain(deal_sets).collect();
    let orders = (0..ORDERS).map(|order| MoverPairs::of_deal(order).kinds());
    let mut lists = Vec::new();
    let mut set_starts = Vec::new();
    for sets in &CONSTANTS.opposing_sets {
        for size in 0..=KINDS as u32 + 1 {
            set_starts.push((lists.len() + sets.partition_point(|set| set.count_ones() < size)) as u32);
        }
        lists.extend(sets);
    }
    let order_sets: &[u32] = bytemuck::cast_slice(&order_sets);
    order_sets.iter().copied().chain(orders).chain(set_starts).chain(lists).collect()
}

const _: () =
    assert!(ORDERS == 120 && KINDS == 5 && MAX_SLOTS == 10, "the shaders have these numbers in their types");
