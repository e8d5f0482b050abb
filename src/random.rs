//! Seeded random numbers: the same in every version (ChaCha8 with the seed as key).

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A set of `k` numbers below `total`, ascending, each set equally likely. The same seed gives the same set
/// in every version.
///
/// # Panics
/// If `k` exceeds `total`.
pub fn sample(total: u64, k: u64, seed: u64) -> Vec<u64> {
    assert!(k <= total, "there are only {total}");
    let mut rng = seeded(seed);
    let mut chosen = BTreeSet::new();
    // Floyd: after the step for `last`, the chosen numbers are a uniform subset of 0..=last.
    for last in total - k..total {
        let number = below(&mut rng, last + 1);
        if !chosen.insert(number) {
            chosen.insert(last);
        }
    }
    chosen.into_iter().collect()
}

/// A seeded random number generator; its numbers are the same in every version.
pub fn seeded(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// A number below `n`, each equally likely: draws beyond the last whole multiple of `n` are repeated.
pub fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    let excess = (u64::MAX % n + 1) % n;
    loop {
        let number = rng.next_u64();
        if number <= u64::MAX - excess {
            return number % n;
        }
    }
}
