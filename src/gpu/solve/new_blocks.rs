//! What comes back from a card: the blocks in which each batch has found something, gathered into a round.

use rayon::prelude::*;

use crate::gpu::GpuError;
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::bounds::BoundsWatch;
use crate::solve::in_memory::driver::Found;
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::layout::{Class, ClassId, GroupId};
use crate::solve::space::win_bits::WinBits;

/// The positions of one class that a batch has found.
#[derive(Clone, Debug)]
pub struct NewBlocks {
    /// Whether the positions are won; else they are lost.
    pub is_win: bool,
    /// The class.
    pub class: ClassId,
    /// The blocks, by their numbers in the class, ascending.
    pub blocks: Vec<u32>,
    /// The rows of these blocks, block after block; a row takes as many words as its bits need.
    pub words: Vec<u32>,
}

/// The result for a block, by its number in the class, is impossible.
pub(super) fn garbled(class: ClassId, block: u32, reason: &str) -> GpuError {
    GpuError::Wrong(format!("what came back for block {block} of class {} cannot be: {reason}", class.0))
}

/// The number of words in a row of a class.
pub(super) fn row_words(class: &Class) -> u32 {
    class.width.div_ceil(32) as u32
}

/// Rows of a class as the solver stores them, from the words of a card.
pub(super) fn stored<'a>(class: &'a Class, words: &'a [u32]) -> impl Iterator<Item = u8> + 'a {
    let rows = words.chunks_exact(row_words(class) as usize);
    rows.flat_map(|row| row.iter().flat_map(|word| word.to_le_bytes()).take(class.row_bytes))
}

/// The words of a card for rows of a class as the solver stores them.
pub(super) fn words(class: &Class, rows: &[u8]) -> Vec<u32> {
    let words = row_words(class) as usize;
    let word = |row: &[u8], word: usize| {
        let bytes = row.iter().skip(4 * word).take(4).enumerate();
        bytes.fold(0, |all, (place, &byte)| all | u32::from(byte) << (8 * place))
    };
    let rows = rows.chunks_exact(class.row_bytes);
    rows.flat_map(|row| (0..words).map(move |number| word(row, number))).collect()
}

/// A plane: one bit for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// All wins found so far.
    Wins,
    /// All losses found so far.
    Losses,
}

/// A round whose batches are coming in.
pub(super) struct Gathering<'a> {
    compiled: &'a CompiledGame,
    watch: &'a BoundsWatch,
    /// Where wins are added at once.
    plane: Option<&'a mut WinBits>,
    found: Found,
    /// By class, for losses and wins: the first block that has not come yet.
    next: [Vec<u32>; 2],
}

impl<'a> Gathering<'a> {
    /// Nothing so far. Wins go to `plane`, if it is given.
    pub fn new(compiled: &'a CompiledGame, watch: &'a BoundsWatch, plane: Option<&'a mut WinBits>) -> Gathering<'a> {
        let nothing = Changes::none(&compiled.index.layout);
        let found = Found { wins: nothing.clone(), losses: nothing };
        let next = [0, 1].map(|_| vec![0; compiled.index.layout.classes.len()]);
        Gathering { compiled, watch, plane, found, next }
    }

    /// Adds what a batch has found.
    ///
    /// # Errors
    /// If it belongs before blocks that have come already.
    pub fn add(&mut self, new: &NewBlocks) -> Result<(), GpuError> {
        if self.watch.look().is_some() {
            // A bound is met, so the round will not be completed.
            return Ok(());
        }
        let layout = &self.compiled.index.layout;
        let class = &layout[new.class];
        let [first, last] = [new.blocks[0], new.blocks[new.blocks.len() - 1]];
        let next = &mut self.next[usize::from(new.is_win)][new.class.0];
        if first < *next {
            return Err(garbled(new.class, first, "it comes after blocks with higher numbers"));
        }
        *next = last + 1;
        let group_blocks = class.group * class.sets;
        let size = new.words.len() / new.blocks.len();
        // The blocks of a group: number in the group, and rows.
        let blocks_of = |group: usize| {
            let start = group * group_blocks;
            let [from, to] =
                [start, start + group_blocks].map(|end| new.blocks.partition_point(|&block| (block as usize) < end));
            let blocks = new.blocks[from..to].iter().zip(new.words[from * size..].chunks_exact(size));
            blocks.map(move |(&block, words)| (block as usize - start, words))
        };
        let [first, last] = [first, last].map(|block| block as usize / group_blocks);
        let bytes = class.block_bytes();
        match &mut self.plane {
            Some(plane) if new.is_win => {
                let groups = plane.groups_mut(layout, new.class).enumerate().skip(first).take(last - first + 1);
                groups.for_each(|(group, rows)| {
                    for (number, words) in blocks_of(group) {
                        let there = rows[number * bytes..][..bytes].iter_mut();
                        there.zip(stored(class, words)).for_each(|(there, byte)| *there |= byte);
                    }
                });
            }
            _ => {
                let changes = if new.is_win { &mut self.found.wins } else { &mut self.found.losses };
                let groups = changes.groups[new.class.0][first..=last].par_iter_mut().enumerate();
                groups.for_each(|(place, changes)| {
                    let mut blocks = blocks_of(first + place).peekable();
                    if blocks.peek().is_none() {
                        return;
                    }
                    if changes.is_empty() {
                        *changes = SparseBits::new(class, GroupId { class: new.class, number: first + place });
                    }
                    let (before, mut rows) = (changes.bytes(), Vec::new());
                    for (number, words) in blocks {
                        rows.clear();
                        rows.extend(stored(class, words));
                        changes.push(number, &rows);
                    }
                    self.watch.add((changes.bytes() - before) as u64);
                });
            }
        }
        Ok(())
    }

    /// The round, when all batches have come.
    pub fn finish(mut self) -> Found {
        for changes in [&mut self.found.wins, &mut self.found.losses] {
            changes.groups.par_iter_mut().flatten().filter(|group| !group.is_empty()).for_each(SparseBits::finish);
        }
        self.found
    }
}
