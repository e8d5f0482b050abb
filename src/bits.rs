//! The set bits of a machine word: sets of slots, of kinds and of orders.

/// A machine word as a set of bits.
pub(crate) trait Bits: Sized {
    /// The indices of the set bits, ascending.
    fn bits(self) -> impl Iterator<Item = usize>;
}

macro_rules! bits {
    ($($word:ty),+) => {
        $(impl Bits for $word {
            fn bits(mut self) -> impl Iterator<Item = usize> {
                std::iter::from_fn(move || {
                    (self != 0).then(|| {
                        let first = self.trailing_zeros();
                        self &= self - 1;
                        first as usize
                    })
                })
            }
        })+
    };
}

bits!(u32, u64, u128);
