//! The wins of a group in memory, in a fraction of their bytes: equal rows of a block are kept once.
//!
//! A block is kept as its [`Distinct`] rows and, for each row, the number of the one that equals it: a row is found in
//! two steps and needs no decompression.

use super::changes::{BlockForm, Changed, SparseBits};
use super::distinct::{DIFFERENT, Distinct, MAX_ROWS, NO_ROW};
use super::prefetch::prefetch;
use super::source::BlockWins;
use super::word::{PADDING, Word};

/// The numbers of the rows of a block whose rows are all equal.
const EQUAL: [u8; MAX_ROWS] = [0; MAX_ROWS];

/// Bytes of a piece with its padding: room for dozens of blocks, and a size that suits allocators.
const PIECE: usize = 1 << 16;

/// The blocks of a group.
///
/// They lie in pieces of one size, so that the memory that a group gives back serves the next one: groups differ in
/// size, and grow from round to round.
#[derive(Debug, PartialEq, Eq)]
pub struct DistinctRows {
    form: BlockForm,
    /// Where each block starts: [`PIECE`] times the number of its piece, and the byte there.
    starts: Vec<u32>,
    /// The blocks, one after the other: of each the number of its kept rows; unless that is one or all, for each row
    /// the number of the kept row that equals it; and the kept rows. [`PADDING`] ends each piece.
    pieces: Vec<Vec<u8>>,
}

/// A block.
#[derive(Clone, Copy, Debug)]
pub struct DistinctBlock<'a> {
    row_bytes: usize,
    /// For each row, the number of the kept row that equals it.
    numbers: &'a [u8],
    count: usize,
    /// The kept rows, and whatever comes after them.
    kept: &'a [u8],
}

/// Bytes of a block with `count` kept rows.
fn kept_bytes(form: BlockForm, count: usize) -> usize {
    let numbers = if count > 1 && count < form.rows { form.rows } else { 0 };
    1 + numbers + count * form.row_bytes
}

impl DistinctRows {
    /// A group without blocks yet, with room for the starts of `blocks` of them.
    fn with_capacity(form: BlockForm, blocks: usize) -> DistinctRows {
        DistinctRows { form, starts: Vec::with_capacity(blocks), pieces: Vec::new() }
    }

    /// The blocks of a group, from their rows as stored, followed by [`PADDING`].
    pub fn new(form: BlockForm, rows: &[u8]) -> DistinctRows {
        let blocks = (rows.len() - PADDING) / form.block_bytes();
        let mut group = DistinctRows::with_capacity(form, blocks);
        (0..blocks).for_each(|block| group.push_rows(&rows[block * form.block_bytes()..]));
        group.finished()
    }

    /// The blocks of a group without wins.
    pub fn none(form: BlockForm, blocks: usize) -> DistinctRows {
        let mut none = vec![0; 1 + form.row_bytes];
        none[0] = 1;
        let mut group = DistinctRows::with_capacity(form, blocks);
        (0..blocks).for_each(|_| group.push(none.len(), |piece| piece.extend_from_slice(&none)));
        group.finished()
    }

    /// This group with the bits that some rounds have added.
    pub fn with(&self, rounds: &[&SparseBits]) -> DistinctRows {
        let mut group = DistinctRows::with_capacity(self.form, self.starts.len());
        let mut changed = Vec::with_capacity(rounds.len());
        for number in 0..self.starts.len() {
            changed.clear();
            changed.extend(rounds.iter().filter_map(|round| round.get(number)));
            if changed.is_empty() {
                let block = self.bytes_from(number);
                let block = &block[..kept_bytes(self.form, usize::from(block[0]))];
                group.push(block.len(), |piece| piece.extend_from_slice(block));
            } else {
                group.push_changed(&self.block(number), &changed);
            }
        }
        group.finished()
    }

    /// The group that has this [`DistinctRows::content`]; `None` if it is not the content of `blocks` blocks.
    pub fn from_content(form: BlockForm, blocks: usize, content: &[u8]) -> Option<DistinctRows> {
        let mut group = DistinctRows::with_capacity(form, blocks);
        let mut rest = content;
        for _ in 0..blocks {
            let count = usize::from(*rest.first()?);
            if !(1..=form.rows).contains(&count) {
                return None;
            }
            let bytes = kept_bytes(form, count);
            let (block, after) = rest.split_at_checked(bytes)?;
            if block[1..bytes - count * form.row_bytes].iter().any(|&number| usize::from(number) >= count) {
                return None;
            }
            group.push(block.len(), |piece| piece.extend_from_slice(block));
            rest = after;
        }
        rest.is_empty().then(|| group.finished())
    }

    /// The blocks, one after the other, as files have them.
    pub fn content(&self) -> Vec<u8> {
        let pieces = self.pieces.iter().map(|piece| &piece[..piece.len() - PADDING]);
        pieces.collect::<Vec<_>>().concat()
    }

    /// Adds a block of `bytes` bytes, which `append` writes.
    fn push(&mut self, bytes: usize, append: impl FnOnce(&mut Vec<u8>)) {
        if self.pieces.last().is_none_or(|piece| piece.len() + bytes + PADDING > PIECE) {
            if let Some(full) = self.pieces.last_mut() {
                full.extend([0; PADDING]);
            }
            self.pieces.push(Vec::with_capacity(PIECE));
        }
        let number = self.pieces.len() - 1;
        let piece = &mut self.pieces[number];
        self.starts.push((number * PIECE + piece.len()) as u32);
        append(piece);
    }

    /// Completes a group that has all its blocks.
    fn finished(mut self) -> DistinctRows {
        if let Some(last) = self.pieces.last_mut() {
            last.extend([0; PADDING]);
            // A copy of the exact size: shrinking in place would leave a gap that no piece fits into.
            *last = last.clone();
        }
        self
    }

    /// Adds a block by its rows, which [`PADDING`] or other blocks follow.
    fn push_rows(&mut self, rows: &[u8]) {
        let row_bytes = self.form.row_bytes;
        let mask = u128::low(8 * row_bytes);
        self.push_block(|row, distinct| distinct.number(u128::read(rows, row * row_bytes) & mask));
    }

    /// Adds a block to which some rounds have added bits.
    fn push_changed(&mut self, before: &DistinctBlock<'_>, rounds: &[Changed<'_>]) {
        let mask = u128::low(8 * self.form.row_bytes);
        let changed = rounds.iter().fold(0, |rows, round| rows | round.row_set);
        let kept = |place: usize| u128::read(before.kept, place * before.row_bytes) & mask;
        // The new numbers of those kept rows that an unchanged row equals.
        let mut renumbered = [NO_ROW; MAX_ROWS];
        self.push_block(|row, distinct| {
            let place = before.place(row);
            if changed >> row & 1 == 1 {
                return distinct.number(rounds.iter().fold(kept(place), |word, round| word | round.word(row)));
            }
            if renumbered[place] == NO_ROW {
                renumbered[place] = distinct.number(kept(place));
            }
            renumbered[place]
        });
    }

    /// Adds a block; `number` adds each row to the distinct ones and returns its number there.
    fn push_block(&mut self, mut number: impl FnMut(usize, &mut Distinct) -> u8) {
        let BlockForm { rows, row_bytes } = self.form;
        let (mut numbers, mut distinct) = ([0; MAX_ROWS], Distinct::none());
        let numbers = &mut numbers[..rows];
        numbers.iter_mut().enumerate().for_each(|(row, of_row)| *of_row = number(row, &mut distinct));
        let count = distinct.count();
        let (count, kept, numbers) = match count {
            _ if rows + count * row_bytes >= self.form.block_bytes() => (rows, &*numbers, &[][..]),
            1 => (1, &DIFFERENT[..1], &[][..]),
            _ => (count, &DIFFERENT[..count], &*numbers),
        };
        self.push(1 + numbers.len() + kept.len() * row_bytes, |piece| {
            piece.push(count as u8);
            piece.extend_from_slice(numbers);
            distinct.append(kept, row_bytes, piece);
        });
    }

    /// Prefetches a block that [`DistinctRows::block`] will soon be asked for.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        let start = self.starts[number] as usize;
        let end = self.starts.get(number + 1).map_or(start, |&end| end as usize);
        let piece = start / PIECE;
        prefetch(&self.pieces[piece], start % PIECE..end - piece * PIECE);
    }

    /// The bytes of a block, and whatever comes after them.
    #[inline]
    fn bytes_from(&self, number: usize) -> &[u8] {
        let start = self.starts[number] as usize;
        &self.pieces[start / PIECE][start % PIECE..]
    }

    /// A block, by its number in the group.
    #[inline]
    pub fn block(&self, number: usize) -> DistinctBlock<'_> {
        let BlockForm { rows, row_bytes } = self.form;
        let block = self.bytes_from(number);
        let (count, rest) = (usize::from(block[0]), &block[1..]);
        let (numbers, kept) = match count {
            _ if count == rows => (&DIFFERENT[..], rest),
            1 => (&EQUAL[..], rest),
            _ => rest.split_at(rows),
        };
        DistinctBlock { row_bytes, numbers, count, kept }
    }

    /// All rows as stored, followed by [`PADDING`].
    pub fn stored(&self) -> Vec<u8> {
        let block_bytes = self.form.block_bytes();
        let mut rows = vec![0; self.starts.len() * block_bytes + PADDING];
        for number in 0..self.starts.len() {
            self.block(number).write(self.form.rows, &mut rows[number * block_bytes..]);
        }
        rows
    }

    /// Bytes of the blocks and their index.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(Vec::capacity).sum::<usize>() + size_of_val(&self.starts[..])
    }
}

impl DistinctBlock<'_> {
    /// Whether a bit of a row is set.
    pub fn has(&self, row: usize, bit: usize) -> bool {
        self.kept[self.place(row) * self.row_bytes + bit / 8] >> (bit % 8) & 1 == 1
    }

    /// Writes all rows as stored, and up to [`PADDING`] meaningless bytes after them.
    #[inline]
    fn write(&self, count: usize, rows: &mut [u8]) {
        for row in 0..count {
            // What a word writes after its row is overwritten by the next.
            let word = u128::read(self.kept, self.place(row) * self.row_bytes);
            rows[row * self.row_bytes..][..size_of::<u128>()].copy_from_slice(&word.to_le_bytes());
        }
    }
}

impl BlockWins for DistinctBlock<'_> {
    #[inline]
    fn place(&self, row: usize) -> usize {
        usize::from(self.numbers[row])
    }

    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn kept(&self) -> &[u8] {
        self.kept
    }

    fn whole<'b>(&'b self, form: BlockForm, room: &'b mut Vec<u8>) -> &'b [u8] {
        room.resize(room.len().max(form.block_bytes() + PADDING), 0);
        self.write(form.rows, room);
        &room[..form.block_bytes()]
    }
}
