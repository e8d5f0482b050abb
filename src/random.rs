//! Seeded random numbers: the same in every version (ChaCha8 with the seed as key).

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded source of random numbers; they are the same in every version.
///
/// ```
/// use dovemate::random::Random;
///
/// let mut random = Random::new(2022);
/// let die = 1 + random.below(6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// A set of `k` numbers below `total`, ascending, each set equally likely. The same seed gives the same set
    /// in every version.
    ///
    /// # Panics
    /// If `k` exceeds `total`.
    pub fn sample(total: u64, k: u64, seed: u64) -> Vec<u64> {
        assert!(k <= total, "there are only {total}");
        let mut random = Random::new(seed);
        let mut chosen = BTreeSet::new();
        // Floyd: after the step for `last`, the chosen numbers are a uniform subset of 0..=last.
        for last in total - k..total {
            let number = random.below(last + 1);
            if !chosen.insert(number) {
                chosen.insert(last);
            }
        }
        chosen.into_iter().collect()
    }

    /// The numbers of this seed.
    pub fn new(seed: u64) -> Random {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Random(ChaCha8Rng::from_seed(key))
    }

    /// A number below `n`, each equally likely.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "no number is below 0");
        // Draw again if the number is beyond the last whole multiple of n.
        let excess = (u64::MAX % n + 1) % n;
        loop {
            let number = self.0.next_u64();
            if number <= u64::MAX - excess {
                return number % n;
            }
        }
    }
}
