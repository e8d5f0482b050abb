//! A value that is delivered later, mostly by a callback. Natively a callback runs within a call to the device, such as
//! a poll; in a page it runs in the event loop, and a task waits for the value.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// A place for a value; its clones are the same place.
#[derive(Debug)]
pub(super) struct Delivery<T>(Arc<Mutex<Place<T>>>);

#[derive(Debug)]
struct Place<T> {
    value: Option<T>,
    waiting: Option<Waker>,
}

impl<T> Place<T> {
    fn wake(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            waiting.wake();
        }
    }
}

impl<T> Default for Delivery<T> {
    fn default() -> Delivery<T> {
        Delivery(Arc::new(Mutex::new(Place { value: None, waiting: None })))
    }
}

impl<T> Clone for Delivery<T> {
    fn clone(&self) -> Delivery<T> {
        Delivery(Arc::clone(&self.0))
    }
}

impl<T: Clone> Delivery<T> {
    /// Delivers a value, replacing an earlier one.
    pub(super) fn put(&self, value: T) {
        let mut place = self.place();
        place.value = Some(value);
        place.wake();
    }

    /// Delivers a value unless there is one already; returns the first.
    pub(super) fn put_first(&self, value: T) -> T {
        let mut place = self.place();
        let first = place.value.get_or_insert(value).clone();
        place.wake();
        first
    }

    /// The value, if it has been delivered.
    pub(super) fn get(&self) -> Option<T> {
        self.place().value.clone()
    }

    /// Waits for the value.
    #[cfg(target_family = "wasm")]
    pub(super) async fn wait(&self) -> T {
        std::future::poll_fn(|context| {
            let mut place = self.place();
            place.waiting = Some(context.waker().clone());
            place.value.clone().map_or(std::task::Poll::Pending, std::task::Poll::Ready)
        })
        .await
    }

    fn place(&self) -> MutexGuard<'_, Place<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
