//! Where everything has its place: classes of blocks, blocks, rows, bits.
//!
//! A *class* are the blocks with the same mover, number of slots and number of opposing doves on them. Its blocks all have the
//! same size: a row for each deal of the opponent's doves, a bit for each deal of the mover's. (So stored, a block's rows are those that
//! an action leading to it reads: one for each deal of the player who has just acted.) Blocks lie placement by placement, and on
//! a placement by the set of ranks that are the opponent's. A *group* are the blocks of so many placements that there are a few
//! thousand of them: the unit of work, and of what is compressed.

use super::deals::Deals;
use super::placements::Placements;
use crate::rules::{Color, Game};

/// About how many blocks a group has.
const GROUP_BLOCKS: usize = 1 << 11;

/// A class of blocks.
#[derive(Clone, Debug)]
pub struct Class {
    /// 0, or 1 where players differ and it is green's turn.
    pub side: usize,
    /// Slots of the placements.
    pub slots: u32,
    /// How many of them are the opponent's.
    pub opposing: u32,
    /// How many are the mover's.
    pub own: u32,
    /// How many placements there are.
    pub placements: usize,
    /// Blocks of a placement: ways to choose the opponent's ranks.
    pub sets: usize,
    /// Rows of a block: deals of the opponent's doves.
    pub rows: usize,
    /// Bits of a row that are used: deals of the mover's doves.
    pub width: usize,
    /// Placements of a group.
    pub group: usize,
}

impl Class {
    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.placements.div_ceil(self.group)
    }

    /// The rows of a placement.
    pub fn placement_rows(&self) -> usize {
        self.sets * self.rows
    }

    /// The rows of the class.
    pub fn total_rows(&self) -> usize {
        self.placements * self.placement_rows()
    }

    /// The placements of a group.
    pub fn group_placements(&self, group: usize) -> std::ops::Range<usize> {
        group * self.group..((group + 1) * self.group).min(self.placements)
    }
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its class.
    pub class: usize,
    /// Its boss placement.
    pub placement: usize,
    /// The place, among all sets of so many ranks, of the set of ranks that are the opponent's.
    pub set: usize,
}

/// The places of a game's positions.
pub struct Layout {
    /// The game.
    pub game: Game,
    /// All classes, in the order of their places.
    pub classes: Vec<Class>,
    /// `index[side][slots][opposing]`.
    index: Vec<Vec<Vec<Option<usize>>>>,
    /// `sets[slots][size]`: the sets of so many of so many ranks.
    sets: Vec<Vec<Vec<u16>>>,
    /// `places[slots][set]`: the place of a set among those of its size.
    places: Vec<Vec<u16>>,
    /// The deals of each player's doves: red's and green's.
    deals: [Deals; 2],
    /// Rows of a plane.
    rows: usize,
}

impl Layout {
    /// The layout of a game.
    pub fn new(game: Game, placements: &Placements) -> Layout {
        let deals = [Deals::new(game.red.len() as usize), Deals::new(game.green.len() as usize)];
        let most = placements.most_slots() as usize;
        let mut sets = vec![vec![Vec::new(); most + 1]; most + 1];
        let mut places = vec![Vec::new(); most + 1];
        for slots in 0..=most {
            for set in 0..1u16 << slots {
                let of_size: &mut Vec<u16> = &mut sets[slots][set.count_ones() as usize];
                places[slots].push(of_size.len() as u16);
                of_size.push(set);
            }
        }
        let sides = if game.is_even() { 1 } else { 2 };
        let mut layout = Layout { game, classes: Vec::new(), index: Vec::new(), sets, places, deals, rows: 0 };
        for side in 0..sides {
            let (own_deals, opposing_deals) = (layout.own_deals(side), layout.opposing_deals(side));
            let (own_kinds, opposing_kinds) = (own_deals.kinds(), opposing_deals.kinds());
            let mut index = vec![vec![None; most + 1]; most + 1];
            let mut classes = Vec::new();
            let fitting = (0..=most).flat_map(|slots| {
                (slots.saturating_sub(own_kinds)..=slots.min(opposing_kinds)).map(move |opposing| (slots, opposing))
            });
            for (slots, opposing) in fitting {
                let own = slots - opposing;
                let sets = layout.sets[slots][opposing].len();
                let group = (GROUP_BLOCKS / sets).next_power_of_two();
                index[slots][opposing] = Some(layout.classes.len() + classes.len());
                let placements = placements.with_slots(slots as u32).len();
                let (rows, width) = (layout.opposing_deals(side).count(opposing), layout.own_deals(side).count(own));
                layout.rows += placements * sets * rows;
                let (slots, opposing, own) = (slots as u32, opposing as u32, own as u32);
                classes.push(Class { side, slots, opposing, own, placements, sets, rows, width, group });
            }
            layout.classes.extend(classes);
            layout.index.push(index);
        }
        layout
    }

    /// Rows of a plane.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The class with this mover, number of slots and number of opposing doves, if the game has it.
    pub fn class(&self, side: usize, slots: u32, opposing: u32) -> Option<usize> {
        *self.index.get(side)?.get(slots as usize)?.get(opposing as usize)?
    }

    /// The side of the other player.
    pub fn other_side(&self, side: usize) -> usize {
        if self.index.len() == 1 { 0 } else { 1 - side }
    }

    /// The side on which a player is to move. Where both have the same doves all positions are the mover's.
    pub fn side_of(&self, mover: Color) -> usize {
        if self.index.len() == 1 { 0 } else { mover as usize }
    }

    /// The player to move on a side; `None` where both have the same doves.
    pub fn mover(&self, side: usize) -> Option<Color> {
        (self.index.len() == 2).then_some(Color::ALL[side])
    }

    /// The deals of the mover's doves.
    pub fn own_deals(&self, side: usize) -> &Deals {
        &self.deals[side]
    }

    /// The deals of the opponent's doves.
    pub fn opposing_deals(&self, side: usize) -> &Deals {
        &self.deals[1 - side]
    }

    /// The set of ranks that are the opponent's in a block.
    pub fn set(&self, class: &Class, set: usize) -> u32 {
        u32::from(self.sets[class.slots as usize][class.opposing as usize][set])
    }

    /// The place of a set of ranks among all of its size.
    pub fn place(&self, slots: u32, set: u32) -> usize {
        usize::from(self.places[slots as usize][set as usize])
    }
}
