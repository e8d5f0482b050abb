//! The items of a boss placement's work: placements of the opposing doves, each with all orders of the mover's doves.

use super::plan::Slice;
use crate::shapes::BossPlacement;
use crate::shapes::deals::{CONSTANTS, MAX_SLOTS, deals};

/// The capacity of a group of a table, in clauses. The fullest group on any boss placement under any rules has 18 (a
/// test checks all of them); a table that did not fit would be reported, not truncated.
pub const GROUP_CAPACITY: usize = 18;
/// The capacity of a whole table, in clauses: the fullest has 73 (same test).
pub const MAX_CLAUSES: u32 = 80;
/// The capacity of a workgroup, in demands: 28 are the most on any boss placement under any rules (same test).
pub const MAX_DEMANDS: usize = 28;
/// Invocations of a workgroup that counts a slice.
pub(super) const WORKGROUP_SIZE: u32 = 64;
/// The most items in a slice: few enough that no invocation comes near the 65,535 loop iterations after which an old
/// driver, Mesa 22's lavapipe, ends loops.
pub(super) const SLICE_ITEMS: u32 = 16 * WORKGROUP_SIZE;

/// The number of assignments in each item, for a number of slots.
fn capacities(slots: u32) -> impl Iterator<Item = u32> {
    let opposing = CONSTANTS.opposing_sets[slots as usize].iter().map(|set| set.count_ones());
    opposing.flat_map(move |count| std::iter::repeat_n(deals(slots - count) as u32, deals(count)))
}

/// The items of boss placements, with the number of assignments in each.
pub struct Items {
    /// By number of slots: the assignments in the first n items together, for n from 0 to all.
    room: Vec<Vec<u32>>,
}

impl Items {
    /// The items of all numbers of slots.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Items {
        let sums = |slots| {
            let sums = capacities(slots).scan(0, |sum, capacity| {
                *sum += capacity;
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        };
        Items { room: (0..=MAX_SLOTS as u32).map(sums).collect() }
    }

    /// The number of items of a boss placement.
    pub fn items(&self, placement: &BossPlacement) -> u32 {
        self.of(placement.slots())
    }

    /// The number of items of any boss placement with this number of slots.
    pub(super) fn of(&self, slots: u32) -> u32 {
        self.room[slots as usize].len() as u32 - 1
    }

    /// The most that can be found in a slice of a boss placement.
    pub fn most(&self, placement: &BossPlacement, slice: &Slice) -> u64 {
        let room = &self.room[placement.slots() as usize];
        let first = slice.first_item as usize;
        u64::from(room[first + slice.items as usize] - room[first])
    }
}
