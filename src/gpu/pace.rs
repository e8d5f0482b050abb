//! How large the next batch may be, from how long the last ones took.
//!
//! A dispatch must stay far below the watchdogs of desktop systems (about 2 s) whatever the adapter, and a fast adapter must get
//! large batches soon. Batches begin small and may grow by [`GROWTH`]; their cost is what the *slowest* of the last few
//! would have done within [`TARGET`]. The cost is counted in items and items differ in weight: so a batch lasts at most
//! the target times the ratio of its weight per item to that of the heaviest recent one.

use std::time::Duration;

/// How long a batch should take.
const TARGET: Duration = Duration::from_millis(100);
/// The very first batch's cost, in items.
const FIRST_COST: u64 = 4096;
/// How much larger than the last a batch may be.
const GROWTH: u64 = 4;
/// How many batches are remembered.
const MEMORY: usize = 8;

/// The pace of one device at one kind of work.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    cost: u64,
    /// Costs a second of the last batches, the oldest first.
    rates: Vec<f64>,
}

impl Pace {
    /// The pace of a device not yet known.
    pub fn new() -> Pace {
        Pace { cost: FIRST_COST, rates: Vec::with_capacity(MEMORY) }
    }

    /// What the next batch may cost, in items.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Learns how long a batch of some cost has taken.
    pub fn learn(&mut self, cost: u64, elapsed: Duration) {
        if self.rates.len() == MEMORY {
            self.rates.remove(0);
        }
        self.rates.push(cost as f64 / elapsed.as_secs_f64().max(1e-6));
        let slowest = self.rates.iter().copied().fold(f64::INFINITY, f64::min);
        self.cost = ((slowest * TARGET.as_secs_f64()) as u64).clamp(1, GROWTH * self.cost);
    }
}
