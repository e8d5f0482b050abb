//! Where everything has its place: classes of blocks, blocks, rows, bits.
//!
//! A *class* are the blocks with the same mover, number of slots and number of opposing doves on them. Its blocks all have the
//! same size: a row for each deal of the opponent's doves, a bit for each deal of the mover's. (So stored, a block's rows are those that
//! an action leading to it reads: one for each deal of the player who has just acted.) Blocks lie placement by placement, and on
//! a placement by the set of ranks that are the opponent's. A *group* are the blocks of so many placements that there are a few
//! thousand of them: the unit of work, and of what is compressed.
//!
//! Without returns no action takes a dove off the board, so which kinds each player has there changes by puts only, and only grows. Then
//! classes are cut further, by the mover's kinds on the board and the opponent's: two such classes, with the same kinds and one or the
//! other player to move, lead to each other and to classes with one dove more, and to nothing else. They are a [`Part`] of the game
//! that can be solved when those with more doves are.

use std::collections::HashMap;

use super::deals::{Deals, MOST_KINDS};
use super::placements;
use super::word::PADDING;
use crate::rules::{Color, DoveSet, Game};

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
    /// The kinds that the mover's doves on slots are dealt from: without returns these are all on the board.
    pub own_kinds: DoveSet,
    /// The kinds that the opponent's are dealt from.
    pub opposing_kinds: DoveSet,
    /// How many placements there are.
    pub placements: usize,
    /// Blocks of a placement: ways to choose the opponent's ranks.
    pub sets: usize,
    /// Rows of a block: deals of the opponent's doves.
    pub rows: usize,
    /// Bits of a row that are used: deals of the mover's doves.
    pub width: usize,
    /// Bytes of a row.
    pub row_bytes: usize,
    /// Placements of a group.
    pub group: usize,
    /// The class that moves lead to, and from which moves lead here: the players have exchanged their parts.
    pub after_move: usize,
    /// The class that a return leads to.
    pub after_return: Option<usize>,
    /// The classes that puts lead to.
    pub after_puts: Vec<AfterPut>,
    /// The class from which a return leads here.
    pub before_return: Option<usize>,
    /// The classes from which puts lead here.
    pub before_puts: Vec<usize>,
}

/// A class that a put leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfterPut {
    /// The class.
    pub class: usize,
    /// The kind that is put, by its number among the opponent's kinds there, who has put it; `None` if it may be any that is not on the
    /// board.
    pub kind: Option<usize>,
}

impl Class {
    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.placements.div_ceil(self.group)
    }

    /// The group that a block is in.
    #[inline]
    pub fn group_of(&self, block: Block) -> usize {
        block.placement / self.group
    }

    /// The number of a block in its group.
    #[inline]
    pub fn number_in_group(&self, block: Block) -> usize {
        block.placement % self.group * self.sets + block.set
    }

    /// Bytes of a block.
    pub fn block_bytes(&self) -> usize {
        self.rows * self.row_bytes
    }

    /// Bytes of the blocks of a placement.
    pub fn placement_bytes(&self) -> usize {
        self.sets * self.block_bytes()
    }

    /// Bytes of all blocks of a group but the last, which may be smaller.
    pub fn group_bytes(&self) -> usize {
        self.group * self.placement_bytes()
    }

    /// Bytes of the class.
    pub fn bytes(&self) -> usize {
        self.placements * self.placement_bytes()
    }

    /// How many positions a placement has places for.
    pub fn placement_places(&self) -> u64 {
        (self.sets * self.rows * self.width) as u64
    }

    /// How many positions the class has places for.
    pub fn places(&self) -> u64 {
        self.placements as u64 * self.placement_places()
    }

    /// The placements of a group.
    pub fn group_placements(&self, group: usize) -> std::ops::Range<usize> {
        group * self.group..((group + 1) * self.group).min(self.placements)
    }

    /// How many blocks a group has.
    pub fn group_blocks(&self, group: usize) -> usize {
        self.group_placements(group).len() * self.sets
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

/// Classes of which each leads to all others: what is to be solved at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The classes.
    pub classes: Vec<usize>,
    /// The other classes that they lead to.
    pub given: Vec<usize>,
}

impl Part {
    /// Whether actions lead from here to classes of another part.
    pub fn leads_to(&self, other: &Part) -> bool {
        other.classes.iter().any(|class| self.given.contains(class))
    }
}

/// The places of a game's positions.
pub struct Layout {
    /// The game.
    pub game: Game,
    /// All classes, in the order of their places.
    pub classes: Vec<Class>,
    index: HashMap<Key, usize>,
    /// `sets[slots][size]`: the sets of so many of so many ranks.
    sets: Vec<Vec<Vec<u16>>>,
    /// `places[slots][set]`: the place of a set among those of its size.
    places: Vec<Vec<u16>>,
    /// By number of kinds.
    deals: Vec<Deals>,
}

/// What tells a class from the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    side: usize,
    slots: u32,
    opposing: u32,
    own_kinds: DoveSet,
    opposing_kinds: DoveSet,
}

impl Layout {
    /// The layout of a game.
    pub fn new(game: Game) -> Layout {
        let placements = placements::counts(game.most_doves() - 2);
        let most = placements.len() - 1;
        let mut sets = vec![vec![Vec::new(); most + 1]; most + 1];
        let mut places = vec![Vec::new(); most + 1];
        for slots in 0..=most {
            for set in 0..1u16 << slots {
                let of_size: &mut Vec<u16> = &mut sets[slots][set.count_ones() as usize];
                places[slots].push(of_size.len() as u16);
                of_size.push(set);
            }
        }
        let deals = (0..=MOST_KINDS).map(Deals::new).collect();
        let mut layout = Layout { game, classes: Vec::new(), index: HashMap::new(), sets, places, deals };
        for key in layout.keys() {
            let Key { side, slots, opposing, own_kinds, opposing_kinds } = key;
            let own = slots - opposing;
            let placements = placements[slots as usize];
            let sets = layout.sets[slots as usize][opposing as usize].len();
            let rows = layout.deals(opposing_kinds).count(opposing as usize);
            let width = layout.deals(own_kinds).count(own as usize);
            let class = Class {
                side,
                slots,
                opposing,
                own,
                own_kinds,
                opposing_kinds,
                placements,
                sets,
                rows,
                width,
                row_bytes: width.div_ceil(8),
                group: (GROUP_BLOCKS / sets).next_power_of_two(),
                after_move: 0,
                after_return: None,
                after_puts: Vec::new(),
                before_return: None,
                before_puts: Vec::new(),
            };
            layout.index.insert(key, layout.classes.len());
            layout.classes.push(class);
        }
        layout.link();
        layout
    }

    /// What there are classes for, by side and number of slots.
    fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        for side in 0..self.sides() {
            let (all_own, all_opposing) = self.sets_of(side);
            if self.game.rules.returns {
                for slots in 0..=all_own.len() + all_opposing.len() {
                    for opposing in slots.saturating_sub(all_own.len())..=slots.min(all_opposing.len()) {
                        keys.push(Key { side, slots, opposing, own_kinds: all_own, opposing_kinds: all_opposing });
                    }
                }
            } else {
                let within = |all: DoveSet| DoveSet::all().into_iter().filter(move |set| all.includes(*set));
                for own_kinds in within(all_own) {
                    for opposing_kinds in within(all_opposing) {
                        let opposing = opposing_kinds.len();
                        keys.push(Key { side, slots: own_kinds.len() + opposing, opposing, own_kinds, opposing_kinds });
                    }
                }
            }
        }
        keys.sort_by_key(|key| (key.side, key.slots, key.opposing));
        keys
    }

    /// Tells each class to which others actions lead.
    fn link(&mut self) {
        let returns = self.game.rules.returns;
        for class in 0..self.classes.len() {
            let Class { side, slots, own, opposing, own_kinds, opposing_kinds, .. } = self.classes[class];
            // The class after an action by which the mover comes to have so many doves, of these kinds.
            let after = |own: u32, kinds: DoveSet| Key {
                side: self.other_side(side),
                slots: own + opposing,
                opposing: own,
                own_kinds: opposing_kinds,
                opposing_kinds: kinds,
            };
            let find = |key: Key| self.index.get(&key).copied();
            let after_move = find(after(own, own_kinds)).expect("a class of the game");
            let after_return = if returns && own > 0 { find(after(own - 1, own_kinds)) } else { None };
            let mut after_puts = Vec::new();
            if returns {
                after_puts.extend(find(after(own + 1, own_kinds)).map(|class| AfterPut { class, kind: None }));
            } else {
                let (all, _) = self.sets_of(side);
                for kind in all.kinds().filter(|&kind| !own_kinds.contains(kind)) {
                    let kinds = own_kinds.with(kind);
                    let number = kinds.kinds().position(|other| other == kind);
                    after_puts.extend(find(after(own + 1, kinds)).map(|class| AfterPut { class, kind: number }));
                }
            }
            debug_assert_eq!(slots, own + opposing);
            if let Some(after) = after_return {
                self.classes[after].before_return = Some(class);
            }
            for after in &after_puts {
                self.classes[after.class].before_puts.push(class);
            }
            let at = &mut self.classes[class];
            (at.after_move, at.after_return, at.after_puts) = (after_move, after_return, after_puts);
        }
    }

    /// All parts, each after those that it leads to. Those up to some number of doves are one part together, if a plane of them takes no more
    /// than so many bytes.
    pub fn parts(&self, few_bytes: u64) -> Vec<Part> {
        let all = self.classes.iter().map(|class| class.slots).max().unwrap_or(0);
        let up_to = |most: u32| self.classes.iter().filter(move |class| class.slots <= most);
        let is_small = |&most: &u32| up_to(most).map(|class| class.bytes() as u64).sum::<u64>() <= few_bytes;
        let few = if self.game.rules.returns { Some(all) } else { (0..=all).rev().find(is_small) };
        let is_few = |class: &Class| few.is_some_and(|few| class.slots <= few);
        let large = self.classes.iter().enumerate().filter(|&(class, at)| !is_few(at) && class <= at.after_move);
        let mut parts: Vec<Vec<usize>> = large.map(|(class, at)| vec![class, at.after_move]).collect();
        parts.sort_by_key(|classes| std::cmp::Reverse(self.classes[classes[0]].slots));
        parts.push((0..self.classes.len()).filter(|&class| is_few(&self.classes[class])).collect());
        let with_given = |mut classes: Vec<usize>| {
            classes.dedup();
            let puts = classes.iter().flat_map(|&class| &self.classes[class].after_puts).map(|put| put.class);
            let mut given: Vec<usize> = puts.filter(|class| !classes.contains(class)).collect();
            given.sort_unstable();
            given.dedup();
            Part { classes, given }
        };
        parts.into_iter().filter(|classes| !classes.is_empty()).map(with_given).collect()
    }

    /// All groups of some classes: class, and number in the class.
    pub fn groups(&self, classes: &[usize]) -> Vec<(usize, usize)> {
        let groups = |&class: &usize| (0..self.classes[class].groups()).map(move |group| (class, group));
        classes.iter().flat_map(groups).collect()
    }

    /// How many sides there are: 1 if both players have the same dove set.
    fn sides(&self) -> usize {
        if self.game.is_even() { 1 } else { 2 }
    }

    /// All kinds of the mover and of the opponent.
    fn sets_of(&self, side: usize) -> (DoveSet, DoveSet) {
        if side == 0 { (self.game.red, self.game.green) } else { (self.game.green, self.game.red) }
    }

    /// Bytes of a plane: a bit for each place, rows in whole bytes.
    pub fn plane_bytes(&self) -> u64 {
        self.classes.iter().map(|class| (class.bytes() + PADDING) as u64).sum()
    }

    /// The class of the positions in which the mover and the opponent have these doves on the board, if the game has it.
    pub fn class(&self, side: usize, own: DoveSet, opposing: DoveSet) -> Option<usize> {
        let slots = own.len() + opposing.len();
        let key = Key { side, slots, opposing: opposing.len(), own_kinds: own, opposing_kinds: opposing };
        let key = if self.game.rules.returns {
            let (own_kinds, opposing_kinds) = self.sets_of(side);
            Key { own_kinds, opposing_kinds, ..key }
        } else {
            key
        };
        self.index.get(&key).copied()
    }

    /// The side of the other player.
    pub fn other_side(&self, side: usize) -> usize {
        if self.sides() == 1 { 0 } else { 1 - side }
    }

    /// The side on which a player is to move. Where both have the same doves all positions are the mover's.
    pub fn side_of(&self, mover: Color) -> usize {
        if self.sides() == 1 { 0 } else { mover as usize }
    }

    /// The player to move on a side; `None` where both have the same doves.
    pub fn mover(&self, side: usize) -> Option<Color> {
        (self.sides() == 2).then_some(Color::ALL[side])
    }

    /// The deals of these kinds.
    pub fn deals(&self, kinds: DoveSet) -> &Deals {
        self.deals_of(kinds.len() as usize)
    }

    /// The deals of so many kinds.
    pub fn deals_of(&self, kinds: usize) -> &Deals {
        &self.deals[kinds]
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
