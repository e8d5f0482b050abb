//! The sets used to test assignments, each with its own type: slots, kinds, (slot, kind) pairs.
//!
//! The slots of a boss placement are its cells other than the bosses', at most ten, numbered from 0 in ascending order;
//! the kinds are the five other than the boss, numbered 0 to 4 in the order A Y M T H. The bit of the pair (slot, kind)
//! in a `u64` is 32·(slot ÷ 5) + 5·(slot mod 5) + kind, so that each half holds five slots and a GPU without 64-bit
//! integers can keep the halves in two words.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use crate::bits::Bits;
use crate::shapes::deals::{CONSTANTS, KINDS, MAX_SLOTS, OrderSet};

/// A set of slots, bit = slot. [`Slots::BOSS`] may be a member: the boss's own cell, which is not a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slots(pub u32);

/// A set of kinds other than the boss, bit = kind, Aniki the least significant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Kinds(pub u32);

/// A set of (slot, kind) pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pairs(pub u64);

macro_rules! set_operations {
    ($set:ident) => {
        impl $set {
            /// The empty set.
            pub(crate) const NONE: $set = $set(0);
        }

        impl BitAnd for $set {
            type Output = $set;

            fn bitand(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }
        }

        impl BitOr for $set {
            type Output = $set;

            fn bitor(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
        }

        impl BitOrAssign for $set {
            fn bitor_assign(&mut self, other: $set) {
                self.0 |= other.0;
            }
        }
    };
}

set_operations!(Slots);
set_operations!(Kinds);
set_operations!(Pairs);

impl Slots {
    /// Whether the sets have a member in common.
    pub(crate) const fn overlaps(self, other: Slots) -> bool {
        self.0 & other.0 != 0
    }

    /// The boss's cell alone.
    pub(crate) const BOSS: Slots = Slots(1 << 15);

    /// A single slot.
    pub(crate) const fn one(slot: u32) -> Slots {
        Slots(1 << slot)
    }

    /// Those of the first `slots` slots that are not in the set: the mover's if the set is the opponent's.
    pub(crate) const fn others(self, slots: u32) -> Slots {
        Slots(!self.0 & ((1 << slots) - 1))
    }

    /// The number of members.
    pub(crate) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The members, in ascending order.
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> {
        self.0.bits().map(|slot| slot as u32)
    }
}

impl Kinds {
    /// Whether the set is empty.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All five kinds.
    pub(crate) const ALL: Kinds = Kinds((1 << KINDS) - 1);

    /// The kinds that are not in the set.
    pub(crate) const fn others(self) -> Kinds {
        Kinds(!self.0 & Kinds::ALL.0)
    }

    /// The number of kinds.
    pub(crate) const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

impl Pairs {
    /// Whether the sets have a member in common.
    pub(crate) const fn overlaps(self, other: Pairs) -> bool {
        self.0 & other.0 != 0
    }

    /// The pairs of one slot with each kind of a set.
    pub(crate) const fn at(slot: u32, kinds: Kinds) -> Pairs {
        Pairs((kinds.0 as u64) << shift_of(slot))
    }

    /// The kinds with which a slot occurs in the set.
    pub(crate) const fn kinds_at(self, slot: u32) -> Kinds {
        Kinds((self.0 >> shift_of(slot)) as u32 & Kinds::ALL.0)
    }

    /// The slots that have a kind in the set.
    pub(crate) fn slots(self) -> Slots {
        let has_kind = |slot: &u32| !self.kinds_at(*slot).is_empty();
        (0..MAX_SLOTS as u32).filter(has_kind).fold(Slots::NONE, |all, slot| all | Slots::one(slot))
    }

    /// The orders of a player's doves on these slots that have one of the pairs.
    #[inline]
    pub(crate) fn orders_with(self, slots: Slots) -> OrderSet {
        let places = slots.iter().zip(&CONSTANTS.by_kinds);
        places.fold(0, |orders, (slot, by_kinds)| orders | by_kinds[self.kinds_at(slot).0 as usize])
    }
}

/// The bit of a set of pairs at which the kinds of a slot start.
const fn shift_of(slot: u32) -> u32 {
    32 * (slot / KINDS as u32) + KINDS as u32 * (slot % KINDS as u32)
}
