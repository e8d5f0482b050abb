//! The blocks that a round must examine: those from which an action leads to a changed block.
//!
//! They are found from the results of the last round, by following actions backwards, so that late rounds cost only
//! what they change. Likewise, of a block's actions, only those that lead to a boss placement with a changed block are
//! followed. While more than a sixth of the blocks change, all blocks are examined.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::block_actions::{BlockView, CompiledGame};
use super::placement_actions::{BlockAction, SLOT_DELTAS};
use crate::space::inputs::RoundResult;
use crate::space::layout::{Block, Class, GroupId, Layout};
use crate::space::word::Word;

/// Predecessors are found if at most one block in this many has changed; otherwise all blocks are examined.
const SPARSE: usize = 6;

/// The blocks that a round must examine.
pub(crate) enum BlockPredecessors {
    /// No block: nothing has changed.
    None,
    /// All blocks.
    All,
    /// The blocks from which an action leads to a changed block.
    Some {
        /// By class, a bit for each block, set if the block is to be examined. Each group starts at a new word.
        blocks: Vec<Vec<AtomicU64>>,
        /// By number of slots, a bit for each boss placement, set if it has a changed block: no other needs to be read.
        changed: Vec<Vec<AtomicU64>>,
    },
}

/// `count` bits, none set.
fn no_bits(count: usize) -> Vec<AtomicU64> {
    (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

/// Sets a bit that may be set already; `word` is the word that contains it.
fn set_bit(word: &AtomicU64, bit: usize) {
    if word.load(Ordering::Relaxed) >> (bit % 64) & 1 == 0 {
        word.fetch_or(1 << (bit % 64), Ordering::Relaxed);
    }
}

/// The number of words that have a bit for each block of a group.
fn group_words(class: &Class) -> usize {
    (class.group * class.sets).div_ceil(64)
}

impl BlockPredecessors {
    /// The blocks with an action that leads to a changed block: those of `groups`, and perhaps of other
    /// groups in their classes. Iterates over all results (`found`), so a round in shards calls this once for the
    /// groups of all its shards.
    pub(crate) fn of(
        compiled: &CompiledGame,
        groups: &[GroupId],
        found: &impl RoundResult,
    ) -> BlockPredecessors {
        if found.blocks() == 0 {
            return BlockPredecessors::None;
        }
        let layout = &compiled.index.layout;
        let blocks = groups.iter().map(|&group| layout[group.class].group_blocks(group));
        if found.blocks() * SPARSE > blocks.sum() {
            return BlockPredecessors::All;
        }
        let slots = 0..=compiled.index.placements.max_slots();
        let changed: Vec<_> =
            slots.map(|slots| no_bits(compiled.index.placements.with_slots(slots).len())).collect();
        let mut to_examine: Vec<Vec<AtomicU64>> = layout.classes.iter().map(|_| Vec::new()).collect();
        for group in groups {
            let class = &layout[group.class];
            if to_examine[group.class.0].is_empty() {
                to_examine[group.class.0] = no_bits(64 * class.groups() * group_words(class));
            }
        }
        found.groups().into_par_iter().for_each(|group| {
            let mut cache = Default::default();
            let Some(bits) = found.group(&mut cache, group) else { return };
            let class = &layout[group.class];
            let numbers: Vec<usize> = bits.blocks().map(|(number, _)| number).collect();
            for numbers in numbers.chunk_by(|one, other| one / class.sets == other / class.sets) {
                let placement = class.block(group, numbers[0]).placement;
                let sets: Vec<u32> =
                    numbers.iter().map(|number| layout.set(class, number % class.sets)).collect();
                set_bit(&changed[class.slots as usize][placement / 64], placement);
                visit_predecessors(compiled, class, placement, &sets, |source| {
                    let class = &layout[source.class];
                    let number = class.number_in_group(source);
                    // Classes without a requested group have no bits.
                    let first = class.group_of(source).number * group_words(class);
                    if let Some(word) = to_examine[source.class.0].get(first + number / 64) {
                        set_bit(word, number);
                    }
                });
            }
        });
        BlockPredecessors::Some { blocks: to_examine, changed }
    }

    /// The actions of a block that leave the game open, except those known to lead to a boss placement
    /// without a changed block.
    #[inline]
    pub(crate) fn reaching<'a>(&self, view: &BlockView<'a>) -> impl Iterator<Item = &'a BlockAction> {
        view.open_actions().filter(|action| match self {
            BlockPredecessors::None => false,
            BlockPredecessors::All => true,
            BlockPredecessors::Some { changed, .. } => {
                let target = action.target as usize;
                let slots = view.class.slots.wrapping_add_signed(action.slot_delta()) as usize;
                changed[slots][target / 64].load(Ordering::Relaxed) >> (target % 64) & 1 == 1
            }
        })
    }

    /// The blocks of a group to examine: their numbers in the group, ascending.
    pub(crate) fn of_group(&self, layout: &Layout, group: GroupId) -> impl Iterator<Item = usize> {
        let class = &layout[group.class];
        let blocks = if matches!(self, BlockPredecessors::None) { 0 } else { class.group_blocks(group) };
        let words = match self {
            BlockPredecessors::None | BlockPredecessors::All => None,
            BlockPredecessors::Some { blocks, .. } => {
                Some(&blocks[group.class.0][group.number * group_words(class)..][..group_words(class)])
            }
        };
        (0..blocks.div_ceil(64)).flat_map(move |word| {
            let bits = words.map_or(u64::MAX, |words| words[word].load(Ordering::Relaxed));
            let there = u64::low((blocks - 64 * word).min(64));
            (bits & there).bits().map(move |bit| 64 * word + bit)
        })
    }
}

/// Visits every block from which an action leads to one of some blocks of a boss placement and class: those in which
/// the opponent has one of these `sets` of flipped slots (see [`crate::space::placements`]).
fn visit_predecessors(
    compiled: &CompiledGame,
    class: &Class,
    placement: usize,
    sets: &[u32],
    mut visit: impl FnMut(Block),
) {
    let layout = &compiled.index.layout;
    for (list, delta) in SLOT_DELTAS.into_iter().enumerate() {
        let source_class = match delta {
            0 => Some(class.after_move),
            1 => class.before_put,
            _ => class.before_return,
        };
        let Some(source_class) = source_class else { continue };
        let all = u32::low(layout[source_class].slots as usize);
        for arrival in compiled.actions.arrivals(class.slots, list, placement) {
            let acting = arrival.acting.map_or(0, |flipped| 1 << flipped);
            for &opposing in sets {
                // A dove that was put was in hand before; one that returned was on the board, as a dove of the player
                // who acted.
                let before = match delta {
                    -1 => arrival.before.image(opposing) | acting,
                    _ if opposing & acting != acting => continue,
                    1 => arrival.before.image(opposing & !acting),
                    _ => arrival.before.image(opposing),
                };
                let set = layout.set_number(!before & all);
                visit(Block { class: source_class, placement: arrival.source as usize, set });
            }
        }
    }
}
