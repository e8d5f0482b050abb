//! Families of opposing sets, for testing all sets of slots that may be the opponent's at once.
//!
//! At most C(10, 5) = 252 sets of slots may be the opponent's on a boss placement (see
//! [`Orders::opposing_sets`](crate::shapes::deals::Orders::opposing_sets)), so a set of such sets is at most
//! 252 bits. "Holds slot 3" and "has at most four members" are such families, and combining them for a whole demand
//! takes a few operations on four words.

use std::ops::{BitAnd, BitOr};
use std::sync::LazyLock;

use super::sets::Slots;
use crate::bits::Bits;
use crate::shapes::deals::{CONSTANTS, KINDS, MAX_SLOTS};

/// A family of opposing sets for one number of slots; bit i is the set with index i in the list of opposing
/// sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Family([u64; 4]);

/// The families from which all others are made, for one number of slots.
#[derive(Debug)]
pub(crate) struct Families {
    /// For each slot, the sets that hold it.
    pub holding: [Family; MAX_SLOTS],
    /// For each size, the sets with fewer members.
    pub smaller: [Family; KINDS + 2],
    /// For each size, the sets with this many members or more.
    pub at_least: [Family; KINDS + 2],
}

static FAMILIES: LazyLock<[Families; MAX_SLOTS + 1]> =
    LazyLock::new(|| std::array::from_fn(|slots| Families::new(&CONSTANTS.opposing_sets[slots])));

impl Family {
    /// The empty family.
    pub(crate) const NONE: Family = Family([0; 4]);
    /// Every opposing set, and bits beyond the list.
    pub(crate) const ALL: Family = Family([u64::MAX; 4]);

    /// Whether the family has no set.
    pub(crate) fn is_empty(self) -> bool {
        self == Family::NONE
    }

    /// Its sets, out of the list for this number of slots.
    pub(crate) fn sets(self, slots: u32) -> impl Iterator<Item = Slots> {
        let list = &CONSTANTS.opposing_sets[slots as usize];
        let indices =
            (0..).zip(self.0).flat_map(|(word, sets)| sets.bits().map(move |index| 64 * word + index));
        indices.map(|index| Slots(list[index]))
    }
}

impl Families {
    /// The families for a number of slots.
    pub(crate) fn of(slots: u32) -> &'static Families {
        &FAMILIES[slots as usize]
    }

    fn new(opposing_sets: &[u32]) -> Families {
        let family_of = |is_in: &dyn Fn(u32) -> bool| {
            let mut family = Family::NONE;
            for (index, &set) in opposing_sets.iter().enumerate() {
                family.0[index / 64] |= u64::from(is_in(set)) << (index % 64);
            }
            family
        };
        Families {
            holding: std::array::from_fn(|slot| family_of(&|set| set >> slot & 1 == 1)),
            smaller: std::array::from_fn(|size| family_of(&|set| set.count_ones() < size as u32)),
            at_least: std::array::from_fn(|size| family_of(&|set| set.count_ones() >= size as u32)),
        }
    }

    /// The sets that hold at least one of these slots; every set holds the boss's cell.
    pub(crate) fn holding_any(&self, slots: Slots) -> Family {
        if slots.overlaps(Slots::BOSS) {
            return Family::ALL;
        }
        slots.iter().fold(Family::NONE, |family, slot| family | self.holding[slot as usize])
    }

    /// The sets that leave none of these slots to the mover, who always has the boss's cell.
    pub(crate) fn holding_all(&self, slots: Slots) -> Family {
        if slots.overlaps(Slots::BOSS) {
            return Family::NONE;
        }
        slots.iter().fold(Family::ALL, |family, slot| family & self.holding[slot as usize])
    }
}

impl BitAnd for Family {
    type Output = Family;

    fn bitand(self, other: Family) -> Family {
        Family(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Family {
    type Output = Family;

    fn bitor(self, other: Family) -> Family {
        Family(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}
