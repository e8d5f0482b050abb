//! What a round adds: for some blocks the bits that are new, packed, and found again at once.
//!
//! Each group has one bit for each of its blocks, set where there is something new; the number of set bits before a block tells where
//! its rows lie among those that are kept.

use super::layout::{Block, Class, Layout};
use super::word::PADDING;

/// The new bits of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupChanges {
    /// A bit for each block of the group.
    marks: Vec<u64>,
    /// How many bits are set before each word.
    ranks: Vec<u32>,
    /// The blocks that have changed, and [`PADDING`].
    rows: Vec<u8>,
    /// For each block that has changed, which of its rows have; nothing where blocks have few rows.
    row_sets: Vec<u128>,
    block_bytes: usize,
    row_bytes: usize,
}

/// Blocks with fewer rows have no sets of those that have changed.
pub const MANY_ROWS: usize = 25;

/// The new bits of a block.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    /// Its rows, and bytes of no meaning after them.
    pub rows: &'a [u8],
    /// Rows in which there may be new bits: in all others there are none.
    pub row_set: u128,
}

impl GroupChanges {
    /// No changes yet in a group of a class.
    pub fn new(class: &Class, group: usize) -> GroupChanges {
        GroupChanges {
            marks: vec![0; class.group_blocks(group).div_ceil(64)],
            block_bytes: class.block_bytes(),
            row_bytes: class.row_bytes,
            ..GroupChanges::default()
        }
    }

    /// The changes that have these marks and rows, which fit each other.
    pub fn from_parts(marks: Vec<u64>, rows: Vec<u8>, block_bytes: usize, row_bytes: usize) -> GroupChanges {
        let mut changes = GroupChanges { marks, rows, block_bytes, row_bytes, ..GroupChanges::default() };
        changes.finish();
        changes
    }

    /// The blocks of a group that have bits.
    pub fn packed(rows: &[u8], class: &Class, group: usize) -> GroupChanges {
        let mut changes = GroupChanges::new(class, group);
        for (block, rows) in rows.chunks_exact(class.block_bytes()).enumerate() {
            if rows.iter().any(|&byte| byte != 0) {
                changes.push(block, rows);
            }
        }
        changes.finish();
        changes
    }

    /// Adds the rows of the block with this number in the group; numbers must ascend.
    pub fn push(&mut self, block: usize, rows: &[u8]) {
        self.marks[block / 64] |= 1 << (block % 64);
        self.rows.extend_from_slice(&rows[..self.block_bytes]);
    }

    /// Makes a group of so many blocks ready to be added to, when it has been finished before or has nothing.
    pub fn open(&mut self, blocks: usize, block_bytes: usize, row_bytes: usize) {
        self.marks.resize(blocks.div_ceil(64), 0);
        self.rows.truncate(self.rows().len());
        self.ranks.clear();
        self.row_sets.clear();
        (self.block_bytes, self.row_bytes) = (block_bytes, row_bytes);
    }

    /// Makes the group ready to be asked; nothing is to be added afterwards. A group without a change gives its memory back.
    pub fn finish(&mut self) {
        if self.rows.is_empty() {
            *self = GroupChanges::default();
            return;
        }
        let mut before = 0;
        for word in &self.marks {
            self.ranks.push(before);
            before += word.count_ones();
        }
        if self.block_bytes / self.row_bytes >= MANY_ROWS {
            let row_set = |rows: &[u8]| {
                let rows = rows.chunks_exact(self.row_bytes).enumerate();
                let changed = rows.filter(|(_, row)| row.iter().any(|&byte| byte != 0));
                changed.fold(0, |set, (row, _)| set | 1 << row)
            };
            self.row_sets = self.rows.chunks_exact(self.block_bytes).map(row_set).collect();
        }
        self.rows.extend([0; PADDING]);
        self.rows.shrink_to_fit();
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The new bits of a block, if it has any.
    #[inline]
    pub fn get(&self, block: usize) -> Option<Changed<'_>> {
        let word = *self.marks.get(block / 64)?;
        let bit = 1 << (block % 64);
        if word & bit == 0 {
            return None;
        }
        let rank = (self.ranks[block / 64] + (word & (bit - 1)).count_ones()) as usize;
        let rows = &self.rows[rank * self.block_bytes..][..self.block_bytes + PADDING];
        Some(Changed { rows, row_set: self.row_sets.get(rank).copied().unwrap_or(u128::MAX) })
    }

    /// The numbers of the blocks that have changed, ascending, with their bits.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let blocks = self.marks.iter().enumerate().flat_map(|(word, bits)| {
            let bits = *bits;
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word + bit)
        });
        blocks.zip(self.rows().chunks_exact(self.block_bytes.max(1)))
    }

    /// A bit for each block of the group that has changed; nothing if none has.
    pub fn marks(&self) -> &[u64] {
        &self.marks
    }

    /// The bits of the blocks that have changed, one after the other.
    pub fn rows(&self) -> &[u8] {
        &self.rows[..self.rows.len().saturating_sub(PADDING)]
    }

    /// How many blocks have changed.
    pub fn count(&self) -> usize {
        self.marks.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Bytes of the rows and of what tells where they are.
    pub fn bytes(&self) -> usize {
        12 * self.marks.len() + self.rows.len() + size_of_val(&self.row_sets[..])
    }
}

/// How many bits of some rows are set.
pub fn count_bits(rows: &[u8]) -> u64 {
    let words = rows.chunks_exact(8);
    let rest: u64 = words.remainder().iter().map(|byte| u64::from(byte.count_ones())).sum();
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    rest + words.map(|bytes| u64::from(word(bytes).count_ones())).sum::<u64>()
}

/// The new bits of all groups of all classes.
#[derive(Clone, Debug)]
pub struct Changes {
    /// `groups[class][group]`.
    pub groups: Vec<Vec<GroupChanges>>,
}

impl Changes {
    /// No change.
    pub fn none(layout: &Layout) -> Changes {
        let groups = layout.classes.iter().map(|class| vec![GroupChanges::default(); class.groups()]);
        Changes { groups: groups.collect() }
    }

    /// The changes of some groups, in their order.
    pub fn of(layout: &Layout, groups: &[(usize, usize)], found: Vec<GroupChanges>) -> Changes {
        let mut changes = Changes { groups: vec![Vec::new(); layout.classes.len()] };
        for (&(class, group), found) in groups.iter().zip(found) {
            changes.groups[class].resize_with(layout.classes[class].groups(), GroupChanges::default);
            changes.groups[class][group] = found;
        }
        changes
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().flatten().all(GroupChanges::is_empty)
    }

    /// The new bits of a block, if it has any.
    pub fn get(&self, class: &Class, block: Block) -> Option<Changed<'_>> {
        let number = block.placement % class.group * class.sets + block.set;
        self.groups[block.class].get(block.placement / class.group)?.get(number)
    }

    /// Bytes of the rows and of what tells where they are.
    pub fn bytes(&self) -> u64 {
        self.groups.iter().flatten().map(|group| group.bytes() as u64).sum()
    }

    /// How many blocks have changed.
    pub fn count(&self) -> usize {
        self.groups.iter().flatten().map(GroupChanges::count).sum()
    }
}
