//! A block's actions, each as a map from its rows to the rows of the block that it leads to.
//!
//! Here a block is seen from the side of its actions: a row for each deal of the *mover's* doves, a bit for each deal of the opponent's. An
//! action leads from some of the rows – those whose deal has a fitting kind on the acting dove's slot – to one row each of one other
//! block, as that is stored: there it is the opponent who has just acted. The bits stay what they are, or are permuted
//! if the opponent's doves are numbered in another order there.

use super::actions::{Act, Action, Actions};
use super::deals::{Deals, Permutation};
use super::index::Index;
use super::layout::{Block, Class};
use super::word::Word;
use crate::rules::Game;

/// What a solver knows of a game before it solves it.
pub struct Board<W> {
    /// All positions.
    pub index: Index,
    /// What can be done on the boss placements.
    pub actions: Actions,
    /// For each side, kinds as sets of [`crate::rules::DoveSet::bits`] → the same as numbers in the mover's dove set.
    kinds: [[u8; 32]; 2],
    /// For each side and number of opposing doves.
    reorders: [Vec<Reorders<W>>; 2],
    /// For each side, `with[own doves][place][kinds]`: the deals that have one of the kinds at the place.
    with: [Vec<Vec<[W; 32]>>; 2],
}

/// The permutations of bits that go with the permutations of opposing doves, as a table for each byte of a row.
struct Reorders<W> {
    /// `tables[permutation][byte][value]`.
    tables: Vec<Vec<[W; 256]>>,
}

impl<W: Word> Reorders<W> {
    fn new(deals: &Deals, slots: usize) -> Reorders<W> {
        let count = deals.permutations(slots).len();
        let tables = (0..count).map(|permutation| {
            let permuted = deals.permuted(slots, permutation as Permutation);
            let mut bits = vec![W::ZERO; W::BITS];
            for (deal, &image) in permuted.iter().enumerate() {
                bits[usize::from(image)] = W::bit(deal);
            }
            let bytes = bits.chunks(8).take(permuted.len().div_ceil(8)).map(|bits| {
                let mut table = [W::ZERO; 256];
                for value in 1..256usize {
                    table[value] = table[value & (value - 1)] | bits[value.trailing_zeros() as usize];
                }
                table
            });
            bytes.collect()
        });
        Reorders { tables: tables.collect() }
    }
}

/// How the bits of a row that an action leads to are to be read.
#[derive(Clone, Copy)]
pub enum Reading<'a, W> {
    /// As they are.
    Plain,
    /// Each where a table has it.
    Reordered(&'a [[W; 256]]),
}

impl<W: Word> Reading<'_, W> {
    /// The row in the order of the block that the action leads from.
    pub fn read(self, row: W) -> W {
        match self {
            Reading::Plain => row,
            Reading::Reordered(tables) => {
                if row == W::ZERO {
                    return row;
                }
                let image = |(byte, table): (usize, &[W; 256])| table[usize::from(row.byte(byte))];
                tables.iter().enumerate().map(image).fold(W::ZERO, |all, bits| all | bits)
            }
        }
    }
}

impl<W: Word> Board<W> {
    /// What there is to know of a game.
    pub fn new(game: Game) -> Board<W> {
        let index = Index::new(game);
        let layout = &index.layout;
        let actions = Actions::new(&index.placements, game.rules);
        let local = |set: u8| {
            std::array::from_fn(|kinds| {
                let members = (0..5).filter(|kind| set >> kind & 1 == 1);
                members.enumerate().fold(0, |local, (number, kind)| local | (kinds as u8 >> kind & 1) << number)
            })
        };
        let reorders = [0, 1].map(|side| {
            let deals = layout.opposing_deals(side);
            (0..=deals.kinds()).map(|slots| Reorders::new(deals, slots)).collect()
        });
        let with = [0, 1].map(|side| {
            let deals = layout.own_deals(side);
            let row_set = |slots, place, kinds| {
                let members: &[u8] = deals.with(slots, place, kinds);
                members.iter().fold(W::ZERO, |set, &deal| set | W::bit(usize::from(deal)))
            };
            let places = |slots| {
                (0..slots).map(move |place| std::array::from_fn(|kinds| row_set(slots, place, kinds as u8))).collect()
            };
            (0..=deals.kinds()).map(places).collect()
        });
        let kinds = [local(game.red.bits()), local(game.green.bits())];
        Board { kinds, index, actions, reorders, with }
    }

    /// A block, to go through its actions.
    pub fn view(&self, block: Block) -> View<'_, W> {
        let class = &self.index.layout.classes[block.class];
        let placement = &self.index.placements.with_slots(class.slots)[block.placement];
        let ranks = self.index.layout.set(class, block.set);
        let own = !placement.ranked.image(ranks) & ((1 << class.slots) - 1);
        View {
            board: self,
            class,
            index: block.placement,
            own,
            ranks,
            own_deals: self.index.layout.own_deals(class.side),
            kinds: &self.kinds[class.side],
        }
    }
}

/// A block seen by the mover.
pub struct View<'a, W> {
    board: &'a Board<W>,
    class: &'a Class,
    /// The boss placement.
    index: usize,
    /// The slots that are the mover's.
    own: u32,
    /// The ranks that are the opponent's.
    ranks: u32,
    own_deals: &'a Deals,
    kinds: &'a [u8; 32],
}

/// The places at which some slots come in the order of ranks at the target.
fn sorting(deals: &Deals, mut slots: u32, action: &Action) -> Permutation {
    let mut ranks = [0; 5];
    let mut count = 0;
    while slots != 0 {
        ranks[count] = action.own.get(slots.trailing_zeros()) as u8;
        count += 1;
        slots &= slots - 1;
    }
    deals.permutations(count).sorting(&ranks[..count])
}

/// How many members of a set are below one number.
fn below(set: u32, number: u32) -> usize {
    (set & ((1 << number) - 1)).count_ones() as usize
}

impl<'a, W: Word> View<'a, W> {
    /// How many rows there are: deals of the mover's doves.
    pub fn row_count(&self) -> usize {
        self.class.width
    }

    /// How many bits of a row are used: deals of the opponent's doves.
    pub fn bit_count(&self) -> usize {
        self.class.rows
    }

    /// The mover's actions in this block that end the game; with some deal of the doves there is each of them.
    #[inline]
    pub fn last_actions(&self) -> impl Iterator<Item = &'a Action> {
        self.board.actions.of(self.class.slots, self.index).0.iter().filter(|action| self.has(action))
    }

    /// The mover's actions in this block after which the game goes on.
    #[inline]
    pub fn open_actions(&self) -> impl Iterator<Item = &'a Action> {
        self.board.actions.of(self.class.slots, self.index).1.iter().filter(|action| self.has(action))
    }

    #[inline]
    fn has(&self, action: &Action) -> bool {
        match action.act {
            Act::BossMove => true,
            Act::Move { slot, kinds } => self.own >> slot & 1 == 1 && self.kinds[usize::from(kinds)] != 0,
            Act::Return { slot } => self.own >> slot & 1 == 1,
            Act::Put { touching, touches_boss } => {
                (touches_boss || u32::from(touching) & self.own != 0)
                    && (self.class.own as usize) < self.own_deals.kinds()
            }
        }
    }

    /// The block that an action of the mover leads to.
    #[inline]
    pub fn target(&self, action: &Action) -> Block {
        let layout = &self.board.index.layout;
        let after = self.own_after(action);
        let slots = self.class.slots.wrapping_add_signed(action.gain());
        let set = action.own.image(after);
        let side = layout.other_side(self.class.side);
        let class = layout.class(side, slots, after.count_ones()).expect("an action leads to a class of the game");
        Block { class, placement: action.target as usize, set: layout.place(slots, set) }
    }

    /// The slots that are the mover's after an action; a dove that is put has the slot after the last.
    fn own_after(&self, action: &Action) -> u32 {
        match action.act {
            Act::BossMove | Act::Move { .. } => self.own,
            Act::Return { slot } => self.own & !(1 << slot),
            Act::Put { .. } => self.own | 1 << self.class.slots,
        }
    }

    /// How to read the bits of the rows that an action leads to.
    #[inline]
    pub fn reading(&self, action: &Action) -> Reading<'a, W> {
        if action.keeps_opposing_order {
            return Reading::Plain;
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
            return Reading::Plain;
        }
        let deals = self.board.index.layout.opposing_deals(self.class.side);
        let permutation = deals.permutations(count).sorting(&slots[..count]);
        Reading::Reordered(&self.board.reorders[self.class.side][count].tables[usize::from(permutation)])
    }

    /// The deals of the mover's doves that have an action.
    #[inline]
    pub fn rows_with(&self, action: &Action) -> W {
        match action.act {
            Act::Move { slot, kinds } => {
                let place = below(self.own, u32::from(slot));
                let kinds = self.kinds[usize::from(kinds)];
                self.board.with[self.class.side][self.class.own as usize][place][usize::from(kinds)]
            }
            Act::BossMove | Act::Return { .. } | Act::Put { .. } => W::low(self.class.width),
        }
    }

    /// Calls `each` with every row that has the action, and the row of the target block that it leads to. The same row comes once for
    /// each kind that is put.
    #[inline]
    pub fn each_row(&self, action: &Action, mut each: impl FnMut(usize, usize)) {
        let own_slots = self.class.own as usize;
        let deals = self.own_deals;
        match action.act {
            Act::BossMove => {
                let permutation = if action.keeps_own_order { 0 } else { sorting(deals, self.own, action) };
                for (row, &image) in deals.permuted(own_slots, permutation).iter().enumerate() {
                    each(row, usize::from(image));
                }
            }
            Act::Move { slot, kinds } => {
                let slot = u32::from(slot);
                let place = below(self.own, slot);
                let permutation = if action.keeps_own_order {
                    let to = below(action.own.image(self.own), action.own.get(slot));
                    deals.permutations(own_slots).shift(place, to)
                } else {
                    sorting(deals, self.own, action)
                };
                let images = deals.permuted(own_slots, permutation);
                for &row in deals.with(own_slots, place, self.kinds[usize::from(kinds)]) {
                    each(usize::from(row), usize::from(images[usize::from(row)]));
                }
            }
            Act::Return { slot } => {
                let slot = u32::from(slot);
                let left = self.own & !(1 << slot);
                let permutation = if action.keeps_own_order { 0 } else { sorting(deals, left, action) };
                let images = deals.permuted(own_slots - 1, permutation);
                for (row, &dropped) in deals.dropped(own_slots, below(self.own, slot)).iter().enumerate() {
                    each(row, usize::from(images[usize::from(dropped)]));
                }
            }
            Act::Put { .. } => {
                let permutation = if action.keeps_own_order { 0 } else { sorting(deals, self.own, action) };
                let images = deals.permuted(own_slots, permutation);
                let place = below(action.own.image(self.own), action.own.get(self.class.slots));
                for absent in 0..deals.kinds() - own_slots {
                    let inserted = deals.inserted(own_slots, place, absent);
                    for (row, &image) in images.iter().enumerate() {
                        each(row, usize::from(inserted[usize::from(image)]));
                    }
                }
            }
        }
    }
}
