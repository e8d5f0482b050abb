//! A row of a block: one bit for each deal of one player's doves.
//!
//! There are at most 1, 2, 6, 24 or 120 deals for dove sets of up to 1, 2, 3, 4 or 5 kinds, so rows of 8, 32 and 128 bits serve all
//! games. What is done with rows – or, and, counting, transposing – is the same for each width.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A row of bits.
pub trait Word:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + bytemuck::Pod
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// Bits of the row.
    const BITS: usize;
    /// No bit.
    const ZERO: Self;

    /// The row in which only this bit is set.
    fn bit(index: usize) -> Self;

    /// The row whose first `count` bits are set.
    fn low(count: usize) -> Self;

    /// How many bits are set.
    fn count(self) -> u32;

    /// The first bit that is set; of a row that is not zero.
    fn first(self) -> usize;

    /// The row without its first bit; of a row that is not zero.
    #[must_use]
    fn rest(self) -> Self;

    /// The eight bits from bit 8·`index` on.
    fn byte(self, index: usize) -> u8;

    /// The numbers of the bits that are set, ascending.
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

            fn bit(index: usize) -> $word {
                1 << index
            }

            fn low(count: usize) -> $word {
                if count == 0 { 0 } else { <$word>::MAX >> (<Self as Word>::BITS - count) }
            }

            fn count(self) -> u32 {
                self.count_ones()
            }

            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            fn rest(self) -> $word {
                self & (self - 1)
            }

            fn byte(self, index: usize) -> u8 {
                (self >> (8 * index)) as u8
            }
        }
    };
}

word!(u8);
word!(u32);
word!(u128);

/// Transposes a square matrix of [`Word::BITS`] rows in place: in log₂ steps, each of which exchanges the upper right with the lower
/// left quarter of every square of twice its width.
pub fn transpose<W: Word>(rows: &mut [W]) {
    let mut width = W::BITS / 2;
    // The columns of the left half of every square.
    let mut left = W::low(width);
    while width > 0 {
        for square in (0..W::BITS).step_by(2 * width) {
            for row in square..square + width {
                let exchanged = ((rows[row] >> width) ^ rows[row + width]) & left;
                rows[row + width] = rows[row + width] ^ exchanged;
                rows[row] = rows[row] ^ (exchanged << width);
            }
        }
        width /= 2;
        left = left ^ (left << width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transposes<W: Word>() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16 & 1 == 1
        };
        let mut rows = vec![W::ZERO; W::BITS];
        for row in &mut rows {
            for bit in 0..W::BITS {
                if random() {
                    *row |= W::bit(bit);
                }
            }
        }
        let before = rows.clone();
        transpose(&mut rows);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in before.iter().enumerate() {
                assert_eq!(*row & W::bit(j) != W::ZERO, *column & W::bit(i) != W::ZERO, "row {i}, bit {j}");
            }
        }
    }

    #[test]
    fn a_transposed_matrix_has_rows_for_columns() {
        transposes::<u8>();
        transposes::<u32>();
        transposes::<u128>();
    }
}
