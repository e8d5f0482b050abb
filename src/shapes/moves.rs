//! The moves of doves on the plane, by kind: the set-based twin of the moves in [`crate::rules`].
//!
//! Two conditions make a move legal. [`reach`] gives the cells that the dove's kind reaches, given the cells
//! occupied before the move. [`plane::landings`] gives the cells on which the doves then make a board; it
//! depends on the other doves alone. A legal move ends on a cell in both sets.

use super::plane::{self, Bounds};
use crate::rules::{Kind, Outcome, Rules};

/// The cells that a dove of `kind` on `from` reaches with `others` in its way, even where the box would
/// become too large. For all kinds but the Totsu, they may include occupied cells.
#[inline]
pub const fn reach(kind: Kind, from: u64, others: u64) -> u64 {
    match kind {
        Kind::Boss | Kind::Aniki => plane::neighbours(from),
        Kind::Yaibato => plane::sides(from),
        Kind::Mamedeppo => plane::diagonals(from),
        Kind::Totsu => plane::slides(from, others),
        Kind::Hajike => plane::knight_jumps(from),
    }
}

/// The cells that a dove of `kind` on `from` can move to. `others` are all other doves, of which there is at
/// least one.
#[inline]
pub const fn moves(kind: Kind, from: u64, others: u64) -> u64 {
    reach(kind, from, others) & plane::landings(others, Bounds::of(others)) & !from
}

/// Of the cells that a boss can move to, those where its enclosure degree is at most 2.
#[inline]
pub fn escapes(reached: u64, others: u64) -> impl Iterator<Item = u64> {
    plane::each_cell(reached).filter(move |to| plane::open_sides(*to, others | to).count_ones() >= 2)
}

/// Of the `surrounding` cells of an opposing boss, those on which one more dove wins, provided that the
/// player's own `boss` does not move.
#[inline]
pub fn winning(surrounding: u64, boss: u64, doves: u64, bounds: Bounds, rules: Rules) -> u64 {
    if surrounding == 0 || matches!(rules.outcome(true, true), Outcome::Won) {
        return surrounding;
    }
    surrounding & !plane::surrounding_cells(boss, doves, bounds)
}

/// The cells on which a player can put a dove: those [`plane::landings`] that are next to one of `own` doves, and not
/// orthogonally next to the opposing boss.
#[inline]
pub const fn puts(own: u64, opposing_boss: u64, doves: u64) -> u64 {
    plane::neighbours(own) & plane::landings(doves, Bounds::of(doves)) & !plane::sides(opposing_boss)
}
