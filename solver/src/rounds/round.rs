//! The rounds: which positions are won or lost in n, from those that are won or lost in n − 1.
//!
//! Round n finds
//!
//! - *won in n*: not won already, and some action leads to a position lost in n − 1. (It cannot be lost already,
//!   because this action would be an escape.)
//! - *lost in n*: some action leads to a position won in n − 1, and every action that does not lose outright leads to a
//!   position won in at most n − 1. The position cannot have been lost before, because the win in n − 1 is new; nor can
//!   it be won.
//!
//! So a round needs only the set of all wins so far and the results of the round before. In memory, a small game also
//! has the set of all losses so far, and from round 3 on does not examine them again: in a game of a hundred rounds,
//! they are most of what most rounds would examine. The first two rounds begin with what needs no other position: wins
//! and losses by an action that ends the game, and positions without an action.
//!
//! A round examines the blocks from which an action leads to a changed block or, if many have changed, all blocks
//! ([`BlockPredecessors`]). In the search for losses in 2, all wins are new, so all blocks are examined, except on boss
//! placements where the mover's boss can escape to blocks without wins.
//!
//! Where a game is solved in parts, all this applies to the positions of the part. Positions outside it that actions
//! lead to are known already, and take effect in the round that found them.

use rayon::prelude::*;

use crate::actions::block_actions::{BlockView, CompiledGame, TargetBlock};
use crate::actions::placement_actions::{Act, BlockAction};
use crate::actions::predecessors::BlockPredecessors;
use crate::space::inputs::{RoundResult, Wins};
use crate::space::layout::{Block, Class, GroupId, Layout};
use crate::space::sparse::{BlockBits, SparseGroup, SparseSet};
use crate::space::win_bits::WinBits;
use crate::space::word::{Word, transpose, with_word};
use dovemate::rules::Outcome;

impl WinBits {
    /// Sets the wins by an action that ends the game; there must be no wins yet. Returns the losses that need
    /// no other position: in 0, where there is no action, and in 1, where every action loses outright.
    pub(crate) fn begin(&mut self, compiled: &CompiledGame) -> [SparseSet; 2] {
        let layout = &compiled.index.layout;
        let mut losses = [(); 2].map(|()| SparseSet::of(layout, []));
        for class in layout.ids() {
            let groups = self.groups_mut(layout, class).enumerate();
            let found = groups.map(|(number, rows)| {
                let [won, without_action, lost] =
                    terminal_values(compiled, GroupId { class, number }, |rows| {
                        [rows.won, rows.without_action, rows.lost]
                    });
                add(&layout[class], rows, &won);
                [without_action, lost]
            });
            let found: Vec<[SparseGroup; 2]> = found.collect();
            (losses[0].groups[class.0], losses[1].groups[class.0]) =
                found.into_iter().map(Into::into).unzip();
        }
        losses
    }

    /// Adds new bits, in the classes that both sets have.
    pub(crate) fn add(&mut self, layout: &Layout, added: &SparseSet) {
        for (class, groups) in layout.ids().zip(&added.groups).filter(|(_, groups)| !groups.is_empty()) {
            self.groups_mut(layout, class)
                .zip(groups)
                .for_each(|(rows, group)| add(&layout[class], rows, group));
        }
    }
}

/// The positions of a group that are decided without looking at any other, in as many sets as `wanted` asks for: won in
/// 1 by an action that ends the game; lost in 0, without an action; lost in 1, because every action loses outright.
pub(crate) fn terminal_values<const SETS: usize>(
    compiled: &CompiledGame,
    group: GroupId,
    wanted: impl Fn(&TerminalRows) -> [u128; SETS],
) -> [SparseGroup; SETS] {
    let class = &compiled.index.layout[group.class];
    let mut found = std::array::from_fn(|_| SparseGroup::new(class, group));
    for number in 0..class.group_blocks(group) {
        let block = class.block(group, number);
        let (last, open) = compiled.actions.of(class.slots, block.placement);
        if last.is_empty() && open.first().is_some_and(|action| action.act == Act::BossMove) {
            // Whatever the doves, there is an action, and none ends the game.
            continue;
        }
        let deals = wanted(&terminal_rows(&compiled.view(block)));
        for (bits, deals) in found.iter_mut().zip(deals) {
            if deals != 0 {
                bits.push(number, &deals.to_le_bytes()[..class.row_bytes].repeat(class.rows));
            }
        }
    }
    found.map(SparseGroup::finished)
}

/// Adds new bits to the blocks of a group of a class.
pub(crate) fn add(class: &Class, rows: &mut [u8], group: &SparseGroup) {
    combine(class, rows, group, |there, bits| there | bits);
}

/// Removes bits from the blocks of a group of a class.
pub(crate) fn remove(class: &Class, rows: &mut [u8], group: &SparseGroup) {
    combine(class, rows, group, |there, bits| there & !bits);
}

fn combine(class: &Class, rows: &mut [u8], group: &SparseGroup, combined: impl Fn(u8, u8) -> u8) {
    for (number, block) in group.blocks() {
        for (start, bits) in block.pieces() {
            let there = &mut rows[number * class.block_bytes() + start..][..bits.len()];
            there.iter_mut().zip(bits).for_each(|(there, bits)| *there = combined(*there, *bits));
        }
    }
}

/// The working memory of a thread in a group: the rows of a block while its actions are applied, one for each deal of
/// the mover's doves, and the caches for its reads.
struct Scratch<'a, W, P: Wins, F: RoundResult> {
    rows: Vec<W>,
    /// As many rows, for the positions from which an action leads to a result of the round before.
    leading: Vec<W>,
    /// The actions that lead to blocks with such results, and these blocks.
    reached: Vec<(&'a BlockAction, TargetBlock<'a>)>,
    wins_cache: P::Cache,
    found_cache: F::Cache,
}

impl<'a, W: Word, P: Wins, F: RoundResult> Scratch<'a, W, P, F> {
    fn new(class: &Class) -> Self {
        Scratch {
            rows: vec![W::ZERO; class.width],
            leading: vec![W::ZERO; class.width],
            reached: Vec::new(),
            wins_cache: P::Cache::default(),
            found_cache: F::Cache::default(),
        }
    }

    /// Finds the positions from which an action leads to a position in `found`; rows outside of `live` may be left out.
    /// Returns whether the blocks that actions lead to have any results; if not, the rows are unchanged.
    #[inline]
    fn lead_to(
        &mut self,
        view: &BlockView<'a>,
        found: &F,
        to_examine: &BlockPredecessors,
        live: u128,
    ) -> bool {
        let Scratch { leading, reached, found_cache: cache, .. } = self;
        reached.clear();
        for action in to_examine.reaching(view).filter(|action| view.rows_with(action) & live != 0) {
            let target = view.target(action);
            if let Some(group) = found.group(cache, target.class.group_of(target.block))
                && group.prefetch(target.class.number_in_group(target.block))
            {
                reached.push((action, target));
            }
        }
        if reached.is_empty() {
            return false;
        }
        leading.fill(W::ZERO);
        for &(action, TargetBlock { block, class }) in reached.iter() {
            let Some(group) = found.group(cache, class.group_of(block)) else { continue };
            let Some(bits) = group.get(class.number_in_group(block)) else { continue };
            let row_map = view.row_map(action);
            let has_all_rows = bits.has_all_rows();
            let read = |row: usize, from: usize, ordinal: Option<usize>| {
                let index = match ordinal {
                    Some(ordinal) if !has_all_rows => Some(bits.kept_index_of_nth(ordinal)),
                    _ => bits.kept_index(from),
                };
                if let Some(index) = index {
                    leading[row] |= row_map.apply(bits.kept_row(index));
                }
            };
            view.visit_rows(action, class, live, bits.row_set, read);
        }
        true
    }
}

/// The rows of a block, deals of the mover's doves, that are decided by actions that end the game, or because there is
/// no action.
pub(crate) struct TerminalRows {
    /// Some action wins at once.
    pub won: u128,
    /// There is no action.
    pub without_action: u128,
    /// There are actions, and every one loses outright.
    pub lost: u128,
}

pub(crate) fn terminal_rows(view: &BlockView) -> TerminalRows {
    let all = u128::low(view.class.width);
    let (mut won, mut lost, mut harmless) = (0, 0, 0);
    for action in view.ending_actions() {
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
    TerminalRows { won, without_action: all & !(harmless | lost), lost: lost & !harmless }
}

/// The positions that may be new losses in a round.
pub(crate) enum Candidates<'a, F> {
    /// Those in which some action leaves the game open, in the round after the first wins, when every win is new.
    All,
    /// Those in which some action leads to one of these, the wins of the round before.
    LeadTo(&'a F),
    /// All positions that are not won yet, except these, the losses so far.
    NotAmong(&'a WinBits),
}

/// Maps groups in parallel. Groups differ in cost, so each is a task of its own.
pub(crate) fn map_groups<K: Send>(groups: &[GroupId], of_group: impl Fn(GroupId) -> K + Sync) -> Vec<K> {
    groups.par_iter().with_max_len(1).map(|&group| of_group(group)).collect()
}

impl CompiledGame {
    /// The positions of a group that are won in n and not among the wins so far (`wins`), from those lost in n − 1.
    pub(crate) fn wins(
        &self,
        wins: &impl Wins,
        losses: &impl RoundResult,
        to_examine: &BlockPredecessors,
        group: GroupId,
    ) -> SparseGroup {
        with_word!(self.index.layout[group.class].rows, group_wins(self, wins, losses, to_examine, group))
    }

    /// The candidates of a group in which every action that does not lose outright leads to a position in `wins`.
    pub(crate) fn losses(
        &self,
        wins: &impl Wins,
        candidates: &Candidates<impl RoundResult>,
        to_examine: &BlockPredecessors,
        group: GroupId,
    ) -> SparseGroup {
        with_word!(
            self.index.layout[group.class].rows,
            group_losses(self, wins, candidates, to_examine, group)
        )
    }
}

/// The new positions in the blocks of a group that are to be examined. `find` is called with a block and a buffer for
/// its rows as stored; it returns whether it found any position. If not, the buffer is meaningless.
fn group_bits(
    layout: &Layout,
    to_examine: &BlockPredecessors,
    group: GroupId,
    mut find: impl FnMut(Block, &mut [u8]) -> bool,
) -> SparseGroup {
    let class = &layout[group.class];
    let mut bits = SparseGroup::new(class, group);
    let mut stored = vec![0; class.block_bytes()];
    for number in to_examine.of_group(layout, group) {
        if find(class.block(group, number), &mut stored) {
            bits.push(number, &stored);
        }
    }
    bits.finished()
}

/// The new wins of a group.
fn group_wins<W: Word, P: Wins, F: RoundResult>(
    compiled: &CompiledGame,
    wins: &P,
    losses: &F,
    to_examine: &BlockPredecessors,
    group: GroupId,
) -> SparseGroup {
    let layout = &compiled.index.layout;
    let class = &layout[group.class];
    let mut scratch = Scratch::<W, P, F>::new(class);
    group_bits(layout, to_examine, group, |block, stored| {
        let live = !won_by_all(class, wins.block(&mut scratch.wins_cache, class, block));
        if live == 0
            || !scratch.lead_to(&compiled.view(block), losses, to_examine, live)
            || !transpose(&scratch.leading, class.rows, stored)
        {
            return false;
        }
        let wins_before = wins.block(&mut scratch.wins_cache, class, block);
        for (start, before) in wins_before.into_iter().flat_map(BlockBits::pieces) {
            stored[start..].iter_mut().zip(before).for_each(|(new, before)| *new &= !before);
        }
        // No early exit, so that the loop is vectorized.
        stored.iter().fold(0, |any, byte| any | byte) != 0
    })
}

/// The mover's deals that win against every deal of the opponent, as one that wins at once does. Bits beyond the deals
/// are set, too.
fn won_by_all(class: &Class, won: Option<BlockBits>) -> u128 {
    let Some(won) = won.filter(|won| won.row_set == u128::low(class.rows)) else {
        return !u128::low(class.width);
    };
    let mut all = u128::low(class.width);
    for index in 0..won.count() {
        all &= won.kept_row::<u128>(index);
        if all == 0 {
            break;
        }
    }
    all | !u128::low(class.width)
}

/// The new losses of a group.
fn group_losses<W: Word, P: Wins, F: RoundResult>(
    compiled: &CompiledGame,
    wins: &P,
    candidates: &Candidates<F>,
    to_examine: &BlockPredecessors,
    group: GroupId,
) -> SparseGroup {
    let layout = &compiled.index.layout;
    let class = &layout[group.class];
    let mut scratch = Scratch::<W, P, F>::new(class);
    // The last boss placement, and whether the boss can escape in all its blocks.
    let (mut last, mut is_safe) = (None, false);
    group_bits(layout, to_examine, group, |block, stored| {
        if matches!(candidates, Candidates::All) && last.replace(block.placement) != Some(block.placement) {
            is_safe = boss_escapes(compiled, wins, &mut scratch.wins_cache, block);
        }
        if is_safe {
            return false;
        }
        let won = wins.block(&mut scratch.wins_cache, class, block);
        let live = match candidates {
            Candidates::NotAmong(lost) => undecided(class, won, lost.block(class, block), &mut scratch.rows),
            Candidates::All | Candidates::LeadTo(_) => {
                let live = !won_by_all(class, won);
                let rows = scratch.rows.iter_mut().enumerate();
                rows.for_each(|(row, bits)| {
                    *bits = W::low(if live >> row & 1 == 1 { class.rows } else { 0 })
                });
                live
            }
        };
        live != 0
            && block_losses(&compiled.view(block), live, wins, candidates, to_examine, &mut scratch)
            && transpose(&scratch.rows, class.rows, stored)
    })
}

/// Fills rows with the positions of a block that are neither won nor lost. Returns the rows that have any.
fn undecided<W: Word>(class: &Class, won: Option<BlockBits>, lost: &[u8], rows: &mut [W]) -> u128 {
    rows.fill(W::ZERO);
    let mut live = 0;
    for row in 0..class.rows {
        let decided = won.map_or(0, |won| won.word::<u128>(row)) | u128::read(lost, row * class.row_bytes);
        let open = !decided & u128::low(class.width);
        open.bits().for_each(|deal| rows[deal] |= W::bit(row));
        live |= open;
    }
    live
}

/// Whether a move of the mover's boss leads from all blocks of a boss placement and class to blocks without a
/// win.
fn boss_escapes<P: Wins>(compiled: &CompiledGame, wins: &P, cache: &mut P::Cache, block: Block) -> bool {
    let layout = &compiled.index.layout;
    let class = &layout[block.class];
    let there = &layout[class.after_move];
    let (_, open) = compiled.actions.of(class.slots, block.placement);
    open.iter().take_while(|action| action.act == Act::BossMove).any(|action| {
        (0..there.sets).all(|set| {
            let block = Block { class: class.after_move, placement: action.target as usize, set };
            let Some(won) = wins.block(cache, there, block) else { return true };
            won.kept()[..won.count() * there.row_bytes].iter().fold(0, |any, byte| any | byte) == 0
        })
    })
}

/// Whether a block may have losses in the rows of `live`. If so, they are in the rows of `scratch`. Before the call,
/// these rows have the positions that may be lost.
fn block_losses<'a, W: Word, P: Wins, F: RoundResult>(
    view: &BlockView<'a>,
    mut live: u128,
    wins: &P,
    candidates: &Candidates<F>,
    to_examine: &BlockPredecessors,
    scratch: &mut Scratch<'a, W, P, F>,
) -> bool {
    let Scratch { rows, wins_cache, .. } = scratch;
    // Where an action wins, or ends the game drawn, there is no loss.
    let safe = view.ending_actions().filter(|action| action.outcome != Outcome::Lost);
    let safe = safe.fold(0, |safe, action| safe | view.rows_with(action));
    (live & safe).bits().for_each(|row| rows[row] = W::ZERO);
    live &= !safe;
    if live == 0 {
        return false;
    }
    let open = live;
    let mut actions = view.open_actions().filter(|action| view.rows_with(action) & open != 0);
    let mut next = |cache: &P::Cache| {
        let action = actions.next()?;
        let target = view.target(action);
        wins.prefetch(cache, target.class, target.block);
        Some((action, target))
    };
    // Two blocks are prefetched ahead of the one being read.
    let mut ahead = [next(wins_cache), next(wins_cache)];
    while let [Some((action, target)), second] = ahead {
        ahead = [second, next(wins_cache)];
        if view.rows_with(action) & live == 0 {
            continue;
        }
        let row_map = view.row_map(action);
        let wins_there = wins.block(wins_cache, target.class, target.block);
        let mut rest = live;
        view.visit_rows(action, target.class, live, u128::MAX, |row, from, _| {
            if rows[row] != W::ZERO {
                rows[row] &= wins_there.map_or(W::ZERO, |wins| row_map.apply(wins.word(from)));
                if rows[row] == W::ZERO {
                    rest &= !(1 << row);
                }
            }
        });
        live = rest;
        if live == 0 {
            return false;
        }
    }
    // In most blocks some action escapes, above all a move of the boss, which is possible with every deal; so
    // candidates are searched for last.
    match *candidates {
        Candidates::NotAmong(_) => {}
        Candidates::All => live &= view.open_actions().fold(0, |rows, action| rows | view.rows_with(action)),
        Candidates::LeadTo(new) => {
            if !scratch.lead_to(view, new, to_examine, live) {
                return false;
            }
            let Scratch { rows, leading, .. } = scratch;
            for row in live.bits() {
                rows[row] &= leading[row];
                if rows[row] == W::ZERO {
                    live &= !(1 << row);
                }
            }
        }
    }
    (open & !live).bits().for_each(|row| scratch.rows[row] = W::ZERO);
    live != 0
}
