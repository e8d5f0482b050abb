//! The doves of both players, as mover and opponent; a dove that is not on the board is in hand.

use super::clause::{Actors, BOSS_GROUP, GROUPS, PUT_GROUP};
use super::families::{Families, Family};
use super::sets::{Kinds, Slots};
use crate::rules::{Color, Game};
use crate::shapes::deals::{CONSTANTS, KINDS, OrderSet, deal_set};

/// The kinds that the mover and the opponent have besides the boss, on the board or in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sides {
    pub mover: Kinds,
    pub opponent: Kinds,
}

impl Sides {
    /// Tokyo Doves: all kinds for both.
    pub(crate) const WHOLE: Sides = Sides { mover: Kinds::ALL, opponent: Kinds::ALL };

    /// The doves of a game with this player to move.
    pub(crate) fn of(game: &Game, mover: Color) -> Sides {
        let kinds = |color| Kinds(u32::from(game.doves(color).bits()));
        Sides { mover: kinds(mover), opponent: kinds(mover.opponent()) }
    }

    /// Whether a mover with these slots has one of the actors for a boss move or a put, whichever doves stand on them.
    #[inline]
    pub(crate) fn mover_acts_anyway(self, actors: &[Actors; GROUPS], mine: Slots) -> bool {
        !actors[BOSS_GROUP].is_empty()
            || self.mover.can_put(mine) && actors[PUT_GROUP].slots().overlaps(mine | Slots::BOSS)
    }

    /// The opposing sets that give no player more slots than doves.
    pub(super) fn fair_sets(self, slots: u32) -> Family {
        let families = Families::of(slots);
        let least = (slots.saturating_sub(self.mover.count()) as usize).min(KINDS + 1);
        families.smaller[self.opponent.count() as usize + 1] & families.at_least[least]
    }

    /// The number of ways to deal both players' doves to `slots` slots, the opponent's on `opposing`.
    pub(crate) fn dealings(self, opposing: Slots, slots: u32) -> u64 {
        arrangements(self.opponent.count(), opposing.count())
            * arrangements(self.mover.count(), opposing.others(slots).count())
    }

    /// The number of ways to deal both players' doves to `slots` slots.
    pub(crate) fn assignments(self, slots: u32) -> u64 {
        self.fair_sets(slots).sets(slots).map(|opposing| self.dealings(opposing, slots)).sum()
    }
}

impl Kinds {
    /// Whether a player with doves of these kinds who holds these slots has one in hand.
    pub(crate) fn can_put(self, slots: Slots) -> bool {
        slots.count() < self.count()
    }

    /// The orders that deal doves of these kinds to these slots.
    #[inline]
    pub(crate) fn deals(self, slots: Slots) -> OrderSet {
        let by_slot = CONSTANTS.by_kinds.iter().take(slots.count() as usize);
        by_slot.fold(deal_set(slots.count()), |orders, by_kinds| orders & by_kinds[self.0 as usize])
    }
}

/// The number of ways to give `slots` slots different kinds out of `kinds`.
pub(super) fn arrangements(kinds: u32, slots: u32) -> u64 {
    (0..slots).map(|taken| u64::from(kinds.saturating_sub(taken))).product()
}
