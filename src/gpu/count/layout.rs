//! The bytes that go to the GPU and come back. Twin of `shaders/layout.wgsl` and of the structs in
//! `shaders/slice.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::items::GROUP_CAPACITY;
use super::plan::Slice;
use crate::count::clause::GROUPS;
use crate::count::exhaustive::PlacePairs;
use crate::shapes::BossPlacement;
use crate::shapes::deals::{CONSTANTS, KINDS, MAX_SLOTS, ORDERS};

/// Bytes of one refutation table: two words per group, then clauses of 16 bytes each.
pub(super) const TABLE_SIZE: u64 = (8 * GROUPS + 16 * GROUPS * GROUP_CAPACITY) as u64;

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

/// The orders and the opposing sets, laid out as `Constants` in `shaders/slice.wgsl`.
pub(super) fn constants() -> Vec<u32> {
    let orders = (0..ORDERS).map(|order| PlacePairs::dealt(order).kinds());
    let mut lists = Vec::new();
    let mut set_starts = Vec::new();
    for sets in &CONSTANTS.opposing_sets {
        for size in 0..=KINDS as u32 + 1 {
            set_starts.push((lists.len() + sets.partition_point(|set| set.count_ones() < size)) as u32);
        }
        lists.extend(sets);
    }
    orders.chain(set_starts).chain(lists).collect()
}

const _: () = assert!(ORDERS == 120 && KINDS == 5 && MAX_SLOTS == 10, "the shaders have these numbers in their types");

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::super::items::{MAX_CLAUSES, MAX_DEMANDS};
    use super::*;
    use crate::count::table::Table;
    use crate::rules::Rules;
    use crate::shapes::Shape;

    /// The sizes in `items.rs` hold for the tables of all boss placements, including those that the enclosure prune
    /// drops. They are also reached: a larger number would waste memory on every adapter.
    #[test]
    fn every_table_fits() {
        let placements: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
        let (mut fullest_group, mut fullest_table, mut most_demands) = (0, 0, 0);
        // Variants without returns only have fewer actions.
        for rules in Rules::variants().filter(|rules| rules.returns) {
            let sizes = placements.par_iter().map_init(Table::default, |table, placement| {
                table.build(placement, rules);
                let groups: [usize; GROUPS] = std::array::from_fn(|group| table.group(group).len());
                let (group, whole) = (groups.into_iter().max().unwrap_or(0), groups.into_iter().sum());
                (group, whole, table.demands().iter().count())
            });
            let most = |a: (usize, usize, usize), b: (usize, usize, usize)| (a.0.max(b.0), a.1.max(b.1), a.2.max(b.2));
            let (group, whole, demands) = sizes.reduce(|| (0, 0, 0), most);
            println!("{rules:?}: fullest group {group} clauses, fullest table {whole}, of {demands} demands at most");
            most_demands = most_demands.max(demands);
            fullest_group = fullest_group.max(group);
            fullest_table = fullest_table.max(whole);
        }
        assert_eq!(fullest_group, GROUP_CAPACITY, "clauses of the fullest group");
        assert_eq!(most_demands, MAX_DEMANDS, "demands of a table");
        assert_eq!(fullest_table, 73, "clauses of the fullest table");
        assert!(fullest_table <= MAX_CLAUSES as usize, "{fullest_table} clauses, {MAX_CLAUSES} are allowed for");
    }
}
