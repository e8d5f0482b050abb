//! How the work is cut: items, slices and batches.
//!
//! A boss placement's work is a number of *items*, taken in turn by the invocations of a workgroup: with the factored method
//! one opposing set and 32 of the orders of its doves, with the exhaustive one an opposing placement and up to 120 orders of
//! the mover's doves. A *slice* is a run of items of one boss placement, and a *batch* is what one dispatch does.

use super::layout::{GROUP_CAPACITY, MOST_CLAUSES, MOST_DEMANDS, Slice};
use crate::mates::Method;
use crate::mates::orders::{CONSTANTS, deals};
use crate::mates::pairs::KINDS;
use crate::mates::table::GROUPS;
use crate::shapes::BossPlacement;

/// Invocations of a workgroup that counts a slice.
pub(super) const WORKGROUP_SIZE: u32 = 64;
/// The mover's orders in an item of the exhaustive method.
pub(super) const ORDERS_PER_ITEM: usize = 120;
/// The items of the factored method in a slice, at most: the shader lists those that live.
pub(super) const SLICE_ITEMS: u32 = 1024;
/// Boss placements in a batch; their tables take 28 MB.
pub(super) const MOST_PLACEMENTS: usize = 8192;
/// Slices in a batch: WebGPU's limit on workgroups in a dispatch.
pub(super) const MOST_SLICES: usize = 65_535;
/// What a table costs, as a number of items; only the balance between batches depends on it.
const TABLE_COST: u64 = 64;

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
fn items(slots: u32, method: Method) -> u32 {
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
        // The item itself twice, the demands twice, the second time with the mover's slots; then who decides.
        Method::Factored => 2 + MOST_DEMANDS as u32 * (2 + KINDS as u32) + 2 * KINDS as u32,
        // The numbers of opposing slots, dealing, the demands, three times the mover's slots, and its orders.
        Method::Exhaustive => 1 + 5 * KINDS as u32 + MOST_DEMANDS as u32 + ORDERS_PER_ITEM as u32,
    }
}

/// The most loop iterations of an invocation in gathering the demands of a table: the groups twice, the clauses of a group, and for
/// each clause that falls to the invocation all clauses before and after it.
const ITERATIONS_OF_DEMANDS: u32 = {
    let each = (GROUPS * GROUP_CAPACITY).div_ceil(WORKGROUP_SIZE as usize) as u32;
    2 * GROUPS as u32 + GROUP_CAPACITY as u32 + each * (1 + 2 * MOST_CLAUSES)
};

/// The most loop iterations in building a table: each group judges at most its capacity of actions and a return. For each it goes
/// over ten slots, for each of these over at most eight lonely doves and the four steps of a Totsu; and some fifty iterations
/// for the opposing boss and the puts.
const ITERATIONS_OF_A_TABLE: u32 = (GROUP_CAPACITY as u32 + 1) * (10 * 13 + 50);

/// The items of a slice when nothing but time bounds it.
const fn preferred_items(method: Method) -> u32 {
    match method {
        Method::Factored => SLICE_ITEMS,
        Method::Exhaustive => 16 * WORKGROUP_SIZE,
    }
}

/// What one dispatch does.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The boss placements, by their places in the list: from `first` on.
    pub first: usize,
    /// How many of them.
    pub placements: usize,
    /// Slices of these, in order.
    pub slices: Vec<Slice>,
    /// What the batch costs, in items.
    pub cost: u64,
    /// How many of the boss placements are finished with this batch: all, or all but the last.
    pub finished: usize,
}

/// Cuts a list of boss placements into batches.
pub(super) struct Planner<'a> {
    placements: &'a [BossPlacement],
    /// Items by number of slots.
    items: [u32; 11],
    slice_items: u32,
    next_placement: usize,
    next_item: u32,
}

impl<'a> Planner<'a> {
    /// A planner for slices that keep invocations below `iterations` loop iterations, if that is given; `None` if a table or a
    /// single item does not.
    pub fn new(placements: &'a [BossPlacement], method: Method, iterations: Option<u32>) -> Option<Planner<'a>> {
        let items_per_lane = match iterations {
            None => u32::MAX,
            Some(iterations) if iterations < ITERATIONS_OF_A_TABLE => 0,
            Some(iterations) => iterations.saturating_sub(ITERATIONS_OF_DEMANDS) / iterations_per_item(method),
        };
        let slice_items = preferred_items(method).min(items_per_lane.saturating_mul(WORKGROUP_SIZE));
        let items = std::array::from_fn(|slots| items(slots as u32, method));
        let planner = Planner { placements, items, slice_items, next_placement: 0, next_item: 0 };
        (slice_items > 0).then_some(planner)
    }

    /// The next batch, of about `cost` items but at least one slice; `None` when all is planned.
    pub fn next(&mut self, cost: u64) -> Option<Plan> {
        let first = self.next_placement;
        let mut plan = Plan { first, placements: 0, slices: Vec::new(), cost: 0, finished: 0 };
        while let Some(placement) = self.placements.get(self.next_placement) {
            let is_full = plan.placements == MOST_PLACEMENTS || plan.slices.len() == MOST_SLICES || plan.cost >= cost;
            if is_full && !plan.slices.is_empty() {
                break;
            }
            let slots = placement.slots();
            let items = self.items[slots as usize];
            plan.placements += 1;
            plan.cost += TABLE_COST;
            while self.next_item < items && plan.slices.len() < MOST_SLICES {
                if plan.cost >= cost && !plan.slices.is_empty() {
                    break;
                }
                let slice_items = self.slice_items.min(items - self.next_item);
                let table = (self.next_placement - first) as u32;
                plan.slices.push(Slice { table, slots, first_item: self.next_item, items: slice_items });
                plan.cost += u64::from(slice_items);
                self.next_item += slice_items;
            }
            if self.next_item < items {
                return Some(plan);
            }
            self.next_item = 0;
            self.next_placement += 1;
            plan.finished += 1;
        }
        (plan.placements > 0).then_some(plan)
    }
}
