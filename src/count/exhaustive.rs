//! The exhaustive method: every assignment in turn, tested against the refutation table.
//!
//! An assignment is a mate if every action that the mover has in it is refuted and at least one of them does not lose by
//! itself; a win in one if one of them wins; stuck if all lose by themselves.
//!
//! Assignments have ranks: opposing set by opposing set, for each the orders of the opponent's doves, for each of these the
//! orders of the mover's doves. With the opponent's doves dealt, the demands (see [`super::demands`]) that they do not meet
//! say which pairs of the mover's must not be there. A player has five slots at most, so the mover's pairs fit in a word
//! if they go by *place*: the how-manieth of its slots it is. Then the same 120 words serve every opposing set, and testing an
//! assignment is an AND or two. The twin of this file is `shaders/exhaustive.wgsl`.

use std::sync::LazyLock;

use super::orders::{CONSTANTS, ORDERS, OrderSet};
use super::pairs::KINDS;
use super::sets::{Pairs, Slots};
use super::table::{Actors, BOSS_GROUP, GROUPS, PUT_GROUP, Table, slot_group};
use super::{Category, Sides};

/// A set of pairs of the mover's as (place, kind), bit 5·place + kind, and of one bit beyond all pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacePairs(u32);

impl PlacePairs {
    /// A pair that every mover has, for what needs none.
    const ANYBODY: u32 = 1 << 31;

    /// The pairs when the mover's slots get the kinds of an order. Places beyond its slots have kinds too, which nobody asks about.
    pub fn dealt(order: usize) -> PlacePairs {
        static DEALT: LazyLock<[PlacePairs; ORDERS]> = LazyLock::new(|| {
            CONSTANTS.orders.map(|order| {
                PlacePairs((0..).zip(order).fold(PlacePairs::ANYBODY, |pairs, (place, kind)| {
                    pairs | 1 << (KINDS as u32 * place + u32::from(kind))
                }))
            })
        });
        DEALT[order]
    }

    /// The pairs alone.
    pub fn kinds(self) -> u32 {
        self.0 & !PlacePairs::ANYBODY
    }
}

/// How many assignments of doves to the slots of a boss placement are what is counted.
pub fn count(table: &Table, what: Category, sides: Sides) -> u64 {
    let mut found = 0;
    let mut settled = Settled::default();
    let mut movers = Vec::with_capacity(ORDERS);
    for place in sides.fair_sets(table.slots).places() {
        let opposing = Slots(CONSTANTS.opposing_sets[table.slots as usize][place]);
        settled.settle(table, sides, opposing);
        movers.clear();
        movers.extend(members(sides.mover_deals(opposing.others(table.slots))).map(PlacePairs::dealt));
        for order in members(sides.opponent_deals(opposing)) {
            let unmet = settled.unmet(Pairs(CONSTANTS.deal(opposing.0, order)));
            found += match what {
                Category::Mates => number(&movers, |mover| settled.is(Category::Mates, mover, unmet)),
                Category::Wins => number(&movers, |mover| settled.is(Category::Wins, mover, unmet)),
                Category::Stuck => number(&movers, |mover| settled.is(Category::Stuck, mover, unmet)),
            };
        }
    }
    found
}

/// How many of the mover's deals are what is counted.
fn number(movers: &[PlacePairs], is_counted: impl Fn(PlacePairs) -> bool) -> u64 {
    // In 32 bits, like the words: so the compiler does four at once.
    u64::from(movers.iter().map(|&mover| u32::from(is_counted(mover))).sum::<u32>())
}

fn members(mut orders: OrderSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let order = orders.trailing_zeros();
        orders &= orders.wrapping_sub(1);
        (order < OrderSet::BITS).then_some(order as usize)
    })
}

/// The table as it reads once it is settled which slots are whose.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Who can act, and who then refutes by moving; demands that an opposing put meets are left out.
    demands: Vec<(PlacePairs, Pairs)>,
    /// Who can act without losing by it.
    safe: PlacePairs,
    /// Who wins by an action.
    wins: PlacePairs,
}

impl Settled {
    /// Settles that the slots of `opposing` are the opponent's and the others the mover's.
    pub fn settle(&mut self, table: &Table, sides: Sides, opposing: Slots) {
        let mine = opposing.others(table.slots);
        let by_place = |pairs: Pairs, anybody: bool| {
            let anybody = if anybody { PlacePairs::ANYBODY } else { 0 };
            let at_places =
                (0..).zip(mine.iter()).map(|(place, slot)| pairs.kinds_at(slot).0 << (KINDS as u32 * place));
            PlacePairs(at_places.fold(anybody, |all, kinds| all | kinds))
        };
        self.demands.clear();
        for demand in table.demands().iter().filter(|demand| !demand.is_refuted_by_a_put(opposing, sides)) {
            let actors = by_place(demand.actors, demand.exists_anyway(mine, sides));
            if actors != PlacePairs::default() {
                self.demands.push((actors, demand.refuters.movers));
            }
        }
        let can_put = sides.mover_can_put(mine);
        let acting = |actors: &[Actors; GROUPS]| {
            let pairs = mine.iter().map(|slot| Pairs::at(slot, actors[slot_group(slot)].kinds()));
            let anybody =
                !actors[BOSS_GROUP].is_nobody() || can_put && actors[PUT_GROUP].slots().overlaps(mine | Slots::BOSS);
            by_place(pairs.fold(Pairs::NONE, |all, pairs| all | pairs), anybody)
        };
        self.safe = acting(&table.safe);
        self.wins = acting(&table.wins);
    }

    /// Who must not be there, as its action is not refuted by these doves of the opponent's.
    pub fn unmet(&self, opponent: Pairs) -> PlacePairs {
        let unmet = self.demands.iter().filter(|(_, refuters)| !refuters.overlaps(opponent));
        PlacePairs(unmet.fold(0, |all, (actors, _)| all | actors.0))
    }

    /// Whether an assignment is what is counted: the mover's doves, and what the opponent's leave [`Settled::unmet`].
    pub fn is(&self, what: Category, mover: PlacePairs, unmet: PlacePairs) -> bool {
        match what {
            Category::Mates => (unmet.0 & mover.0 == 0) & (self.safe.0 & mover.0 != 0),
            Category::Wins => self.wins.0 & mover.0 != 0,
            Category::Stuck => self.safe.0 & mover.0 == 0,
        }
    }
}
