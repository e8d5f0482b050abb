//! The exhaustive method: every assignment in turn, tested against the refutation table.
//!
//! An assignment is a mate if every action that the mover has in it is refuted and at least one of them does not lose by
//! itself.
//!
//! Assignments have ranks: opposing set by opposing set, for each the orders of the opponent's doves, for each of these the
//! orders of the mover's doves. The twin of this file is `shaders/exhaustive.wgsl`.

use super::orders::{CONSTANTS, deals};
use super::pairs::{BOSS_SLOT, KINDS};
use super::table::{GROUPS, PUT_GROUP, Table, has_actor};

/// The mates on a boss placement: how many assignments of doves to its slots are one.
pub fn mates(table: &Table) -> u64 {
    let all_slots = (1 << table.slots) - 1;
    let mut mates = 0;
    for &opposing in &CONSTANTS.opposing_sets[table.slots as usize] {
        let mine = all_slots & !opposing;
        let mover_dealt = dealt(mine);
        for opponent in dealt(opposing) {
            mates +=
                mover_dealt.iter().filter(|&&mover| is_mate(table, mover, mine, opponent, opposing)).count() as u64;
        }
    }
    mates
}

/// Every way to deal different kinds to these slots.
fn dealt(slots: u32) -> Vec<u64> {
    (0..deals(slots.count_ones())).map(|order| CONSTANTS.deal(slots, order)).collect()
}

/// Whether the assignment is a mate: the mover's doves as (slot, kind) pairs and as slots, then the opponent's.
pub fn is_mate(table: &Table, mover: u64, mover_slots: u32, opponent: u64, opponent_slots: u32) -> bool {
    let mover_has_hand = mover_slots.count_ones() < KINDS as u32;
    let opponent_has_hand = opponent_slots.count_ones() < KINDS as u32;
    let groups = if mover_has_hand { GROUPS } else { PUT_GROUP };
    let mut is_safe = false;
    for group in 0..groups {
        for clause in table.group(group) {
            if has_actor(group, clause.actors, mover, mover_slots) {
                let put = opponent_has_hand && clause.putters & (opponent_slots | BOSS_SLOT) != 0;
                if clause.movers & opponent == 0 && !put {
                    return false;
                }
            }
        }
        is_safe |= has_actor(group, table.safe[group], mover, mover_slots);
    }
    is_safe
}
