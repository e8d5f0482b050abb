//! Work divided into batches and slices.

use dovemate::internals::gpu::count::plan::{Planner, Room};
use proptest::prelude::*;

/// Arbitrary capacities.
fn rooms() -> impl Strategy<Value = Room> {
    (1usize..20, 1usize..20, 1u32..50, 0u64..100).prop_map(|(units, slices, items, unit_cost)| Room {
        units,
        slices,
        items,
        unit_cost,
    })
}

proptest! {
    /// For any items, capacities and costs, every item of every unit is planned once and in order, no batch
    /// exceeds its capacity, and a unit that was cut continues where it was cut.
    #[test]
    fn every_item_is_planned_once_and_in_order(
        items in prop::collection::vec(prop_oneof![0u32..3, 0u32..2000], 0..60),
        room in rooms(),
        costs in prop::collection::vec(prop_oneof![Just(0u64), 1u64..5000, Just(u64::MAX)], 1..10),
    ) {
        let mut planner = Planner::new(items.clone(), room);
        let (mut unit, mut item, mut batches) = (0, 0, 0);
        while let Some(plan) = planner.next(costs[batches % costs.len()]) {
            let cost = costs[batches % costs.len()];
            batches += 1;
            prop_assert!(plan.units <= room.units && plan.slices.len() <= room.slices);
            prop_assert_eq!(plan.first, unit);
            prop_assert!(plan.finished == plan.units || plan.finished + 1 == plan.units);
            // Without its last slice, or its last unit if that has none, the batch would be too small.
            prop_assert!(plan.cost <= cost.saturating_add(u64::from(room.items)).saturating_add(room.unit_cost)
                || plan.slices.len() <= 1);
            let mut planned = 0;
            for slice in &plan.slices {
                let place = plan.first + slice.unit as usize;
                while unit < place {
                    prop_assert_eq!(item, items[unit], "the unit before is whole");
                    (unit, item) = (unit + 1, 0);
                }
                prop_assert_eq!(slice.first_item, item);
                prop_assert!((1..=room.items).contains(&slice.items));
                item += slice.items;
                planned += u64::from(slice.items);
            }
            prop_assert_eq!(plan.cost, planned + plan.units as u64 * room.unit_cost);
            while unit < plan.first + plan.finished {
                prop_assert_eq!(item, items[unit]);
                (unit, item) = (unit + 1, 0);
            }
        }
        prop_assert_eq!((unit, item), (items.len(), 0));
    }
}
