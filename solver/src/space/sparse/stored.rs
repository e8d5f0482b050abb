//! The set bits of a group as they are in files, and sums over rounds.
//!
//! Snapshots store all wins of a group as its [`content`](SparseGroup::content), block by block. First comes the number
//! of stored rows: the different ones, or all rows if these take no more bytes than the different ones and a byte for
//! each row. Unless one row or all are stored, the next bytes say for each row which stored one equals it. The stored
//! rows come last.

use super::{BlockBits, BlockForm, MANY_ROWS, SparseGroup, word};
use crate::space::distinct::Distinct;
use crate::space::word::Word;

impl SparseGroup {
    /// The group from its parts, which must fit each other: which blocks have bits, the set of rows with bits of
    /// each of them (no sets for small blocks, which have all rows), and the bytes of these rows.
    pub(crate) fn from_parts(
        form: BlockForm,
        present: Vec<u64>,
        row_sets: &[u128],
        rows: &[u8],
    ) -> SparseGroup {
        let mut group = SparseGroup { present, form, ..SparseGroup::default() };
        if form.rows < MANY_ROWS {
            group.bytes.extend_from_slice(rows);
        }
        let mut words = (0..rows.len() / form.row_bytes).map(|row| word(rows, row, form.row_bytes));
        row_sets.iter().for_each(|&set| group.push_rows(set, words.by_ref().take(set.count() as usize)));
        group.finished()
    }

    /// These bits and those that some rounds have added.
    pub(crate) fn with(&self, rounds: &[&SparseGroup]) -> SparseGroup {
        let all = || std::iter::once(self).chain(rounds.iter().copied()).filter(|bits| !bits.is_empty());
        let Some(first) = all().next() else { return SparseGroup::default() };
        let mut sum =
            SparseGroup { present: vec![0; first.present.len()], form: first.form, ..SparseGroup::default() };
        let mut rows = vec![0; sum.form.block_bytes()];
        for word in 0..first.present.len() {
            let present = all().fold(0, |present, bits| present | bits.present[word]);
            for block in present.bits().map(|bit| 64 * word + bit) {
                let mut with_block = all().filter(|bits| bits.ordinal(block).is_some());
                if let (Some(only), None) = (with_block.next(), with_block.next()) {
                    sum.copy(block, only);
                    continue;
                }
                rows.fill(0);
                for (start, bits) in all().filter_map(|bits| bits.get(block)).flat_map(BlockBits::pieces) {
                    rows[start..].iter_mut().zip(bits).for_each(|(row, bits)| *row |= bits);
                }
                sum.push(block, &rows);
            }
        }
        sum.finished()
    }

    /// Adds a block of another group of the same class.
    fn copy(&mut self, block: usize, from: &SparseGroup) {
        self.present[block / 64] |= 1 << (block % 64);
        if self.form.rows >= MANY_ROWS {
            self.starts.push(self.bytes.len() as u32);
        }
        self.bytes.extend_from_slice(&from.bytes[from.range(block)]);
    }

    /// All rows of the `blocks` blocks of the group, as snapshots have them.
    pub(crate) fn content(&self, form: BlockForm, blocks: usize) -> Vec<u8> {
        let BlockForm { rows, row_bytes } = form;
        let mut content = Vec::with_capacity(self.bytes.len() + blocks * (1 + row_bytes));
        for block in (0..blocks).map(|block| self.get(block)) {
            let mut distinct = Distinct::none();
            let word = |row| block.map_or(0, |block| block.word(row));
            let numbers: Vec<u8> = (0..rows).map(|row| distinct.number(word(row))).collect();
            let count = distinct.count();
            if rows + count * row_bytes >= form.block_bytes() {
                content.push(rows as u8);
                distinct.append(numbers, row_bytes, &mut content);
                continue;
            }
            content.push(count as u8);
            if count > 1 {
                content.extend(numbers);
            }
            distinct.append(0..count as u8, row_bytes, &mut content);
        }
        content
    }

    /// The bits of a group that has this [`SparseGroup::content`]; `None` if it is not the content of `blocks`
    /// blocks.
    pub(crate) fn from_content(form: BlockForm, blocks: usize, content: &[u8]) -> Option<SparseGroup> {
        let BlockForm { rows, row_bytes } = form;
        let mut bits = SparseGroup { present: vec![0; blocks.div_ceil(64)], form, ..SparseGroup::default() };
        let (mut stored, mut rest) = (Vec::with_capacity(form.block_bytes()), content);
        for block in 0..blocks {
            let count = usize::from(*rest.split_off_first()?);
            let numbers = rest.split_off(..if count > 1 && count < rows { rows } else { 0 })?;
            let kept = rest.split_off(..count * row_bytes)?;
            if !(1..=rows).contains(&count) || numbers.iter().any(|&number| usize::from(number) >= count) {
                return None;
            }
            stored.clear();
            match count {
                _ if count == rows => stored.extend_from_slice(kept),
                1 => (0..rows).for_each(|_| stored.extend_from_slice(kept)),
                _ => numbers
                    .iter()
                    .for_each(|&row| stored.extend(&kept[usize::from(row) * row_bytes..][..row_bytes])),
            }
            if kept.iter().any(|&byte| byte != 0) {
                bits.push(block, &stored);
            }
        }
        rest.is_empty().then(|| bits.finished())
    }
}
