//! The clauses of a table, gathered by what refutes them.
//!
//! Of the thirty-odd clauses of a boss placement about half have no refuter at all, and the others share seven different sets of
//! refuters. A position is a mate if every action that exists is refuted, so all actions with the same refuters
//! make one *demand*: if any of them exists, one of these refuters must be there. Both methods go over demands, not clauses.

use super::Sides;
use super::sets::{Kinds, Pairs, Slots};
use super::table::{BOSS_GROUP, GROUPS, PUT_GROUP, Refuters, Table};

/// All actions that the same answers refute. If nobody is among the refuters, none of the actions may exist.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    /// Whose answers refute.
    pub refuters: Refuters,
    /// Whether a move of the mover's boss is among the actions: then one exists always.
    pub boss: bool,
    /// Slots beside which a put is among them (with [`Slots::BOSS`]): one exists if the mover has a dove in hand and holds one of these.
    pub put: Slots,
    /// The slots from which a dove of any kind has one of the actions: mostly its return.
    pub any_kind: Slots,
    /// The mover's (slot, kind) pairs of which each has one of the actions.
    pub actors: Pairs,
    /// The slots of these pairs.
    pub acting: Slots,
}

/// The demands of a table.
#[derive(Clone, Debug, Default)]
pub struct Demands(Vec<Demand>);

impl Demands {
    /// Gathers the demands of a table, in the space that there is already.
    pub(super) fn gather(&mut self, table: &Table) {
        self.0.clear();
        for group in 0..GROUPS {
            for clause in table.group(group) {
                let demand = self.of(clause.refuters);
                match group {
                    BOSS_GROUP => demand.boss = true,
                    PUT_GROUP => demand.put |= clause.actors.slots(),
                    _ => demand.add(group as u32 - 1, clause.actors.kinds()),
                }
            }
        }
    }

    fn of(&mut self, refuters: Refuters) -> &mut Demand {
        let place = self.0.iter().position(|demand| demand.refuters == refuters).unwrap_or_else(|| {
            self.0.push(Demand { refuters, ..Demand::default() });
            self.0.len() - 1
        });
        &mut self.0[place]
    }

    /// The demands, no two with the same refuters.
    pub fn iter(&self) -> std::slice::Iter<'_, Demand> {
        self.0.iter()
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

    /// Whether one of the actions exists whatever kinds the mover's doves are, if it holds the slots of `mine`.
    pub fn exists_anyway(&self, mine: Slots, sides: Sides) -> bool {
        self.boss || self.any_kind.overlaps(mine) || sides.mover_can_put(mine) && self.put.overlaps(mine | Slots::BOSS)
    }

    /// Whether the opponent refutes by a put, if it holds the slots of `opposing`.
    pub fn is_refuted_by_a_put(&self, opposing: Slots, sides: Sides) -> bool {
        sides.opponent_can_put(opposing) && self.refuters.putters.overlaps(opposing | Slots::BOSS)
    }
}
