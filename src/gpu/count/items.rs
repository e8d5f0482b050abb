//! The items of a boss placement's work: what they are, their number, and the loop iterations that one takes.
//!
//! With the factored method an item is one opposing set and 32 of the orders of its doves; with the exhaustive one it
//! is one placement of the opposing doves and up to [`ORDERS_PER_ITEM`] orders of the mover's doves.

use crate::count::clause::GROUPS;
use crate::count::orders::{CONSTANTS, deals};
use crate::count::pairs::{KINDS, MAX_SLOTS};
use crate::count::{Category, Method, Question};
use crate::gpu::plan::Slice;
use crate::gpu::stream::Work;
use crate::shapes::BossPlacement;

/// The capacity of a group of a table, in clauses. The fullest group on any boss placement under any rules has 18 (a
/// test checks all of them); a table that did not fit would be reported, not truncated.
pub(super) const GROUP_CAPACITY: usize = 18;
/// The capacity of a whole table, in clauses: the fullest has 73 (same test).
pub(super) const MAX_CLAUSES: u32 = 80;
/// The capacity of a workgroup, in demands: 28 are the most on any boss placement under any rules (same test).
pub(super) const MAX_DEMANDS: usize = 28;
/// Invocations of a workgroup that counts a slice.
pub(super) const WORKGROUP_SIZE: u32 = 64;
/// The most orders of the mover's doves in an item of the exhaustive method.
pub(super) const ORDERS_PER_ITEM: usize = 120;
/// The most items in a slice of the factored method: the shader has room to list that many live ones.
pub(super) const SLICE_ITEMS: u32 = 1024;

/// Bits of the set of slots in an item of the factored method; the number of the word is above them.
pub(super) const SET_BITS: u32 = 10;
const SET_MASK: u32 = (1 << SET_BITS) - 1;
/// Orders in a word of the factored method's items.
const ORDERS_PER_WORD: usize = u32::BITS as usize;

/// The items of the factored method for a number of slots: an opposing set, and from bit [`SET_BITS`] the number of the
/// word of its orders.
pub(super) fn factored_items(slots: u32) -> impl Iterator<Item = u32> {
    CONSTANTS.opposing_sets[slots as usize].iter().flat_map(|&set| {
        let words = deals(set.count_ones()).div_ceil(ORDERS_PER_WORD) as u32;
        (0..words).map(move |word| set | word << SET_BITS)
    })
}

/// The number of assignments in each item, for a number of slots.
fn capacities(slots: u32, question: Question) -> Vec<u32> {
    let ways = |set: u32| deals(slots - set.count_ones());
    let sets = CONSTANTS.opposing_sets[slots as usize].iter().copied();
    let capacities: Vec<usize> = match question.method {
        Method::Factored => {
            let items = factored_items(slots).map(|item| (item & SET_MASK, (item >> SET_BITS) as usize));
            items
                .map(|(set, word)| {
                    let orders = deals(set.count_ones());
                    // For wins and stuck positions the first word stands for all orders of the opposing doves.
                    let decided = match (question.category, word) {
                        (Category::Mates, _) => (orders - word * ORDERS_PER_WORD).min(ORDERS_PER_WORD),
                        (_, 0) => orders,
                        _ => 0,
                    };
                    decided * ways(set)
                })
                .collect()
        }
        Method::Exhaustive => sets
            .flat_map(|set| {
                let starts = (0..ways(set)).step_by(ORDERS_PER_ITEM);
                let chunks = starts.map(move |first| (ways(set) - first).min(ORDERS_PER_ITEM));
                chunks.flat_map(move |chunk| std::iter::repeat_n(chunk, deals(set.count_ones())))
            })
            .collect(),
    };
    capacities.into_iter().map(|capacity| capacity as u32).collect()
}

/// The items of boss placements, with the number of assignments in each.
pub(super) struct Items {
    /// By number of slots: the assignments in the first n items together, for n from 0 to all.
    room: Vec<Vec<u32>>,
}

impl Items {
    /// The items of a question.
    pub fn of(question: Question) -> Items {
        let sums = |slots| {
            let capacities = capacities(slots, question);
            let sums = capacities.iter().scan(0, |sum, capacity| {
                *sum += capacity;
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        };
        Items { room: (0..=MAX_SLOTS as u32).map(sums).collect() }
    }
}

impl Work for Items {
    type Unit = BossPlacement;

    fn items(&self, placement: &BossPlacement) -> u32 {
        self.room[placement.slots() as usize].len() as u32 - 1
    }

    fn most(&self, placement: &BossPlacement, slice: &Slice) -> u64 {
        let room = &self.room[placement.slots() as usize];
        let first = slice.first_item as usize;
        u64::from(room[first + slice.items as usize] - room[first])
    }
}

/// The most loop iterations that an item takes, summed over all loops of the shader. Invocations of a subgroup run in
/// lockstep, so a loop takes as many iterations as the invocation that needs most.
const fn iterations_per_item(method: Method) -> u32 {
    match method {
        // The item itself twice; the demands three times; then the deciding actors and the permanents.
        Method::Factored => 4 + 3 * MAX_DEMANDS as u32 + KINDS as u32,
        // The item, the numbers of opposing slots, the deal, the demands, the mover's slots and its orders.
        Method::Exhaustive => 2 + 3 * KINDS as u32 + MAX_DEMANDS as u32 + ORDERS_PER_ITEM as u32,
    }
}

/// The most loop iterations of an invocation while it gathers the demands of a table: the groups, the clauses of one
/// group, and, for each clause assigned to the invocation, all clauses before and after it.
const ITERATIONS_OF_DEMANDS: u32 =
    GROUPS as u32 + GROUP_CAPACITY as u32 + MAX_CLAUSES.div_ceil(WORKGROUP_SIZE) * (1 + 2 * MAX_CLAUSES);

/// The most loop iterations while building a table. Each group judges at most as many actions as its capacity, and a
/// return. For each it loops over the possible refuters (the boss, the puts and ten slots), and for each of these over
/// at most eight isolated doves and the four steps of a Totsu; about fifty iterations go to the targets of the opposing
/// boss and to the slots that puts touch.
const ITERATIONS_OF_A_TABLE: u32 = (GROUP_CAPACITY as u32 + 1) * (12 * 13 + 50);

/// The items in a slice where loops are not limited.
const fn preferred_items(method: Method) -> u32 {
    match method {
        Method::Factored => SLICE_ITEMS,
        Method::Exhaustive => 16 * WORKGROUP_SIZE,
    }
}

/// The items in a slice that keeps every invocation below `iterations` loop iterations, if given; `None` if a table or
/// a single item already exceeds them.
pub(super) fn slice_items(method: Method, iterations: Option<u32>) -> Option<u32> {
    let items_per_lane = match iterations {
        None => u32::MAX,
        Some(iterations) if iterations < ITERATIONS_OF_A_TABLE => 0,
        Some(iterations) => iterations.saturating_sub(ITERATIONS_OF_DEMANDS) / iterations_per_item(method),
    };
    let items = preferred_items(method).min(items_per_lane.saturating_mul(WORKGROUP_SIZE));
    (items > 0).then_some(items)
}
