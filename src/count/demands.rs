//! The clauses of a table, grouped by what refutes them.
//!
//! Of the thirty-odd clauses of a boss placement about half have no refuter at all; the others share about six
//! different sets of refuters. In a mate every available action that does not lose outright is refuted. So all actions
//! with the same refuters make one *demand*: if any of the actions is available, one of the refuters must be there.
//! Both methods iterate over demands instead of clauses. The twin of this file is `shaders/demands.wgsl`.

use super::Sides;
use super::clause::{BOSS_GROUP, Clause, GROUPS, PUT_GROUP, Refuters};
use super::sets::{Kinds, Pairs, Slots};

/// All actions with the same refuters. If there are no refuters, none of the actions is available in a mate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Demand {
    /// The answers that refute the actions.
    pub refuters: Refuters,
    /// The slots of the refuters that move.
    pub refuting: Slots,
    /// Whether a move of the mover's boss is among the actions; then one is always available.
    pub boss: bool,
    /// The slots (with [`Slots::BOSS`]) beside which a put is among the actions: one is available if the
    /// mover has a dove in hand and holds one of these slots.
    pub put: Slots,
    /// The slots from which a dove of any kind can take one of the actions, mostly by returning.
    pub any_kind: Slots,
    /// The mover's (slot, kind) pairs that can take one of the actions.
    pub actors: Pairs,
    /// The slots of these pairs.
    pub acting: Slots,
}

/// Gathers the clauses of all groups into `demands`, one for each set of refuters.
pub(super) fn gather<'a>(demands: &mut Vec<Demand>, group_clauses: impl Fn(usize) -> &'a [Clause]) {
    demands.clear();
    for group in 0..GROUPS {
        for &Clause { actors, refuters } in group_clauses(group) {
            let index = demands.iter().position(|demand| demand.refuters == refuters).unwrap_or_else(|| {
                demands.push(Demand { refuters, refuting: refuters.movers.slots(), ..Demand::default() });
                demands.len() - 1
            });
            let demand = &mut demands[index];
            match group {
                BOSS_GROUP => demand.boss = true,
                PUT_GROUP => demand.put |= actors.slots(),
                _ => demand.add(group as u32 - 1, actors.kinds()),
            }
        }
    }
}

impl Demand {
    fn add(&mut self, slot: u32, kinds: Kinds) {
        self.actors |= Pairs::at(slot, kinds);
        self.acting |= Slots::one(slot);
        if self.actors.kinds_at(slot) == Kinds::ALL {
            self.any_kind |= Slots::one(slot);
        }
    }

    /// Whether one of the actions is available to a mover that holds the slots of `mine`, whichever of the five kinds
    /// its doves are.
    pub(crate) fn exists_anyway(&self, mine: Slots, sides: Sides) -> bool {
        self.boss
            || self.any_kind.overlaps(mine)
            || sides.mover.can_put(mine) && self.put.overlaps(mine | Slots::BOSS)
    }

    /// Whether an opponent that holds the slots of `opposing` can refute by a put.
    pub(crate) fn is_refuted_by_a_put(&self, opposing: Slots, sides: Sides) -> bool {
        sides.opponent.can_put(opposing) && self.refuters.putters.overlaps(opposing | Slots::BOSS)
    }

    /// Whether an opponent that holds the slots of `opposing` can refute by a put or, with doves of the right kinds, by
    /// a move.
    pub(crate) fn is_refutable(&self, opposing: Slots, sides: Sides) -> bool {
        self.refuting.overlaps(opposing) || self.is_refuted_by_a_put(opposing, sides)
    }
}
