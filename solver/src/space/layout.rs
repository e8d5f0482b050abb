//! The layout of a game. Addresses are ordered by class → boss placement → set of the opponent's slots → row → bit.
//!
//! A *class* is the set of blocks with the same mover, number of slots and number of opposing doves on them. All its
//! blocks have the same size: a row for each deal of the opponent's doves, a bit for each deal of the mover's. (So the
//! results of an action are whole rows of the block that it leads to, where the opponent is the player who acted.)
//! Blocks are ordered by placement, and on a placement by the set of flipped slots (see [`placements`]) that are the
//! opponent's. A *group* is the blocks of consecutive placements, some two to four thousand blocks: the unit of work
//! and of compression.

use std::ops::Index;

use super::deals::{Deals, MAX_KINDS};
use super::placements;
use super::word::PADDING;
use dovemate::rules::{Color, DoveSet, Game};

/// Roughly the least number of blocks in a group; there may be twice as many.
const GROUP_BLOCKS: usize = 1 << 11;

/// A class, by its number in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClassId(pub usize);

/// A group, by its class and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroupId {
    pub class: ClassId,
    /// The number in the class.
    pub number: usize,
}

/// A class of blocks.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// The side to move: 0, or 1 if the players' dove sets differ and green is to move.
    pub side: usize,
    /// The number of slots.
    pub slots: u32,
    /// The number of the opponent's doves on slots.
    pub opposing: u32,
    /// The kinds that the mover's doves on slots are dealt from.
    pub own_kinds: DoveSet,
    /// The kinds that the opponent's are dealt from.
    pub opposing_kinds: DoveSet,
    /// The deals of the mover's doves.
    pub own_deals: &'static Deals,
    /// The deals of the opponent's doves.
    pub opposing_deals: &'static Deals,
    /// The number of placements.
    pub placements: usize,
    /// The number of blocks of a placement: one for each set of flipped slots that can be the opponent's.
    pub sets: usize,
    /// The number of rows of a block: one for each deal of the opponent's doves.
    pub rows: usize,
    /// The number of bits used in a row: one for each deal of the mover's doves.
    pub width: usize,
    pub row_bytes: usize,
    /// The number of placements of a group, a power of two.
    pub group: usize,
    /// The class that moves lead to and come from: this one with the players' roles exchanged.
    pub after_move: ClassId,
    /// The class that a return leads to.
    pub after_return: Option<ClassId>,
    /// The class that a put leads to.
    pub after_put: Option<ClassId>,
    /// The class from which a return leads here.
    pub before_return: Option<ClassId>,
    /// The class from which a put leads here.
    pub before_put: Option<ClassId>,
}

impl Class {
    /// The number of groups.
    pub(crate) fn groups(&self) -> usize {
        self.placements.div_ceil(self.group)
    }

    /// The group that a block is in.
    #[inline]
    pub(crate) fn group_of(&self, block: Block) -> GroupId {
        GroupId { class: block.class, number: block.placement >> self.group.trailing_zeros() }
    }

    /// A block of a group, by its number there.
    #[inline]
    pub(crate) fn block(&self, group: GroupId, number: usize) -> Block {
        let placement = group.number * self.group + number / self.sets;
        Block { class: group.class, placement, set: number % self.sets }
    }

    /// The number of a block in its group.
    #[inline]
    pub(crate) fn number_in_group(&self, block: Block) -> usize {
        (block.placement & (self.group - 1)) * self.sets + block.set
    }

    /// Bytes of a block.
    pub(crate) fn block_bytes(&self) -> usize {
        self.rows * self.row_bytes
    }

    /// Bytes of the blocks of a placement.
    pub(crate) fn placement_bytes(&self) -> usize {
        self.sets * self.block_bytes()
    }

    /// Bytes of a group; the last one may be smaller.
    pub(crate) fn group_bytes(&self) -> usize {
        self.group * self.placement_bytes()
    }

    /// Bytes of the class.
    pub(crate) fn bytes(&self) -> u64 {
        self.placements as u64 * self.placement_bytes() as u64
    }

    /// The number of places of a placement.
    pub(crate) fn placement_places(&self) -> u64 {
        (self.sets * self.rows * self.width) as u64
    }

    /// The number of places of the class.
    pub(crate) fn places(&self) -> u64 {
        self.placements as u64 * self.placement_places()
    }

    /// The number of blocks of a group.
    pub(crate) fn group_blocks(&self, group: GroupId) -> usize {
        self.group.min(self.placements - group.number * self.group) * self.sets
    }
}

/// A block: a boss placement with the slots that are the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub class: ClassId,
    pub placement: usize,
    /// The set of flipped slots that are the opponent's, as an index into all sets of its size.
    pub set: usize,
}

/// The layout of a game: where the bit of each position is.
pub(crate) struct Layout {
    pub game: Game,
    /// All classes, in order.
    pub classes: Vec<Class>,
    /// The classes by side to move, and by the numbers of the mover's and the opponent's doves on slots.
    ids: [[[Option<ClassId>; MAX_KINDS + 1]; MAX_KINDS + 1]; 2],
    /// The sets of flipped slots by size, ascending as numbers, so that the sets that need only the first slots come
    /// first.
    sets: Vec<Vec<u16>>,
    /// The index of each set among those of its size.
    set_numbers: Vec<u16>,
}

impl Layout {
    /// The layout of a game.
    pub(crate) fn new(game: Game) -> Layout {
        let placements = placements::counts(game.most_doves() - 2);
        let most = placements.len() - 1;
        let (mut sets, mut set_numbers) = (vec![Vec::new(); most + 1], Vec::new());
        for set in 0..1u16 << most {
            let of_size: &mut Vec<u16> = &mut sets[set.count_ones() as usize];
            set_numbers.push(of_size.len() as u16);
            of_size.push(set);
        }
        let mut layout = Layout { game, classes: Vec::new(), ids: Default::default(), sets, set_numbers };
        let mut doves = Vec::new();
        for side in 0..if game.is_even() { 1 } else { 2 } {
            let [max_own, max_opposing] = layout.kinds(side).map(DoveSet::len);
            for slots in 0..=max_own + max_opposing {
                for opposing in slots.saturating_sub(max_own)..=slots.min(max_opposing) {
                    let own = slots - opposing;
                    layout.ids[side][own as usize][opposing as usize] = Some(ClassId(doves.len()));
                    doves.push((side, own, opposing));
                }
            }
        }
        let class = |&(side, own, opposing): &(usize, u32, u32)| {
            layout.class_of(side, own, opposing, placements[(own + opposing) as usize])
        };
        layout.classes = doves.iter().map(class).collect();
        layout
    }

    /// The class with these numbers of doves on slots.
    fn class_of(&self, side: usize, own: u32, opposing: u32, placements: usize) -> Class {
        let [own_kinds, opposing_kinds] = self.kinds(side);
        let slots = own + opposing;
        let sets = self.sets[opposing as usize].partition_point(|set| set >> slots == 0);
        let (own_deals, opposing_deals) = (Deals::of(own_kinds, own), Deals::of(opposing_kinds, opposing));
        let width = own_deals.list.len();
        let returns = self.game.rules.returns;
        // An action swaps the roles of the two players, and so does the action before.
        let other_side = if self.game.is_even() { 0 } else { 1 - side };
        let exchanged = |own: u32, opposing: u32| self.class(other_side, opposing, own);
        Class {
            side,
            slots,
            opposing,
            own_kinds,
            opposing_kinds,
            own_deals,
            opposing_deals,
            placements,
            sets,
            rows: opposing_deals.list.len(),
            width,
            row_bytes: width.div_ceil(8),
            group: (GROUP_BLOCKS / sets).next_power_of_two(),
            after_move: exchanged(own, opposing).expect("both players can have as many doves"),
            after_return: if returns && own > 0 { exchanged(own - 1, opposing) } else { None },
            after_put: exchanged(own + 1, opposing),
            before_return: if returns { exchanged(own, opposing + 1) } else { None },
            before_put: opposing.checked_sub(1).and_then(|before| exchanged(own, before)),
        }
    }

    /// All kinds of the mover and of the opponent.
    fn kinds(&self, side: usize) -> [DoveSet; 2] {
        [side, 1 - side].map(|side| self.game.doves(Color::ALL[side]))
    }

    /// All groups of some classes.
    pub(crate) fn groups(&self, classes: &[ClassId]) -> Vec<GroupId> {
        let groups =
            |&class: &ClassId| (0..self[class].groups()).map(move |number| GroupId { class, number });
        classes.iter().flat_map(groups).collect()
    }

    /// All groups of all classes.
    pub(crate) fn all_groups(&self) -> Vec<GroupId> {
        self.groups(&self.ids().collect::<Vec<ClassId>>())
    }

    /// All classes, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len()).map(ClassId)
    }

    /// Bytes of the win bits: a bit for each place, each row in whole bytes, and padding after each class.
    pub(crate) fn win_bytes(&self) -> u64 {
        self.classes.iter().map(|class| class.bytes() + PADDING as u64).sum()
    }

    /// The number of places, on all boss placements of all canonical shapes.
    pub(crate) fn places(&self) -> u64 {
        self.classes.iter().map(Class::places).sum()
    }

    /// The class of the positions with these numbers of doves of the mover and of the opponent on slots;
    /// `None` if the game does not have it.
    pub(crate) fn class(&self, side: usize, own: u32, opposing: u32) -> Option<ClassId> {
        *self.ids[side].get(own as usize)?.get(opposing as usize)?
    }

    /// The number of a side to move: 0 for both players if their dove sets are equal.
    pub(crate) fn side_of(&self, mover: Color) -> usize {
        if self.game.is_even() { 0 } else { mover as usize }
    }

    /// The player of a side to move; `None` where both have the same dove set.
    pub(crate) fn mover(&self, side: usize) -> Option<Color> {
        (!self.game.is_even()).then_some(Color::ALL[side])
    }

    /// The set of flipped slots that are the opponent's in a block.
    pub(crate) fn set(&self, class: &Class, set: usize) -> u32 {
        self.sets[class.opposing as usize][set].into()
    }

    /// The index of a set of flipped slots among all of its size.
    pub(crate) fn set_number(&self, set: u32) -> usize {
        self.set_numbers[set as usize].into()
    }
}

impl Index<ClassId> for Layout {
    type Output = Class;

    #[inline]
    fn index(&self, class: ClassId) -> &Class {
        &self.classes[class.0]
    }
}
