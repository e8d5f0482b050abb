//! The exhaustive method: every assignment is tested, those of a row at once.
//!
//! A *block* is a boss placement with a choice of the opponent's slots. Its assignments are a matrix of bits: a row
//! for each order of the opponent's doves, and in it a bit for each order of the mover's.
//!
//! In a mate some action does not lose outright. The mover's orders with such an action are the *deciding* ones. A
//! demand (see [`super::demands`]) *forbids* the orders that have one of its actions, in every row that does not meet
//! it:
//!
//! - A demand that no row can meet forbids its orders in the whole block, where they no longer count as deciding; this
//!   empties most blocks.
//! - A demand that forbids every deciding order empties the rows that do not meet it.
//! - Any other demand removes its orders from the rows that do not meet it.
//!
//! ```text
//!                   order of the mover's doves
//!                0 1 2 3 4 5 6 …               119
//!             0  1 1 0 1 0 0 1 …     meets every demand: all deciding orders
//!   order of  1  0 0 0 0 0 0 0 …     does not meet one that forbids all deciding orders
//!        the  2  1 0 0 1 0 0 1 …     does not meet one that forbids orders 1, 9, …
//!  opponent's …
//!      doves 119 1 1 0 1 0 0 1 …
//! ```
//!
//! The mates of a row are the bits left in it. Wins in one and stuck positions make no demands, so all their rows are
//! equal.
//!
//! The twin of this file is `shaders/exhaustive.wgsl`; functions that both have bear the same name.

use super::clause::{Actors, GROUPS, slot_group};
use super::demands::Demand;
use super::sets::{Pairs, Slots};
use super::table::Table;
use super::{Category, Sides};
use crate::bits::Bits;
use crate::shapes::deals::OrderSet;

/// The number of assignments of doves to the slots of a boss placement that are in the category.
pub(crate) fn count(table: &Table, category: Category, sides: Sides) -> u64 {
    let mut block = Block::default();
    let mut sum = 0;
    for opposing in sides.fair_sets(table.slots).sets(table.slots) {
        block.settle(table, category, sides, opposing);
        sum += block.count_rows();
    }
    sum
}

/// The assignments in a block that are in a category.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// The mover's deciding orders: see [`deciding`].
    pub deciding: OrderSet,
    /// The rows that meet every demand that forbids all deciding orders; the others are empty.
    pub rows: OrderSet,
    /// The demands that forbid some of the deciding orders, but not all.
    pub demands: Vec<BlockDemand>,
}

/// A demand in a block: a row either meets it or has none of the orders that it forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockDemand {
    /// The mover's deciding orders that have one of its actions.
    pub forbidden: OrderSet,
    /// The opponent's orders that have one of its refuters.
    pub met: OrderSet,
}

impl Block {
    /// Makes this the block in which the slots of `opposing` are the opponent's, and the others the mover's.
    pub(crate) fn settle(&mut self, table: &Table, category: Category, sides: Sides, opposing: Slots) {
        let mine = opposing.others(table.slots);
        self.deciding = deciding(table, category, sides, opposing);
        self.rows = sides.opponent.deals(opposing);
        self.demands.clear();
        if category != Category::Mates || self.deciding == 0 {
            return;
        }
        for demand in table.demands() {
            // Either a put meets the demand in every row, or no row can meet it, which `deciding` has dealt with.
            if demand.is_refuted_by_a_put(opposing, sides) || !demand.refuting.overlaps(opposing) {
                continue;
            }
            let forbidden = forbidden(demand, sides, mine) & self.deciding;
            let met = demand.refuters.movers.orders_with(opposing);
            if forbidden == self.deciding {
                self.rows &= met;
            } else if forbidden != 0 {
                self.demands.push(BlockDemand { forbidden, met });
            }
        }
    }

    /// A row, by its order of the opponent's doves: the mover's orders that are in the category with it.
    pub(crate) fn row(&self, order: usize) -> OrderSet {
        let unmet = self.demands.iter().filter(|demand| demand.met >> order & 1 == 0);
        let left = if self.rows >> order & 1 == 1 { self.deciding } else { 0 };
        unmet.fold(left, |orders, demand| orders & !demand.forbidden)
    }

    /// The number of assignments in the category.
    fn count_rows(&self) -> u64 {
        if self.deciding == 0 {
            return 0;
        }
        self.rows.bits().map(|order| u64::from(self.row(order).count_ones())).sum()
    }
}

/// The mover's deciding orders in a block: for mates, those with an action that does not lose outright, except those
/// forbidden by a demand that no row can meet; for wins in one, those with a winning action; for stuck positions,
/// those with which every action loses outright.
fn deciding(table: &Table, category: Category, sides: Sides, opposing: Slots) -> OrderSet {
    let mine = opposing.others(table.slots);
    let orders = match category {
        Category::Mates => acting(&table.safe, sides, mine),
        Category::Wins => acting(&table.wins, sides, mine),
        Category::Stuck => !acting(&table.safe, sides, mine),
    };
    let mut left = orders & sides.mover.deals(mine);
    if category == Category::Mates {
        for demand in table.demands().iter().filter(|demand| !demand.is_refutable(opposing, sides)) {
            left &= !forbidden(demand, sides, mine);
            if left == 0 {
                break;
            }
        }
    }
    left
}

/// The mover's orders that have one of these actions.
fn acting(actors: &[Actors; GROUPS], sides: Sides, mine: Slots) -> OrderSet {
    if sides.mover_acts_anyway(actors, mine) {
        return OrderSet::MAX;
    }
    let pairs = mine.iter().map(|slot| Pairs::at(slot, actors[slot_group(slot)].kinds()));
    pairs.fold(Pairs::NONE, |all, pairs| all | pairs).orders_with(mine)
}

/// The mover's orders that have one of the actions of a demand.
fn forbidden(demand: &Demand, sides: Sides, mine: Slots) -> OrderSet {
    if demand.exists_anyway(mine, sides) { OrderSet::MAX } else { demand.actors.orders_with(mine) }
}
