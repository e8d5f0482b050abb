//! Bytes with a few changes and matching checksums, as in a damaged or forged file.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use sha2::{Digest, Sha256};

/// This many cases, the same in every run; or many, which differ from run to run.
pub(crate) fn cases(few: u32) -> ProptestConfig {
    ProptestConfig {
        cases: super::cases(few, 5_000),
        rng_seed: super::cases(RngSeed::Fixed(1), RngSeed::Random),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A change of bytes: some are replaced by others.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    at: Index,
    removed: usize,
    inserted: Vec<u8>,
}

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    let number = prop_oneof![Just(0), Just(1), Just(u32::MAX), Just(i32::MAX as u32), any::<u32>()];
    let change = prop_oneof![
        any::<u8>().prop_map(|byte| (1, vec![byte])),
        number.prop_map(|number| (4, number.to_le_bytes().to_vec())),
        (1..20_usize).prop_map(|length| (length, Vec::new())),
        vec(any::<u8>(), 1..20).prop_map(|bytes| (0, bytes)),
    ];
    (any::<Index>(), change).prop_map(|(at, (removed, inserted))| Edit { at, removed, inserted })
}

pub(crate) fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = bytes.to_owned();
    for Edit { at, removed, inserted } in edits {
        let at = at.index(bytes.len() + 1);
        bytes.splice(at..(at + removed).min(bytes.len()), inserted.iter().copied());
    }
    bytes
}

/// Appends the SHA-256 of the bytes.
pub(crate) fn with_sha256(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

pub(crate) const SHA256: usize = 32;
