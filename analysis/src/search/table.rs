//! The transposition table: the results of proofs and lookaheads by position.
//!
//! Buckets of a few entries each; a full one drops its shallowest entry. Dropping an entry costs time but never makes a
//! result wrong: entries are found by the whole key, which no two positions share. The table is divided into stripes,
//! each with a lock of its own, so that searches on several threads can share it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::numbers::Numbers;

/// Entries in a bucket.
const BUCKET_ENTRIES: usize = 4;
/// The number of stripes.
const STRIPES: usize = 1 << 6;
/// The initial number of buckets of a stripe.
const INITIAL_BUCKETS: usize = 1 << 3;
/// The greatest number of buckets of a stripe, 100 MB in all. Until then, a stripe that is half full doubles.
const MAX_BUCKETS: usize = (1 << 20) / STRIPES;

/// The bit of a key that marks the entries of lookaheads.
const LOOKAHEAD_BIT: u64 = 1 << 62;

/// The results of proofs that the attacker wins or does not win, for a position with the attacker or the defender to
/// move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Proof {
    /// The numbers at the last visit, when `plies` were left.
    pub numbers: Numbers,
    /// The plies that were left at the last visit; 0 if there was none.
    pub plies: u8,
    /// The attacker is known to win within this many plies; 0 means unknown. (A position lost in 0 is
    /// recognized without the table.)
    pub proved_plies: u8,
    /// The attacker is known not to win within this many plies.
    pub disproved_plies: u8,
}

/// The result of a lookahead for a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Score {
    /// The score for the player to move.
    pub score: i32,
    /// How it relates to the exact one.
    pub bound: ScoreBound,
    /// The depth of the lookahead in plies.
    pub plies: u8,
}

/// How a score in the table relates to the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScoreBound {
    Exact,
    AtLeast,
    AtMost,
}

/// The entries, by key.
pub(crate) struct TranspositionTable([Mutex<Stripe>; STRIPES]);

/// The buckets behind one lock.
#[derive(Default)]
struct Stripe {
    buckets: Vec<[TableEntry; BUCKET_ENTRIES]>,
    used: usize,
}

#[derive(Clone, Copy, Default)]
struct TableEntry {
    /// No position has the key 0: it marks an empty entry.
    key: u64,
    content: EntryContent,
}

#[derive(Clone, Copy)]
enum EntryContent {
    Proof(Proof),
    Score(Score),
}

const _: () = assert!(size_of::<TableEntry>() == 24);

impl Default for EntryContent {
    fn default() -> EntryContent {
        EntryContent::Proof(Proof::default())
    }
}

/// A multiplicative hash: the upper half of a product with an odd constant depends on all bits of the key.
const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

impl Default for TranspositionTable {
    fn default() -> TranspositionTable {
        TranspositionTable(std::array::from_fn(|_| Mutex::default()))
    }
}

impl TranspositionTable {
    /// The result of proofs for a position's key, which includes the role.
    pub(crate) fn proof(&self, key: u64) -> Proof {
        match self.stripe(key).get(key) {
            Some(EntryContent::Proof(proof)) => proof,
            _ => Proof::default(),
        }
    }

    /// Stores the result of proofs.
    pub(crate) fn put_proof(&self, key: u64, proof: Proof) {
        self.stripe(key).put(TableEntry { key, content: EntryContent::Proof(proof) });
    }

    /// The result of the last lookahead for a position's key.
    pub(crate) fn score(&self, key: u64) -> Option<Score> {
        let key = key | LOOKAHEAD_BIT;
        match self.stripe(key).get(key)? {
            EntryContent::Score(score) => Some(score),
            EntryContent::Proof(_) => None,
        }
    }

    /// Stores the result of a lookahead.
    pub(crate) fn put_score(&self, key: u64, score: Score) {
        let key = key | LOOKAHEAD_BIT;
        self.stripe(key).put(TableEntry { key, content: EntryContent::Score(score) });
    }

    fn stripe(&self, key: u64) -> MutexGuard<'_, Stripe> {
        self.0[hash(key) % STRIPES].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TableEntry {
    fn plies(&self) -> u8 {
        match self.content {
            EntryContent::Proof(Proof { plies, .. }) | EntryContent::Score(Score { plies, .. }) => plies,
        }
    }
}

impl Stripe {
    fn bucket(&self, key: u64) -> usize {
        (hash(key) / STRIPES) & (self.buckets.len() - 1)
    }

    fn get(&self, key: u64) -> Option<EntryContent> {
        if self.buckets.is_empty() {
            return None;
        }
        let bucket = &self.buckets[self.bucket(key)];
        bucket.iter().find(|entry| entry.key == key).map(|entry| entry.content)
    }

    /// Stores an entry; grows first if half of the places are taken.
    fn put(&mut self, entry: TableEntry) {
        if self.used >= self.buckets.len() * BUCKET_ENTRIES / 2 && self.buckets.len() < MAX_BUCKETS {
            let size = (2 * self.buckets.len()).max(INITIAL_BUCKETS);
            let old = std::mem::replace(&mut self.buckets, vec![Default::default(); size]);
            self.used = 0;
            old.into_iter().flatten().filter(|entry| entry.key != 0).for_each(|entry| self.insert(entry));
        }
        self.insert(entry);
    }

    /// Inserts an entry in the place of the one with its key, else in an empty place, else in that of the shallowest.
    fn insert(&mut self, entry: TableEntry) {
        let index = self.bucket(entry.key);
        let bucket = &mut self.buckets[index];
        let same = (0..BUCKET_ENTRIES).find(|&way| bucket[way].key == entry.key);
        let shallowest =
            || (0..BUCKET_ENTRIES).min_by_key(|&way| (bucket[way].key != 0, bucket[way].plies()));
        let way = same.or_else(shallowest).expect("a bucket has entries");
        self.used += usize::from(bucket[way].key == 0);
        bucket[way] = entry;
    }
}
