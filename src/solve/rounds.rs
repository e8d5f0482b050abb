//! The rounds: which positions are won or lost in n, from those that are won or lost in n − 1.
//!
//! Round n finds
//!
//! - *won in n*: some action leads to a position lost in n − 1, and the position is not won already. (It cannot be lost: an
//!   action that leads to a lost position would be an escape.)
//! - *lost in n*: some action leads to a position won in n − 1, and all that do not lose by themselves lead to positions won in at
//!   most n − 1. It cannot have been lost before, as the win in n − 1 is new. Nor can it be won.
//!
//! So one plane is kept, of all wins so far; losses are needed in the round after theirs only. The first two rounds begin
//! with what needs no other position: wins and losses by an action that ends the game, and positions without an action.
//!
//! A block is looked at if an action leads from it to a block that has changed: these are marked from the changes, by the actions that
//! arrive at them, so that late rounds cost what they change. While most blocks change, all are looked at.
//!
//! Where a game is solved in parts, all this goes for the positions of the part; those that it leads to outside are known, and come
//! in with the changes and the plane of the round that has them.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::actions::{Act, Action, Actions, GAINS};
use super::changes::{Changes, GroupChanges, MANY_ROWS};
use super::gather::{Board, Row, Rows, View};
use super::index::Index;
use super::layout::{Block, Class, Layout};
use super::source::{Found, Wins};
use super::word::{PADDING, Word, transpose, with_word};
use crate::rules::Outcome;

/// Changed blocks are marked one by one if they are fewer than one of so many; else all blocks are looked at.
const SPARSE: usize = 6;

/// All wins found so far, block by block.
pub struct Plane {
    /// For each class its blocks, and [`PADDING`]; nothing for a class that is not needed.
    pub classes: Vec<Vec<u8>>,
    /// Bytes of a group of each class.
    pub(super) group_bytes: Vec<usize>,
}

impl Plane {
    /// A plane of some classes without a bit.
    pub fn empty(layout: &Layout, classes: &[usize]) -> Plane {
        let group_bytes = layout.classes.iter().map(Class::group_bytes).collect();
        let mut plane = Plane { classes: vec![Vec::new(); layout.classes.len()], group_bytes };
        for &class in classes {
            plane.classes[class] = vec![0; layout.classes[class].bytes() + PADDING];
        }
        plane
    }

    /// A block, and bytes of no meaning after it.
    #[inline]
    pub fn block(&self, class: &Class, block: Block) -> &[u8] {
        let number = block.placement * class.sets + block.set;
        &self.classes[block.class][number * class.block_bytes()..][..class.block_bytes() + PADDING]
    }

    /// The blocks of a class.
    pub fn blocks(&self, class: usize) -> &[u8] {
        &self.classes[class][..self.classes[class].len().saturating_sub(PADDING)]
    }

    /// The blocks of the groups of a class, to be changed.
    pub fn groups_mut(&mut self, layout: &Layout, class: usize) -> impl IndexedParallelIterator<Item = &mut [u8]> {
        let bytes = self.classes[class].len().saturating_sub(PADDING);
        self.classes[class][..bytes].par_chunks_mut(layout.classes[class].group_bytes())
    }

    /// The blocks of all groups of all classes, to be changed.
    #[cfg(feature = "tables")]
    pub(super) fn all_groups_mut(&mut self) -> Vec<Vec<&mut [u8]>> {
        let classes = self.classes.iter_mut().zip(&self.group_bytes);
        let groups = classes.map(|(class, group_bytes)| {
            let bytes = class.len().saturating_sub(PADDING);
            class[..bytes].chunks_mut(*group_bytes).collect()
        });
        groups.collect()
    }

    /// Puts the wins by an action that ends the game into some classes, which are empty. What it returns are the losses that need no other
    /// position: in 0, where there is no action, and in 1, where every action loses by itself.
    pub fn begin(&mut self, board: &Board, classes: &[usize]) -> [Changes; 2] {
        let layout = &board.index.layout;
        let mut losses = [Changes::none(layout), Changes::none(layout)];
        for &class in classes {
            let groups = self.groups_mut(layout, class).enumerate();
            let found = groups.map(|(group, rows)| immediate(board, class, group, Some(rows)).into());
            (losses[0].groups[class], losses[1].groups[class]) = found.unzip();
        }
        losses
    }

    /// Adds new bits, of the classes that the plane has.
    pub fn add(&mut self, layout: &Layout, changes: &Changes) {
        for (class, groups) in changes.groups.iter().enumerate().filter(|(_, groups)| !groups.is_empty()) {
            let at = &layout.classes[class];
            self.groups_mut(layout, class).zip(groups).for_each(|(rows, group)| add(at, rows, group));
        }
    }
}

/// The losses in 0 and in 1 of a group that need no other position; the wins by an action that ends the game go into its rows, which are
/// empty.
fn immediate(board: &Board, class: usize, group: usize, mut won: Option<&mut [u8]>) -> [GroupChanges; 2] {
    let at = &board.index.layout.classes[class];
    let none = || GroupChanges::new(at, group);
    let [mut stuck, mut lost] = [none(), none()];
    for number in 0..at.group_blocks(group) {
        let placement = group * at.group + number / at.sets;
        let (last, open) = board.actions.of(at.slots, placement);
        if last.is_empty() && open.first().is_some_and(|action| action.act == Act::BossMove) {
            // Whichever doves there are, no action ends the game, and there is one.
            continue;
        }
        let ends = ends(&board.view(Block { class, placement, set: number % at.sets }));
        for (changes, losses) in [(&mut stuck, ends.stuck), (&mut lost, ends.lost)] {
            if losses != 0 {
                changes.push(number, &losses.to_le_bytes()[..at.row_bytes].repeat(at.rows));
            }
        }
        if let Some(rows) = &mut won
            && ends.won != 0
        {
            let block = &mut rows[number * at.block_bytes()..][..at.block_bytes()];
            let row = &ends.won.to_le_bytes()[..at.row_bytes];
            block.chunks_exact_mut(at.row_bytes).for_each(|each| each.copy_from_slice(row));
        }
    }
    [stuck, lost].map(|mut changes| {
        changes.finish();
        changes
    })
}

/// The wins of one group, whichever is asked for.
struct OneGroup(Vec<u8>);

impl Wins for OneGroup {
    type Held = ();

    fn group<'a>(&'a self, (): &mut (), _: usize, _: usize) -> &'a [u8] {
        &self.0
    }
}

/// Adds new bits to the blocks of a group of a class.
pub fn add(class: &Class, rows: &mut [u8], changes: &GroupChanges) {
    combine(class, rows, changes, |there, bits| there | bits);
}

/// Takes bits away from the blocks of a group of a class.
pub fn remove(class: &Class, rows: &mut [u8], changes: &GroupChanges) {
    combine(class, rows, changes, |there, bits| there & !bits);
}

fn combine(class: &Class, rows: &mut [u8], changes: &GroupChanges, combined: impl Fn(u8, u8) -> u8) {
    for (block, changed) in changes.blocks() {
        for (start, bits) in changed.pieces() {
            let there = &mut rows[block * class.block_bytes() + start..][..bits.len()];
            there.iter_mut().zip(bits).for_each(|(there, bits)| *there = combined(*there, *bits));
        }
    }
}

/// Blocks to be looked at.
enum Marks {
    All,
    /// For each class a bit for each block, groups beginning at words.
    Some(Vec<Vec<AtomicU64>>),
}

/// Words of marks that a group has.
fn mark_words(class: &Class) -> usize {
    (class.group * class.sets).div_ceil(64)
}

impl Marks {
    /// The blocks of some groups, and perhaps of others in their classes, with an action that leads to a block that has changed.
    fn before(board: &Board, groups: &[(usize, usize)], changes: &impl Found) -> Marks {
        let layout = &board.index.layout;
        let blocks = groups.iter().map(|&(class, group)| layout.classes[class].group_blocks(group));
        if changes.blocks() * SPARSE > blocks.sum() {
            return Marks::All;
        }
        let mut marks: Vec<Vec<AtomicU64>> = layout.classes.iter().map(|_| Vec::new()).collect();
        for &(class, _) in groups {
            if !marks[class].is_empty() {
                continue;
            }
            let at = &layout.classes[class];
            marks[class] = (0..at.groups() * mark_words(at)).map(|_| AtomicU64::new(0)).collect();
        }
        changes.groups().into_par_iter().for_each(|(class, group)| {
            let mut held = Default::default();
            let Some(changes) = changes.group(&mut held, class, group) else { return };
            let (at, first) = (&layout.classes[class], group * layout.classes[class].group);
            for (number, _) in changes.blocks() {
                let block = Block { class, placement: first + number / at.sets, set: number % at.sets };
                each_source(&board.index, &board.actions, block, |source| {
                    let class = &layout.classes[source.class];
                    let number = class.number_in_group(source);
                    let word = class.group_of(source) * mark_words(class) + number / 64;
                    let bit = 1 << (number % 64);
                    // Classes that are not asked for have no marks.
                    if let Some(word) = marks[source.class].get(word)
                        && word.load(Ordering::Relaxed) & bit == 0
                    {
                        word.fetch_or(bit, Ordering::Relaxed);
                    }
                });
            }
        });
        Marks::Some(marks)
    }

    /// The blocks of a group that are to be looked at, ascending, by their numbers in the group.
    fn of_group(&self, layout: &Layout, class: usize, group: usize) -> impl Iterator<Item = usize> {
        let at = &layout.classes[class];
        let blocks = at.group_blocks(group);
        let words = match self {
            Marks::All => None,
            Marks::Some(marks) => Some(&marks[class][group * mark_words(at)..][..mark_words(at)]),
        };
        (0..blocks.div_ceil(64)).flat_map(move |word| {
            let mut bits = words.map_or(u64::MAX, |words| words[word].load(Ordering::Relaxed));
            if blocks - 64 * word < 64 {
                bits &= (1 << (blocks - 64 * word)) - 1;
            }
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    64 * word + bit
                })
            })
        })
    }
}

/// Calls `each` with every block from which an action leads to this one.
pub fn each_source(index: &Index, actions: &Actions, block: Block, mut each: impl FnMut(Block)) {
    let layout = &index.layout;
    let class = &layout.classes[block.class];
    let ranks = layout.set(class, block.set);
    for (list, gain) in GAINS.into_iter().enumerate() {
        let sources = match gain {
            0 => std::slice::from_ref(&class.after_move),
            1 => &class.before_puts[..],
            _ => class.before_return.as_slice(),
        };
        let Some(slots) = class.slots.checked_add_signed(-gain).filter(|_| !sources.is_empty()) else { continue };
        for arrival in actions.arrivals(class.slots, list, block.placement) {
            let action = actions.action(slots, arrival);
            let stood = |slot: u32| ranks >> action.own.get(slot) & 1 == 1;
            let acting = match action.act {
                Act::BossMove => None,
                Act::Move { slot, .. } => Some(u32::from(slot)),
                Act::Put { .. } => Some(slots),
                // It is in hand now, and was the player's who has just acted.
                Act::Return { .. } => None,
            };
            if acting.is_some_and(|slot| !stood(slot)) {
                continue;
            }
            let returned = if let Act::Return { slot } = action.act { Some(u32::from(slot)) } else { None };
            let own =
                (0..slots).filter(|&slot| Some(slot) == returned || stood(slot)).fold(0, |set, slot| set | 1 << slot);
            let placement = &index.placements.with_slots(slots)[arrival.source as usize];
            let opposing = (0..slots).filter(|&rank| own >> placement.ranked.get(rank) & 1 == 0);
            let opposing = opposing.fold(0u32, |set, rank| set | 1 << rank);
            let set = layout.place(slots, opposing);
            for &class in sources {
                each(Block { class, placement: arrival.source as usize, set });
            }
        }
    }
}

/// What a thread works with in a group: a block's rows while its actions are gone through, one for each deal of the mover's doves, and what it
/// keeps of what it reads.
struct Scratch<W, P: Wins, F: Found> {
    rows: Vec<W>,
    /// As many, for a second purpose.
    others: Vec<W>,
    /// For [`super::changes::Changed::show`].
    room: Vec<u8>,
    plane: P::Held,
    found: F::Held,
}

impl<W: Row, P: Wins, F: Found> Scratch<W, P, F> {
    fn new(class: &Class) -> Self {
        Scratch {
            rows: vec![W::ZERO; class.width],
            others: vec![W::ZERO; class.width],
            room: Vec::new(),
            plane: P::Held::default(),
            found: F::Held::default(),
        }
    }
}

/// What is known of a block's deals of the mover's doves without any other position.
struct Ends {
    /// An action wins at once.
    won: u128,
    /// There is no action.
    stuck: u128,
    /// There are actions, and every one loses by itself.
    lost: u128,
}

fn ends(view: &View) -> Ends {
    let all = u128::low(view.row_count());
    let (mut won, mut lost, mut harmless) = (0, 0, 0);
    for action in view.last_actions() {
        let rows = view.rows_with(action);
        match action.outcome {
            Outcome::Won => won |= rows,
            Outcome::Lost => lost |= rows,
            Outcome::Open | Outcome::Drawn => harmless |= rows,
        }
    }
    harmless |= won;
    for action in view.open_actions() {
        if harmless == all {
            break;
        }
        harmless |= view.rows_with(action);
    }
    Ends { won, stuck: all & !(harmless | lost), lost: lost & !harmless }
}

/// The deals of the mover's doves with which an action wins at once.
pub fn wins_at_once(view: &View) -> u128 {
    ends(view).won
}

/// Where losses are looked for.
pub enum Candidates<'a, F> {
    /// Everywhere but where no action leads on: for the round after the first wins, which are all that the plane has.
    All,
    /// Where an action leads to one of these positions, the wins of the round before.
    Before(&'a F),
}

impl<F> Clone for Candidates<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Candidates<'_, F> {}

/// Groups of a game, looked at in rounds.
#[derive(Clone, Copy)]
pub struct Rounds<'a> {
    /// The game.
    pub board: &'a Board,
    /// The groups: class, and number in the class.
    pub groups: &'a [(usize, usize)],
}

/// What becomes of the changes that a round finds in a group: it is given the class, the group, and them.
pub trait Keep<K>: Fn(usize, usize, GroupChanges) -> K + Sync {}

impl<K, F: Fn(usize, usize, GroupChanges) -> K + Sync> Keep<K> for F {}

/// Changes are kept as they are.
pub fn as_they_are(_: usize, _: usize, changes: GroupChanges) -> GroupChanges {
    changes
}

impl Rounds<'_> {
    /// The losses in 0, where there is no action, for each group as `keep` has made it.
    pub fn stuck<K: Send>(&self, keep: &impl Keep<K>) -> Vec<K> {
        self.each(keep, |class, group| {
            let [stuck, _] = immediate(self.board, class, group, None);
            stuck
        })
    }

    /// The losses in 1, where every action loses by itself.
    pub fn self_lost<K: Send>(&self, keep: &impl Keep<K>) -> Vec<K> {
        self.each(keep, |class, group| {
            let [_, lost] = immediate(self.board, class, group, None);
            lost
        })
    }

    /// The positions won in 1: where an action ends the game so, or leads to a position lost in 0.
    pub fn first_wins<K: Send>(&self, stuck: &impl Found, keep: &impl Keep<K>) -> Vec<K> {
        let marks = (stuck.blocks() > 0).then(|| Marks::before(self.board, self.groups, stuck));
        let layout = &self.board.index.layout;
        self.each(keep, |class, group| {
            let at = &layout.classes[class];
            let mut won = OneGroup(vec![0; at.group_blocks(group) * at.block_bytes() + PADDING]);
            immediate(self.board, class, group, Some(&mut won.0));
            if let Some(marks) = &marks {
                let blocks = &mut marks.of_group(layout, class, group);
                let by_leaving_none = with_word!(at.rows, group_wins(self.board, &won, stuck, class, group, blocks));
                add(at, &mut won.0, &by_leaving_none);
            }
            GroupChanges::packed(&won.0[..won.0.len() - PADDING], at, group)
        })
    }

    /// The positions won in n that the plane does not have, from those lost in n − 1.
    pub fn wins<K: Send>(&self, plane: &impl Wins, losses: &impl Found, keep: &impl Keep<K>) -> Vec<K> {
        let marks = (losses.blocks() > 0).then(|| Marks::before(self.board, self.groups, losses));
        self.sweep(marks, keep, |class, group, blocks| {
            let rows = self.board.index.layout.classes[class].rows;
            with_word!(rows, group_wins(self.board, plane, losses, class, group, blocks))
        })
    }

    /// The positions all of whose actions that do not lose by themselves lead to a win in the plane.
    pub fn losses<K: Send, F: Found>(
        &self,
        plane: &impl Wins,
        candidates: Candidates<'_, F>,
        keep: &impl Keep<K>,
    ) -> Vec<K> {
        let marks = match candidates {
            Candidates::All => Some(Marks::All),
            Candidates::Before(wins) if wins.blocks() == 0 => None,
            Candidates::Before(wins) => Some(Marks::before(self.board, self.groups, wins)),
        };
        self.sweep(marks, keep, |class, group, blocks| {
            let rows = self.board.index.layout.classes[class].rows;
            with_word!(rows, group_losses(self.board, plane, candidates, class, group, blocks))
        })
    }

    /// Finds changes in all groups: `find` is given those of their blocks that are marked. Without marks there are none.
    fn sweep<K: Send>(
        &self,
        marks: Option<Marks>,
        keep: &impl Keep<K>,
        find: impl Fn(usize, usize, &mut dyn Iterator<Item = usize>) -> GroupChanges + Sync,
    ) -> Vec<K> {
        let layout = &self.board.index.layout;
        self.each(keep, |class, group| match &marks {
            Some(marks) => find(class, group, &mut marks.of_group(layout, class, group)),
            None => GroupChanges::default(),
        })
    }

    fn each<K: Send>(&self, keep: &impl Keep<K>, find: impl Fn(usize, usize) -> GroupChanges + Sync) -> Vec<K> {
        // Groups differ in what they take.
        let groups = self.groups.par_iter().with_max_len(1);
        groups.map(|&(class, group)| keep(class, group, find(class, group))).collect()
    }
}

/// The changes of a group, from those of its blocks that are looked at: `find` is given a block, its number, and what is to be filled
/// with its rows as they are kept, and tells whether it has.
fn group_changes(
    class: &Class,
    (index, group): (usize, usize),
    blocks: &mut dyn Iterator<Item = usize>,
    mut find: impl FnMut(Block, usize, &mut [u8]) -> bool,
) -> GroupChanges {
    let mut changes = GroupChanges::new(class, group);
    let mut stored = vec![0; class.block_bytes()];
    for number in blocks {
        let placement = group * class.group + number / class.sets;
        if find(Block { class: index, placement, set: number % class.sets }, number, &mut stored) {
            changes.push(number, &stored);
        }
    }
    changes.finish();
    changes
}

/// The new wins of a group.
fn group_wins<W: Row, P: Wins, F: Found>(
    board: &Board,
    plane: &P,
    losses: &F,
    class: usize,
    group: usize,
    blocks: &mut dyn Iterator<Item = usize>,
) -> GroupChanges {
    let at = &board.index.layout.classes[class];
    let mut scratch = Scratch::<W, P, F>::new(at);
    group_changes(at, (class, group), blocks, |block, number, stored| {
        let view = board.view(block);
        let Scratch { rows, room, plane: held, found, .. } = &mut scratch;
        if !lead_to(&view, (losses, found), u128::MAX, rows, room) || !transpose(rows, at.rows, stored) {
            return false;
        }
        let mut new = 0;
        for (row, won) in stored.iter_mut().zip(&plane.group(held, class, group)[number * at.block_bytes()..]) {
            *row &= !*won;
            new |= *row;
        }
        new != 0
    })
}

/// The new losses of a group.
fn group_losses<W: Row, P: Wins, F: Found>(
    board: &Board,
    plane: &P,
    candidates: Candidates<'_, F>,
    class: usize,
    group: usize,
    blocks: &mut dyn Iterator<Item = usize>,
) -> GroupChanges {
    let at = &board.index.layout.classes[class];
    let mut scratch = Scratch::<W, P, F>::new(at);
    group_changes(at, (class, group), blocks, |block, _, stored| {
        block_losses(&board.view(block), plane, candidates, &mut scratch) && transpose(&scratch.rows, at.rows, stored)
    })
}

/// Fills rows with the positions that have an action to one that was found; rows outside of `live` may be left out. Whether anything was
/// found in the blocks that actions lead to; if not, the rows stay as they were.
#[inline]
fn lead_to<W: Row, F: Found>(
    view: &View,
    (found, held): (&F, &mut F::Held),
    live: u128,
    rows: &mut [W],
    room: &mut Vec<u8>,
) -> bool {
    let mut any = false;
    for action in view.open_actions() {
        for target in view.targets(action) {
            let Some(group) = found.group(held, target.block.class, target.group()) else { continue };
            let Some(changed) = group.get(target.number()) else { continue };
            if !any {
                rows.fill(W::ZERO);
                any = true;
            }
            let reading = view.reading::<W>(action, &target);
            changed.show(room, |there| {
                let there = Rows::new(there, target.class);
                let mut read = |row: usize, from| rows[row] |= reading.read(there.get(from));
                view.each_row(action, &target, live, changed.row_set, &mut read);
            });
        }
    }
    any
}

/// Whether a block may have losses; they are then in the rows of `scratch`.
fn block_losses<W: Row, P: Wins, F: Found>(
    view: &View,
    plane: &P,
    candidates: Candidates<'_, F>,
    scratch: &mut Scratch<W, P, F>,
) -> bool {
    // Where an action wins, or ends the game drawn, there is no loss.
    let safe = view.last_actions().filter(|action| action.outcome != Outcome::Lost);
    let open = u128::low(view.row_count()) & !safe.fold(0, |safe, action| safe | view.rows_with(action));
    if open == 0 {
        return false;
    }
    let Scratch { rows, others, room, plane: held, found } = scratch;
    // The boss, which every deal has, finds an escape in most blocks; its moves come first, unless there are few candidates.
    let is_boss_move = |action: &&Action| action.act == Act::BossMove;
    let is_few = view.row_count() >= MANY_ROWS
        && matches!(candidates, Candidates::Before(wins) if changed_rows(view, wins, found) <= 2 * view.row_count());
    // Rows in which there may still be losses.
    let mut live = open;
    let mut narrow = |rows: &mut [W], live: &mut u128, action: &Action| {
        for target in view.targets(action) {
            let reading = view.reading::<W>(action, &target);
            let group = plane.group(held, target.block.class, target.group());
            let won = Rows::new(&group[target.number() * target.class.block_bytes()..], target.class);
            let mut rest = *live;
            view.each_row(action, &target, *live, u128::MAX, |row, from| {
                if rows[row] != W::ZERO {
                    rows[row] &= reading.read(won.get(from)) | reading.outside;
                    if rows[row] == W::ZERO {
                        rest &= !(1 << row);
                    }
                }
            });
            *live = rest;
        }
        *live != 0
    };
    let mut only_candidates = |rows: &mut [W], live: &mut u128| match candidates {
        Candidates::All => {
            *live &= view.open_actions().fold(0, |rows, action| rows | view.rows_with(action));
        }
        Candidates::Before(wins) => {
            if !lead_to(view, (wins, &mut *found), *live, others, room) {
                *live = 0;
            }
            for row in (*live).bits() {
                rows[row] &= others[row];
                if rows[row] == W::ZERO {
                    *live &= !(1 << row);
                }
            }
        }
    };
    rows.fill(W::ZERO);
    for row in open.bits() {
        rows[row] = W::low(view.bit_count());
    }
    if is_few {
        only_candidates(rows, &mut live);
    }
    if live == 0 || !view.open_actions().take_while(is_boss_move).all(|action| narrow(rows, &mut live, action)) {
        return false;
    }
    if !is_few {
        only_candidates(rows, &mut live);
    }
    if live == 0 || !view.open_actions().skip_while(is_boss_move).all(|action| narrow(rows, &mut live, action)) {
        return false;
    }
    for row in (open & !live).bits() {
        rows[row] = W::ZERO;
    }
    true
}

/// In how many rows, all together, there is something new in the blocks that actions lead to.
fn changed_rows<F: Found>(view: &View, found: &F, held: &mut F::Held) -> usize {
    let targets = view.open_actions().flat_map(|action| view.targets(action));
    let rows = targets.map(|target| {
        let group = found.group(held, target.block.class, target.group());
        group.and_then(|group| group.get(target.number()).map(|changed| changed.row_set.count_ones() as usize))
    });
    rows.flatten().sum()
}
