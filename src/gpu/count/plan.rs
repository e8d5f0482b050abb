//! How work is divided into units, items, slices and batches.
//!
//! The work is a list of *units*, each with a number of *items*, which the invocations of a workgroup take in
//! turn. A
//! *slice* is a run of items of one unit. A *batch* is the work of one dispatch: slices in the order of the list,
//! without gaps. A unit that does not fit in a batch continues in the next.

/// A run of items of one unit, for one workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The unit, by its index in the batch.
    pub unit: u32,
    /// The first item.
    pub first_item: u32,
    /// The number of items.
    pub items: u32,
}

/// The work of one dispatch.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The index of the first unit in the list.
    pub first: usize,
    /// The number of units, consecutive in the list.
    pub units: usize,
    /// The slices of these units, in order.
    pub slices: Vec<Slice>,
    /// The cost of the batch, in items.
    pub cost: u64,
    /// The number of units that this batch finishes: all, or all but the last.
    pub finished: usize,
}

/// The capacity of a batch and of a slice.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Units in a batch.
    pub units: usize,
    /// Slices in a batch.
    pub slices: usize,
    /// Items in a slice.
    pub items: u32,
    /// The overhead of a unit, in items; it only affects the balance between batches.
    pub unit_cost: u64,
}

/// Divides a list of units into batches.
pub struct Planner {
    /// The items of each unit.
    items: Vec<u32>,
    room: Room,
    next_unit: usize,
    next_item: u32,
}

impl Planner {
    /// A planner for units that have these numbers of items.
    pub fn new(items: Vec<u32>, room: Room) -> Planner {
        Planner { items, room, next_unit: 0, next_item: 0 }
    }

    /// Whether all is planned.
    pub fn is_done(&self) -> bool {
        self.next_unit == self.items.len()
    }

    /// The next batch, with a cost of about `cost` items but at least one slice; `None` when all is planned.
    pub fn next(&mut self, cost: u64) -> Option<Plan> {
        let first = self.next_unit;
        let mut plan = Plan { first, units: 0, slices: Vec::new(), cost: 0, finished: 0 };
        while let Some(&items) = self.items.get(self.next_unit) {
            let is_large = plan.slices.len() == self.room.slices || plan.cost >= cost;
            if plan.units == self.room.units || is_large && !plan.slices.is_empty() {
                break;
            }
            let unit = plan.units as u32;
            plan.units += 1;
            plan.cost += self.room.unit_cost;
            while self.next_item < items && plan.slices.len() < self.room.slices {
                if plan.cost >= cost && !plan.slices.is_empty() {
                    break;
                }
                let slice_items = self.room.items.min(items - self.next_item);
                plan.slices.push(Slice { unit, first_item: self.next_item, items: slice_items });
                plan.cost += u64::from(slice_items);
                self.next_item += slice_items;
            }
            if self.next_item < items {
                return Some(plan);
            }
            self.next_item = 0;
            self.next_unit += 1;
            plan.finished += 1;
        }
        (plan.units > 0).then_some(plan)
    }
}
