//! The room for refutation tables on a card.

use crate::count::clause::GROUPS;
use crate::count::table::Table;
use crate::gpu::count::layout::{GROUP_CAPACITY, MAX_CLAUSES, MAX_DEMANDS};
use crate::rules::Rules;
use crate::shapes::{BossPlacement, Shape};
use rayon::prelude::*;

/// The sizes in `layout.rs` are enough for the tables of all boss placements, including those that the enclosure prune
/// drops. Some tables reach the sizes of a group and of the demands.
#[test]
fn every_table_fits() {
    let placements: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    let (mut fullest_group, mut fullest_table, mut most_demands) = (0, 0, 0);
    // Variants without returns only have fewer actions.
    for rules in Rules::variants().filter(|rules| rules.returns) {
        let sizes = placements.par_iter().map_init(Table::default, |table, placement| {
            table.build(None, placement, rules);
            let groups: [usize; GROUPS] = std::array::from_fn(|group| table.group(group).len());
            let (group, whole) = (groups.into_iter().max().unwrap_or(0), groups.into_iter().sum());
            (group, whole, table.demands().len())
        });
        let most =
            |a: (usize, usize, usize), b: (usize, usize, usize)| (a.0.max(b.0), a.1.max(b.1), a.2.max(b.2));
        let (group, whole, demands) = sizes.reduce(|| (0, 0, 0), most);
        println!(
            "{rules:?}: fullest group {group} clauses, fullest table {whole}, of {demands} demands at most"
        );
        most_demands = most_demands.max(demands);
        fullest_group = fullest_group.max(group);
        fullest_table = fullest_table.max(whole);
    }
    assert_eq!(fullest_group, GROUP_CAPACITY, "clauses of the fullest group");
    assert_eq!(most_demands, MAX_DEMANDS, "demands of a table");
    assert_eq!(fullest_table, 73, "clauses of the fullest table");
    assert!(fullest_table <= MAX_CLAUSES as usize, "{fullest_table} clauses, {MAX_CLAUSES} are allowed for");
}
