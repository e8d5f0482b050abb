//! A block's actions, each as a map from its rows to the rows of the block that it leads to.
//!
//! Here a block is viewed from its actions: a row for each deal of the *mover's* doves, a bit for each deal
//! of the opponent's. An action leads from some of the rows (those whose deal has a fitting kind on the
//! acting dove's slot), each to one row of one other block as that is stored: there the opponent is the
//! player who has just acted. The bits stay as they are, or are permuted if the opponent's doves are numbered
//! in another order there.

use std::sync::Arc;

use super::placement_actions::{Act, Actions, BlockAction};
use crate::rules::{DoveSet, Game};
use crate::solve::space::deals::{Deals, MAX_KINDS, Permutation};
use crate::solve::space::index::Index;
use crate::solve::space::layout::{Block, Class, GroupId, Layout};
use crate::solve::space::word::{Word, narrowest};

/// A game prepared for a solver: its layout, index and actions.
pub(crate) struct CompiledGame {
    /// The index of all positions.
    pub index: Arc<Index>,
    /// The actions on all boss placements.
    pub actions: Actions,
    /// For each dove set (by its bits): kinds as bits → the same kinds as bits by their ordinals in the dove
    /// set.
    numbers: Vec<[u8; 32]>,
    orders: RowMaps,
}

/// For each byte of a row, the bits that it becomes.
type Bytes<W> = Vec<[W; 256]>;

/// The maps of the bits of rows, in words of one width; empty where deals need another width.
#[derive(Default)]
pub(crate) struct ByteMaps<W> {
    /// By number of kinds, number of doves and permutation of the doves.
    orders: Vec<Vec<Vec<Bytes<W>>>>,
}

/// The maps of bits when opposing doves are renumbered. Rows are stored in the narrowest word that has a bit for each
/// deal.
#[derive(Default)]
pub(crate) struct RowMaps {
    bits8: ByteMaps<u8>,
    bits32: ByteMaps<u32>,
    bits64: ByteMaps<u64>,
    bits128: ByteMaps<u128>,
}

/// A word in which the rows of blocks are read.
pub(crate) trait RowWord: Word {
    /// The tables for words of this width.
    fn tables(orders: &RowMaps) -> &ByteMaps<Self>;
}

macro_rules! row {
    ($word:ty, $tables:ident) => {
        impl RowWord for $word {
            #[inline]
            fn tables(orders: &RowMaps) -> &ByteMaps<$word> {
                &orders.$tables
            }
        }
    };
}

row!(u8, bits8);
row!(u32, bits32);
row!(u64, bits64);
row!(u128, bits128);

/// The tables of one width.
fn tables<W: RowWord>(layout: &Layout) -> ByteMaps<W> {
    // Maps bits that stand for permuted deals.
    let bytes = |deals: &Deals, doves: usize, permutation: usize| -> Bytes<W> {
        let permuted = deals.permuted(doves, permutation as Permutation);
        let mut bits = vec![W::ZERO; permuted.len().next_multiple_of(8)];
        for (deal, image) in permuted.iter().enumerate() {
            bits[usize::from(*image)] = W::bit(deal);
        }
        let table = |bits: &[W]| {
            let mut table = [W::ZERO; 256];
            for value in 1..256usize {
                table[value] = table[value & (value - 1)] | bits[value.trailing_zeros() as usize];
            }
            table
        };
        bits.chunks(8).map(table).collect()
    };
    let of_doves = |deals: &Deals, doves: usize| {
        let is_width = narrowest(deals.count(doves)) == W::BITS;
        let permutations = if is_width { deals.permutations(doves).len() } else { 0 };
        (0..permutations).map(|permutation| bytes(deals, doves, permutation)).collect()
    };
    let of_kinds = |kinds: usize| {
        let deals = Deals::of_kinds(kinds);
        (0..=kinds).map(|doves| of_doves(deals, doves)).collect()
    };
    let most = layout.game.red.len().max(layout.game.green.len()) as usize;
    ByteMaps { orders: (0..=most).map(of_kinds).collect() }
}

/// Reads the bits of a row that an action leads to.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a, W> {
    /// The table that maps each byte; without one, bits stay as they are.
    bytes: Option<&'a [[W; 256]]>,
}

impl<W: Word> Reading<'_, W> {
    /// The row, in the order of the block that the action leads from.
    #[inline]
    pub(crate) fn read(self, row: W) -> W {
        match self.bytes {
            None => row,
            Some(tables) => {
                if row == W::ZERO {
                    return row;
                }
                let image = |(table, byte): (&[W; 256], u8)| table[usize::from(byte)];
                tables.iter().zip(row.bytes()).map(image).fold(W::ZERO, |all, bits| all | bits)
            }
        }
    }
}

impl CompiledGame {
    /// Compiles a game to be shared.
    pub(crate) fn shared(game: Game) -> Arc<CompiledGame> {
        Arc::new(CompiledGame::of(Layout::new(game)))
    }

    /// Compiles the game of a layout.
    pub(crate) fn of(layout: Layout) -> CompiledGame {
        let index = Arc::new(Index::of(layout));
        let game = index.layout.game;
        let actions = Actions::new(&index.placements, &game);
        let numbers = |set: u8| {
            std::array::from_fn(|kinds| {
                let members = (0..MAX_KINDS).filter(|kind| set >> kind & 1 == 1);
                members
                    .enumerate()
                    .fold(0, |numbers, (number, kind)| numbers | (kinds as u8 >> kind & 1) << number)
            })
        };
        CompiledGame {
            numbers: (0..=DoveSet::ALL.bits()).map(numbers).collect(),
            orders: RowMaps {
                bits8: tables(&index.layout),
                bits32: tables(&index.layout),
                bits64: tables(&index.layout),
                bits128: tables(&index.layout),
            },
            index,
            actions,
        }
    }

    /// A view of a block's actions.
    pub(crate) fn view(&self, block: Block) -> BlockView<'_> {
        let class = &self.index.layout[block.class];
        let placement = &self.index.placements.with_slots(class.slots)[block.placement];
        let ranks = self.index.layout.set(class, block.set);
        let own = !placement.ranked.image(ranks) & ((1 << class.slots) - 1);
        BlockView {
            compiled: self,
            class,
            index: block.placement,
            own,
            ranks,
            own_deals: Deals::of(class.own_kinds),
            kinds: &self.numbers[usize::from(class.own_kinds.bits())],
            with: Deals::of(class.own_kinds).with(class.own as usize),
        }
    }
}

/// A block, seen by the mover.
pub(crate) struct BlockView<'a> {
    compiled: &'a CompiledGame,
    class: &'a Class,
    /// The index of the boss placement.
    index: usize,
    /// The slots that are the mover's.
    own: u32,
    /// The ranks that are the opponent's.
    ranks: u32,
    own_deals: &'a Deals,
    kinds: &'a [u8; 32],
    with: &'a [[u128; 32]],
}

/// A block that an action leads to.
#[derive(Clone, Copy)]
pub(crate) struct TargetBlock<'a> {
    /// The block.
    pub block: Block,
    /// Its class.
    pub class: &'a Class,
}

impl TargetBlock<'_> {
    /// The group that the block is in.
    #[inline]
    pub(crate) fn group(&self) -> GroupId {
        self.class.group_of(self.block)
    }

    /// The number of the block in its group.
    #[inline]
    pub(crate) fn number(&self) -> usize {
        self.class.number_in_group(self.block)
    }
}

/// The stored rows of a block, read as words.
#[derive(Clone, Copy)]
pub(crate) struct StoredRows<'a, W> {
    bytes: &'a [u8],
    row_bytes: usize,
    mask: W,
}

impl<'a, W: Word> StoredRows<'a, W> {
    /// The rows of a block of a class; `bytes` extends beyond the last row, as
    /// [`crate::solve::space::word::PADDING`] says.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], class: &Class) -> StoredRows<'a, W> {
        StoredRows { bytes, row_bytes: class.row_bytes, mask: W::low(class.width) }
    }

    /// A row.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> W {
        W::read(self.bytes, row * self.row_bytes) & self.mask
    }
}

/// The permutation that sorts the doves on some slots by their ranks at the target.
fn sorting(deals: &Deals, mut slots: u32, action: &BlockAction) -> Permutation {
    let mut ranks = [0; 5];
    let mut count = 0;
    while slots != 0 {
        ranks[count] = action.own.get(slots.trailing_zeros()) as u8;
        count += 1;
        slots &= slots - 1;
    }
    deals.permutations(count).sorting(&ranks[..count])
}

/// The number of members of a set below a number.
fn below(set: u32, number: u32) -> usize {
    (set & ((1 << number) - 1)).count_ones() as usize
}

impl<'a> BlockView<'a> {
    /// The number of slots after an action.
    #[inline]
    pub(crate) fn slots_after(&self, action: &BlockAction) -> u32 {
        self.class.slots.wrapping_add_signed(action.gain())
    }

    /// The number of rows: deals of the mover's doves.
    pub(crate) fn row_count(&self) -> usize {
        self.class.width
    }

    /// The mover's actions in this block that end the game. Each of them is legal with some deal of the
    /// doves.
    #[inline]
    pub(crate) fn last_actions(&self) -> impl Iterator<Item = &'a BlockAction> {
        self.compiled.actions.of(self.class.slots, self.index).0.iter().filter(|action| self.has(action))
    }

    /// The mover's actions in this block that leave the game open.
    #[inline]
    pub(crate) fn open_actions(&self) -> impl Iterator<Item = &'a BlockAction> {
        self.compiled.actions.of(self.class.slots, self.index).1.iter().filter(|action| self.has(action))
    }

    #[inline]
    fn has(&self, action: &BlockAction) -> bool {
        match action.act {
            Act::BossMove => true,
            Act::Move { slot, kinds } => self.own >> slot & 1 == 1 && self.kinds[usize::from(kinds)] != 0,
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
        let set = layout.set_number(self.slots_after(action), action.own.image(self.own_after(action)));
        let class = match action.act {
            Act::BossMove | Act::Move { .. } => self.class.after_move,
            Act::Return { .. } => self.class.after_return.expect("a dove on the board can return"),
            Act::Put { .. } => self.class.after_put.expect("a dove in hand can be put"),
        };
        TargetBlock { block: Block { class, placement: action.target as usize, set }, class: &layout[class] }
    }

    /// The mover's slots after an action; a dove that is put has the slot after the last.
    fn own_after(&self, action: &BlockAction) -> u32 {
        match action.act {
            Act::BossMove | Act::Move { .. } => self.own,
            Act::Return { slot } => self.own & !(1 << slot),
            Act::Put { .. } => self.own | 1 << self.class.slots,
        }
    }

    /// The map for reading the rows of the block that an action leads to.
    #[inline]
    pub(crate) fn reading<W: RowWord>(&self, action: &BlockAction) -> Reading<'a, W> {
        let orders = &W::tables(&self.compiled.orders).orders;
        let of_doves = &orders[self.class.opposing_kinds.len() as usize][self.class.opposing as usize];
        Reading {
            bytes: self
                .opposing_permutation(action)
                .map(|permutation| &of_doves[usize::from(permutation)][..]),
        }
    }

    /// The order of the opponent's doves at the target of an action; `None` if it stays the same.
    #[inline]
    fn opposing_permutation(&self, action: &BlockAction) -> Option<Permutation> {
        if action.keeps_opposing_order {
            return None;
        }
        let mut slots = [0; 5];
        let mut count = 0;
        let mut ranks = self.ranks;
        let mut ascending = true;
        while ranks != 0 {
            slots[count] = action.opposing.get(ranks.trailing_zeros()) as u8;
            ascending &= count == 0 || slots[count - 1] < slots[count];
            count += 1;
            ranks &= ranks - 1;
        }
        if ascending {
            return None;
        }
        let deals = Deals::of(self.class.opposing_kinds);
        Some(deals.permutations(count).sorting(&slots[..count]))
    }

    /// The deals of the mover's doves with which an action is legal.
    #[inline]
    pub(crate) fn rows_with(&self, action: &BlockAction) -> u128 {
        match action.act {
            Act::Move { slot, kinds } => {
                let index = below(self.own, u32::from(slot));
                self.with[index][usize::from(self.kinds[usize::from(kinds)])]
            }
            Act::BossMove | Act::Return { .. } | Act::Put { .. } => u128::low(self.class.width),
        }
    }

    /// For each deal of the mover's doves, the deal that the permutation maps to it.
    fn sources(&self, permutation: Permutation) -> &'a [u8] {
        let own_slots = self.class.own as usize;
        self.own_deals.permuted(own_slots, self.own_deals.permutations(own_slots).inverse(permutation))
    }

    /// Calls `each` with every one of `rows` that has the action, the row of the target block that it leads
    /// to, and the index of the latter among `wanted`, if that is known. Rows that lead to none of `wanted`
    /// may be left out. With a put, a row comes once for each kind that can be put.
    #[inline]
    pub(crate) fn each_row(
        &self,
        action: &BlockAction,
        target: &TargetBlock,
        rows: u128,
        wanted: u128,
        mut each: impl FnMut(usize, usize, Option<usize>),
    ) {
        let own_slots = self.class.own as usize;
        let deals = self.own_deals;
        let rows = rows & self.rows_with(action);
        let mut each_permuted = |permutation| {
            if wanted.count_ones() < rows.count_ones() {
                let sources = self.sources(permutation);
                each_wanted(rows, wanted, |image| sources[image], &mut each);
            } else {
                let images = deals.permuted(own_slots, permutation);
                each_bit(rows, |row| each(row, usize::from(images[row]), None));
            }
        };
        match action.act {
            Act::BossMove => {
                each_permuted(if action.keeps_own_order { 0 } else { sorting(deals, self.own, action) })
            }
            Act::Move { slot, .. } => {
                let slot = u32::from(slot);
                each_permuted(if action.keeps_own_order {
                    let to = below(action.own.image(self.own), action.own.get(slot));
                    deals.permutations(own_slots).shift(below(self.own, slot), to)
                } else {
                    sorting(deals, self.own, action)
                });
            }
            Act::Return { slot } => {
                let slot = u32::from(slot);
                let left = self.own & !(1 << slot);
                let permutation = if action.keeps_own_order { 0 } else { sorting(deals, left, action) };
                let images = deals.permuted(own_slots - 1, permutation);
                let dropped = deals.dropped(own_slots, below(self.own, slot));
                each_bit(rows, |row| each(row, usize::from(images[usize::from(dropped[row])]), None));
            }
            Act::Put { .. } => {
                let permutation = if action.keeps_own_order { 0 } else { sorting(deals, self.own, action) };
                let images = deals.permuted(own_slots, permutation);
                let index = below(action.own.image(self.own), action.own.get(self.class.slots));
                let wanted = wanted & u128::low(target.class.rows);
                let absent = deals.absent(own_slots);
                if (wanted.count_ones() as usize) < rows.count_ones() as usize * absent {
                    let (before, sources) = (deals.dropped(own_slots + 1, index), self.sources(permutation));
                    each_wanted(rows, wanted, |image| sources[usize::from(before[image])], &mut each);
                    return;
                }
                for absent in 0..absent {
                    let put = deals.put(own_slots, index, absent);
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
