//! A cache of what was read from files.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// A least-recently-used cache, bounded in bytes.
pub struct Cache<K, V> {
    held: Mutex<Held<K, V>>,
}

struct Held<K, V> {
    capacity: usize,
    bytes: usize,
    /// The number of uses so far.
    uses: u64,
    values: HashMap<K, Entry<V>>,
    /// The keys by their last use.
    by_use: BTreeMap<u64, K>,
}

struct Entry<V> {
    value: Arc<V>,
    bytes: usize,
    last_use: u64,
}

impl<K: Copy + Eq + Hash, V> Cache<K, V> {
    /// A cache of `capacity` bytes.
    pub fn new(capacity: usize) -> Cache<K, V> {
        let held = Held { capacity, bytes: 0, uses: 0, values: HashMap::new(), by_use: BTreeMap::new() };
        Cache { held: Mutex::new(held) }
    }

    /// Drops everything.
    pub fn clear(&self) {
        self.with(Held::clear);
    }

    /// Changes the capacity.
    pub fn resize(&self, capacity: usize) {
        self.with(|held| {
            held.capacity = capacity;
            held.shrink();
        });
    }

    /// The value of a key, made now unless the cache has it; while it is made, other threads can use the cache. `bytes`
    /// gives the size of a value.
    pub fn get<E>(
        &self,
        key: K,
        bytes: impl Fn(&V) -> usize,
        make: impl FnOnce() -> Result<Arc<V>, E>,
    ) -> Result<Arc<V>, E> {
        self.renew(key, bytes, |_| true, |_| make())
    }

    /// As [`Cache::get`], but a value that is no longer current is made again, from its old version.
    pub fn renew<E>(
        &self,
        key: K,
        bytes: impl Fn(&V) -> usize,
        is_current: impl Fn(&V) -> bool,
        make: impl FnOnce(Option<Arc<V>>) -> Result<Arc<V>, E>,
    ) -> Result<Arc<V>, E> {
        let before = self.with(|held| held.used(key));
        if let Some(value) = before.as_ref().filter(|value| is_current(value)) {
            return Ok(value.clone());
        }
        let value = make(before)?;
        self.with(|held| held.insert(key, value.clone(), bytes(&value)));
        Ok(value)
    }

    fn with<R>(&self, work: impl FnOnce(&mut Held<K, V>) -> R) -> R {
        work(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<K: Copy + Eq + Hash, V> Held<K, V> {
    /// The value of a key, if there is one; this counts as a use of it.
    fn used(&mut self, key: K) -> Option<Arc<V>> {
        let entry = self.values.get_mut(&key)?;
        self.by_use.remove(&entry.last_use);
        self.uses += 1;
        entry.last_use = self.uses;
        self.by_use.insert(self.uses, key);
        Some(entry.value.clone())
    }

    fn insert(&mut self, key: K, value: Arc<V>, bytes: usize) {
        self.uses += 1;
        if let Some(before) = self.values.insert(key, Entry { value, bytes, last_use: self.uses }) {
            self.by_use.remove(&before.last_use);
            self.bytes -= before.bytes;
        }
        self.by_use.insert(self.uses, key);
        self.bytes += bytes;
        self.shrink();
    }

    fn shrink(&mut self) {
        while self.bytes > self.capacity
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.bytes -= self.values.remove(&oldest).map_or(0, |entry| entry.bytes);
        }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.by_use.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;

    use super::Cache;

    /// What a cache does when the value of a key is asked for: whether it makes it, and from what.
    fn ask(cache: &Cache<u32, u32>, key: u32, current: u32) -> Option<Option<u32>> {
        let mut made = None;
        let value = cache.renew(
            key,
            |_| 10,
            |value| *value == current,
            |before| {
                made = Some(before.map(|before| *before));
                Ok::<_, Infallible>(Arc::new(current))
            },
        );
        assert_eq!(*value.expect("making cannot fail"), current);
        made
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let cache = Cache::new(35);
        for key in 0..3 {
            assert_eq!(ask(&cache, key, 1), Some(None));
        }
        assert_eq!(ask(&cache, 0, 1), None);
        assert_eq!(ask(&cache, 3, 1), Some(None), "there is room for three");
        assert_eq!(ask(&cache, 1, 1), Some(None), "1 was dropped");
        assert_eq!(ask(&cache, 0, 1), None, "2 was dropped instead");
        cache.resize(10);
        assert_eq!(ask(&cache, 0, 2), Some(Some(1)), "the last one used stayed, and is renewed from what it was");
        assert_eq!(ask(&cache, 3, 1), Some(None));
        cache.clear();
        assert_eq!(ask(&cache, 3, 1), Some(None));
    }
}
