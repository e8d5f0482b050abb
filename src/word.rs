//! Machine words as sets of bits: rows of positions, sets of slots, of kinds and of orders.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A machine word as a set of bits.
pub trait Word:
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
