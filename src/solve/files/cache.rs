//! A cache of what was read from files.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A two-generation cache, bounded in bytes: when the young generation has half of them it becomes the old one, and the
/// old one is dropped.
pub struct Cache<K, V> {
    capacity: AtomicUsize,
    held: Mutex<Held<K, V>>,
}

struct Held<K, V> {
    young: HashMap<K, Arc<V>>,
    old: HashMap<K, Arc<V>>,
    /// Bytes of the young generation.
    bytes: usize,
}

impl<K: Copy + Eq + Hash, V> Cache<K, V> {
    /// A cache of `capacity` bytes.
    pub fn new(capacity: usize) -> Cache<K, V> {
        Cache { capacity: AtomicUsize::new(capacity), held: Mutex::new(Held::nothing()) }
    }

    /// Drops everything.
    pub fn clear(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Held::nothing();
    }

    /// Changes the capacity; the cache shrinks at the next insertion.
    pub fn resize(&self, capacity: usize) {
        self.capacity.store(capacity, Ordering::Relaxed);
    }

    /// The value of a key, made now unless the cache has it; meanwhile other threads can use the cache. `bytes` gives
    /// the size of a value.
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
        let capacity = self.capacity.load(Ordering::Relaxed);
        let held = || self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let before = {
            let mut held = held();
            if let Some(value) = held.young.get(&key) {
                if is_current(value) {
                    return Ok(value.clone());
                }
                Some(value.clone())
            } else if let Some(value) = held.old.remove(&key) {
                if is_current(&value) {
                    held.insert(key, value.clone(), &bytes, capacity);
                    return Ok(value);
                }
                Some(value)
            } else {
                None
            }
        };
        let value = make(before)?;
        held().insert(key, value.clone(), &bytes, capacity);
        Ok(value)
    }
}

impl<K: Eq + Hash, V> Held<K, V> {
    fn nothing() -> Held<K, V> {
        Held { young: HashMap::new(), old: HashMap::new(), bytes: 0 }
    }

    fn insert(&mut self, key: K, value: Arc<V>, bytes: &impl Fn(&V) -> usize, capacity: usize) {
        self.bytes += bytes(&value);
        if let Some(before) = self.young.insert(key, value) {
            self.bytes -= bytes(&before);
        }
        if self.bytes > capacity / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}
