//! What a round has to look at: the blocks from which an action leads to one that has changed.
//!
//! They are found from the changes, by the actions that arrive at them, so that late rounds cost what they change. Of such a block's
//! actions, too, only those are gone through that lead to a boss placement on which something has changed. While more than a sixth of the
//! blocks change, all are looked at.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::actions::{Action, Actions, GAINS};
use super::block_actions::{CompiledGame, View};
use super::index::Index;
use super::layout::{Block, Class, Layout};
use super::source::RoundResult;
use super::word::Word;

/// Blocks are marked if at most one of so many has changed; else all are looked at.
const SPARSE: usize = 6;

/// What a round has to look at.
pub enum BlockPredecessors {
    /// Everything.
    All,
    /// What changes reach.
    Some {
        /// For each class a bit for each block to be looked at, groups beginning at words.
        blocks: Vec<Vec<AtomicU64>>,
        /// For each number of slots a bit for each boss placement on which some block has changed: no other needs to be asked.
        changed: Vec<Vec<AtomicU64>>,
    },
}

/// So many bits, none set.
pub(crate) fn no_bits(count: usize) -> Vec<AtomicU64> {
    (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

/// Sets a bit that may be set already; `word` is the one that has it.
pub(crate) fn set_bit(word: &AtomicU64, bit: usize) {
    if word.load(Ordering::Relaxed) >> (bit % 64) & 1 == 0 {
        word.fetch_or(1 << (bit % 64), Ordering::Relaxed);
    }
}

/// Words of marks that a group has.
fn mark_words(class: &Class) -> usize {
    (class.group * class.sets).div_ceil(64)
}

impl BlockPredecessors {
    /// The blocks of some groups, and perhaps of others in their classes, with an action that leads to a block that has changed.
    pub fn of(compiled: &CompiledGame, groups: &[(usize, usize)], changes: &impl RoundResult) -> BlockPredecessors {
        let layout = &compiled.index.layout;
        let blocks = groups.iter().map(|&(class, group)| layout.classes[class].group_blocks(group));
        if changes.blocks() * SPARSE > blocks.sum() {
            return BlockPredecessors::All;
        }
        let slots = 0..=compiled.index.placements.most_slots();
        let changed: Vec<_> = slots.map(|slots| no_bits(compiled.index.placements.with_slots(slots).len())).collect();
        let mut marks: Vec<Vec<AtomicU64>> = layout.classes.iter().map(|_| Vec::new()).collect();
        for &(class, _) in groups {
            if !marks[class].is_empty() {
                continue;
            }
            let at = &layout.classes[class];
            marks[class] = no_bits(64 * at.groups() * mark_words(at));
        }
        changes.groups().into_par_iter().for_each(|(class, group)| {
            let mut held = Default::default();
            let Some(found) = changes.group(&mut held, class, group) else { return };
            let (at, first) = (&layout.classes[class], group * layout.classes[class].group);
            let numbers: Vec<usize> = found.blocks().map(|(number, _)| number).collect();
            for numbers in numbers.chunk_by(|one, other| one / at.sets == other / at.sets) {
                let placement = first + numbers[0] / at.sets;
                let sets: Vec<usize> = numbers.iter().map(|number| number % at.sets).collect();
                set_bit(&changed[at.slots as usize][placement / 64], placement);
                each_source(&compiled.index, &compiled.actions, class, placement, &sets, |source| {
                    let class = &layout.classes[source.class];
                    let number = class.number_in_group(source);
                    // Classes that are not asked for have no marks.
                    if let Some(word) =
                        marks[source.class].get(class.group_of(source) * mark_words(class) + number / 64)
                    {
                        set_bit(word, number);
                    }
                });
            }
        });
        BlockPredecessors::Some { blocks: marks, changed }
    }

    /// The actions of a block after which the game goes on, without those that lead to boss placements on which nothing has changed.
    #[inline]
    pub fn reaching<'a>(&'a self, view: &'a View) -> impl Iterator<Item = &'a Action> {
        view.open_actions().filter(|action| match self {
            BlockPredecessors::All => true,
            BlockPredecessors::Some { changed, .. } => {
                let target = action.target as usize;
                changed[view.slots_after(action) as usize][target / 64].load(Ordering::Relaxed) >> (target % 64) & 1
                    == 1
            }
        })
    }

    /// The blocks of a group that are to be looked at, ascending, by their numbers in the group.
    pub fn of_group(&self, layout: &Layout, class: usize, group: usize) -> impl Iterator<Item = usize> {
        let at = &layout.classes[class];
        let blocks = at.group_blocks(group);
        let words = match self {
            BlockPredecessors::All => None,
            BlockPredecessors::Some { blocks, .. } => Some(&blocks[class][group * mark_words(at)..][..mark_words(at)]),
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

/// Calls `each` with every block from which an action leads to one of these: a boss placement of a class, with some of its sets.
pub fn each_source(
    index: &Index,
    actions: &Actions,
    class: usize,
    placement: usize,
    sets: &[usize],
    mut each: impl FnMut(Block),
) {
    let layout = &index.layout;
    let class = &layout.classes[class];
    for (list, gain) in GAINS.into_iter().enumerate() {
        let sources = match gain {
            0 => std::slice::from_ref(&class.after_move),
            1 => &class.before_puts[..],
            _ => class.before_return.as_slice(),
        };
        let Some(slots) = class.slots.checked_add_signed(-gain).filter(|_| !sources.is_empty()) else { continue };
        for arrival in actions.arrivals(class.slots, list, placement) {
            for &set in sets {
                let (mut ranks, mut returned) = (layout.set(class, set), 0);
                if let Some(rank) = arrival.acting {
                    let dove = 1 << rank;
                    match gain {
                        // It is in hand now, and was the player's who has acted.
                        -1 => returned = dove,
                        _ if ranks & dove == 0 => continue,
                        1 => ranks &= !dove,
                        _ => {}
                    }
                }
                let opposing = !(arrival.before.image(ranks) | returned) & u32::low(slots as usize);
                let set = layout.place(slots, opposing);
                for &class in sources {
                    each(Block { class, placement: arrival.source as usize, set });
                }
            }
        }
    }
}
