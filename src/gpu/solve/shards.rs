//! Where the rows of blocks lie on the card: planes are cut into *shards*, buffers small enough for a binding.
//!
//! A row takes as many words as its bits need. A class lies in one shard if it fits; otherwise it starts at the
//! beginning of a shard and spans several. No block is cut. So a block is located by the record of its class and one
//! division.

use std::ops::Range;

use super::new_blocks::row_words;
use crate::solve::space::layout::{Class, ClassId, Layout};

/// The most shards of a plane.
pub(super) const MAX_SHARDS: u32 = 24;
/// The number of ends (sets of deals) of every block: see `shaders/solve/ends.wgsl`.
pub(super) const ENDS: u32 = 4;

/// The words of a block.
pub fn block_words(class: &Class) -> u32 {
    class.rows as u32 * row_words(class)
}

/// The words of the ends of a block.
pub fn ends_words(class: &Class) -> u32 {
    ENDS * row_words(class)
}

/// The number of blocks in a class.
pub fn blocks(class: &Class) -> u32 {
    u32::try_from(class.placements * class.sets).expect("a class has fewer than 2³² blocks")
}

/// Consecutive blocks of one class in one shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The class.
    pub class: ClassId,
    /// The shard.
    pub shard: usize,
    /// Their numbers in the class.
    pub blocks: Range<u32>,
    /// The word of the shard at which the rows of the first block begin.
    pub at: u32,
    /// The word at which its ends begin.
    pub ends_at: u32,
    /// The part of the boss placements (of this number of slots) that the blocks are on.
    pub part: usize,
    /// The first placement of that part.
    pub first_placement: u32,
}

/// How a class is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The shard of the first block.
    pub shard: u32,
    /// The word at which the blocks begin in each shard.
    pub at: u32,
    /// Blocks in a shard; larger than the class if all lie in one.
    pub per_shard: u32,
}

/// The locations of all blocks of a game.
#[derive(Debug)]
pub struct Shards {
    /// By class, ascending.
    pub segments: Vec<Segment>,
    /// By class.
    pub cuts: Vec<Cut>,
    /// Words of each shard of a plane.
    pub words: Vec<u32>,
    /// Words of each shard of the ends.
    pub ends_words: Vec<u32>,
    /// The most words in a shard.
    pub most_words: u32,
}

impl Shards {
    /// Shards of at most `most_words` words.
    pub fn new(layout: &Layout, most_words: u32) -> Shards {
        let mut shards =
            Shards { segments: Vec::new(), cuts: Vec::new(), words: vec![0], ends_words: vec![0], most_words };
        for id in layout.ids() {
            let class = &layout[id];
            let all = blocks(class);
            let largest = block_words(class).max(ends_words(class));
            let most_blocks = (most_words / largest).max(1);
            let room = |used: u32| (most_words.saturating_sub(used)) / largest;
            let used = |shards: &Shards| {
                let last = shards.words.len() - 1;
                shards.words[last].max(shards.ends_words[last])
            };
            if all > room(used(&shards)) && used(&shards) > 0 {
                shards.words.push(0);
                shards.ends_words.push(0);
            }
            let at = shards.words[shards.words.len() - 1];
            let per_shard = if all > most_blocks { most_blocks } else { u32::MAX };
            shards.cuts.push(Cut { shard: shards.words.len() as u32 - 1, at, per_shard });
            let mut first = 0;
            while first < all {
                let end = all.min(first.saturating_add(per_shard));
                if first > 0 {
                    shards.words.push(0);
                    shards.ends_words.push(0);
                }
                let shard = shards.words.len() - 1;
                let (at, ends_at) = (shards.words[shard], shards.ends_words[shard]);
                shards.segments.push(Segment {
                    class: id,
                    shard,
                    blocks: first..end,
                    at,
                    ends_at,
                    part: 0,
                    first_placement: 0,
                });
                shards.words[shard] += (end - first) * block_words(class);
                shards.ends_words[shard] += (end - first) * ends_words(class);
                first = end;
            }
        }
        shards
    }

    /// Cuts segments further, so that the blocks of each lie on one part of the boss placements. `parts[slots]` has the
    /// start of each part, and the end.
    pub fn cut_by_parts(&mut self, layout: &Layout, parts: &[Vec<usize>]) {
        let cut = |segment: &Segment| -> Vec<Segment> {
            let class = &layout[segment.class];
            let parts = parts[class.slots as usize].windows(2).enumerate();
            let part = |(part, bounds): (usize, &[usize])| {
                let [start, end] = [bounds[0], bounds[1]].map(|placement| (placement * class.sets) as u32);
                let blocks = segment.blocks.start.max(start)..segment.blocks.end.min(end);
                let before = blocks.start.saturating_sub(segment.blocks.start);
                (!blocks.is_empty()).then(|| Segment {
                    at: segment.at + before * block_words(class),
                    ends_at: segment.ends_at + before * ends_words(class),
                    blocks,
                    part,
                    first_placement: bounds[0] as u32,
                    ..*segment
                })
            };
            parts.filter_map(part).collect()
        };
        self.segments = self.segments.iter().flat_map(cut).collect();
    }

    /// The number of shards.
    pub fn count(&self) -> usize {
        self.words.len()
    }
}
