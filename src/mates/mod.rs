//! Deciding the assignments of a boss placement: which of them are mates.
//!
//! Two methods share one refutation table ([`table`]): [`exhaustive`] tests assignment by assignment, [`factored`] counts
//! with permanents. The [`reference`](mod@reference) shares nothing with them.

pub mod exhaustive;
pub mod factored;
pub mod orders;
pub mod pairs;
pub mod permanent;
pub mod reference;
pub mod table;

use crate::rules::Rules;
use crate::shapes::BossPlacement;
use table::Table;

/// How the assignments of a boss placement are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Opposing doves first, then a permanent: see [`factored`].
    Factored,
    /// Every assignment in turn: see [`exhaustive`].
    Exhaustive,
}

/// Counts the mates of one boss placement after the other; keeps its table's space.
pub struct Counter {
    rules: Rules,
    method: Method,
    table: Table,
}

impl Counter {
    /// A counter for this rule variant and method.
    pub fn new(rules: Rules, method: Method) -> Counter {
        Counter { rules, method, table: Table::default() }
    }

    /// How many assignments of the boss placement are mates.
    pub fn mates(&mut self, placement: &BossPlacement) -> u64 {
        self.table.build(placement, self.rules);
        match self.method {
            Method::Factored => factored::mates(&self.table),
            Method::Exhaustive => exhaustive::mates(&self.table),
        }
    }
}
