//! Which rows of a block are equal.
//!
//! What is won or lost seldom depends on how all of the opponent's doves are dealt, so that the 120 rows of a block are
//! mostly a few different ones.

/// The most rows of a block.
pub const MAX_ROWS: usize = 120;

/// The number of hashes of a row.
const HASHES: usize = 256;

/// The different rows of a block, in the order of their first ones.
pub struct Distinct {
    rows: [u128; MAX_ROWS],
    count: usize,
    /// The number of the last row with each hash. Without it a row is looked for among all.
    by_hash: [u8; HASHES],
}

impl Distinct {
    /// No row.
    pub fn none() -> Distinct {
        Distinct { rows: [0; MAX_ROWS], count: 0, by_hash: [0; HASHES] }
    }

    /// The number of a row, which is added unless it is there.
    #[inline]
    pub fn number(&mut self, row: u128) -> u8 {
        let last = &mut self.by_hash[hash(row)];
        if self.count == 0 || self.rows[usize::from(*last)] != row {
            let there = self.rows[..self.count].iter().position(|other| *other == row);
            *last = there.unwrap_or(self.count) as u8;
            if there.is_none() {
                self.rows[self.count] = row;
                self.count += 1;
            }
        }
        *last
    }

    /// The number of different rows.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Appends the rows, of so many bytes each.
    pub fn append(&self, row_bytes: usize, to: &mut Vec<u8>) {
        for row in &self.rows[..self.count] {
            // Copying as many bytes each time is faster than copying as many as there are.
            let end = to.len() + row_bytes;
            to.extend_from_slice(&row.to_le_bytes());
            to.truncate(end);
        }
    }
}

/// A hash of a row.
fn hash(row: u128) -> usize {
    let half = row as u64 ^ ((row >> 64) as u64).rotate_left(29);
    (half.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}
