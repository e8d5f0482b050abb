//! Caches of what was read from files: one for all threads, and one for each.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use crate::solve::space::layout::GroupId;

/// The most groups that a thread holds for itself while it works on one, whether or not the shared cache still has
/// them.
pub const MAX_THREAD_GROUPS: usize = 64;

/// A least-recently-used cache, bounded in bytes.
pub struct Cache<K, V> {
    held: Mutex<CacheContent<K, V>>,
}

struct CacheContent<K, V> {
    capacity: usize,
    bytes: usize,
    /// The number of uses so far.
    uses: u64,
    values: HashMap<K, Cached<V>>,
    /// The keys by their last use.
    by_use: BTreeMap<u64, K>,
}

struct Cached<V> {
    value: Arc<V>,
    bytes: usize,
    last_use: u64,
}

impl<K: Copy + Eq + Hash, V> Cache<K, V> {
    /// A cache of `capacity` bytes.
    pub fn new(capacity: usize) -> Cache<K, V> {
        let held = CacheContent { capacity, bytes: 0, uses: 0, values: HashMap::new(), by_use: BTreeMap::new() };
        Cache { held: Mutex::new(held) }
    }

    /// Drops everything.
    pub fn clear(&self) {
        self.with(CacheContent::clear);
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

    fn with<R>(&self, work: impl FnOnce(&mut CacheContent<K, V>) -> R) -> R {
        work(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<K: Copy + Eq + Hash, V> CacheContent<K, V> {
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
        if let Some(before) = self.values.insert(key, Cached { value, bytes, last_use: self.uses }) {
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

/// The groups that a thread has read while it works on one, so that it seldom needs the shared cache.
pub struct ThreadCache<V> {
    /// The groups of each class, up to the last one read.
    classes: Vec<Vec<Option<Arc<V>>>>,
    /// The number of groups held.
    count: usize,
}

impl<V> Default for ThreadCache<V> {
    fn default() -> ThreadCache<V> {
        ThreadCache { classes: Vec::new(), count: 0 }
    }
}

impl<V> ThreadCache<V> {
    /// A group: the one held, or what `ask` returns.
    #[inline]
    pub fn get(&mut self, group: GroupId, ask: impl FnOnce() -> Arc<V>) -> &V {
        if self.at_hand(group).is_none() {
            self.enter(group, ask());
        }
        self.classes[group.class.0][group.number].as_deref().expect("it has just been entered")
    }

    /// A group that is held.
    #[inline]
    pub fn at_hand(&self, group: GroupId) -> Option<&V> {
        self.classes.get(group.class.0)?.get(group.number)?.as_deref()
    }

    fn enter(&mut self, group: GroupId, value: Arc<V>) {
        if self.count == MAX_THREAD_GROUPS {
            *self = ThreadCache::default();
        }
        let GroupId { class, number } = group;
        self.classes.resize_with(self.classes.len().max(class.0 + 1), Vec::new);
        let groups = &mut self.classes[class.0];
        groups.resize(groups.len().max(number + 1), None);
        groups[number] = Some(value);
        self.count += 1;
    }
}
