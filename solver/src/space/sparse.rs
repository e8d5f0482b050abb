//! Sparse sets of positions as bits, group by group: the results of a round, or all wins.
//!
//! Each group has a bit for each of its blocks, set where the block has bits; the number of such blocks before a block
//! is the index of its rows among the stored ones. Of a block with many rows, only the rows with bits are stored, and
//! equal ones only once: most blocks that a late round changes gain just a few bits, and few rows of the wins differ.

#[cfg(feature = "tables")]
mod stored;

use std::ops::Range;

use super::distinct::{Distinct, MAX_ROWS};
use super::index::BitAddress;
use super::layout::{Class, GroupId, Layout};
use super::prefetch::prefetch;
use super::word::{PADDING, Word};

/// The set bits of a group, packed for fast queries: those that a round adds, or all wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SparseGroup {
    /// A bit for each block of the group, set if the block has bits.
    present: Vec<u64>,
    /// The number of blocks with bits before each word.
    present_before: Vec<u32>,
    /// The blocks with bits, and [`PADDING`]. A small block has all its rows. A block with many rows has the set of
    /// those with bits, for each of these the number of the kept row that equals it, and the kept rows, which are all
    /// different. All this is contiguous, because queries jump all over memory.
    bytes: Vec<u8>,
    /// The start in `bytes` of each block with many rows, and the end of the last one.
    starts: Vec<u32>,
    /// The dimensions of its blocks.
    pub form: BlockForm,
}

/// Bytes of a set of rows.
const SET_BYTES: usize = size_of::<u128>();

/// Blocks with fewer rows are stored whole.
pub(crate) const MANY_ROWS: usize = 25;

/// The dimensions of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockForm {
    /// The number of rows.
    pub rows: usize,
    /// Bytes of each row.
    pub row_bytes: usize,
}

impl BlockForm {
    /// The form of a class's blocks.
    pub(crate) fn of(class: &Class) -> BlockForm {
        BlockForm { rows: class.rows, row_bytes: class.row_bytes }
    }

    /// Bytes of all rows.
    pub(crate) fn block_bytes(self) -> usize {
        self.rows * self.row_bytes
    }
}

/// The set bits of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockBits<'a> {
    /// The kept rows, and the bytes after them.
    rows: &'a [u8],
    /// For each row with bits, the number of the kept row that equals it; empty if the block is stored whole.
    kept_row_of: &'a [u8],
    /// The numbers of the rows with bits, or of all rows if the block is stored whole.
    pub row_set: u128,
    form: BlockForm,
}

impl<'a> BlockBits<'a> {
    /// All rows of a block of a class; `rows` extends beyond them, as [`PADDING`] says.
    #[inline]
    pub(crate) fn all_rows(class: &Class, rows: &'a [u8]) -> BlockBits<'a> {
        BlockBits { rows, kept_row_of: &[], row_set: u128::low(class.rows), form: BlockForm::of(class) }
    }

    /// The number of kept rows.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.kept_row_of.iter().max().map_or(self.form.rows, |&last| usize::from(last) + 1)
    }

    /// The index of a row among the kept ones; `None` only if it has no bits.
    #[inline]
    pub(crate) fn kept_index(&self, row: usize) -> Option<usize> {
        if self.has_all_rows() {
            return Some(row);
        }
        (self.row_set >> row & 1 == 1).then(|| self.kept_index_of_nth(self.ordinal(row)))
    }

    /// Whether the block is stored whole, as every small block is.
    #[inline]
    pub(crate) fn has_all_rows(&self) -> bool {
        self.kept_row_of.is_empty()
    }

    /// The kept rows, and at least [`PADDING`] meaningless bytes.
    #[inline]
    pub(crate) fn kept(&self) -> &'a [u8] {
        self.rows
    }

    /// The index, among the kept rows, of the row with this ordinal in the set of rows.
    #[inline]
    pub(crate) fn kept_index_of_nth(&self, ordinal: usize) -> usize {
        self.kept_row_of.get(ordinal).map_or(ordinal, |&row| usize::from(row))
    }

    /// The ordinal of a row in the set of rows.
    #[inline]
    pub(crate) fn ordinal(&self, row: usize) -> usize {
        (self.row_set & u128::low(row)).count() as usize
    }

    /// A kept row, by its index.
    #[inline]
    pub(crate) fn kept_row<W: Word>(&self, index: usize) -> W {
        W::read(self.rows, index * self.form.row_bytes) & W::low(8 * self.form.row_bytes)
    }

    /// The set bits of a row.
    #[inline]
    pub(crate) fn word<W: Word>(&self, row: usize) -> W {
        self.kept_index(row).map_or(W::ZERO, |index| self.kept_row(index))
    }

    /// The set bits as pieces of the block: the byte offset of each, ascending, and its bytes.
    #[inline]
    pub(crate) fn pieces(self) -> impl Iterator<Item = (usize, &'a [u8])> {
        let BlockForm { row_bytes, .. } = self.form;
        let whole = (1, self.form.block_bytes());
        let (rows, bytes) = if self.has_all_rows() { whole } else { (self.row_set, row_bytes) };
        rows.bits().enumerate().map(move |(ordinal, row)| {
            let start = self.kept_index_of_nth(ordinal) * row_bytes;
            (row * row_bytes, &self.rows[start..][..bytes])
        })
    }

    /// The number of set bits.
    pub(crate) fn count_bits(&self) -> u64 {
        self.pieces().map(|(_, bytes)| count_bits(bytes)).sum()
    }

    /// Whether a bit of a row is set.
    fn has(&self, row: usize, bit: usize) -> bool {
        self.word::<u128>(row) >> bit & 1 == 1
    }

    /// All rows of the block.
    #[cfg(test)]
    pub(crate) fn whole(&self) -> Vec<u8> {
        let mut rows = vec![0; self.form.block_bytes()];
        self.pieces().for_each(|(start, bytes)| rows[start..][..bytes.len()].copy_from_slice(bytes));
        rows
    }
}

impl SparseGroup {
    /// A group of a class, without set bits.
    pub(crate) fn new(class: &Class, group: GroupId) -> SparseGroup {
        let present = vec![0; class.group_blocks(group).div_ceil(64)];
        SparseGroup { present, form: BlockForm::of(class), ..SparseGroup::default() }
    }

    /// Packs those blocks of a group that have set bits.
    pub(crate) fn packed(rows: &[u8], class: &Class, group: GroupId) -> SparseGroup {
        let mut bits = SparseGroup::new(class, group);
        for (block, rows) in rows.chunks_exact(class.block_bytes()).enumerate() {
            if rows.iter().any(|&byte| byte != 0) {
                bits.push(block, rows);
            }
        }
        bits.finished()
    }

    /// Adds the rows of a block that has bits. Blocks must be added in the order of their numbers in the group.
    pub(crate) fn push(&mut self, block: usize, rows: &[u8]) {
        self.present[block / 64] |= 1 << (block % 64);
        if self.form.rows < MANY_ROWS {
            self.bytes.extend_from_slice(&rows[..self.form.block_bytes()]);
            return;
        }
        let (mut row_set, mut words) = (0, [0; MAX_ROWS]);
        let mut count = 0;
        for row in 0..self.form.rows {
            let word = word(rows, row, self.form.row_bytes);
            words[count] = word;
            count += usize::from(word != 0);
            row_set |= u128::from(word != 0) << row;
        }
        self.push_rows(row_set, words[..count].iter().copied());
    }

    /// Adds a block with many rows, given those of its rows that have bits.
    fn push_rows(&mut self, row_set: u128, words: impl Iterator<Item = u128>) {
        self.starts.push(self.bytes.len() as u32);
        self.bytes.extend_from_slice(&row_set.to_le_bytes());
        let mut distinct = Distinct::none();
        self.bytes.extend(words.map(|word| distinct.number(word)));
        distinct.append(0..distinct.count() as u8, self.form.row_bytes, &mut self.bytes);
    }

    /// The group, ready for queries: nothing more may be added. A group without bits allocates nothing.
    #[must_use]
    pub(crate) fn finished(mut self) -> SparseGroup {
        if self.bytes.is_empty() {
            return SparseGroup::default();
        }
        let mut before = 0;
        for word in &self.present {
            self.present_before.push(before);
            before += word.count_ones();
        }
        if self.form.rows >= MANY_ROWS {
            self.starts.push(self.bytes.len() as u32);
        }
        self.bytes.extend([0; PADDING]);
        // Copy: shrinking in place would leave a gap that fits few other groups.
        self.bytes = self.bytes.as_slice().into();
        self.starts = self.starts.as_slice().into();
        self
    }

    /// Whether no bit is set.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The set bits of a block, if it has any.
    #[inline]
    pub(crate) fn get(&self, block: usize) -> Option<BlockBits<'_>> {
        self.ordinal(block).map(|index| self.nth(index))
    }

    /// Whether a bit of this group is set; the group is of `class`.
    pub(crate) fn has(&self, class: &Class, address: BitAddress) -> bool {
        self.get(class.number_in_group(address.block))
            .is_some_and(|block| block.has(address.row, address.bit))
    }

    /// The range of a block's bytes; empty if it has no bits.
    #[inline]
    pub(crate) fn range(&self, block: usize) -> Range<usize> {
        self.ordinal(block).map_or(0..0, |index| self.start(index)..self.start(index + 1))
    }

    /// The start in `bytes` of a block with bits, by its ordinal.
    #[inline]
    fn start(&self, index: usize) -> usize {
        self.starts.get(index).map_or(index * self.form.block_bytes(), |&start| start as usize)
    }

    /// Prefetches a block that [`SparseGroup::get`] will soon read. Returns whether it has bits.
    #[inline]
    pub(crate) fn prefetch(&self, block: usize) -> bool {
        let range = self.range(block);
        prefetch(&self.bytes, range.clone());
        !range.is_empty()
    }

    /// The ordinal of a block among those with bits, if it is one of them.
    #[inline]
    fn ordinal(&self, block: usize) -> Option<usize> {
        let word = *self.present.get(block / 64)?;
        let bit = 1 << (block % 64);
        (word & bit != 0)
            .then(|| (self.present_before[block / 64] + (word & (bit - 1)).count_ones()) as usize)
    }

    /// The set bits of a block with bits, by its ordinal among these.
    #[inline]
    fn nth(&self, index: usize) -> BlockBits<'_> {
        let (form, rows) = (self.form, &self.bytes[self.start(index)..]);
        if form.rows < MANY_ROWS {
            return BlockBits { rows, kept_row_of: &[], row_set: u128::low(form.rows), form };
        }
        let row_set = u128::read(rows, 0);
        let (kept_row_of, rows) = rows[SET_BYTES..].split_at(row_set.count() as usize);
        BlockBits { rows, kept_row_of, row_set, form }
    }

    /// The number and the set bits of each block with bits, in ascending order.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (usize, BlockBits<'_>)> {
        let words = self.present.iter().enumerate();
        let blocks = words.flat_map(|(word, bits)| bits.bits().map(move |bit| 64 * word + bit));
        blocks.zip((0..).map(|index| self.nth(index)))
    }

    /// The first set bit in the order of block, row and bit; `group` is the number of this group.
    pub(crate) fn first(&self, layout: &Layout, group: GroupId) -> Option<BitAddress> {
        let (number, bits) = self.blocks().next()?;
        let block = layout[group.class].block(group, number);
        (0..self.form.rows).find_map(|row| {
            let word: u128 = bits.word(row);
            (word != 0).then(|| BitAddress { block, row, bit: word.first() })
        })
    }

    /// A bit for each block of the group, set if the block has bits; empty if none has.
    pub(crate) fn present(&self) -> &[u64] {
        &self.present
    }

    /// The number of blocks with bits.
    pub(crate) fn count(&self) -> usize {
        self.present.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Bytes of memory; even an empty group takes some.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<SparseGroup>() + 12 * self.present.len() + self.bytes.len() + size_of_val(&self.starts[..])
    }
}

/// A row; each has `row_bytes` bytes.
fn word(rows: &[u8], row: usize, row_bytes: usize) -> u128 {
    let rest = &rows[row * row_bytes..];
    match rest.first_chunk() {
        Some(word) => u128::from_le_bytes(*word) & u128::low(8 * row_bytes),
        None => rest[..row_bytes].iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)),
    }
}

/// The number of set bits in some rows.
pub(crate) fn count_bits(rows: &[u8]) -> u64 {
    let words = rows.chunks_exact(8);
    let rest: u64 = words.remainder().iter().map(|byte| u64::from(byte.count_ones())).sum();
    rest + words.map(|bytes| u64::from(u64::read(bytes, 0).count_ones())).sum::<u64>()
}

/// The set bits of all groups of all classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SparseSet {
    /// The groups of each class; a class without groups here has no bits.
    pub groups: Vec<Vec<SparseGroup>>,
}

impl SparseSet {
    /// The bits of some groups.
    pub(crate) fn of(layout: &Layout, found: impl IntoIterator<Item = (GroupId, SparseGroup)>) -> SparseSet {
        let mut set = SparseSet { groups: vec![Vec::new(); layout.classes.len()] };
        for (group, found) in found {
            let of_class = &mut set.groups[group.class.0];
            of_class.resize_with(layout[group.class].groups(), SparseGroup::default);
            of_class[group.number] = found;
        }
        set
    }

    /// The bits of a group, if its class has any.
    #[inline]
    pub(crate) fn group(&self, group: GroupId) -> Option<&SparseGroup> {
        self.groups[group.class.0].get(group.number)
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.groups.iter().flatten().map(|group| group.bytes() as u64).sum()
    }
}
