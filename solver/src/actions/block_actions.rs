//! The actions of a block as maps of rows: from rows of the block to rows of the block after the action.
//!
//! Before the action, a row is a deal of the *mover's* doves and a bit a deal of the opponent's: the transpose of the
//! stored block. After it, rows are as stored: a row is a deal of the doves of the opponent, who is now the player that
//! has just acted. If a dove moves from a slot, a row has the action only if its deal has a suitable kind there; all
//! rows have every other action. Bits keep their order, unless the action renumbers the doves of the player who did not
//! act.

use std::sync::Arc;

use super::placement_actions::{Act, Actions, BlockAction};
use crate::space::deals::{MAX_KINDS, Permutation, sorting};
use crate::space::index::Index;
use crate::space::layout::{Block, Class};
use crate::space::placements::Nibbles;
use crate::space::word::Word;

/// A game prepared for a solver: its layout, index and actions.
pub(crate) struct CompiledGame {
    /// The index of all positions.
    pub index: Arc<Index>,
    /// The actions on all boss placements.
    pub actions: Actions,
}

/// Maps the bits of a row after an action to their order before it.
#[derive(Clone, Copy)]
pub(crate) struct RowMap<'a> {
    /// The map of each byte; `None` if bits stay as they are.
    bytes: Option<&'a [[u128; 256]]>,
}

impl RowMap<'_> {
    /// The row with its bits in the order before the action.
    #[inline]
    pub(crate) fn apply<W: Word>(self, row: W) -> W {
        match self.bytes {
            Some(maps) if row != W::ZERO => {
                let images = maps.iter().zip(row.bytes()).map(|(map, byte)| map[usize::from(byte)]);
                W::read(&images.fold(0, |all, bits| all | bits).to_le_bytes(), 0)
            }
            _ => row,
        }
    }
}

impl CompiledGame {
    /// Compiles the game of an index.
    pub(crate) fn of(index: Arc<Index>) -> CompiledGame {
        CompiledGame { actions: Actions::new(&index.placements, &index.layout.game), index }
    }

    /// A view of a block's actions.
    pub(crate) fn view(&self, block: Block) -> BlockView<'_> {
        let class = &self.index.layout[block.class];
        let placement = &self.index.placements.with_slots(class.slots)[block.placement];
        let opposing = self.index.layout.set(class, block.set);
        let own = !placement.unflipped.image(opposing) & ((1 << class.slots) - 1);
        BlockView { compiled: self, class, placement: block.placement, own, opposing }
    }
}

/// A block, seen by the mover.
pub(crate) struct BlockView<'a> {
    compiled: &'a CompiledGame,
    pub class: &'a Class,
    placement: usize,
    /// The slots that are the mover's.
    own: u32,
    /// The flipped slots (see [`crate::space::placements`]) that are the opponent's.
    opposing: u32,
}

/// A block that an action leads to.
#[derive(Clone, Copy)]
pub(crate) struct TargetBlock<'a> {
    pub block: Block,
    pub class: &'a Class,
}

/// The permutation by which an action reorders a player's doves on `set`, a set of slots or flipped slots: it sorts
/// them by their numbers at the target.
#[inline]
fn sorted(mut set: u32, at_target: Nibbles) -> Permutation {
    let mut numbers = [0; MAX_KINDS];
    let mut count = 0;
    while set != 0 {
        numbers[count] = at_target.get(set.trailing_zeros()) as u8;
        count += 1;
        set &= set - 1;
    }
    sorting(&numbers[..count])
}

/// Counts the members of a set that are less than `number`.
fn below(set: u32, number: u32) -> usize {
    (set & ((1 << number) - 1)).count_ones() as usize
}

impl<'a> BlockView<'a> {
    /// The mover's actions that end the game and are legal with some deal of the doves.
    #[inline]
    pub(crate) fn ending_actions(&self) -> impl Iterator<Item = &'a BlockAction> {
        self.compiled.actions.of(self.class.slots, self.placement).0.iter().filter(|action| self.has(action))
    }

    /// The mover's actions that leave the game open and are legal with some deal of the doves.
    #[inline]
    pub(crate) fn open_actions(&self) -> impl Iterator<Item = &'a BlockAction> {
        self.compiled.actions.of(self.class.slots, self.placement).1.iter().filter(|action| self.has(action))
    }

    #[inline]
    fn has(&self, action: &BlockAction) -> bool {
        match action.act {
            Act::BossMove => true,
            Act::Move { slot, kinds } => {
                self.own >> slot & 1 == 1 && kinds & self.class.own_kinds.bits() != 0
            }
            Act::Return { slot } => self.own >> slot & 1 == 1,
            Act::Put { touching, touches_boss } => {
                (touches_boss || u32::from(touching) & self.own != 0) && self.class.after_put.is_some()
            }
        }
    }

    /// The block that an action of the mover leads to.
    #[inline]
    pub(crate) fn target(&self, action: &BlockAction) -> TargetBlock<'a> {
        let layout = &self.compiled.index.layout;
        // A dove that is put has the slot after the last.
        let (class, own) = match action.act {
            Act::BossMove | Act::Move { .. } => (Some(self.class.after_move), self.own),
            Act::Return { slot } => (self.class.after_return, self.own & !(1 << slot)),
            Act::Put { .. } => (self.class.after_put, self.own | 1 << self.class.slots),
        };
        let class = class.expect("an action leads to a class of the game");
        let set = layout.set_number(action.own.image(own));
        TargetBlock { block: Block { class, placement: action.target as usize, set }, class: &layout[class] }
    }

    /// The map for reading the rows of the block that an action leads to.
    #[inline]
    pub(crate) fn row_map(&self, action: &BlockAction) -> RowMap<'a> {
        let is_same = action.keeps_opposing_order;
        let permutation = usize::from(if is_same { 0 } else { sorted(self.opposing, action.opposing) });
        RowMap { bytes: (permutation != 0).then(|| &self.class.opposing_deals.byte_maps()[permutation][..]) }
    }

    /// The deals of the mover's doves with which an action is legal.
    #[inline]
    pub(crate) fn rows_with(&self, action: &BlockAction) -> u128 {
        match action.act {
            Act::Move { slot, kinds } => {
                let index = below(self.own, u32::from(slot));
                self.class.own_deals.with[index][usize::from(kinds)]
            }
            Act::BossMove | Act::Return { .. } | Act::Put { .. } => u128::low(self.class.width),
        }
    }

    /// The permutation by which an action reorders the mover's doves that are on the board both before and after it.
    #[inline]
    fn own_permutation(&self, action: &BlockAction) -> Permutation {
        let staying = match action.act {
            Act::Return { slot } => self.own & !(1 << slot),
            Act::BossMove | Act::Move { .. } | Act::Put { .. } => self.own,
        };
        if action.keeps_own_order { 0 } else { sorted(staying, action.own) }
    }

    /// Visits every pair (row, target row) of the action with a row in `rows`, and the target row's index in `wanted`
    /// if known. May skip target rows that are not wanted. If the action is a put, a row has a pair for each kind that
    /// can be put.
    #[inline]
    pub(crate) fn visit_rows(
        &self,
        action: &BlockAction,
        target: &Class,
        rows: u128,
        wanted: u128,
        mut visit: impl FnMut(usize, usize, Option<usize>),
    ) {
        let (deals, deals_there) = (self.class.own_deals, target.opposing_deals);
        let rows = rows & self.rows_with(action);
        let permutation = usize::from(self.own_permutation(action));
        let sources = || &deals.permuted[usize::from(deals.inverses[permutation])][..];
        match action.act {
            Act::BossMove | Act::Move { .. } if wanted.count_ones() < rows.count_ones() => {
                let sources = sources();
                visit_wanted(rows, wanted, |image| sources[image], &mut visit);
            }
            Act::BossMove | Act::Move { .. } => {
                let images = &deals.permuted[permutation][..];
                visit_bits(rows, |row| visit(row, usize::from(images[row]), None));
            }
            Act::Return { slot } => {
                let images = &deals_there.permuted[permutation][..];
                let dropped = &deals.dropped[below(self.own, u32::from(slot))][..];
                visit_bits(rows, |row| visit(row, usize::from(images[usize::from(dropped[row])]), None));
            }
            Act::Put { .. } => {
                let index = below(action.own.image(self.own), action.own.get(self.class.slots));
                let wanted = wanted & u128::low(target.rows);
                let by_kind = &deals.put[index];
                if (wanted.count_ones() as usize) < rows.count_ones() as usize * by_kind.len() {
                    let (before, sources) = (&deals_there.dropped[index][..], sources());
                    return visit_wanted(
                        rows,
                        wanted,
                        |image| sources[usize::from(before[image])],
                        &mut visit,
                    );
                }
                let images = &deals.permuted[permutation][..];
                for put in by_kind {
                    visit_bits(rows, |row| visit(row, usize::from(put[usize::from(images[row])]), None));
                }
            }
        }
    }
}

/// Visits every pair (row, target row) with a wanted target row, and that row's index in `wanted`. `source` maps target
/// rows to rows.
#[inline]
fn visit_wanted(
    rows: u128,
    wanted: u128,
    source: impl Fn(usize) -> u8,
    mut visit: impl FnMut(usize, usize, Option<usize>),
) {
    let mut index = 0;
    visit_bits(wanted, |image| {
        let row = usize::from(source(image));
        if rows >> row & 1 == 1 {
            visit(row, image, Some(index));
        }
        index += 1;
    });
}

/// Visits the set bits, ascending.
#[inline]
fn visit_bits(set: u128, mut visit: impl FnMut(usize)) {
    for (half, first) in [(set as u64, 0), ((set >> 64) as u64, 64)] {
        let mut half = half;
        while half != 0 {
            visit(first + half.trailing_zeros() as usize);
            half &= half - 1;
        }
    }
}
