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

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::actions::{Act, Action, Actions, GAINS};
use super::changes::{Changes, GroupChanges};
use super::gather::{Board, View};
use super::index::Index;
use super::layout::{Block, Layout};
use super::word::{Word, transpose};
use crate::rules::Outcome;

/// Changed blocks are marked one by one if they are fewer than one of so many; else all blocks are looked at.
const SPARSE: usize = 6;

/// All wins found so far: for each class its blocks' rows.
pub struct Plane<W> {
    /// The rows of each class, as [`super::layout::Class`] has them.
    pub classes: Vec<Vec<W>>,
}

impl<W: Word> Plane<W> {
    /// A plane without a bit.
    pub fn empty(layout: &Layout) -> Plane<W> {
        Plane { classes: layout.classes.iter().map(|class| vec![W::ZERO; class.total_rows()]).collect() }
    }

    /// The rows of a block.
    #[inline]
    pub fn block(&self, layout: &Layout, block: Block) -> &[W] {
        let class = &layout.classes[block.class];
        &self.classes[block.class][(block.placement * class.sets + block.set) * class.rows..][..class.rows]
    }

    /// Adds new bits.
    pub fn add(&mut self, layout: &Layout, changes: &Changes<W>) {
        for ((rows, class), groups) in self.classes.iter_mut().zip(&layout.classes).zip(&changes.groups) {
            let group_rows = class.group * class.placement_rows();
            rows.par_chunks_mut(group_rows).zip(groups).for_each(|(rows, group)| {
                for (block, new) in group.blocks(class.rows) {
                    for (row, new) in rows[block * class.rows..].iter_mut().zip(new) {
                        *row |= *new;
                    }
                }
            });
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
fn mark_words(class: &super::layout::Class) -> usize {
    (class.group * class.sets).div_ceil(64)
}

impl Marks {
    /// The blocks with an action that leads to a block that has changed.
    fn before<W: Word>(board: &Board<W>, changes: &Changes<W>) -> Marks {
        let layout = &board.index.layout;
        let blocks: usize = layout.classes.iter().map(|class| class.placements * class.sets).sum();
        if changes.count() * SPARSE > blocks {
            return Marks::All;
        }
        let marks: Vec<Vec<AtomicU64>> = layout
            .classes
            .iter()
            .map(|class| (0..class.groups() * mark_words(class)).map(|_| AtomicU64::new(0)).collect())
            .collect();
        let tasks: Vec<_> = tasks(layout).into_iter().filter(|&(c, g)| !changes.groups[c][g].is_empty()).collect();
        tasks.into_par_iter().for_each(|(class, group)| {
            let (at, first) = (&layout.classes[class], group * layout.classes[class].group);
            for (number, _) in changes.groups[class][group].blocks(at.rows) {
                let block = Block { class, placement: first + number / at.sets, set: number % at.sets };
                each_source(&board.index, &board.actions, block, |source| {
                    let class = &layout.classes[source.class];
                    let number = source.placement % class.group * class.sets + source.set;
                    let word = source.placement / class.group * mark_words(class) + number / 64;
                    let bit = 1 << (number % 64);
                    let word = &marks[source.class][word];
                    if word.load(Ordering::Relaxed) & bit == 0 {
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
        let blocks = at.group_placements(group).len() * at.sets;
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
        let Some(slots) = class.slots.checked_add_signed(-gain) else { continue };
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
            let side = layout.other_side(class.side);
            if let Some(class) = layout.class(side, slots, opposing.count_ones()) {
                let set = layout.place(slots, opposing);
                each(Block { class, placement: arrival.source as usize, set });
            }
        }
    }
}

/// All groups of all classes, as (class, group).
fn tasks(layout: &Layout) -> Vec<(usize, usize)> {
    let classes = layout.classes.iter().enumerate();
    classes.flat_map(|(class, at)| (0..at.groups()).map(move |group| (class, group))).collect()
}

/// Finds the changes of all groups in parallel. `find` is given a block and the rows to fill, and tells whether it has.
fn sweep<W: Word>(
    layout: &Layout,
    marks: &Marks,
    find: impl Fn(Block, &mut [W], &mut Scratch<W>) -> bool + Sync,
) -> Changes<W> {
    let found: Vec<GroupChanges<W>> = tasks(layout)
        .into_par_iter()
        .map_init(Scratch::new, |scratch, (class, group)| {
            let at = &layout.classes[class];
            let mut changes = GroupChanges::default();
            let mut rows = vec![W::ZERO; at.rows];
            for number in marks.of_group(layout, class, group) {
                let placement = group * at.group + number / at.sets;
                if find(Block { class, placement, set: number % at.sets }, &mut rows, scratch) {
                    changes.push(number, &rows);
                }
            }
            changes.finish();
            changes
        })
        .collect();
    let mut found = found.into_iter();
    Changes { groups: layout.classes.iter().map(|class| found.by_ref().take(class.groups()).collect()).collect() }
}

/// A block's rows while its actions are gone through: one for each deal of the mover's doves.
struct Scratch<W> {
    rows: Vec<W>,
    /// As many, for a second purpose.
    others: Vec<W>,
}

impl<W: Word> Scratch<W> {
    fn new() -> Scratch<W> {
        Scratch { rows: vec![W::ZERO; W::BITS], others: vec![W::ZERO; W::BITS] }
    }

    /// All rows, each with the same bits.
    fn fill(&mut self, count: usize, row: W) {
        self.rows[..count].fill(row);
        self.rows[count..].fill(W::ZERO);
    }

    /// Transposes the first `count` rows into rows as they are stored; whether there is any bit.
    fn store(&mut self, count: usize, stored: &mut [W]) -> bool {
        let bits: u32 = self.rows[..count].iter().map(|row| row.count()).sum();
        if bits == 0 {
            return false;
        }
        if bits as usize <= W::BITS {
            stored.fill(W::ZERO);
            for (row, bits) in self.rows[..count].iter().enumerate() {
                for bit in bits.bits() {
                    stored[bit] |= W::bit(row);
                }
            }
        } else {
            transpose(&mut self.rows);
            stored.copy_from_slice(&self.rows[..stored.len()]);
        }
        true
    }
}

/// What is known of a block's deals of the mover's doves without any other position.
struct Ends<W> {
    /// An action wins at once.
    won: W,
    /// There is no action.
    stuck: W,
    /// There are actions, and every one loses by itself.
    lost: W,
}

fn ends<W: Word>(view: &View<'_, W>) -> Ends<W> {
    let all = W::low(view.row_count());
    let (mut won, mut lost, mut harmless) = (W::ZERO, W::ZERO, W::ZERO);
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
pub fn wins_at_once<W: Word>(view: &View<'_, W>) -> W {
    ends(view).won
}

/// Puts the wins by an action that ends the game into a plane that is empty. What it returns are the losses that need no other
/// position: in 0, where there is no action, and in 1, where every action loses by itself.
pub fn immediate<W: Word>(board: &Board<W>, plane: &mut Plane<W>) -> [Changes<W>; 2] {
    let mut losses = [Vec::new(), Vec::new()];
    for (index, (rows, class)) in plane.classes.iter_mut().zip(&board.index.layout.classes).enumerate() {
        let found = rows.par_chunks_mut(class.group * class.placement_rows()).enumerate().map(|(group, rows)| {
            let [mut stuck, mut lost] = [GroupChanges::default(), GroupChanges::default()];
            for (number, rows) in rows.chunks_mut(class.rows).enumerate() {
                let placement = group * class.group + number / class.sets;
                let ends = ends(&board.view(Block { class: index, placement, set: number % class.sets }));
                rows.fill(ends.won);
                for (changes, losses) in [(&mut stuck, ends.stuck), (&mut lost, ends.lost)] {
                    if losses != W::ZERO {
                        changes.push(number, &vec![losses; class.rows]);
                    }
                }
            }
            stuck.finish();
            lost.finish();
            (stuck, lost)
        });
        let (stuck, lost) = found.unzip();
        losses[0].push(stuck);
        losses[1].push(lost);
    }
    losses.map(|groups| Changes { groups })
}

/// The positions won in n that the plane does not have, from those lost in n − 1.
pub fn wins<W: Word>(board: &Board<W>, plane: &Plane<W>, losses: &Changes<W>) -> Changes<W> {
    let layout = &board.index.layout;
    if losses.is_empty() {
        return Changes::none(layout);
    }
    sweep(layout, &Marks::before(board, losses), |block, stored, scratch| {
        let view = board.view(block);
        scratch.fill(view.row_count(), W::ZERO);
        let mut any = false;
        for action in view.open_actions() {
            if let Some(lost) = losses.get(layout, view.target(action)) {
                any = true;
                let reading = view.reading(action);
                view.each_row(action, |row, target| scratch.rows[row] |= reading.read(lost[target]));
            }
        }
        if !any || !scratch.store(view.row_count(), stored) {
            return false;
        }
        let mut new = false;
        for (row, won) in stored.iter_mut().zip(plane.block(layout, block)) {
            *row &= !*won;
            new |= *row != W::ZERO;
        }
        new
    })
}

/// Where losses are looked for.
pub enum Candidates<'a, W> {
    /// Everywhere but where no action leads on: for the round after the first wins, which are all that the plane has.
    All,
    /// Where an action leads to one of these positions, the wins of the round before.
    Before(&'a Changes<W>),
}

/// The positions all of whose actions that do not lose by themselves lead to a win in the plane.
pub fn losses<W: Word>(board: &Board<W>, plane: &Plane<W>, candidates: Candidates<'_, W>) -> Changes<W> {
    let layout = &board.index.layout;
    let marks = match candidates {
        Candidates::All => Marks::All,
        Candidates::Before(wins) if wins.is_empty() => return Changes::none(layout),
        Candidates::Before(wins) => Marks::before(board, wins),
    };
    sweep(layout, &marks, |block, stored, scratch| {
        let view = board.view(block);
        // Where an action wins, or ends the game drawn, there is no loss.
        let safe = view.last_actions().filter(|action| action.outcome != Outcome::Lost);
        let open = W::low(view.row_count()) & !safe.fold(W::ZERO, |safe, action| safe | view.rows_with(action));
        if open == W::ZERO {
            return false;
        }
        scratch.fill(view.row_count(), W::ZERO);
        for row in open.bits() {
            scratch.rows[row] = W::low(view.bit_count());
        }
        let narrow = |rows: &mut [W], action| {
            let won = plane.block(layout, view.target(action));
            let reading = view.reading(action);
            view.each_row(action, |row, target| {
                if rows[row] != W::ZERO {
                    rows[row] &= reading.read(won[target]);
                }
            });
            rows[..view.row_count()].iter().any(|row| *row != W::ZERO)
        };
        // The boss, which every deal has, finds an escape in most blocks; its moves come first.
        let is_boss_move = |action: &&Action| action.act == Act::BossMove;
        if !view.open_actions().take_while(is_boss_move).all(|action| narrow(&mut scratch.rows, action)) {
            return false;
        }
        match candidates {
            Candidates::All => {
                let leading = view.open_actions().fold(W::ZERO, |rows, action| rows | view.rows_with(action));
                for row in (W::low(view.row_count()) & !leading).bits() {
                    scratch.rows[row] = W::ZERO;
                }
            }
            Candidates::Before(wins) => {
                scratch.others.fill(W::ZERO);
                for action in view.open_actions() {
                    if let Some(won) = wins.get(layout, view.target(action)) {
                        let reading = view.reading(action);
                        view.each_row(action, |row, target| scratch.others[row] |= reading.read(won[target]));
                    }
                }
                for (row, candidates) in scratch.rows.iter_mut().zip(&scratch.others) {
                    *row &= *candidates;
                }
            }
        }
        let is_left = scratch.rows.iter().any(|row| *row != W::ZERO);
        if !is_left || !view.open_actions().skip_while(is_boss_move).all(|action| narrow(&mut scratch.rows, action)) {
            return false;
        }
        scratch.store(view.row_count(), stored)
    })
}
