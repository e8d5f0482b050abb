//! The encoding of a group's positions by value: for each value that occurs in the group, except draws, the blocks that
//! have it, and their rows.
//!
//! This is the format of tables and rounds, whatever the width of rows in memory. A row takes the bytes that its deals
//! need, the first deal in the lowest bit of the first byte. In tables, a position in no set is a draw.
//!
//! A group is encoded as its sets, one after the other, in the order of plies, wins before losses. All numbers are
//! little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 1 | 0: won by the mover, 1: lost |
//! | 2 | the distance in plies |
//! | 4 | the number of blocks with such positions |
//! | 8 · ⌈blocks of the group ÷ 64⌉ | a bit for each block of the group, set if it has such positions |
//! | such blocks · ⌈rows of a block ÷ 8⌉ | in blocks of 25 rows or more: a bit for each row, set if it has any |
//! | stored rows · bytes of a row | the rows with such positions, block by block; in smaller blocks, all rows |

use crate::known::Worth;
use crate::space::layout::{Class, GroupId};
use crate::space::sets::{GroupValues, is_loss};
use crate::space::sparse::{BlockForm, MANY_ROWS, SparseGroup};
use crate::space::word::Word;
use crate::value::Value;

impl GroupValues {
    /// The positions with a value, without the other sets.
    pub(crate) fn into_positions(self, worth: Worth) -> SparseGroup {
        self.sets.into_iter().find(|set| set.0 == worth).map_or_else(SparseGroup::default, |set| set.1)
    }

    /// Whether no position has two values.
    pub(crate) fn is_disjoint(&self) -> bool {
        let sets: Vec<&SparseGroup> = self.sets.iter().map(|set| &set.1).collect();
        let bits = |set: &SparseGroup| set.blocks().map(|(_, block)| block.count_bits()).sum::<u64>();
        bits(&SparseGroup::default().with(&sets)) == sets.into_iter().map(bits).sum::<u64>()
    }

    /// Bytes of the group in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<GroupValues>()
            + self.sets.iter().map(|set| size_of::<Worth>() + set.1.bytes()).sum::<usize>()
    }

    /// Encodes the group.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes());
        for (worth, positions) in &self.sets {
            let plies = worth.plies().unwrap_or(0);
            bytes.push(u8::from(is_loss(*worth)));
            bytes.extend(u16::try_from(plies).expect("no game has so many rounds").to_le_bytes());
            bytes.extend((positions.count() as u32).to_le_bytes());
            positions.present().iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            let rows = positions.form.rows;
            if rows >= MANY_ROWS {
                let row_sets = positions.blocks().map(|(_, block)| block.row_set);
                row_sets.for_each(|set| bytes.extend(&set.to_le_bytes()[..rows.div_ceil(8)]));
            }
            let pieces = positions.blocks().flat_map(|(_, block)| block.pieces());
            pieces.for_each(|(_, rows)| bytes.extend_from_slice(rows));
        }
        bytes
    }

    /// Decodes a group of a class; `None` if the bytes are not valid.
    pub(crate) fn decode(class: &Class, group: GroupId, mut bytes: &[u8]) -> Option<GroupValues> {
        let mut decoded = GroupValues::default();
        let (blocks, form) = (class.group_blocks(group), BlockForm::of(class));
        let BlockForm { rows, row_bytes } = form;
        while !bytes.is_empty() {
            let &[loss, low, high, ref with_bits @ ..] = bytes.split_off(..7)?.first_chunk::<7>()?;
            let plies = u16::from_le_bytes([low, high]).into();
            let worth = match loss {
                0 => Worth::Exact(Value::Win(plies)),
                1 => Worth::Exact(Value::Lose(plies)),
                _ => return None,
            };
            let with_bits = u32::from_le_bytes(*with_bits) as usize;
            let present = bytes.split_off(..8 * blocks.div_ceil(64))?;
            let present: Vec<u64> = present.chunks_exact(8).map(|word| u64::read(word, 0)).collect();
            let set_bits: usize = present.iter().map(|word| word.count_ones() as usize).sum();
            let (last, before) = present.split_last()?;
            let is_beyond = last & !u64::low(blocks - 64 * before.len()) != 0;
            if with_bits == 0
                || set_bits != with_bits
                || is_beyond
                || decoded.sets.iter().any(|set| set.0 == worth)
            {
                return None;
            }
            let set_bytes = if rows < MANY_ROWS { 0 } else { rows.div_ceil(8) };
            let row_sets = bytes.split_off(..with_bits.checked_mul(set_bytes)?)?;
            let row_sets: Vec<u128> = row_sets.chunks_exact(set_bytes.max(1)).map(row_set).collect();
            if row_sets.iter().any(|&set| set == 0 || set & !u128::low(rows) != 0) {
                return None;
            }
            let kept = match rows {
                0..MANY_ROWS => with_bits * rows,
                _ => row_sets.iter().map(|set| set.count() as usize).sum(),
            };
            let stored = bytes.split_off(..kept.checked_mul(row_bytes)?)?;
            // The bits in the last byte of each row that belong to no deal.
            let padding = if class.width.is_multiple_of(8) { 0 } else { u8::MAX << (class.width % 8) };
            if stored.iter().skip(row_bytes - 1).step_by(row_bytes).any(|byte| byte & padding != 0) {
                return None;
            }
            decoded.push(worth, SparseGroup::from_parts(form, present, &row_sets, stored));
        }
        Some(decoded)
    }
}

/// Decodes a set of row numbers.
fn row_set(bytes: &[u8]) -> u128 {
    bytes.iter().enumerate().fold(0, |set, (index, &byte)| set | u128::from(byte) << (8 * index))
}
