//! The exhaustive method: every assignment in turn, tested against the refutation table.
//!
//! An assignment is a mate if every action available to the mover is refuted and at least one of them does
//! not lose outright; a win in one if one of them wins; stuck if all of them lose outright.
//!
//! Assignments are ranked by opposing set, then by the order of the opponent's doves, then by the order of
//! the mover's doves. Once the opponent's doves are dealt, the demands (see [`super::demands`]) that they do
//! not meet say which pairs the mover must not have. A player has at most five slots, so the mover's pairs
//! fit in a word if a slot is identified by its *ordinal* among the mover's slots. The same 120 words then
//! serve every opposing set, and testing an assignment takes an AND or two. The twin of this file is
//! `shaders/exhaustive.wgsl`.

use std::sync::LazyLock;

use super::clause::{Actors, BOSS_GROUP, GROUPS, PUT_GROUP, slot_group};
use super::sets::{Pairs, Slots};
use super::table::Table;
use super::{Category, Sides};
use crate::shapes::deals::{CONSTANTS, KINDS, ORDERS};
use crate::word::Word;

/// A set of the mover's (slot, kind) pairs: bit 5·n + kind is a pair of its n-th slot. One bit is beyond all
/// pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoverPairs(u32);

impl MoverPairs {
    /// The bit that every mover has, for actions that need no particular pair.
    const ANYBODY: u32 = 1 << 31;

    /// The pairs when the mover's slots get the kinds of an order. Ordinals beyond its slots get kinds, too,
    /// but no test reads them.
    pub fn of_deal(order: usize) -> MoverPairs {
        static OF_DEALS: LazyLock<[MoverPairs; ORDERS]> = LazyLock::new(|| {
            CONSTANTS.orders.map(|order| {
                MoverPairs((0..).zip(order).fold(MoverPairs::ANYBODY, |pairs, (ordinal, kind)| {
                    pairs | 1 << (KINDS as u32 * ordinal + u32::from(kind))
                }))
            })
        });
        OF_DEALS[order]
    }

    /// The pairs without the extra bit.
    pub fn kinds(self) -> u32 {
        self.0 & !MoverPairs::ANYBODY
    }
}

/// The number of assignments of doves to the slots of a boss placement that are in the category.
pub fn count(table: &Table, category: Category, sides: Sides) -> u64 {
    let mut found = 0;
    let mut block = Block::default();
    let (mut movers, mut unmet) = (Vec::with_capacity(ORDERS), Vec::with_capacity(ORDERS));
    for index in sides.fair_sets(table.slots).indices() {
        let opposing = Slots(CONSTANTS.opposing_sets[table.slots as usize][index]);
        block.assign_slots(table, sides, opposing);
        movers.clear();
        movers.extend(sides.mover_deals(opposing.others(table.slots)).bits().map(MoverPairs::of_deal));
        unmet.clear();
        let orders = sides.opponent_deals(opposing).bits();
        unmet.extend(orders.map(|order| block.unmet(Pairs::of_deal(opposing, order))));
        // One loop for each category, so that none asks which it is.
        found += match category {
            Category::Mates => {
                number(&movers, &unmet, |mover, unmet| block.is(Category::Mates, mover, unmet))
            }
            Category::Wins => number(&movers, &unmet, |mover, unmet| block.is(Category::Wins, mover, unmet)),
            Category::Stuck => {
                number(&movers, &unmet, |mover, unmet| block.is(Category::Stuck, mover, unmet))
            }
        };
    }
    found
}

/// The number of assignments in the category, of these deals of the mover and of the opponent.
fn number(
    movers: &[MoverPairs],
    unmet: &[MoverPairs],
    is_counted: impl Fn(MoverPairs, MoverPairs) -> bool,
) -> u64 {
    // Summed in 32 bits, the width of the words, so that the compiler can vectorize the sum.
    let with = |unmet: &[MoverPairs], mover: MoverPairs| -> u32 {
        unmet.iter().map(|&unmet| u32::from(is_counted(mover, unmet))).sum()
    };
    let with_each = |unmet: &[MoverPairs]| movers.iter().map(|&mover| with(unmet, mover)).sum::<u32>();
    // Four of the opponent's deals at a time, as the mover's words are read once for all of them.
    let (fours, rest) = unmet.as_chunks::<4>();
    let all: u32 = fours.iter().map(|four| with_each(four)).sum();
    u64::from(all + with_each(rest))
}

/// The table for one block: a boss placement with the slots that are the opponent's.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// For each demand, the mover's pairs that have one of its actions, and the opponent's pairs that refute
    /// them by a move. Demands that an opposing put meets are left out.
    demands: Vec<(MoverPairs, Pairs)>,
    /// The pairs that have an action which does not lose outright.
    safe: MoverPairs,
    /// The pairs that have a winning action.
    wins: MoverPairs,
}

impl Block {
    /// Gives the slots of `opposing` to the opponent and the others to the mover.
    pub fn assign_slots(&mut self, table: &Table, sides: Sides, opposing: Slots) {
        let mine = opposing.others(table.slots);
        let by_ordinal = |pairs: Pairs, anybody: bool| {
            let anybody = if anybody { MoverPairs::ANYBODY } else { 0 };
            let kinds = (0..)
                .zip(mine.iter())
                .map(|(ordinal, slot)| pairs.kinds_at(slot).0 << (KINDS as u32 * ordinal));
            MoverPairs(kinds.fold(anybody, |all, kinds| all | kinds))
        };
        self.demands.clear();
        for demand in table.demands().iter().filter(|demand| !demand.is_refuted_by_a_put(opposing, sides)) {
            let actors = by_ordinal(demand.actors, demand.exists_anyway(mine, sides));
            if actors != MoverPairs::default() {
                self.demands.push((actors, demand.refuters.movers));
            }
        }
        let can_put = sides.mover_can_put(mine);
        let acting = |actors: &[Actors; GROUPS]| {
            let pairs = mine.iter().map(|slot| Pairs::at(slot, actors[slot_group(slot)].kinds()));
            let anybody = !actors[BOSS_GROUP].is_empty()
                || can_put && actors[PUT_GROUP].slots().overlaps(mine | Slots::BOSS);
            by_ordinal(pairs.fold(Pairs::NONE, |all, pairs| all | pairs), anybody)
        };
        self.safe = acting(&table.safe);
        self.wins = acting(&table.wins);
    }

    /// The pairs that the mover must not have, as these doves of the opponent do not refute their actions.
    pub fn unmet(&self, opponent: Pairs) -> MoverPairs {
        let unmet = self.demands.iter().filter(|(_, refuters)| !refuters.overlaps(opponent));
        MoverPairs(unmet.fold(0, |all, (actors, _)| all | actors.0))
    }

    /// Whether an assignment is in the category, from the mover's pairs and [`Block::unmet`] of the
    /// opponent's doves.
    pub fn is(&self, category: Category, mover: MoverPairs, unmet: MoverPairs) -> bool {
        match category {
            Category::Mates => (unmet.0 & mover.0 == 0) & (self.safe.0 & mover.0 != 0),
            Category::Wins => self.wins.0 & mover.0 != 0,
            Category::Stuck => self.safe.0 & mover.0 == 0,
        }
    }
}
