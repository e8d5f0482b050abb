//! The exhaustive method: every assignment in turn, tested against the refutation table.
//!
//! An assignment is a mate if every action that the mover has in it is refuted and at least one of them does not lose by
//! itself; a win in one if one of them wins; stuck if all lose by themselves.
//!
//! Assignments have ranks: opposing set by opposing set, for each the orders of the opponent's doves, for each of these the
//! orders of the mover's doves. The twin of this file is `shaders/exhaustive.wgsl`.

use super::What;
use super::orders::{CONSTANTS, deals, slots_of};
use super::pairs::{BOSS_SLOT, KINDS, pairs};
use super::table::{BOSS_GROUP, PUT_GROUP, Table, slot_group};

/// How many assignments of doves to the slots of a boss placement are what is counted.
pub fn count(table: &Table, what: What) -> u64 {
    let mut found = 0;
    let mut settled = Settled::default();
    for &opposing in &CONSTANTS.opposing_sets[table.slots as usize] {
        settled.settle(table, opposing);
        let movers = dealt(!opposing & ((1 << table.slots) - 1));
        for opponent in dealt(opposing) {
            found += movers.iter().filter(|&&mover| settled.is(what, mover, opponent)).count() as u64;
        }
    }
    found
}

/// The table as it reads once it is settled which slots are whose: every clause is two sets of (slot, kind) pairs.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Who can act, and who then refutes by moving; clauses that an opposing put refutes are left out.
    clauses: Vec<(u64, u64)>,
    /// Who can act without losing by it.
    safe: u64,
    /// Who wins by an action.
    wins: u64,
}

/// A pair that every player has, for what needs none.
const ANYBODY: u64 = 1 << 63;

impl Settled {
    /// Settles that the slots of `opposing` are the opponent's and the others the mover's.
    pub fn settle(&mut self, table: &Table, opposing: u32) {
        let mine = !opposing & ((1 << table.slots) - 1);
        let putting = if opposing.count_ones() < KINDS as u32 { opposing | BOSS_SLOT } else { 0 };
        self.clauses.clear();
        self.safe = 0;
        self.wins = 0;
        let mut add = |group: usize, actors: &dyn Fn(u32) -> u64| {
            self.safe |= actors(table.safe[group]);
            self.wins |= actors(table.wins[group]);
            let unrefuted = table.group(group).iter().filter(|clause| clause.putters & putting == 0);
            let pairs = unrefuted.map(|clause| (actors(clause.actors), clause.movers));
            self.clauses.extend(pairs.filter(|&(actors, _)| actors != 0));
        };
        let anybody = |held: u32| if held != 0 { ANYBODY } else { 0 };
        add(BOSS_GROUP, &anybody);
        for slot in slots_of(mine) {
            add(slot_group(slot), &|kinds| pairs(slot, kinds));
        }
        if mine.count_ones() < KINDS as u32 {
            add(PUT_GROUP, &|slots| anybody(slots & (mine | BOSS_SLOT)));
        }
        // What is hardest to refute comes first: most assignments fail there.
        self.clauses.sort_by_key(|(_, movers)| movers.count_ones());
    }

    /// Whether an assignment, given by the mover's and the opponent's doves as (slot, kind) pairs, is what is counted.
    pub fn is(&self, what: What, mover: u64, opponent: u64) -> bool {
        match what {
            What::Mates => self.is_mate(mover, opponent),
            What::Wins => self.wins & (mover | ANYBODY) != 0,
            What::Stuck => !self.is_safe(mover),
        }
    }

    fn is_mate(&self, mover: u64, opponent: u64) -> bool {
        self.is_safe(mover)
            && self.clauses.iter().all(|&(actors, movers)| actors & (mover | ANYBODY) == 0 || movers & opponent != 0)
    }

    fn is_safe(&self, mover: u64) -> bool {
        self.safe & (mover | ANYBODY) != 0
    }
}

/// Every way to deal different kinds to these slots.
fn dealt(slots: u32) -> Vec<u64> {
    (0..deals(slots.count_ones())).map(|order| CONSTANTS.deal(slots, order)).collect()
}
