//! The size of the next batch, derived from the times of the last ones. A dispatch must stay far below the time
//! limits of desktop systems' watchdogs (about 2 s, on some a few hundred milliseconds) and let a card that draws the
//! screen keep up thirty frames a second, yet a fast adapter should get large batches soon. Batches begin small and
//! grow at most by the factor `GROWTH`. The cost of the next one is the cost that could have been done within
//! [`TARGET`] at the *slowest* pace of the last few. Cost is counted in blocks, and blocks differ in weight. So a
//! batch overruns the target if its blocks are heavier than those of every recent batch, by about as much.

use std::time::Duration;

/// The time that a batch should take.
pub(crate) const TARGET: Duration = Duration::from_millis(30);
/// The cost of the first batch, in blocks.
const FIRST_COST: u64 = 128;
/// The largest ratio between the costs of a batch and the one before it.
const GROWTH: u64 = 4;
/// The number of recent batches that set the pace.
pub(crate) const MEMORY: usize = 8;

/// The pace of a device.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    cost: u64,
    /// The cost per second of the recent batches, oldest first.
    rates: Vec<f64>,
}

/// The pace of an unmeasured device.
impl Default for Pace {
    fn default() -> Pace {
        Pace { cost: FIRST_COST, rates: Vec::with_capacity(MEMORY) }
    }
}

impl Pace {
    /// The cost intended for the next batch, in blocks; its last boss placement may exceed it.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Records that a batch of this cost took `elapsed`.
    pub(crate) fn learn(&mut self, cost: u64, elapsed: Duration) {
        if self.rates.len() == MEMORY {
            self.rates.remove(0);
        }
        self.rates.push(cost as f64 / elapsed.as_secs_f64().max(1e-6));
        let slowest = self.rates.iter().copied().fold(f64::INFINITY, f64::min);
        self.cost = ((slowest * TARGET.as_secs_f64()) as u64).clamp(1, GROWTH * self.cost);
    }
}
