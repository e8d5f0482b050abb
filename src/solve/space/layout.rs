//! The layout of a game: classes of blocks, blocks, rows, bits.
//!
//! A *class* is the set of blocks with the same mover, number of slots and number of opposing doves on them. All its
//! blocks have the same size: a row for each deal of the opponent's doves, a bit for each deal of the mover's. (Stored
//! like this, a block's rows are those that an action leading to it reads: one for each deal of the player who has just
//! acted.) Blocks are ordered by placement, and on a placement by the set of ranks that are the opponent's. A *group*
//! is the set of blocks of consecutive placements, a few thousand in all: the unit of work and of compression.
//!
//! Without returns no action takes a dove off the board. So two classes with the same numbers of doves, with one or the
//! other player to move, lead to each other and to classes with one dove more, and to nothing else. They form a
//! [`Part`] of the game that can be solved once those with more doves are. Nor does a move change which kinds are on
//! the board: where two classes would be too large for one part, they and all classes with as many doves or more are
//! cut by the mover's and the opponent's kinds on the board. Uncut classes are better as long as they fit, since their
//! rows are longer: an action on all deals of five kinds to four slots takes hardly more time than on those of four
//! kinds.

use std::collections::HashMap;
use std::ops::{Index, Range};

use super::deals::{Deals, Puts};
use super::placements;
use super::word::PADDING;
use crate::rules::{Color, DoveSet, Game};

/// Roughly the number of blocks in a group.
const GROUP_BLOCKS: usize = 1 << 11;

/// Without returns, two classes that lead to each other are cut by kinds if together they have more places than this.
pub const MAX_PLACES: u64 = 1 << 36;

/// The limit, in bytes, on the win bits of the classes with few doves, which form one part.
pub const SMALL_BYTES: u64 = 3 << 29;

/// A class, by its number in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub usize);

/// A group, by its class and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId {
    /// The class.
    pub class: ClassId,
    /// The number in the class.
    pub number: usize,
}

/// A part, by its number among the parts of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub usize);

/// A class of blocks.
#[derive(Clone, Debug)]
pub struct Class {
    /// 0; or 1 if the players' dove sets differ and it is green's turn.
    pub side: usize,
    /// The number of slots.
    pub slots: u32,
    /// The number of the opponent's doves on slots.
    pub opposing: u32,
    /// The number of the mover's doves on slots.
    pub own: u32,
    /// The kinds that the mover's doves on slots are dealt from: all of the player's, or those on the board if the
    /// class is cut by kinds.
    pub own_kinds: DoveSet,
    /// The kinds that the opponent's are dealt from.
    pub opposing_kinds: DoveSet,
    /// The number of placements.
    pub placements: usize,
    /// Blocks of a placement: the sets of ranks that can be the opponent's.
    pub sets: usize,
    /// Rows of a block: deals of the opponent's doves.
    pub rows: usize,
    /// Bits of a row that are used: deals of the mover's doves.
    pub width: usize,
    /// Bytes of a row.
    pub row_bytes: usize,
    /// Placements of a group.
    pub group: usize,
    /// The class that moves lead to, and from which moves lead here: the same with the players' parts exchanged.
    pub after_move: ClassId,
    /// The class that a return leads to.
    pub after_return: Option<ClassId>,
    /// The classes that puts lead to.
    pub after_puts: Vec<AfterPut>,
    /// The class from which a return leads here.
    pub before_return: Option<ClassId>,
    /// The classes from which puts lead here.
    pub before_puts: Vec<ClassId>,
}

/// A class that a put leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfterPut {
    /// The class.
    pub class: ClassId,
    /// How the mover's deals are mapped: an index for [`Layout::puts`].
    puts: usize,
    /// How the opponent's deals are mapped, if they are dealt from other kinds there: an index into
    /// [`Layout::crossings`].
    pub crossing: Option<usize>,
}

/// How deals are mapped for the player who does not act, from an uncut class to one cut by kinds: deals of some kinds
/// become deals of fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The kinds in the uncut class.
    pub from: DoveSet,
    /// The number of doves dealt.
    pub doves: u32,
    /// The kinds in the cut class.
    pub to: DoveSet,
}

impl Class {
    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.placements.div_ceil(self.group)
    }

    /// The group that a block is in.
    #[inline]
    pub fn group_of(&self, block: Block) -> GroupId {
        GroupId { class: block.class, number: block.placement / self.group }
    }

    /// A block of a group, by its number there.
    #[inline]
    pub fn block(&self, group: GroupId, number: usize) -> Block {
        let placement = group.number * self.group + number / self.sets;
        Block { class: group.class, placement, set: number % self.sets }
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

    /// Bytes of a group; the last one may be smaller.
    pub fn group_bytes(&self) -> usize {
        self.group * self.placement_bytes()
    }

    /// Bytes of the class.
    pub fn bytes(&self) -> usize {
        self.placements * self.placement_bytes()
    }

    /// The number of places of a placement.
    pub fn placement_places(&self) -> u64 {
        (self.sets * self.rows * self.width) as u64
    }

    /// The number of places of the class.
    pub fn places(&self) -> u64 {
        self.placements as u64 * self.placement_places()
    }

    /// The placements of a group.
    pub fn group_placements(&self, group: GroupId) -> Range<usize> {
        group.number * self.group..((group.number + 1) * self.group).min(self.placements)
    }

    /// The number of blocks of a group.
    pub fn group_blocks(&self, group: GroupId) -> usize {
        self.group_placements(group).len() * self.sets
    }
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its class.
    pub class: ClassId,
    /// Its boss placement.
    pub placement: usize,
    /// The set of ranks that are the opponent's, as an index into all sets of its size.
    pub set: usize,
}

/// Classes that all lead to each other, and so must be solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number among the parts.
    pub id: PartId,
    /// The classes.
    pub classes: Vec<ClassId>,
    /// The other classes that they lead to.
    pub downstream: Vec<ClassId>,
}

impl Part {
    /// Its classes, and the others that they lead to.
    pub fn all(&self) -> impl Iterator<Item = ClassId> {
        self.classes.iter().chain(&self.downstream).copied()
    }

    /// Whether actions lead from here to classes of another part.
    pub fn leads_to(&self, other: &Part) -> bool {
        other.classes.iter().any(|class| self.downstream.contains(class))
    }
}

/// The places of a game's positions.
pub struct Layout {
    /// The game.
    pub game: Game,
    /// All classes, in order.
    pub classes: Vec<Class>,
    index: HashMap<ClassKey, ClassId>,
    /// `sets[slots][size]`: the sets of `size` ranks among `slots`.
    sets: Vec<Vec<Vec<u16>>>,
    /// `set_numbers[slots][set]`: the index of a set among those of its size.
    set_numbers: Vec<Vec<u16>>,
    puts: Vec<Puts>,
    crossings: Vec<Crossing>,
    parts: Vec<Part>,
}

/// What identifies a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ClassKey {
    side: usize,
    slots: u32,
    opposing: u32,
    own_kinds: DoveSet,
    opposing_kinds: DoveSet,
}

impl Layout {
    /// The layout of a game.
    pub fn new(game: Game) -> Layout {
        Layout::cut(game, MAX_PLACES, SMALL_BYTES)
    }

    /// The layout of a game, with other limits instead of [`MAX_PLACES`] and [`SMALL_BYTES`].
    pub fn cut(game: Game, most_places: u64, small_bytes: u64) -> Layout {
        let placements = placements::counts(game.most_doves() - 2);
        let most = placements.len() - 1;
        let mut sets = vec![vec![Vec::new(); most + 1]; most + 1];
        let mut set_numbers = vec![Vec::new(); most + 1];
        for slots in 0..=most {
            for set in 0..1u16 << slots {
                let of_size: &mut Vec<u16> = &mut sets[slots][set.count_ones() as usize];
                set_numbers[slots].push(of_size.len() as u16);
                of_size.push(set);
            }
        }
        let mut layout = Layout {
            game,
            classes: Vec::new(),
            index: HashMap::new(),
            sets,
            set_numbers,
            puts: Vec::new(),
            crossings: Vec::new(),
            parts: Vec::new(),
        };
        let of_key = |key: &ClassKey| layout.class_of(key, placements[key.slots as usize]);
        let keys = layout.keys(&|key| of_key(key).places(), most_places);
        let classes: Vec<Class> = keys.iter().map(of_key).collect();
        layout.classes = classes;
        layout.index = keys.iter().copied().zip(layout.ids()).collect();
        layout.link(&keys);
        layout.parts = layout.divided(small_bytes);
        layout
    }

    /// A class without links to other classes.
    fn class_of(
        &self,
        &ClassKey { side, slots, opposing, own_kinds, opposing_kinds }: &ClassKey,
        placements: usize,
    ) -> Class {
        let own = slots - opposing;
        let sets = self.sets[slots as usize][opposing as usize].len();
        let width = Deals::of(own_kinds).count(own as usize);
        Class {
            side,
            slots,
            opposing,
            own,
            own_kinds,
            opposing_kinds,
            placements,
            sets,
            rows: Deals::of(opposing_kinds).count(opposing as usize),
            width,
            row_bytes: width.div_ceil(8),
            group: (GROUP_BLOCKS / sets).next_power_of_two(),
            after_move: ClassId(0),
            after_return: None,
            after_puts: Vec::new(),
            before_return: None,
            before_puts: Vec::new(),
        }
    }

    /// The keys of all classes, by side and number of slots; `places` gives the number of places of a class.
    fn keys(&self, places: &dyn Fn(&ClassKey) -> u64, most_places: u64) -> Vec<ClassKey> {
        let mut keys = Vec::new();
        for side in 0..self.sides() {
            let (own_kinds, opposing_kinds) = self.sets_of(side);
            for slots in 0..=own_kinds.len() + opposing_kinds.len() {
                for opposing in slots.saturating_sub(own_kinds.len())..=slots.min(opposing_kinds.len()) {
                    keys.push(ClassKey { side, slots, opposing, own_kinds, opposing_kinds });
                }
            }
        }
        if self.game.rules.returns {
            return keys;
        }
        let is_large = |key: &&ClassKey| {
            let other = self.after_move(key);
            let others = if other == **key { 0 } else { places(&other) };
            places(key) + others > most_places
        };
        let Some(first_cut) = keys.iter().filter(is_large).map(|key| key.slots).min() else { return keys };
        let cut = |key: ClassKey| {
            let within = |all: DoveSet, doves: u32| {
                DoveSet::all().into_iter().filter(move |set| all.includes(*set) && set.len() == doves)
            };
            let own_kinds = within(key.own_kinds, key.slots - key.opposing);
            let cut = own_kinds.flat_map(move |own_kinds| {
                let opposing_kinds = within(key.opposing_kinds, key.opposing);
                opposing_kinds.map(move |opposing_kinds| ClassKey { own_kinds, opposing_kinds, ..key })
            });
            cut.collect()
        };
        keys.into_iter().flat_map(|key| if key.slots < first_cut { vec![key] } else { cut(key) }).collect()
    }

    /// The class that moves lead to: the players exchange their parts.
    fn after_move(&self, key: &ClassKey) -> ClassKey {
        ClassKey {
            side: self.other_side(key.side),
            slots: key.slots,
            opposing: key.slots - key.opposing,
            own_kinds: key.opposing_kinds,
            opposing_kinds: key.own_kinds,
        }
    }

    /// Links each class to those that its actions lead to; `keys` are the classes' keys.
    fn link(&mut self, keys: &[ClassKey]) {
        let returns = self.game.rules.returns;
        let mut numbers = HashMap::new();
        for (class, key) in self.ids().zip(keys) {
            let after_move = self.index[&self.after_move(key)];
            let own = key.slots - key.opposing;
            let after_return = if returns && own > 0 {
                let after = self.after_move(key);
                Some(self.index[&ClassKey { slots: after.slots - 1, opposing: after.opposing - 1, ..after }])
            } else {
                None
            };
            let mut after_puts = Vec::new();
            for (target, after) in self.ids().zip(keys) {
                let is_after =
                    (after.side, after.slots, after.opposing) == (self.other_side(key.side), key.slots + 1, own + 1);
                if !is_after
                    || common(key.own_kinds, after.opposing_kinds) < own
                    || common(key.opposing_kinds, after.own_kinds) < key.opposing
                {
                    continue;
                }
                let puts = (key.own_kinds, own, after.opposing_kinds);
                let puts = *numbers.entry(puts).or_insert_with(|| {
                    self.puts.push(Puts::new(key.own_kinds, own as usize, after.opposing_kinds));
                    self.puts.len() - 1
                });
                let crossing = Crossing { from: key.opposing_kinds, doves: key.opposing, to: after.own_kinds };
                let crossing = (crossing.from != crossing.to).then(|| {
                    let there = self.crossings.iter().position(|other| *other == crossing);
                    there.unwrap_or_else(|| {
                        self.crossings.push(crossing);
                        self.crossings.len() - 1
                    })
                });
                after_puts.push(AfterPut { class: target, puts, crossing });
            }
            if let Some(after) = after_return {
                self.classes[after.0].before_return = Some(class);
            }
            for after in &after_puts {
                self.classes[after.class.0].before_puts.push(class);
            }
            let linked = &mut self.classes[class.0];
            (linked.after_move, linked.after_return, linked.after_puts) = (after_move, after_return, after_puts);
        }
    }

    /// Whether a class is one of several with the same numbers of doves, cut by kinds.
    pub fn is_cut(&self, class: &Class) -> bool {
        (class.own_kinds, class.opposing_kinds) != self.sets_of(class.side)
    }

    /// How a put maps the mover's deals.
    #[inline]
    pub fn puts(&self, after: &AfterPut) -> &Puts {
        &self.puts[after.puts]
    }

    /// The maps from classes that are not cut by kinds to those that are.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// All parts, each after those it leads to. The classes up to some number of doves form one part, as long as their
    /// win bits take at most [`SMALL_BYTES`]. With returns all classes are one part.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The parts that a part leads to.
    pub fn downstream(&self, part: &Part) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |other| part.leads_to(other))
    }

    /// The parts, with a limit on the win bits of the classes with few doves.
    fn divided(&self, small_bytes: u64) -> Vec<Part> {
        let all = self.classes.iter().map(|class| class.slots).max().unwrap_or(0);
        let up_to = |most: u32| self.classes.iter().filter(move |class| class.slots <= most);
        let is_small = |&most: &u32| up_to(most).map(|class| class.bytes() as u64).sum::<u64>() <= small_bytes;
        let few = if self.game.rules.returns { Some(all) } else { (0..=all).rev().find(is_small) };
        let is_few = |class: &Class| few.is_some_and(|few| class.slots <= few);
        let large = self.ids().filter(|&id| !is_few(&self[id]) && id <= self[id].after_move);
        let mut parts: Vec<Vec<ClassId>> = large.map(|id| vec![id, self[id].after_move]).collect();
        parts.sort_by_key(|classes| std::cmp::Reverse(self[classes[0]].slots));
        parts.push(self.ids().filter(|&id| is_few(&self[id])).collect());
        let with_downstream = |(id, mut classes): (usize, Vec<ClassId>)| {
            classes.dedup();
            let puts = classes.iter().flat_map(|&class| &self[class].after_puts).map(|put| put.class);
            let mut downstream: Vec<ClassId> = puts.filter(|class| !classes.contains(class)).collect();
            downstream.sort_unstable();
            downstream.dedup();
            Part { id: PartId(id), classes, downstream }
        };
        parts.into_iter().filter(|classes| !classes.is_empty()).enumerate().map(with_downstream).collect()
    }

    /// All groups of some classes.
    pub fn groups(&self, classes: &[ClassId]) -> Vec<GroupId> {
        let groups = |&class: &ClassId| (0..self[class].groups()).map(move |number| GroupId { class, number });
        classes.iter().flat_map(groups).collect()
    }

    /// All groups of all classes.
    pub fn all_groups(&self) -> Vec<GroupId> {
        self.groups(&self.ids().collect::<Vec<ClassId>>())
    }

    /// All classes, in order.
    pub fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len()).map(ClassId)
    }

    /// The number of sides: 1 if both players have the same dove set.
    fn sides(&self) -> usize {
        if self.game.is_even() { 1 } else { 2 }
    }

    /// All kinds of the mover and of the opponent.
    fn sets_of(&self, side: usize) -> (DoveSet, DoveSet) {
        if side == 0 { (self.game.red, self.game.green) } else { (self.game.green, self.game.red) }
    }

    /// Bytes of the win bits: a bit for each place, rows in whole bytes.
    pub fn plane_bytes(&self) -> u64 {
        self.classes.iter().map(|class| (class.bytes() + PADDING) as u64).sum()
    }

    /// The number of places: every position on every boss placement of every canonical shape.
    pub fn places(&self) -> u64 {
        self.classes.iter().map(Class::places).sum()
    }

    /// The class of the positions in which the mover and the opponent have these doves on the board; `None` if the game
    /// has no such class.
    pub fn class(&self, side: usize, own: DoveSet, opposing: DoveSet) -> Option<ClassId> {
        let slots = own.len() + opposing.len();
        let cut = ClassKey { side, slots, opposing: opposing.len(), own_kinds: own, opposing_kinds: opposing };
        let (own_kinds, opposing_kinds) = self.sets_of(side);
        let uncut = ClassKey { own_kinds, opposing_kinds, ..cut };
        self.index.get(&uncut).or_else(|| self.index.get(&cut)).copied()
    }

    /// The side of the other player.
    pub fn other_side(&self, side: usize) -> usize {
        if self.sides() == 1 { 0 } else { 1 - side }
    }

    /// The side on which a player moves: 0 for both if they have the same dove set.
    pub fn side_of(&self, mover: Color) -> usize {
        if self.sides() == 1 { 0 } else { mover as usize }
    }

    /// The player to move on a side; `None` where both have the same doves.
    pub fn mover(&self, side: usize) -> Option<Color> {
        (self.sides() == 2).then_some(Color::ALL[side])
    }

    /// The set of ranks that are the opponent's in a block.
    pub fn set(&self, class: &Class, set: usize) -> u32 {
        u32::from(self.sets[class.slots as usize][class.opposing as usize][set])
    }

    /// The index of a set of ranks among all of its size.
    pub fn set_number(&self, slots: u32, set: u32) -> usize {
        usize::from(self.set_numbers[slots as usize][set as usize])
    }
}

impl Index<ClassId> for Layout {
    type Output = Class;

    #[inline]
    fn index(&self, class: ClassId) -> &Class {
        &self.classes[class.0]
    }
}

/// The number of kinds that two sets have in common.
fn common(one: DoveSet, other: DoveSet) -> u32 {
    one.kinds().filter(|&kind| other.contains(kind)).count() as u32
}
