//! Clauses: which doves of the mover can take some actions, and which of the opponent's answers refute them.

use super::sets::{Kinds, Pairs, Slots};
use crate::shapes::deals::MAX_SLOTS;

/// The number of groups of clauses: the boss's moves, one group per slot, the puts.
pub(crate) const GROUPS: usize = MAX_SLOTS + 2;
/// The group of the boss's moves.
pub(crate) const BOSS_GROUP: usize = 0;
/// The group of the puts.
pub(crate) const PUT_GROUP: usize = GROUPS - 1;

/// The group of a slot: its return and its moves.
pub(crate) const fn slot_group(slot: u32) -> usize {
    slot as usize + 1
}

/// The doves that can take an action. The meaning depends on the action's group:
/// - of a slot: the kinds of dove that can take it from there;
/// - of the puts: the slots (with [`Slots::BOSS`]) of which the mover must hold at least one;
/// - of the boss, which is always there: [`Slots::BOSS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Actors(pub u32);

impl Actors {
    /// The kinds, in the group of a slot.
    pub(crate) const fn kinds(self) -> Kinds {
        Kinds(self.0)
    }

    /// The slots, in the groups of the boss and of the puts.
    pub(crate) const fn slots(self) -> Slots {
        Slots(self.0)
    }

    /// Whether no dove can act.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The opponent's winning answers to an action, other than moves of its boss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refuters {
    /// The slots (with [`Slots::BOSS`]) beside which the opponent can put a dove and win; it must have a dove on one
    /// of them and another in hand.
    pub putters: Slots,
    /// The opposing (slot, kind) pairs that win by a move; the opponent must have one of them.
    pub movers: Pairs,
}

impl Refuters {
    /// No refuting answer.
    pub(crate) const NONE: Refuters = Refuters { putters: Slots::NONE, movers: Pairs::NONE };
}

/// Actions of one group that leave the same cells occupied, and the opponent's answers that refute them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// The doves that can take the actions.
    pub actors: Actors,
    /// The answers that refute them.
    pub refuters: Refuters,
}
