//! The transposition table: what proofs and lookaheads have found about positions.
//!
//! Buckets of a few entries each; a full one drops its shallowest entry. Dropping an entry costs time but
//! never makes a result wrong: entries are found by the whole key, which no two positions share. The table is
//! in parts, each locked by itself, so that the searches of several threads share it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::numbers::{Number, Numbers};

/// The number of entries of a bucket.
const WAYS: usize = 4;
/// The number of parts.
const PARTS: usize = 1 << 6;
/// The initial number of buckets of a part.
const FIRST: usize = 1 << 3;
/// The greatest number of buckets of a part, 100 MB in all; the number doubles until it gets there.
const LAST: usize = (1 << 20) / PARTS;

/// The bit of a key that marks the entries of lookaheads.
const LOOKAHEAD: u64 = 1 << 62;

/// What is known of the question whether the attacker wins, in a position with the attacker or the defender
/// to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proof {
    /// The numbers at the last visit, when `plies` were left.
    pub numbers: Numbers,
    /// The plies that were left at the last visit; 0 if there was none.
    pub plies: u8,
    /// The attacker is known to win within this many plies; 0 means unknown. (A position lost in 0 is
    /// recognized without the table.)
    pub won: u8,
    /// The attacker is known not to win within this many plies.
    pub safe: u8,
}

/// What a lookahead found about a position.
#[derive(Clone, Copy, Debug)]
pub struct Score {
    /// The score for the player to move.
    pub score: i32,
    /// How it relates to the exact one.
    pub bound: ScoreBound,
    /// The plies that were looked ahead.
    pub plies: u8,
}

/// How a score in the table relates to the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    Exact,
    AtLeast,
    AtMost,
}

/// The entries, by key.
pub struct TranspositionTable([Mutex<TablePart>; PARTS]);

#[derive(Default)]
struct TablePart {
    buckets: Vec<[TableEntry; WAYS]>,
    used: usize,
}

#[derive(Clone, Copy, Default)]
struct TableEntry {
    /// No position has the key 0: it marks an empty entry.
    key: u64,
    content: EntryContent,
}

/// A [`Proof`] or a [`Score`], field by field: the tag then fits beside the small ones, and an entry into 24
/// bytes.
#[derive(Clone, Copy)]
enum EntryContent {
    Proof { phi: Number, delta: Number, plies: u8, won: u8, safe: u8 },
    Score { score: i32, bound: ScoreBound, plies: u8 },
}

const _: () = assert!(size_of::<TableEntry>() == 24);

impl Default for EntryContent {
    fn default() -> EntryContent {
        EntryContent::Proof { phi: 0, delta: 0, plies: 0, won: 0, safe: 0 }
    }
}

/// The upper half of a product with an odd constant depends on all bits of the key.
const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

impl Default for TranspositionTable {
    fn default() -> TranspositionTable {
        TranspositionTable(std::array::from_fn(|_| Mutex::default()))
    }
}

impl TranspositionTable {
    /// What proofs have found, by a position's key and role.
    pub fn proof(&self, key: u64) -> Proof {
        match self.part(key).get(key) {
            Some(EntryContent::Proof { phi, delta, plies, won, safe }) => {
                Proof { numbers: Numbers { phi, delta }, plies, won, safe }
            }
            _ => Proof::default(),
        }
    }

    /// Stores what proofs have found.
    pub fn put_proof(&self, key: u64, proof: Proof) {
        let Proof { numbers: Numbers { phi, delta }, plies, won, safe } = proof;
        self.part(key).put(TableEntry { key, content: EntryContent::Proof { phi, delta, plies, won, safe } });
    }

    /// What the deepest lookahead has found, by a position's key.
    pub fn score(&self, key: u64) -> Option<Score> {
        let key = key | LOOKAHEAD;
        match self.part(key).get(key)? {
            EntryContent::Score { score, bound, plies } => Some(Score { score, bound, plies }),
            EntryContent::Proof { .. } => None,
        }
    }

    /// Stores what a lookahead has found.
    pub fn put_score(&self, key: u64, Score { score, bound, plies }: Score) {
        let key = key | LOOKAHEAD;
        self.part(key).put(TableEntry { key, content: EntryContent::Score { score, bound, plies } });
    }

    fn part(&self, key: u64) -> MutexGuard<'_, TablePart> {
        self.0[hash(key) % PARTS].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TableEntry {
    fn plies(&self) -> u8 {
        match self.content {
            EntryContent::Proof { plies, .. } | EntryContent::Score { plies, .. } => plies,
        }
    }
}

impl TablePart {
    fn bucket(&self, key: u64) -> usize {
        (hash(key) / PARTS) & (self.buckets.len() - 1)
    }

    fn get(&self, key: u64) -> Option<EntryContent> {
        if self.buckets.is_empty() {
            return None;
        }
        let bucket = &self.buckets[self.bucket(key)];
        bucket.iter().find(|entry| entry.key == key).map(|entry| entry.content)
    }

    /// Stores an entry, in place of the one with its key or else of the shallowest.
    fn put(&mut self, entry: TableEntry) {
        if self.used >= self.buckets.len() * WAYS / 2 && self.buckets.len() < LAST {
            self.grow();
        }
        let index = self.bucket(entry.key);
        let bucket = &mut self.buckets[index];
        let same = (0..WAYS).find(|&way| bucket[way].key == entry.key);
        let shallowest = || (0..WAYS).min_by_key(|&way| (bucket[way].key != 0, bucket[way].plies()));
        let way = same.or_else(shallowest).expect("a bucket has entries");
        self.used += usize::from(bucket[way].key == 0);
        bucket[way] = entry;
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
