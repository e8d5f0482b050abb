//! Positions and their bits: the bit of a board with a player to move, and the board of a bit.
//!
//! If a symmetry maps a position's shape onto itself, the position has an address for each of its different
//! images, all with the same value. [`Index::address`] returns one of them. Every address is that of one
//! position.

use super::deals::{Deals, MAX_KINDS};
use super::layout::{Block, ClassId, GroupId, Layout};
use super::placements::Placements;
use dovemate::rules::{self, Cell, Color, Dove, DoveSet, Kind};
use dovemate::shapes::deals::MAX_SLOTS;
use dovemate::shapes::plane;

/// The address of a position's bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitAddress {
    pub block: Block,
    /// The row: the deal of the opponent's doves.
    pub row: usize,
    /// The bit: the deal of the mover's doves.
    pub bit: usize,
}

impl BitAddress {
    /// The address with this number in its class; the number must be less than
    /// [`Class::places`](super::layout::Class::places).
    pub(crate) fn nth(layout: &Layout, class: ClassId, number: u64) -> BitAddress {
        let of_class = &layout[class];
        let (row, bit) = (number as usize / of_class.width, number as usize % of_class.width);
        let (block, row) = (row / of_class.rows, row % of_class.rows);
        BitAddress { block: of_class.block(GroupId { class, number: 0 }, block), row, bit }
    }
}

/// The positions of a game, each with its addresses.
pub(crate) struct Index {
    pub placements: Placements,
    pub layout: Layout,
}

impl Index {
    /// All positions of a layout's game.
    pub(crate) fn of(layout: Layout) -> Index {
        Index { placements: Placements::new(layout.game.most_doves() - 2), layout }
    }

    /// An address of a board with a player to move; `None` if the board has doves outside the game, or a boss
    /// on it is surrounded.
    pub(crate) fn address(&self, board: &rules::Board, mover: Color) -> Option<BitAddress> {
        if self.layout.game.stranger(board).is_some() {
            return None;
        }
        let on_plane = |cell: Cell| plane::window_cell(cell.number());
        let doves = board.doves().fold(0, |doves, (_, cell)| doves | on_plane(cell));
        let shape = self.placements.find(doves)?;
        let [own_boss, opposing_boss] =
            [mover, mover.opponent()].map(|color| shape.cell(on_plane(board.boss(color))));
        if shape.is_surrounded(own_boss) || shape.is_surrounded(opposing_boss) {
            return None;
        }
        let placement = shape.placement(own_boss, opposing_boss) as usize;
        let numbers = &self.placements.numbers(doves.count_ones() - 2)[placement];
        // The kinds of each player's doves, as ordinals in the player's dove set: the mover's by slot, the opponent's
        // by flipped slot.
        let (mut own, mut opposing, mut flipped) = ([None; MAX_SLOTS], [None; MAX_SLOTS], 0);
        for (dove, cell) in board.doves().filter(|(dove, _)| dove.kind != Kind::Boss) {
            let cell = shape.cell(on_plane(cell));
            let kind = self.layout.game.doves(dove.color).index_of(dove.kind);
            if dove.color == mover {
                own[numbers.slots.get(cell) as usize] = kind;
            } else {
                opposing[numbers.flipped.get(cell) as usize] = kind;
                flipped |= 1 << numbers.flipped.get(cell);
            }
        }
        let [own_count, opposing_count] = [own, opposing].map(|kinds| kinds.iter().flatten().count() as u32);
        let class = self.layout.class(self.layout.side_of(mover), own_count, opposing_count)?;
        let number = |deals: &Deals, kinds: [Option<u32>; MAX_SLOTS]| {
            let (mut deal, mut doves) = ([0; MAX_KINDS], 0);
            for kind in kinds.into_iter().flatten() {
                deal[doves] = kind as u8;
                doves += 1;
            }
            deals.list.binary_search_by(|other| other[..].cmp(&deal[..doves])).ok()
        };
        Some(BitAddress {
            block: Block { class, placement, set: self.layout.set_number(flipped) },
            row: number(self.layout[class].opposing_deals, opposing)?,
            bit: number(self.layout[class].own_deals, own)?,
        })
    }

    /// The position at an address: a board and the player to move, red where both players have the same dove
    /// set.
    pub(crate) fn position(&self, address: BitAddress) -> (rules::Board, Color) {
        let class = &self.layout[address.block.class];
        let mover = self.layout.mover(class.side).unwrap_or(Color::Red);
        let placement = &self.placements.with_slots(class.slots)[address.block.placement];
        let flipped = self.layout.set(class, address.block.set);
        let boss = |color| Dove::new(color, Kind::Boss);
        let mut doves = vec![
            (boss(mover), Cell::from_number(placement.own_boss)),
            (boss(mover.opponent()), Cell::from_number(placement.opposing_boss)),
        ];
        let mut deal = |color: Color, dealt: &[u8], kinds: DoveSet, slots: &mut dyn Iterator<Item = u32>| {
            for (&kind, slot) in dealt.iter().zip(slots) {
                let kind = kinds.kinds().nth(usize::from(kind)).expect("a kind of the game");
                doves.push((Dove::new(color, kind), Cell::from_number(placement.slot_cells.get(slot))));
            }
        };
        let opposing = placement.unflipped.image(flipped);
        let dealt = &class.own_deals.list[address.bit];
        deal(mover, dealt, class.own_kinds, &mut (0..class.slots).filter(|slot| opposing >> slot & 1 == 0));
        let dealt = &class.opposing_deals.list[address.row];
        let in_order = (0..class.slots).filter(|number| flipped >> number & 1 == 1);
        let in_order = in_order.map(|number| placement.unflipped.get(number));
        deal(mover.opponent(), dealt, class.opposing_kinds, &mut { in_order });
        (rules::Board::new(doves).expect("an address is a board"), mover)
    }

    /// The address with this number; `None` from [`Layout::places`] on.
    pub(crate) fn nth_address(&self, mut number: u64) -> Option<BitAddress> {
        for class in self.layout.ids() {
            let size = self.layout[class].places();
            if number < size {
                return Some(BitAddress::nth(&self.layout, class, number));
            }
            number -= size;
        }
        None
    }
}
