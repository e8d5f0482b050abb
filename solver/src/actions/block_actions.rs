//! A block's actions, each as a map from its rows to the rows of the block that it leads to.
//!
//! Here a block is viewed from its actions: a row for each deal of the *mover's* doves, a bit for each deal
//! of the opponent's. An action leads from some of the rows (those whose deal has a fitting kind on the
//! acting dove's slot), each to one row of one other block as that is stored: there the opponent is the
//! player who has just acted. The bits stay as they are, or are permuted if the opponent's doves are numbered
//! in another order there.

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

/// Reads the bits of a row that an action leads to.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// The map of each byte; without one, bits stay as they are.
    bytes: Option<&'a [[u128; 256]]>,
}

impl Reading<'_> {
    /// The row, in the order of the block that the action leads from.
    #[inline]
    pub(crate) fn read<W: Word>(self, row: W) -> W {
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
        let ranks = self.index.layout.set(class, block.set);
        let own = !placement.ranked.image(ranks) & ((1 << class.slots) - 1);
        BlockView { compiled: self, class, placement: block.placement, own, ranks }
    }
}

/// A block, seen by the mover.
pub(crate) struct BlockView<'a> {
    compiled: &'a CompiledGame,
    pub class: &'a Class,
    placement: usize,
    /// The slots that are the mover's.
    own: u32,
    /// The ranks that are the opponent's.
    ranks: u32,
}

/// A block that an action leads to.
#[derive(Clone, Copy)]
pub(crate) struct TargetBlock<'a> {
    /// The block.
    pub block: Block,
    /// Its class.
    pub class: &'a Class,
}

/// The permutation that sorts a player's doves on some slots or ranks by their numbers at the target.
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

/// The number of members of a set below a number.
fn below(set: u32, number: u32) -> usize {
    (set & ((1 << number) - 1)).count_ones() as usize
}

impl<'a> BlockView<'a> {
    /// The mover's actions in this block that end the game. Each of them is legal with some deal of the
    /// doves.
    #[inline]
    pub(crate) fn last_actions(&self) -> impl Iterator<Item = &'a BlockAction> {
        self.compiled.actions.of(self.class.slots, self.placement).0.iter().filter(|action| self.has(action))
    }

    /// The mover's actions in this block that leave the game open.
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
    pub(crate) fn reading(&self, action: &BlockAction) -> Reading<'a> {
        let is_same = action.keeps_opposing_order;
        let permutation = usize::from(if is_same { 0 } else { sorted(self.ranks, action.opposing) });
        Reading { bytes: (permutation != 0).then(|| &self.class.opposing_deals.byte_maps()[permutation][..]) }
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

    /// The permutation of the mover's doves that are on the board before and after an action.
    #[inline]
    fn own_permutation(&self, action: &BlockAction) -> Permutation {
        let staying = match action.act {
            Act::Return { slot } => self.own & !(1 << slot),
            Act::BossMove | Act::Move { .. } | Act::Put { .. } => self.own,
        };
        if action.keeps_own_order { 0 } else { sorted(staying, action.own) }
    }

    /// Calls `each` with every one of `rows` that has the action, the row of the target block that it leads
    /// to, and the index of the latter among `wanted`, if that is known. Rows that lead to none of `wanted`
    /// may be left out. With a put, a row comes once for each kind that can be put.
    #[inline]
    pub(crate) fn each_row(
        &self,
        action: &BlockAction,
        target: &Class,
        rows: u128,
        wanted: u128,
        mut each: impl FnMut(usize, usize, Option<usize>),
    ) {
        let (deals, deals_there) = (self.class.own_deals, target.opposing_deals);
        let rows = rows & self.rows_with(action);
        let permutation = usize::from(self.own_permutation(action));
        let sources = || &deals.permuted[usize::from(deals.inverses[permutation])][..];
        match action.act {
            Act::BossMove | Act::Move { .. } if wanted.count_ones() < rows.count_ones() => {
                let sources = sources();
                each_wanted(rows, wanted, |image| sources[image], &mut each);
            }
            Act::BossMove | Act::Move { .. } => {
                let images = &deals.permuted[permutation][..];
                each_bit(rows, |row| each(row, usize::from(images[row]), None));
            }
            Act::Return { slot } => {
                let images = &deals_there.permuted[permutation][..];
                let dropped = &deals.dropped[below(self.own, u32::from(slot))][..];
                each_bit(rows, |row| each(row, usize::from(images[usize::from(dropped[row])]), None));
            }
            Act::Put { .. } => {
                let index = below(action.own.image(self.own), action.own.get(self.class.slots));
                let wanted = wanted & u128::low(target.rows);
                let by_kind = &deals.put[index];
                if (wanted.count_ones() as usize) < rows.count_ones() as usize * by_kind.len() {
                    let (before, sources) = (&deals_there.dropped[index][..], sources());
                    return each_wanted(rows, wanted, |image| sources[usize::from(before[image])], &mut each);
                }
                let images = &deals.permuted[permutation][..];
                for put in by_kind {
                    each_bit(rows, |row| each(row, usize::from(put[usize::from(images[row])]), None));
                }
            }
        }
    }
}

/// Calls `each` with those of `rows` that lead to a wanted row, with that row and its index among the wanted
/// ones.
#[inline]
fn each_wanted(
    rows: u128,
    wanted: u128,
    source: impl Fn(usize) -> u8,
    mut each: impl FnMut(usize, usize, Option<usize>),
) {
    let mut index = 0;
    each_bit(wanted, |image| {
        let row = usize::from(source(image));
        if rows >> row & 1 == 1 {
            each(row, image, Some(index));
        }
        index += 1;
    });
}

/// Calls `each` with the indices of the set bits, ascending.
#[inline]
fn each_bit(set: u128, mut each: impl FnMut(usize)) {
    for (half, first) in [(set as u64, 0), ((set >> 64) as u64, 64)] {
        let mut half = half;
        while half != 0 {
            each(first + half.trailing_zeros() as usize);
            half &= half - 1;
        }
    }
}
