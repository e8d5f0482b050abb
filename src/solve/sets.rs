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

use super::changes::{GroupChanges, count_bits};
use super::layout::Class;
use crate::retrograde::Value;

/// Sizes on which the bytes of a group depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    blocks: usize,
    /// Blocks of a placement.
    sets: usize,
    block_bytes: usize,
    row_bytes: usize,
    /// Bits of a row.
    width: usize,
}

/// The positions of a group by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupSets {
    form: Form,
    sets: Vec<(Value, GroupChanges)>,
}

impl GroupSets {
    /// A group of a class, all drawn.
    pub fn new(class: &Class, group: usize) -> GroupSets {
        let form = Form {
            blocks: class.group_blocks(group),
            sets: class.sets,
            block_bytes: class.block_bytes(),
            row_bytes: class.row_bytes,
            width: class.width,
        };
        GroupSets { form, sets: Vec::new() }
    }

    /// How many blocks the group has.
    pub fn blocks(&self) -> usize {
        self.form.blocks
    }

    /// Gives positions a value that none has yet.
    pub fn push(&mut self, value: Value, positions: GroupChanges) {
        if !positions.is_empty() {
            self.sets.push((value, positions));
        }
    }

    /// Gives positions of some blocks a value, which earlier blocks may have too: numbers and rows, ascending.
    pub fn extend<'a>(&mut self, value: Value, blocks: impl Iterator<Item = (usize, &'a [u8])>) {
        let place = self.sets.iter().rposition(|set| set.0 == value).unwrap_or_else(|| {
            self.sets.push((value, GroupChanges::default()));
            self.sets.len() - 1
        });
        let positions = &mut self.sets[place].1;
        positions.open(self.form.blocks, self.form.block_bytes, self.form.row_bytes);
        for (block, rows) in blocks {
            positions.push(block, rows);
        }
        positions.finish();
        if positions.is_empty() {
            self.sets.remove(place);
        }
    }

    /// The positions with a value.
    pub fn of(&self, value: Value) -> Option<&GroupChanges> {
        self.sets.iter().find(|set| set.0 == value).map(|set| &set.1)
    }

    /// The positions with a value, and nothing else.
    pub fn into_changes(self, value: Value) -> GroupChanges {
        self.sets.into_iter().find(|set| set.0 == value).map_or_else(GroupChanges::default, |set| set.1)
    }

    /// The value of a position: a bit of a row of a block of the group.
    pub fn value(&self, block: usize, row: usize, bit: usize) -> Value {
        let byte = row * self.form.row_bytes + bit / 8;
        let has = |set: &&(Value, GroupChanges)| {
            set.1.get(block).is_some_and(|changed| changed.rows[byte] >> (bit % 8) & 1 == 1)
        };
        self.sets.iter().find(has).map_or(Value::Draw, |set| set.0)
    }

    /// Makes all positions draws whose value is not wanted.
    pub fn retain(&mut self, is_wanted: impl Fn(Value) -> bool) {
        self.sets.retain(|set| is_wanted(set.0));
    }

    /// Puts the values in another order, which is that of the bytes.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(Value) -> K) {
        self.sets.sort_by_key(|set| key(set.0));
    }

    /// Calls `each` for every value with the blocks that have it, ascending, and their rows.
    pub fn each(&self, mut each: impl FnMut(Value, usize, &[u8])) {
        for (value, positions) in &self.sets {
            positions.blocks().for_each(|(block, rows)| each(*value, block, rows));
        }
    }

    /// How many bits each placement of the group has of each value, placements counted from the first of the group.
    pub fn counts(&self) -> impl Iterator<Item = (Value, usize, u64)> {
        self.sets.iter().flat_map(move |(value, positions)| {
            positions.blocks().map(move |(block, rows)| (*value, block / self.form.sets, count_bits(rows)))
        })
    }

    /// Whether no position has two values.
    pub fn is_disjoint(&self) -> bool {
        let size = self.form.block_bytes;
        let mut all = vec![0; self.form.blocks * size];
        self.sets.iter().all(|(_, positions)| {
            positions.blocks().all(|(block, rows)| {
                let apart = all[block * size..][..size].iter().zip(rows).all(|(before, row)| before & row == 0);
                all[block * size..][..size].iter_mut().zip(rows).for_each(|(all, row)| *all |= row);
                apart
            })
        })
    }

    /// Bytes that the group takes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<GroupSets>() + self.sets.iter().map(|set| size_of_val(set) + set.1.bytes()).sum::<usize>()
    }

    /// The group as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes());
        for (value, positions) in &self.sets {
            let plies = value.plies().expect("draws are in no set");
            bytes.push(u8::from(matches!(value, Value::Lose(_))));
            bytes.extend(u16::try_from(plies).expect("no game has so many rounds").to_le_bytes());
            bytes.extend((positions.count() as u32).to_le_bytes());
            positions.marks().iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            bytes.extend(positions.rows());
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
            let (marks, rest) = rest.split_at_checked(8 * form.blocks.div_ceil(64))?;
            let marks: Vec<u64> =
                marks.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect();
            let beyond = 64 * marks.len() - form.blocks;
            let set_bits: u32 = marks.iter().map(|word| word.count_ones()).sum();
            let is_beyond = beyond > 0 && marks.last().is_some_and(|word| word >> (64 - beyond) != 0);
            let (rows, rest) = rest.split_at_checked(marked.checked_mul(form.block_bytes)?)?;
            // In the last byte of each row the bits that are no deal's.
            let padding = if form.width.is_multiple_of(8) { 0 } else { u8::MAX << (form.width % 8) };
            let padded = rows.iter().skip(form.row_bytes - 1).step_by(form.row_bytes).any(|byte| byte & padding != 0);
            let is_repeated = decoded.of(value).is_some();
            if set_bits == 0 || set_bits as usize != marked || is_beyond || padded || is_repeated {
                return None;
            }
            decoded.push(value, GroupChanges::from_parts(marks, rows.to_vec(), form.block_bytes, form.row_bytes));
            bytes = rest;
        }
        Some(decoded)
    }
}
