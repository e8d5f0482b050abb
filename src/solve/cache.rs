//! A cache of what was read from files.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Values by keys, so many bytes of them: when the young ones have half of these they become the old ones, and the old ones go.
pub struct Cache<K, V> {
    capacity: AtomicUsize,
    held: Mutex<Held<K, V>>,
}

struct Held<K, V> {
    young: HashMap<K, Arc<V>>,
    old: HashMap<K, Arc<V>>,
    /// Bytes of the young ones.
    bytes: usize,
}

impl<K: Copy + Eq + Hash, V> Cache<K, V> {
    /// A cache of so many bytes.
    pub fn new(capacity: usize) -> Cache<K, V> {
        Cache { capacity: AtomicUsize::new(capacity), held: Mutex::new(Held::nothing()) }
    }

    /// Lets go of everything.
    pub fn clear(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Held::nothing();
    }

    /// Changes how many bytes are held; what is too much goes when something comes.
    pub fn resize(&self, capacity: usize) {
        self.capacity.store(capacity, Ordering::Relaxed);
    }

    /// A value that is held, or made now; whoever else wants another one meanwhile does not wait. `bytes` says how many a value has.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn get<E>(
        &self,
        key: K,
        bytes: impl Fn(&V) -> usize,
        make: impl FnOnce() -> Result<Arc<V>, E>,
    ) -> Result<Arc<V>, E> {
        self.renew(key, bytes, |_| true, |_| make())
    }

    /// The same, but a value that is held and not current any more is made anew, from itself.
    ///
    /// # Errors
    /// If it cannot be made.
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
                    held.insert(key, value.clone(), bytes(&value), capacity);
                    return Ok(value);
                }
                Some(value)
            } else {
                None
            }
        };
        let value = make(before)?;
        held().insert(key, value.clone(), bytes(&value), capacity);
        Ok(value)
    }
}

impl<K: Eq + Hash, V> Held<K, V> {
    fn nothing() -> Held<K, V> {
        Held { young: HashMap::new(), old: HashMap::new(), bytes: 0 }
    }

    fn insert(&mut self, key: K, value: Arc<V>, bytes: usize, capacity: usize) {
        if self.young.insert(key, value).is_none() {
            self.bytes += bytes;
        }
        if self.bytes > capacity / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}
