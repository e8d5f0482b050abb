//! What a round adds: for some blocks the bits that are new, packed, and found again at once.
//!
//! Each group has one bit for each of its blocks, set where there is something new; the number of set bits before a block tells where
//! its rows lie among those that are kept.

use super::layout::{Block, Layout};
use super::word::Word;

/// The new bits of one group.
#[derive(Clone, Debug, Default)]
pub struct GroupChanges<W> {
    /// A bit for each block of the group.
    changed: Vec<u64>,
    /// How many bits are set before each word.
    ranks: Vec<u32>,
    /// The rows of the blocks that have changed.
    rows: Vec<W>,
}

impl<W: Word> GroupChanges<W> {
    /// Adds the rows of the block with this number in the group; numbers must ascend.
    pub fn push(&mut self, block: usize, rows: &[W]) {
        let word = block / 64;
        if self.changed.len() <= word {
            self.changed.resize(word + 1, 0);
        }
        self.changed[word] |= 1 << (block % 64);
        self.rows.extend_from_slice(rows);
    }

    /// Makes the group ready to be asked.
    pub fn finish(&mut self) {
        let mut before = 0;
        self.ranks.clear();
        for word in &self.changed {
            self.ranks.push(before);
            before += word.count_ones();
        }
        self.rows.shrink_to_fit();
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The new bits of a block with so many rows, if it has any.
    pub fn get(&self, block: usize, rows: usize) -> Option<&[W]> {
        let word = *self.changed.get(block / 64)?;
        let bit = 1 << (block % 64);
        if word & bit == 0 {
            return None;
        }
        let rank = self.ranks[block / 64] + (word & (bit - 1)).count_ones();
        Some(&self.rows[rank as usize * rows..][..rows])
    }

    /// The blocks that have changed, with their rows.
    pub fn blocks(&self, rows: usize) -> impl Iterator<Item = (usize, &[W])> {
        let blocks = self.changed.iter().enumerate().flat_map(|(word, bits)| {
            let bits = *bits;
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word + bit)
        });
        blocks.zip(self.rows.chunks_exact(rows))
    }

    /// How many blocks have changed.
    pub fn count(&self) -> usize {
        self.changed.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// The new bits of all groups of all classes.
#[derive(Clone, Debug)]
pub struct Changes<W> {
    /// `groups[class][group]`.
    pub groups: Vec<Vec<GroupChanges<W>>>,
}

impl<W: Word> Changes<W> {
    /// No change.
    pub fn none(layout: &Layout) -> Changes<W> {
        let groups = layout.classes.iter().map(|class| vec![GroupChanges::default(); class.groups()]);
        Changes { groups: groups.collect() }
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().flatten().all(GroupChanges::is_empty)
    }

    /// The new bits of a block, if it has any.
    pub fn get(&self, layout: &Layout, block: Block) -> Option<&[W]> {
        let class = &layout.classes[block.class];
        let number = block.placement % class.group * class.sets + block.set;
        self.groups[block.class][block.placement / class.group].get(number, class.rows)
    }

    /// Bytes of the rows and of what tells where they are.
    pub fn bytes(&self) -> u64 {
        let bytes = |group: &GroupChanges<W>| 12 * group.changed.len() + size_of_val(&group.rows[..]);
        self.groups.iter().flatten().map(bytes).sum::<usize>() as u64
    }

    /// How many blocks have changed.
    pub fn count(&self) -> usize {
        self.groups.iter().flatten().map(GroupChanges::count).sum()
    }
}
