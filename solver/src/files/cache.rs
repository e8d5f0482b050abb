//! The caches of groups read from files, and of open files: one kind for all threads, and one for each thread.

use std::hash::Hash;
use std::sync::Arc;

use quick_cache::{OptionsBuilder, Weighter, sync};

use crate::space::layout::GroupId;

/// Maximum number of groups that a thread keeps while it works on one, even if the shared cache has dropped them.
pub(crate) const MAX_THREAD_GROUPS: usize = 64;

/// Roughly the number of values in a cache, from which it sizes its list of evicted keys.
const USUAL_COUNT: usize = 1000;

/// A cache for all threads. Its capacity limits the sum of its values' sizes: bytes or, for open files, 1 each.
pub(crate) struct Cache<K, V>(sync::Cache<K, (Arc<V>, u64), ByBytes>);

/// Weighs values by the sizes stored beside them.
#[derive(Clone)]
struct ByBytes;

impl<K, V> Weighter<K, (Arc<V>, u64)> for ByBytes {
    fn weight(&self, _: &K, &(_, bytes): &(Arc<V>, u64)) -> u64 {
        bytes
    }
}

impl<K: Copy + Eq + Hash, V> Cache<K, V> {
    /// A cache with a capacity.
    pub(crate) fn new(capacity: usize) -> Cache<K, V> {
        // Undivided: with several shards, each would get a fraction of the capacity, which may be too small for a large
        // value.
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(USUAL_COUNT)
            .weight_capacity(capacity as u64)
            .build()
            .expect("all options that it needs are given");
        Cache(sync::Cache::with_options(options, ByBytes, Default::default(), Default::default()))
    }

    /// Drops everything.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// Changes the capacity.
    pub(crate) fn resize(&self, capacity: usize) {
        self.0.set_capacity(capacity as u64);
    }

    /// The value of a key, made now unless the cache has it; while it is made, other threads can use the
    /// cache. `bytes` gives the size of a value.
    pub(crate) fn get<E>(
        &self,
        key: K,
        bytes: impl Fn(&V) -> usize,
        make: impl FnOnce() -> Result<Arc<V>, E>,
    ) -> Result<Arc<V>, E> {
        self.renew(key, bytes, |_| true, |_| make())
    }

    /// As [`Cache::get`], but a value that is no longer current is made again, from its old version.
    pub(crate) fn renew<E>(
        &self,
        key: K,
        bytes: impl Fn(&V) -> usize,
        is_current: impl Fn(&V) -> bool,
        make: impl FnOnce(Option<Arc<V>>) -> Result<Arc<V>, E>,
    ) -> Result<Arc<V>, E> {
        let before = self.0.get(&key).map(|(value, _)| value);
        if let Some(value) = before.as_ref().filter(|value| is_current(value)) {
            return Ok(value.clone());
        }
        let value = make(before)?;
        self.0.insert(key, (value.clone(), bytes(&value) as u64));
        Ok(value)
    }
}

/// The groups that a thread has read while it works on one, so that it seldom needs the shared cache.
#[derive(Default)]
pub(crate) struct ThreadCache<V> {
    /// The groups of each class, up to the highest number read.
    classes: Vec<Vec<Option<Arc<V>>>>,
    /// The number of groups in it.
    count: usize,
}

impl<V: Default> ThreadCache<V> {
    /// A group: from the cache, or else from `read`.
    #[inline]
    pub(crate) fn get(&mut self, group: GroupId, read: impl FnOnce() -> Arc<V>) -> &V {
        if self.at_hand(group).is_none() {
            self.enter(group, read());
        }
        self.classes[group.class.0][group.number].as_deref().expect("it has just been entered")
    }

    /// A group, if it is in the cache.
    #[inline]
    pub(crate) fn at_hand(&self, group: GroupId) -> Option<&V> {
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
