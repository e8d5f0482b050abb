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
//! no dove has such an action are subtracted: a second permanent. Whether the mover wins in one or is stuck depends on its own
//! doves alone, and is counted the same way: all ways less those in which no dove wins, and the ways in which no dove has a safe action.
//!
//! The twin of this file is `shaders/factored.wgsl`.

use super::What;
use super::orders::{CONSTANTS, OrderSet, deal_set, deals, slots_of};
use super::pairs::{ALL_KINDS, BOSS_SLOT, KINDS, kinds_at};
use super::permanent::{Allowed, permanents, ways};
use super::table::{BOSS_GROUP, Clause, GROUPS, PUT_GROUP, Table, slot_group};

/// How many assignments of doves to the slots of a boss placement are what is counted.
pub fn count(table: &Table, what: What) -> u64 {
    if what == What::Mates && table.is_hopeless() {
        return 0;
    }
    CONSTANTS.opposing_sets[table.slots as usize].iter().map(|&opposing| count_with(table, what, opposing)).sum()
}

/// How many assignments in which exactly the slots of `opposing` are the opponent's are what is counted.
pub fn count_with(table: &Table, what: What, opposing: u32) -> u64 {
    match what {
        What::Mates => mates_with(table, opposing),
        What::Wins => dealings(table, opposing) - idle(table, &table.wins, opposing),
        What::Stuck => idle(table, &table.safe, opposing),
    }
}

/// The assignments in which exactly the slots of `opposing` are the opponent's.
fn dealings(table: &Table, opposing: u32) -> u64 {
    let count = opposing.count_ones();
    (deals(count) * deals(table.slots - count)) as u64
}

/// The assignments in which exactly the slots of `opposing` are the opponent's and the mover has none of the `actors` of any group.
///
/// The opponent's doves only have to fit; a slot of the mover's takes any kind that is no actor.
fn idle(table: &Table, actors: &[u32; GROUPS], opposing: u32) -> u64 {
    let mine = !opposing & ((1 << table.slots) - 1);
    if acts_anyway(actors, mine) {
        return 0;
    }
    let idle_kinds = slots_of(mine).map(|slot| ALL_KINDS & !actors[slot_group(slot)]);
    ways(idle_kinds) * deals(opposing.count_ones()) as u64
}

/// Takes kinds out of a row.
fn remove(row: &mut [OrderSet; KINDS], kinds: u32) {
    for (kind, orders) in row.iter_mut().enumerate() {
        if kinds >> kind & 1 == 1 {
            *orders = 0;
        }
    }
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
fn mates_with(table: &Table, opposing: u32) -> u64 {
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
    let mut mates = permanents(&allowed);
    if !acts_anyway(&table.safe, mine) {
        for (row, slot) in allowed.iter_mut().zip(slots_of(mine)) {
            remove(row, table.safe[slot_group(slot)]);
        }
        mates -= permanents(&allowed);
    }
    mates / factorial(KINDS as u32 - mine.count_ones())
}

/// Whether a mover with these slots has one of the actors of some group, whatever kinds its doves are.
fn acts_anyway(actors: &[u32; GROUPS], mine: u32) -> bool {
    let has_hand = mine.count_ones() < KINDS as u32;
    actors[BOSS_GROUP] != 0
        || has_hand && actors[PUT_GROUP] & (mine | BOSS_SLOT) != 0
        || slots_of(mine).any(|slot| actors[slot_group(slot)] == ALL_KINDS)
}

fn factorial(n: u32) -> u64 {
    (1..=u64::from(n)).product()
}
