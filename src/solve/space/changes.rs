//! What a round adds: the new bits of some blocks, packed, with fast look-up.
//!
//! Each group has one bit for each of its blocks, set where the block has new bits; the number of set bits before a
//! block says where its rows lie among the kept ones. Of blocks with many rows, only rows with new bits are kept: late
//! rounds change a few bits in most blocks.

use super::index::Place;
use super::layout::{Block, Class, Layout};
use super::word::{PADDING, Word};

/// The new bits of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseBits {
    /// A bit for each block of the group.
    marks: Vec<u64>,
    /// The number of bits that are set before each word.
    ranks: Vec<u32>,
    /// The kept rows, and [`PADDING`].
    rows: Vec<u8>,
    /// The rows of each changed block that are kept; empty where all are.
    row_sets: Vec<u128>,
    /// The number of rows kept before the first of each of these.
    starts: Vec<u32>,
    form: Form,
}

/// Blocks with fewer rows are kept whole.
pub const MANY_ROWS: usize = 25;

/// The dimensions of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The number of rows.
    pub rows: usize,
    /// Bytes of each row.
    pub row_bytes: usize,
}

impl Form {
    /// The form of a class's blocks.
    pub fn of(class: &Class) -> Form {
        Form { rows: class.rows, row_bytes: class.row_bytes }
    }

    /// Bytes of all rows.
    pub fn block_bytes(self) -> usize {
        self.rows * self.row_bytes
    }
}

/// The new bits of a block.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    /// The kept rows, and whatever comes after them.
    rows: &'a [u8],
    /// The numbers of the kept rows: all rows with new bits, or all rows of a small block.
    pub row_set: u128,
    form: Form,
}

impl<'a> Changed<'a> {
    /// Whether all rows are kept.
    pub fn is_whole(&self) -> bool {
        self.row_set == u128::low(self.form.rows)
    }

    /// The kept rows, one after the other, and at least [`PADDING`] meaningless bytes.
    pub fn padded(&self) -> &'a [u8] {
        self.rows
    }

    /// The place of a kept row among the kept ones.
    #[inline]
    pub fn place(&self, row: usize) -> usize {
        (self.row_set & u128::low(row)).count() as usize
    }

    /// The kept rows, one after the other.
    pub fn kept(&self) -> &'a [u8] {
        &self.rows[..self.row_set.count() as usize * self.form.row_bytes]
    }

    /// The kept rows, ascending, with their numbers.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &'a [u8])> {
        self.row_set.bits().zip(self.kept().chunks_exact(self.form.row_bytes))
    }

    /// The kept rows, as pieces of the block: the byte offset of each, ascending, and its bytes.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, &'a [u8])> {
        let row_bytes = self.form.row_bytes;
        let (whole, row_set) = if self.is_whole() { (Some((0, self.kept())), 0) } else { (None, self.row_set) };
        let rows = row_set.bits().zip(self.rows.chunks_exact(row_bytes));
        whole.into_iter().chain(rows.map(move |(row, bytes)| (row * row_bytes, bytes)))
    }

    /// A kept row.
    fn row(&self, row: usize) -> &'a [u8] {
        &self.rows[self.place(row) * self.form.row_bytes..][..self.form.row_bytes]
    }

    /// Whether a bit of a row is new.
    pub fn has(&self, row: usize, bit: usize) -> bool {
        self.row_set >> row & 1 == 1 && self.row(row)[bit / 8] >> (bit % 8) & 1 == 1
    }

    /// Whether some bit is new in both.
    fn overlaps(&self, other: &Changed) -> bool {
        let mut both = (self.row_set & other.row_set).bits();
        both.any(|row| self.row(row).iter().zip(other.row(row)).any(|(one, other)| one & other != 0))
    }

    /// Calls `show` with all rows of the block, followed by meaningless bytes. Blocks that are not kept whole are put
    /// together in `room`, which may have any length and is all zero before and after.
    #[inline]
    pub fn show<R>(&self, room: &mut Vec<u8>, show: impl FnOnce(&[u8]) -> R) -> R {
        if self.is_whole() {
            return show(self.rows);
        }
        let row_bytes = self.form.row_bytes;
        room.resize(room.len().max(self.form.block_bytes() + PADDING), 0);
        // A word that is longer than its row writes zeros where the next rows go.
        let mut put = |row: usize, word: u128| {
            room[row * row_bytes..][..size_of::<u128>()].copy_from_slice(&word.to_le_bytes());
        };
        let mask = u128::low(8 * row_bytes);
        for (place, row) in self.row_set.bits().enumerate() {
            put(row, u128::read(self.rows, place * row_bytes) & mask);
        }
        let result = show(room);
        let mut put = |row: usize| room[row * row_bytes..][..size_of::<u128>()].fill(0);
        self.row_set.bits().for_each(&mut put);
        result
    }
}

impl SparseBits {
    /// An empty set of changes for a group of a class.
    pub fn new(class: &Class, group: usize) -> SparseBits {
        let marks = vec![0; class.group_blocks(group).div_ceil(64)];
        SparseBits { marks, form: Form::of(class), ..SparseBits::default() }
    }

    /// Changes with these marks, kept rows of each marked block (empty if all are kept) and rows, which must fit each
    /// other.
    pub fn from_parts(form: Form, marks: Vec<u64>, row_sets: Vec<u128>, rows: Vec<u8>) -> SparseBits {
        let mut starts = Vec::with_capacity(row_sets.len());
        let mut before = 0;
        for set in &row_sets {
            starts.push(before);
            before += set.count();
        }
        let mut changes = SparseBits { marks, rows, row_sets, starts, form, ..SparseBits::default() };
        changes.finish();
        changes
    }

    /// The blocks of a group that have set bits.
    pub fn packed(rows: &[u8], class: &Class, group: usize) -> SparseBits {
        let mut changes = SparseBits::new(class, group);
        for (block, rows) in rows.chunks_exact(class.block_bytes()).enumerate() {
            if rows.iter().any(|&byte| byte != 0) {
                changes.push(block, rows);
            }
        }
        changes.finish();
        changes
    }

    /// Adds the rows of a block, some bit of which is set, by its number in the group; numbers must ascend.
    pub fn push(&mut self, block: usize, rows: &[u8]) {
        self.marks[block / 64] |= 1 << (block % 64);
        let row_bytes = self.form.row_bytes;
        if self.form.rows < MANY_ROWS {
            self.rows.extend_from_slice(&rows[..self.form.block_bytes()]);
            return;
        }
        self.starts.push((self.rows.len() / row_bytes) as u32);
        let mask = u128::low(8 * row_bytes);
        let mut row_set = 0;
        for row in 0..self.form.rows {
            let rest = &rows[row * row_bytes..];
            let word = match rest.first_chunk() {
                Some(word) => u128::from_le_bytes(*word) & mask,
                None => rest[..row_bytes].iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)),
            };
            if word != 0 {
                row_set |= 1 << row;
                // Copying as many bytes each time is faster than copying as many as there are.
                let end = self.rows.len() + row_bytes;
                self.rows.extend_from_slice(&word.to_le_bytes());
                self.rows.truncate(end);
            }
        }
        self.row_sets.push(row_set);
    }

    /// Completes the group for look-ups; nothing may be added afterwards. A group without changes frees its memory.
    pub fn finish(&mut self) {
        if self.rows.is_empty() {
            *self = SparseBits::default();
            return;
        }
        let mut before = 0;
        for word in &self.marks {
            self.ranks.push(before);
            before += word.count_ones();
        }
        self.rows.extend([0; PADDING]);
        self.rows.shrink_to_fit();
        self.row_sets.shrink_to_fit();
        self.starts.shrink_to_fit();
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
        Some(self.nth((self.ranks[block / 64] + (word & (bit - 1)).count_ones()) as usize))
    }

    /// The new bits of a changed block, by its ordinal among these.
    #[inline]
    fn nth(&self, place: usize) -> Changed<'_> {
        let form = self.form;
        let (row_set, before) = match self.row_sets.get(place) {
            Some(&row_set) => (row_set, self.starts[place] as usize),
            None => (u128::low(form.rows), place * form.rows),
        };
        Changed { rows: &self.rows[before * form.row_bytes..], row_set, form }
    }

    /// The changed blocks in ascending order: number and new bits.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, Changed<'_>)> {
        let words = self.marks.iter().enumerate();
        let blocks = words.flat_map(|(word, bits)| bits.bits().map(move |bit| 64 * word + bit));
        blocks.zip((0..).map(|place| self.nth(place)))
    }

    /// Whether some bit is new in both.
    pub fn overlaps(&self, other: &SparseBits) -> bool {
        let mut blocks = other.blocks();
        !self.is_empty() && blocks.any(|(number, changed)| self.get(number).is_some_and(|here| here.overlaps(&changed)))
    }

    /// A bit for each block of the group, set if it has changed; empty if none has.
    pub fn marks(&self) -> &[u64] {
        &self.marks
    }

    /// The rows of each changed block that are kept; empty where all are.
    pub fn row_sets(&self) -> &[u128] {
        &self.row_sets
    }

    /// The kept rows of the changed blocks, one after the other.
    pub fn kept(&self) -> &[u8] {
        &self.rows[..self.rows.len().saturating_sub(PADDING)]
    }

    /// The number of changed blocks.
    pub fn count(&self) -> usize {
        self.marks.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Bytes of the rows and their index.
    pub fn bytes(&self) -> usize {
        12 * self.marks.len() + self.rows.len() + size_of_val(&self.row_sets[..]) + size_of_val(&self.starts[..])
    }
}

/// The number of set bits in some rows.
pub fn count_bits(rows: &[u8]) -> u64 {
    let words = rows.chunks_exact(8);
    let rest: u64 = words.remainder().iter().map(|byte| u64::from(byte.count_ones())).sum();
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    rest + words.map(|bytes| u64::from(word(bytes).count_ones())).sum::<u64>()
}

/// The new bits of all groups of all classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// `groups[class][group]`.
    pub groups: Vec<Vec<SparseBits>>,
}

impl Changes {
    /// No change.
    pub fn none(layout: &Layout) -> Changes {
        let groups = layout.classes.iter().map(|class| vec![SparseBits::default(); class.groups()]);
        Changes { groups: groups.collect() }
    }

    /// The changes of some groups, in their order.
    pub fn of(layout: &Layout, groups: &[(usize, usize)], found: Vec<SparseBits>) -> Changes {
        let mut changes = Changes { groups: vec![Vec::new(); layout.classes.len()] };
        for (&(class, group), found) in groups.iter().zip(found) {
            changes.groups[class].resize_with(layout.classes[class].groups(), SparseBits::default);
            changes.groups[class][group] = found;
        }
        changes
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().flatten().all(SparseBits::is_empty)
    }

    /// The new bits of a block, if it has any.
    pub fn get(&self, class: &Class, block: Block) -> Option<Changed<'_>> {
        self.groups[block.class].get(class.group_of(block))?.get(class.number_in_group(block))
    }

    /// The first new bit, by class, block, row and bit.
    pub fn first(&self, layout: &Layout) -> Option<Place> {
        self.groups.iter().enumerate().find_map(|(class, groups)| {
            let at = &layout.classes[class];
            groups.iter().enumerate().find_map(|(group, changes)| {
                let (number, changed) = changes.blocks().next()?;
                Place::first_of(layout, class, group * at.group * at.sets + number, changed.rows())
            })
        })
    }

    /// Bytes of the rows and their index.
    pub fn bytes(&self) -> u64 {
        self.groups.iter().flatten().map(|group| group.bytes() as u64).sum()
    }

    /// The number of changed blocks.
    pub fn count(&self) -> usize {
        self.groups.iter().flatten().map(SparseBits::count).sum()
    }
}
