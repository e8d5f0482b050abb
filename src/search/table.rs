//! What a search remembers of positions: proofs, disproofs, and how far it is from either.
//!
//! Buckets of a few entries each; where one is full, the entry goes that was looked at least deep. So forgetting costs time and never
//! makes a result wrong: an entry is found by the whole key, which no two positions share.

/// Entries of a bucket.
const WAYS: usize = 4;
/// The table begins with this many buckets and doubles,
const FIRST: usize = 1 << 8;
/// up to this many: 100 MB.
const LAST: usize = 1 << 20;

/// A number of positions that are still to be proved: a proof or disproof number.
pub type Number = u32;

/// There is nothing to be proved: the opposite is certain.
pub const NEVER: Number = u32::MAX;

/// What is known of one position, for the player who attacks or for the one who defends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry {
    key: u64,
    /// The numbers of the last visit, when `plies` were left.
    pub proof: Number,
    /// The least number of positions by whose disproof the attack would fail.
    pub disproof: Number,
    /// Plies that were left at the last visit.
    pub plies: u8,
    /// The attacker is known to win within so many plies; 0: not known. (A position lost in 0 says so at once.)
    pub won: u8,
    /// The attacker is known not to win within so many plies.
    pub safe: u8,
}

/// Entries by key.
#[derive(Default)]
pub struct Table {
    buckets: Vec<[Entry; WAYS]>,
    used: usize,
}

impl Table {
    fn bucket(&self, key: u64) -> usize {
        // The upper half of a product with an odd constant depends on all bits of the key.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.buckets.len() - 1)
    }

    /// The entry of a key, which is not 0; an empty one if there is none.
    pub fn get(&self, key: u64) -> Entry {
        let empty = Entry { key, ..Entry::default() };
        if self.buckets.is_empty() {
            return empty;
        }
        self.buckets[self.bucket(key)].into_iter().find(|entry| entry.key == key).unwrap_or(empty)
    }

    /// Remembers an entry, in the place of the one with its key or of the least deep one.
    pub fn put(&mut self, entry: Entry) {
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
