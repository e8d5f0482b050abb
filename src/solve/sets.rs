//! The positions of a group by value, as bytes: for each value that occurs in the group the blocks that have it, and their rows.
//!
//! So tables keep them, whatever the width of rows in memory. A row takes the bytes that its deals need, the first deal in the lowest
//! bit of the first byte. What is in no set is a draw.
//!
//! As bytes a group is its sets, one after the other, all numbers with the least byte first:
//!
//! | bytes | |
//! |---|---|
//! | 1 | 0: won by the mover, 1: lost |
//! | 2 | in how many plies |
//! | 4 | how many blocks have such positions |
//! | 8 · ⌈blocks of the group ÷ 64⌉ | a bit for each block of the group: whether it has |
//! | blocks that have · rows of a block · bytes of a row | their rows, block by block |

use super::layout::Class;
use super::word::Word;
use crate::retrograde::Value;

/// Sizes on which the bytes of a group depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    blocks: usize,
    /// Blocks of a placement.
    sets: usize,
    /// Rows of a block.
    rows: usize,
    /// Bits of a row.
    width: usize,
}

impl Form {
    fn row_bytes(&self) -> usize {
        self.width.div_ceil(8)
    }

    fn block_bytes(&self) -> usize {
        self.rows * self.row_bytes()
    }

    fn mark_words(&self) -> usize {
        self.blocks.div_ceil(64)
    }
}

/// The positions of a group that have one value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ValueSet {
    value: Value,
    /// A bit for each block of the group.
    marks: Vec<u64>,
    /// Rows of the blocks that are marked.
    rows: Vec<u8>,
}

impl ValueSet {
    /// The rows of a block, if it is marked.
    fn block(&self, form: &Form, block: usize) -> Option<&[u8]> {
        let (word, bit) = (block / 64, 1u64 << (block % 64));
        if self.marks[word] & bit == 0 {
            return None;
        }
        let before = self.marks[..word].iter().map(|word| word.count_ones()).sum::<u32>();
        let rank = (before + (self.marks[word] & (bit - 1)).count_ones()) as usize;
        Some(&self.rows[rank * form.block_bytes()..][..form.block_bytes()])
    }

    /// The blocks that are marked, with their rows.
    fn blocks(&self, form: &Form) -> impl Iterator<Item = (usize, &[u8])> {
        let marked = (0..form.blocks).filter(|block| self.marks[block / 64] >> (block % 64) & 1 == 1);
        marked.zip(self.rows.chunks_exact(form.block_bytes()))
    }
}

/// The positions of a group by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupSets {
    form: Form,
    sets: Vec<ValueSet>,
}

impl GroupSets {
    /// A group of a class, all drawn.
    pub fn new(class: &Class, group: usize) -> GroupSets {
        let blocks = class.group_placements(group).len() * class.sets;
        let form = Form { blocks, sets: class.sets, rows: class.rows, width: class.width };
        GroupSets { form, sets: Vec::new() }
    }

    /// How many blocks the group has.
    pub fn blocks(&self) -> usize {
        self.form.blocks
    }

    /// Gives positions of a block a value; for each value blocks must ascend.
    pub fn push<W: Word>(&mut self, value: Value, block: usize, rows: &[W]) {
        if rows.iter().all(|row| *row == W::ZERO) {
            return;
        }
        let place = self.sets.iter().rposition(|set| set.value == value).unwrap_or_else(|| {
            self.sets.push(ValueSet { value, marks: vec![0; self.form.mark_words()], rows: Vec::new() });
            self.sets.len() - 1
        });
        let set = &mut self.sets[place];
        set.marks[block / 64] |= 1 << (block % 64);
        for row in rows {
            set.rows.extend((0..self.form.row_bytes()).map(|byte| row.byte(byte)));
        }
    }

    /// The value of a position: a bit of a row of a block of the group.
    pub fn value(&self, block: usize, row: usize, bit: usize) -> Value {
        let byte = row * self.form.row_bytes() + bit / 8;
        let has = |set: &&ValueSet| set.block(&self.form, block).is_some_and(|rows| rows[byte] >> (bit % 8) & 1 == 1);
        self.sets.iter().find(has).map_or(Value::Draw, |set| set.value)
    }

    /// Puts the values in another order, which is that of the bytes.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(Value) -> K) {
        self.sets.sort_by_key(|set| key(set.value));
    }

    /// Calls `each` for every value with the blocks that have it, ascending, and their rows.
    pub fn each(&self, mut each: impl FnMut(Value, usize, &[u8])) {
        for set in &self.sets {
            set.blocks(&self.form).for_each(|(block, rows)| each(set.value, block, rows));
        }
    }

    /// How many bits each placement of the group has of each value, placements counted from the first of the group.
    pub fn counts(&self) -> impl Iterator<Item = (Value, usize, u64)> {
        self.sets.iter().flat_map(move |set| {
            let bits = |rows: &[u8]| rows.iter().map(|byte| u64::from(byte.count_ones())).sum();
            set.blocks(&self.form).map(move |(block, rows)| (set.value, block / self.form.sets, bits(rows)))
        })
    }

    /// Whether no position has two values.
    pub fn is_disjoint(&self) -> bool {
        let size = self.form.block_bytes();
        let mut all = vec![0; self.form.blocks * size];
        self.sets.iter().all(|set| {
            set.blocks(&self.form).all(|(block, rows)| {
                let apart = all[block * size..][..size].iter().zip(rows).all(|(before, row)| before & row == 0);
                all[block * size..][..size].iter_mut().zip(rows).for_each(|(all, row)| *all |= row);
                apart
            })
        })
    }

    /// Bytes that the group takes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<GroupSets>()
            + self.sets.iter().map(|set| size_of::<ValueSet>() + 8 * set.marks.len() + set.rows.len()).sum::<usize>()
    }

    /// The group as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes());
        for set in &self.sets {
            let marked: u32 = set.marks.iter().map(|word| word.count_ones()).sum();
            let plies = set.value.plies().expect("draws are in no set");
            bytes.push(u8::from(matches!(set.value, Value::Lose(_))));
            bytes.extend(u16::try_from(plies).expect("no game has so many rounds").to_le_bytes());
            bytes.extend(marked.to_le_bytes());
            set.marks.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            bytes.extend(&set.rows);
        }
        bytes
    }

    /// The group of a class that some bytes are; `None` if they are none.
    pub fn decode(class: &Class, group: usize, mut bytes: &[u8]) -> Option<GroupSets> {
        let mut decoded = GroupSets::new(class, group);
        let form = decoded.form;
        while !bytes.is_empty() {
            let (head, rest) = bytes.split_at_checked(7)?;
            let plies = u32::from(u16::from_le_bytes([head[1], head[2]]));
            let value = match head[0] {
                0 => Value::Win(plies),
                1 => Value::Lose(plies),
                _ => return None,
            };
            let marked = u32::from_le_bytes([head[3], head[4], head[5], head[6]]) as usize;
            let (marks, rest) = rest.split_at_checked(8 * form.mark_words())?;
            let marks: Vec<u64> =
                marks.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect();
            let beyond = 64 * marks.len() - form.blocks;
            let set_bits: u32 = marks.iter().map(|word| word.count_ones()).sum();
            let is_beyond = beyond > 0 && marks.last().is_some_and(|word| word >> (64 - beyond) != 0);
            let (rows, rest) = rest.split_at_checked(marked.checked_mul(form.block_bytes())?)?;
            // In the last byte of each row the bits that are no deal's.
            let padding = if form.width.is_multiple_of(8) { 0 } else { u8::MAX << (form.width % 8) };
            let padded =
                rows.iter().skip(form.row_bytes() - 1).step_by(form.row_bytes()).any(|byte| byte & padding != 0);
            let is_repeated = decoded.sets.iter().any(|set| set.value == value);
            if set_bits as usize != marked || is_beyond || padded || is_repeated {
                return None;
            }
            decoded.sets.push(ValueSet { value, marks, rows: rows.to_vec() });
            bytes = rest;
        }
        Some(decoded)
    }
}
