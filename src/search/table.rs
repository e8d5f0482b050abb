//! The search's table: the proofs, disproofs and proof numbers of positions.
//!
//! Buckets of a few entries each; a full one drops its shallowest entry. Dropping an entry costs time but never makes a
//! result wrong: entries are found by the whole key, which no two positions share. The table is in parts, each locked
//! by itself, so that the searches of several threads share it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of entries of a bucket.
const WAYS: usize = 4;
/// The number of parts.
const PARTS: usize = 1 << 6;
/// The initial number of buckets of a part.
const FIRST: usize = 1 << 3;
/// The greatest number of buckets of a part, 100 MB in all; the number doubles until it gets there.
const LAST: usize = (1 << 20) / PARTS;

/// A proof or disproof number: the number of positions still to be proved or disproved.
pub type Number = u32;

/// A proof is impossible: the opposite is certain.
pub const NEVER: Number = u32::MAX;

/// The knowledge about one position, with the attacker or the defender to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableEntry {
    key: u64,
    /// The proof number at the last visit, when `plies` were left.
    pub proof: Number,
    /// The disproof number at the last visit: the least number of positions whose disproof would make the attack fail.
    pub disproof: Number,
    /// The plies that were left at the last visit.
    pub plies: u8,
    /// The attacker is known to win within this many plies; 0 means unknown. (A position lost in 0 is recognized
    /// without the table.)
    pub won: u8,
    /// The attacker is known not to win within this many plies.
    pub safe: u8,
}

/// The entries, by key.
pub struct ProofTable([Mutex<Part>; PARTS]);

#[derive(Default)]
struct Part {
    buckets: Vec<[TableEntry; WAYS]>,
    used: usize,
}

/// The upper half of a product with an odd constant depends on all bits of the key.
const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

impl Default for ProofTable {
    fn default() -> ProofTable {
        ProofTable(std::array::from_fn(|_| Mutex::default()))
    }
}

impl ProofTable {
    fn part(&self, key: u64) -> MutexGuard<'_, Part> {
        self.0[hash(key) % PARTS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entry of a key other than 0; an empty entry if there is none.
    pub fn get(&self, key: u64) -> TableEntry {
        self.part(key).get(key)
    }

    /// Stores an entry, replacing the one with its key or else the shallowest.
    pub fn put(&self, entry: TableEntry) {
        self.part(entry.key).put(entry);
    }
}

impl Part {
    fn bucket(&self, key: u64) -> usize {
        (hash(key) / PARTS) & (self.buckets.len() - 1)
    }

    fn get(&self, key: u64) -> TableEntry {
        let empty = TableEntry { key, ..TableEntry::default() };
        if self.buckets.is_empty() {
            return empty;
        }
        self.buckets[self.bucket(key)].into_iter().find(|entry| entry.key == key).unwrap_or(empty)
    }

    fn put(&mut self, entry: TableEntry) {
        if self.used >= self.buckets.len() * WAYS / 2 && self.buckets.len() < LAST {
            self.grow();
        }
        let index = self.bucket(entry.key);
        let bucket = &mut self.buckets[index];
        let place = bucket.iter().position(|other| other.key == entry.key);
        let place = place.unwrap_or_else(|| {
            let least = (0..WAYS).min_by_key(|&way| (bucket[way].key != 0, bucket[way].plies));
            least.expect("a bucket has entries")
        });
        self.used += usize::from(bucket[place].key == 0);
        bucket[place] = entry;
    }

    fn grow(&mut self) {
        let size = (2 * self.buckets.len()).max(FIRST);
        let old = std::mem::replace(&mut self.buckets, vec![Default::default(); size]);
        self.used = 0;
        for entry in old.into_iter().flatten().filter(|entry| entry.key != 0) {
            let index = self.bucket(entry.key);
            let bucket = &mut self.buckets[index];
            if let Some(free) = bucket.iter_mut().find(|other| other.key == 0) {
                *free = entry;
                self.used += 1;
            }
        }
    }
}
