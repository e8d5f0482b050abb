//! The doves of both players, as mover and opponent; a dove that is not on the board is in hand.

use super::families::{Families, Family};
use super::sets::{Kinds, Slots};
use crate::rules::{Color, Game};
use crate::shapes::deals::{CONSTANTS, KINDS, OrderSet, deal_set};

/// The kinds that the mover and the opponent have besides the boss, on the board or in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sides {
    /// The mover's kinds.
    pub mover: Kinds,
    /// The opponent's kinds.
    pub opponent: Kinds,
}

impl Sides {
    /// Tokyo Doves: all kinds for both.
    pub(crate) const WHOLE: Sides = Sides { mover: Kinds::ALL, opponent: Kinds::ALL };

    /// The doves of a game with this player to move.
    pub(crate) fn of(game: &Game, mover: Color) -> Sides {
        Sides { mover: game.doves(mover).into(), opponent: game.doves(mover.opponent()).into() }
    }

    /// Whether the mover has a dove in hand if it holds these slots.
    pub(crate) fn mover_can_put(self, mine: Slots) -> bool {
        mine.count() < self.mover.count()
    }

    /// Whether the opponent has a dove in hand if it holds these slots.
    pub(crate) fn opponent_can_put(self, opposing: Slots) -> bool {
        opposing.count() < self.opponent.count()
    }

    /// The opposing sets that give no player more slots than doves.
    pub(super) fn fair_sets(self, slots: u32) -> Family {
        let families = Families::of(slots);
        families.smaller(self.opponent.count() + 1)
            & !families.smaller(slots.saturating_sub(self.mover.count()).min(KINDS as u32 + 1))
    }

    /// The orders that deal the opponent's doves to these slots.
    pub(crate) fn opponent_deals(self, opposing: Slots) -> OrderSet {
        deals_of(self.opponent, opposing.count())
    }

    /// The orders that deal the mover's doves to these slots.
    pub(crate) fn mover_deals(self, mine: Slots) -> OrderSet {
        deals_of(self.mover, mine.count())
    }

    /// The number of ways to deal both players' doves to `slots` slots, the opponent's on `opposing`.
    pub(crate) fn dealings(self, opposing: Slots, slots: u32) -> u64 {
        arrangements(self.opponent.count(), opposing.count())
            * arrangements(self.mover.count(), opposing.others(slots).count())
    }

    /// The number of ways to deal both players' doves to `slots` slots.
    pub(crate) fn assignments(self, slots: u32) -> u64 {
        let sets = &CONSTANTS.opposing_sets[slots as usize];
        self.fair_sets(slots).indices().map(|index| self.dealings(Slots(sets[index]), slots)).sum()
    }
}

/// The orders that deal different kinds of this set to `slots` slots.
fn deals_of(kinds: Kinds, slots: u32) -> OrderSet {
    let by_slot = CONSTANTS.by_kinds.iter().take(slots as usize);
    by_slot.fold(deal_set(slots), |orders, by_kinds| orders & by_kinds[kinds.0 as usize])
}

/// The number of ways to give `slots` slots different kinds out of `kinds`.
pub(super) fn arrangements(kinds: u32, slots: u32) -> u64 {
    (0..slots).map(|taken| u64::from(kinds.saturating_sub(taken))).product()
}
