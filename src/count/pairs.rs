//! Sets of slots and of (slot, kind) pairs: where each kind stands, without colours.
//!
//! The slots of a boss placement are its cells other than the bosses', numbered 0 to 9 in ascending order; the kinds
//! are the five other than the boss, numbered 0 to 4 in the order A Y M T H. The bit of the pair (slot, kind) in a
//! `u64` is 32·(slot ÷ 5) + 5·(slot mod 5) + kind, so that each half holds five slots and a GPU without 64-bit integers
//! can keep the halves in two words.

pub use crate::shapes::deals::{KINDS, MAX_SLOTS};

/// All five kinds, as a set (bit = kind).
pub const ALL_KINDS: u32 = (1 << KINDS) - 1;
/// The boss's cell as a member of a set of slots: not a slot, but always held.
pub const BOSS_SLOT: u32 = 1 << 15;

/// The bit of a set of pairs at which the kinds of a slot start.
pub const fn shift_of(slot: u32) -> u32 {
    32 * (slot / KINDS as u32) + KINDS as u32 * (slot % KINDS as u32)
}

/// The pairs of one slot with each kind of a set.
pub const fn pairs(slot: u32, kinds: u32) -> u64 {
    (kinds as u64) << shift_of(slot)
}

/// The kinds with which a slot occurs in a set of pairs.
pub const fn kinds_at(pairs: u64, slot: u32) -> u32 {
    (pairs >> shift_of(slot)) as u32 & ALL_KINDS
}
