//! An observer that records its calls.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use dovemate::report::Processor;
use dovemate::{Method, Observer, Tally};

/// The recorded calls.
#[derive(Default)]
pub(crate) struct Log {
    pub assignments: AtomicU64,
    pub advanced: AtomicU64,
    pub counted: Mutex<Vec<Tally>>,
    pub warnings: Mutex<Vec<String>>,
}

impl Log {
    /// Checks that progress has reached its end, and that there were no warnings.
    pub(crate) fn check(&self) {
        let [advanced, all] =
            [&self.advanced, &self.assignments].map(|number| number.load(Ordering::Relaxed));
        assert_eq!(advanced, all, "progress reaches its end");
        assert_eq!(*self.warnings.lock().unwrap(), [""; 0]);
    }
}

impl Observer for Log {
    fn begin(&self, _: &Processor, _: Method, assignments: u64) {
        self.assignments.store(assignments, Ordering::Relaxed);
        self.advanced.store(0, Ordering::Relaxed);
    }

    fn advance(&self, assignments: u64) {
        self.advanced.fetch_add(assignments, Ordering::Relaxed);
    }

    fn counted(&self, tally: &Tally) {
        self.counted.lock().unwrap().push(tally.clone());
    }

    fn warn(&self, message: &str) {
        self.warnings.lock().unwrap().push(message.to_owned());
    }
}
