//! How doves move on the plane, by kind: the twin of the moves in [`crate::rules`] for whole sets of cells.
//!
//! Where a dove may go is two questions. Where its kind gets it, over the cells as they are before the move, says [`reach`].
//! Where doves then make a board says [`plane::landings`], and it depends on the other doves alone. A legal move is what is
//! in both.

use super::plane::{self, Bounds};
use crate::rules::Kind;

/// The cells that a dove of `kind` on `from` gets to with `others` in its way, wherever the box would then be. Cells with
/// a dove may be among them, and for the Totsu none.
pub const fn reach(kind: Kind, from: u64, others: u64) -> u64 {
    match kind {
        Kind::Boss | Kind::Aniki => plane::neighbours(from),
        Kind::Yaibato => plane::sides(from),
        Kind::Mamedeppo => plane::diagonals(from),
        Kind::Totsu => plane::slides(from, others),
        Kind::Hajike => plane::knight_jumps(from),
    }
}

/// The cells that a dove of `kind` on `from` moves to, `others` being all other doves; there is at least one.
pub const fn moves(kind: Kind, from: u64, others: u64) -> u64 {
    reach(kind, from, others) & plane::landings(others, Bounds::of(others)) & !from
}

/// The cells onto which a player puts a dove: next to one of `own` doves, not orthogonally next to the opposing boss.
pub const fn puts(own: u64, opposing_boss: u64, doves: u64) -> u64 {
    plane::neighbours(own) & plane::landings(doves, Bounds::of(doves)) & !plane::sides(opposing_boss)
}
