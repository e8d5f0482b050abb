//! Rows of a block: one bit for each deal of one player's doves.
//!
//! There are at most 120 deals. A row is stored in as few bytes as its deals need, the first deal in the
//! lowest bit of the first byte. The loops of a round process rows in the narrowest [`Word`] that holds them.
//! The operations on rows – or, and, counting – are the same for each width.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// Bytes after the last row in a buffer whose rows are read as words, so that a whole word can be read at each row.
pub(crate) const PADDING: usize = size_of::<u128>();

/// A machine word as a set of bits.
pub(crate) trait Word:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
{
    /// The number of bits.
    const BITS: usize;
    /// The word without set bits.
    const ZERO: Self;

    /// The word in which only this bit is set.
    fn bit(index: usize) -> Self;

    /// The word whose first `count` bits are set.
    fn low(count: usize) -> Self;

    /// The number of set bits.
    fn count(self) -> u32;

    /// The first set bit; the word must not be zero.
    fn first(self) -> usize;

    /// The word without its first set bit; the word must not be zero.
    #[must_use]
    fn rest(self) -> Self;

    /// The bytes, lowest first, followed by zeros.
    fn bytes(self) -> [u8; size_of::<u128>()];

    /// The word that starts at a byte.
    fn read(bytes: &[u8], at: usize) -> Self;

    /// The indices of the set bits, ascending.
    fn bits(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            (self != Self::ZERO).then(|| {
                let first = self.first();
                self = self.rest();
                first
            })
        })
    }
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;
            const ZERO: $word = 0;

            #[inline]
            fn bit(index: usize) -> $word {
                1 << index
            }

            #[inline]
            fn low(count: usize) -> $word {
                if count == 0 { 0 } else { <$word>::MAX >> (<Self as Word>::BITS - count) }
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn rest(self) -> $word {
                self & (self - 1)
            }

            #[inline]
            fn bytes(self) -> [u8; size_of::<u128>()] {
                u128::from(self).to_le_bytes()
            }

            #[inline]
            fn read(bytes: &[u8], at: usize) -> $word {
                let bytes =
                    bytes[at..at + size_of::<$word>()].try_into().expect("as many bytes as a word has");
                <$word>::from_le_bytes(bytes)
            }
        }
    };
}

word!(u8);
word!(u32);
word!(u64);
word!(u128);

/// Calls a function, generic over [`Word`], with the narrowest word that has at least this many bits.
macro_rules! with_word {
    ($bits:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $bits {
            0..=8 => $function::<u8, _, _>($($argument),*),
            9..=32 => $function::<u32, _, _>($($argument),*),
            33..=64 => $function::<u64, _, _>($($argument),*),
            _ => $function::<u128, _, _>($($argument),*),
        }
    };
}
pub(crate) use with_word;

/// Transposes eight rows of eight bits, the first row in the lowest byte.
#[inline]
const fn transpose_square(mut square: u64) -> u64 {
    // Swaps the upper right and the lower left quarter of every square of 2, 4 and 8 rows.
    let exchanged = (square ^ (square >> 7)) & 0x00aa_00aa_00aa_00aa;
    square ^= exchanged ^ (exchanged << 7);
    let exchanged = (square ^ (square >> 14)) & 0x0000_cccc_0000_cccc;
    square ^= exchanged ^ (exchanged << 14);
    let exchanged = (square ^ (square >> 28)) & 0x0000_0000_f0f0_f0f0;
    square ^ exchanged ^ (exchanged << 28)
}

/// Writes the transpose of a matrix: `columns` rows of as few bytes as `rows.len()` bits need. Returns
/// whether any bit is set; if not, nothing is written.
pub(crate) fn transpose<W: Word>(rows: &[W], columns: usize, transposed: &mut [u8]) -> bool {
    let row_bytes = rows.len().div_ceil(8);
    let count: u32 = rows.iter().map(|row| row.count()).sum();
    if count == 0 {
        return false;
    }
    transposed[..columns * row_bytes].fill(0);
    // If few bits are set, write them one by one.
    if count as usize <= columns {
        for (row, bits) in rows.iter().enumerate() {
            for column in bits.bits() {
                transposed[column * row_bytes + row / 8] |= 1 << (row % 8);
            }
        }
        return true;
    }
    for (byte, rows) in rows.chunks(8).enumerate() {
        let mut eight = [[0; size_of::<u128>()]; 8];
        eight.iter_mut().zip(rows).for_each(|(bytes, row)| *bytes = row.bytes());
        for first in (0..columns).step_by(8) {
            let square = u64::from_le_bytes(eight.map(|bytes| bytes[first / 8]));
            if square != 0 {
                let square = transpose_square(square);
                for (index, column) in (first..columns.min(first + 8)).enumerate() {
                    transposed[column * row_bytes + byte] = (square >> (8 * index)) as u8;
                }
            }
        }
    }
    true
}
