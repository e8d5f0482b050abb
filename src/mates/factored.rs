//! The factored method: fix where the opposing doves stand, then count the mover's ways with a permanent.
//!
//! For one set of slots as the opponent's, all ways to deal its doves to them are one [`OrderSet`]. A clause of the refutation
//! table turns into the set of orders that satisfy it. Boss moves and puts that exist whatever the mover's kinds are leave the
//! *living* orders. With the opponent's doves fixed, the mover's doves no longer influence each other: a kind may stand on a slot
//! exactly if every action it would have there is refuted. So the mover's ways are the permanent of that 0/1 matrix, and
//! [`permanents`] adds them up over the living orders. Rows that the mover has no slots for allow everything; each order of the kinds
//! left over then counts, and the sum is divided by their number.
//!
//! A mate needs an action that does not lose by itself. Where no boss move, put or return settles that, the ways in which
//! no dove has such an action are subtracted: a second permanent.
//!
//! The twin of this file is `shaders/factored.wgsl`.

use super::orders::{CONSTANTS, OrderSet, deal_set, slots_of};
use super::pairs::{ALL_KINDS, BOSS_SLOT, KINDS, kinds_at};
use super::permanent::{Allowed, permanents};
use super::table::{BOSS_GROUP, Clause, PUT_GROUP, Table, slot_group};

/// The mates on a boss placement: how many assignments of doves to its slots are one.
pub fn mates(table: &Table) -> u64 {
    if table.is_hopeless() {
        return 0;
    }
    CONSTANTS.opposing_sets[table.slots as usize].iter().map(|&opposing| mates_with(table, opposing)).sum()
}

/// The opponent's side of a set of slots.
struct Opponent {
    slots: [u32; KINDS],
    count: usize,
    set: u32,
    has_hand: bool,
    dealt: OrderSet,
}

impl Opponent {
    fn on(set: u32) -> Opponent {
        let mut slots = [0; KINDS];
        let count = set.count_ones();
        for (place, slot) in slots_of(set).enumerate() {
            slots[place] = slot;
        }
        let has_hand = count < KINDS as u32;
        Opponent { slots, count: count as usize, set, has_hand, dealt: deal_set(count) }
    }

    /// The orders of the opponent's doves that satisfy a clause.
    fn satisfying(&self, clause: &Clause) -> OrderSet {
        if self.has_hand && clause.putters & (self.set | BOSS_SLOT) != 0 {
            return self.dealt;
        }
        let by_kinds = &CONSTANTS.by_kinds;
        let places = self.slots.iter().zip(by_kinds).take(self.count);
        places.fold(0, |orders, (&slot, by_kinds)| orders | by_kinds[kinds_at(clause.movers, slot) as usize])
            & self.dealt
    }
}

/// The mates in which exactly the slots of `opposing` are the opponent's.
pub fn mates_with(table: &Table, opposing: u32) -> u64 {
    let opponent = Opponent::on(opposing);
    let mine = !opposing & ((1 << table.slots) - 1);
    let has_hand = mine.count_ones() < KINDS as u32;
    let mut living = opponent.dealt;
    for clause in table.group(BOSS_GROUP) {
        living &= opponent.satisfying(clause);
    }
    if has_hand {
        for clause in table.group(PUT_GROUP) {
            if clause.actors & (mine | BOSS_SLOT) != 0 {
                living &= opponent.satisfying(clause);
            }
        }
    }
    let mut allowed: Allowed = [[OrderSet::MAX; KINDS]; KINDS];
    for (row, slot) in allowed.iter_mut().zip(slots_of(mine)) {
        if living == 0 {
            return 0;
        }
        for clause in table.group(slot_group(slot)) {
            let orders = opponent.satisfying(clause);
            for (kind, cell) in row.iter_mut().enumerate() {
                if clause.actors >> kind & 1 == 1 {
                    *cell &= orders;
                }
            }
        }
        living &= row.iter().fold(0, |any, cell| any | cell);
    }
    if living == 0 {
        return 0;
    }
    for cell in &mut allowed[0] {
        *cell &= living;
    }
    let mut ways = permanents(&allowed);
    if !is_safe(table, mine, has_hand) {
        for (row, slot) in allowed.iter_mut().zip(slots_of(mine)) {
            for (kind, cell) in row.iter_mut().enumerate() {
                if table.safe[slot_group(slot)] >> kind & 1 == 1 {
                    *cell = 0;
                }
            }
        }
        ways -= permanents(&allowed);
    }
    ways / factorial(KINDS as u32 - mine.count_ones())
}

/// Whether the mover has an action that does not lose by itself, whatever kinds its doves are.
fn is_safe(table: &Table, mine: u32, has_hand: bool) -> bool {
    table.safe[BOSS_GROUP] != 0
        || has_hand && table.safe[PUT_GROUP] & (mine | BOSS_SLOT) != 0
        || slots_of(mine).any(|slot| table.safe[slot_group(slot)] == ALL_KINDS)
}

fn factorial(n: u32) -> u64 {
    (1..=u64::from(n)).product()
}
