//! The distinct rows of a block.
//!
//! Results seldom depend on all of the opponent's doves, so the up to 120 rows of a block are mostly copies of a few.

/// Maximum number of rows of a block.
pub(crate) const MAX_ROWS: usize = 120;

/// The number of possible hashes: more than twice [`MAX_ROWS`], so that few rows share one.
const HASHES: usize = 256;

/// The number that means no row.
const NO_ROW: u8 = u8::MAX;

/// The different rows of a block, in the order in which they first occur.
pub(crate) struct Distinct {
    rows: [u128; MAX_ROWS],
    count: usize,
    /// The number of the row with each hash; a row whose entry is taken has the next free one.
    by_hash: [u8; HASHES],
}

impl Distinct {
    /// A set without rows.
    pub(crate) fn none() -> Distinct {
        Distinct { rows: [0; MAX_ROWS], count: 0, by_hash: [NO_ROW; HASHES] }
    }

    /// The number of a row, which is added unless it is already there.
    #[inline]
    pub(crate) fn number(&mut self, row: u128) -> u8 {
        let mut entry = hash(row);
        loop {
            let number = self.by_hash[entry];
            if number == NO_ROW {
                self.by_hash[entry] = self.count as u8;
                self.rows[self.count] = row;
                self.count += 1;
                return self.by_hash[entry];
            }
            if self.rows[usize::from(number)] == row {
                return number;
            }
            entry = (entry + 1) % HASHES;
        }
    }

    /// The number of different rows.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Appends the rows with these numbers, as `row_bytes` bytes each.
    pub(crate) fn append(&self, numbers: impl IntoIterator<Item = u8>, row_bytes: usize, to: &mut Vec<u8>) {
        for number in numbers {
            // Copying a fixed number of bytes is faster than copying `row_bytes`.
            let end = to.len() + row_bytes;
            to.extend_from_slice(&self.rows[usize::from(number)].to_le_bytes());
            to.truncate(end);
        }
    }
}

/// A hash of a row.
fn hash(row: u128) -> usize {
    let half = row as u64 ^ ((row >> 64) as u64).rotate_left(29);
    (half.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}
