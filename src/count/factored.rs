//! The factored method: fix where the opposing doves stand, then count the mover's ways with a permanent.
//!
//! For one choice of the opponent's slots, all ways to deal its doves to them are one [`OrderSet`], and each demand
//! of the refutation table (see [`super::demands`]) turns into the set of orders that meet it. Some demands arise
//! whatever the kinds of the mover's doves: by its boss, by puts, and from slots where every kind has one of the
//! actions, most often a return. The orders that meet all of these are the *living* ones.
//! With the opponent's doves fixed, the mover's doves no longer influence each other: a kind may stand on a slot
//! exactly if every demand that it makes there is met. So the number of the mover's ways is the permanent of a 0/1
//! matrix, with a row for each slot and a column for each kind; [`permanents`] adds these up over the living orders.
//!
//! Most slots allow every kind under every living order. Only the others, the *bounded* ones, are expanded. If b of
//! the mover's m slots are bounded, they take b of its K kinds; the other m − b slots take theirs from the remaining
//! K − b in (K − b)(K − b − 1) … ways, a product of m − b factors.
//!
//! Before any of this, choices of the opponent's slots that cannot give a mate are dropped, all at once
//! (`living_sets`): a demand can be met only by a put, or by an opposing dove on a slot from which *some* kind
//! refutes. This discards nearly every set without a mate.
//!
//! A mate needs an action that does not lose outright. Unless the mover has one whichever kinds its doves are, the
//! ways in which no dove has one are subtracted, as a second permanent. Whether the mover wins in one or is stuck
//! depends on its own doves alone. Wins are counted as all ways less those in which no dove wins, stuck positions as
//! the ways in which no dove has a safe action.

use super::clause::{Actors, GROUPS, slot_group};
use super::families::{Families, Family};
use super::permanent::{OrderRow, permanents, ways};
use super::sets::{Kinds, Pairs, Slots};
use super::sides::arrangements;
use super::table::Table;
use super::{Category, Sides};
use crate::bits::Bits;
use crate::shapes::deals::{KINDS, MAX_SLOTS, OrderSet};

/// The number of assignments of doves to the slots of a boss placement that are in the category.
pub(crate) fn count(table: &Table, category: Category, sides: Sides) -> u64 {
    let family = match category {
        Category::Mates => living_sets(table, sides),
        Category::Wins | Category::Stuck => sides.fair_sets(table.slots),
    };
    family.sets(table.slots).map(|opposing| count_with(table, category, sides, opposing)).sum()
}

/// The number of assignments in the category in which exactly the slots of `opposing` are the opponent's.
pub(crate) fn count_with(table: &Table, category: Category, sides: Sides, opposing: Slots) -> u64 {
    match category {
        Category::Mates => mates_with(table, sides, opposing),
        Category::Wins => sides.dealings(opposing, table.slots) - idle(table, &table.wins, sides, opposing),
        Category::Stuck => idle(table, &table.safe, sides, opposing),
    }
}

/// The number of assignments in which exactly the slots of `opposing` are the opponent's and the mover has
/// none of the `actors` of any group.
///
/// The opponent's doves are arbitrary; a slot of the mover's takes any kind that is not an actor.
fn idle(table: &Table, actors: &[Actors; GROUPS], sides: Sides, opposing: Slots) -> u64 {
    let mine = opposing.others(table.slots);
    if acts_anyway(actors, sides, mine) {
        return 0;
    }
    let idle_kinds = mine.iter().map(|slot| actors[slot_group(slot)].kinds().others());
    ways(sides.mover, idle_kinds) * arrangements(sides.opponent.count(), opposing.count())
}

/// Whether a mover with these slots has one of the actors of some group, whichever kinds its doves are.
fn acts_anyway(actors: &[Actors; GROUPS], sides: Sides, mine: Slots) -> bool {
    sides.mover_acts_anyway(actors, mine)
        || mine.iter().any(|slot| (actors[slot_group(slot)].kinds().others() & sides.mover).is_empty())
}

/// The opposing sets under which each demand can be met, or need not arise: all sets that have a mate, and few others.
fn living_sets(table: &Table, sides: Sides) -> Family {
    let families = Families::of(table.slots);
    let opponent_can_put = families.smaller[sides.opponent.count() as usize];
    let least = ((table.slots + 1).saturating_sub(sides.mover.count()) as usize).min(KINDS + 1);
    let mover_cannot_put = families.smaller[least];
    let mut living = sides.fair_sets(table.slots);
    // For each slot and kind, the sets under which every demand of the pair can be met.
    let mut allowed = [[Family::ALL; KINDS]; MAX_SLOTS];
    // All pairs that make a demand.
    let mut bounded = Pairs::NONE;
    for demand in table.demands() {
        let by_move = (0..table.slots).filter(|&slot| !demand.refuters.movers.kinds_at(slot).is_empty());
        let moving = by_move.fold(Family::NONE, |family, slot| family | families.holding[slot as usize]);
        let met = moving | opponent_can_put & families.holding_any(demand.refuters.putters);
        // The sets under which no boss move or put of the demand is available.
        let spared =
            if demand.boss { Family::NONE } else { mover_cannot_put | families.holding_all(demand.put) };
        living = living & (met | spared);
        if living.is_empty() {
            return living;
        }
        bounded |= demand.actors;
        for slot in demand.acting.iter() {
            for kind in demand.actors.kinds_at(slot).0.bits() {
                let allowed = &mut allowed[slot as usize][kind];
                *allowed = *allowed & met;
            }
        }
    }
    for slot in 0..table.slots {
        if (sides.mover.0 & !bounded.kinds_at(slot).0) == 0 {
            let any = sides.mover.0.bits().fold(Family::NONE, |any, kind| any | allowed[slot as usize][kind]);
            living = living & (any | families.holding[slot as usize]);
        }
    }
    living
}

/// The number of mates in which exactly the slots of `opposing` are the opponent's.
fn mates_with(table: &Table, sides: Sides, opposing: Slots) -> u64 {
    let mine = opposing.others(table.slots);
    let mut living = sides.opponent.deals(opposing);
    for demand in table.demands() {
        if demand.exists_anyway(mine, sides) && !demand.is_refuted_by_a_put(opposing, sides) {
            living &= demand.refuters.movers.orders_with(opposing);
            if living == 0 {
                return 0;
            }
        }
    }
    let mut rows = Rows::new(living, sides.mover);
    for demand in table.demands() {
        let anyway = demand.exists_anyway(mine, sides) || demand.is_refuted_by_a_put(opposing, sides);
        if !anyway && demand.acting.overlaps(mine) {
            let met = demand.refuters.movers.orders_with(opposing);
            rows.restrict(demand.acting & mine, demand.actors, met);
        }
    }
    let mut mates = rows.ways(mine.count());
    if !acts_anyway(&table.safe, sides, mine) {
        for slot in mine.iter() {
            rows.restrict(Slots::one(slot), Pairs::at(slot, table.safe[slot_group(slot)].kinds()), 0);
        }
        mates -= rows.ways(mine.count());
    }
    mates
}

/// The rows of the mover's bounded slots.
struct Rows {
    rows: [OrderRow; KINDS],
    count: usize,
    /// The bounded slots, in the order of the rows.
    slots: [u32; KINDS],
    living: OrderSet,
    kinds: Kinds,
}

impl Rows {
    /// No bounded slots yet: every slot allows all the mover's kinds under all living orders.
    fn new(living: OrderSet, kinds: Kinds) -> Rows {
        Rows { rows: [[0; KINDS]; KINDS], count: 0, slots: [0; KINDS], living, kinds }
    }

    /// Restricts the pairs on these slots to these orders.
    fn restrict(&mut self, slots: Slots, pairs: Pairs, orders: OrderSet) {
        if self.living & !orders == 0 {
            return;
        }
        for slot in slots.iter() {
            let row = self.row(slot);
            for kind in pairs.kinds_at(slot).0.bits() {
                row[kind] &= orders;
            }
        }
    }

    /// The row of a slot, which becomes a bounded one if it was not.
    fn row(&mut self, slot: u32) -> &mut OrderRow {
        let known = self.slots[..self.count].iter().position(|&other| other == slot);
        let index = known.unwrap_or_else(|| {
            self.slots[self.count] = slot;
            self.rows[self.count] =
                std::array::from_fn(|kind| if self.kinds.0 >> kind & 1 == 1 { self.living } else { 0 });
            self.count += 1;
            self.count - 1
        });
        &mut self.rows[index]
    }

    /// The number of ways to fill `slots` slots of the mover's, summed over the living orders.
    fn ways(&self, slots: u32) -> u64 {
        let bounded = self.count as u32;
        if bounded > self.kinds.count() {
            return 0;
        }
        let others = arrangements(self.kinds.count() - bounded, slots - bounded);
        match self.count {
            0 => u64::from(self.living.count_ones()) * others,
            count => permanents(&self.rows[..count]) * others,
        }
    }
}
