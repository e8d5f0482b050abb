//! How long a count will take, from what boss placements like those that are left have taken.

use std::time::Duration;

use super::batches::cost;
use crate::shapes::BossPlacement;
use crate::shapes::deals::MAX_SLOTS;

/// What has been worked on, by numbers of slots: items of larger boss placements take longer.
#[derive(Default)]
pub(super) struct Forecast([Done; MAX_SLOTS + 1]);

/// A cost in items, and how long it took.
#[derive(Clone, Copy, Default)]
struct Done {
    cost: u64,
    time: Duration,
}

impl Forecast {
    /// Records work on boss placements with about so many slots.
    pub fn learn(&mut self, slots: u32, cost: u64, time: Duration) {
        let done = &mut self.0[slots as usize];
        done.cost += cost;
        done.time += time;
    }

    /// How long all that is recorded took.
    pub fn spent(&self) -> Duration {
        self.0.iter().map(|done| done.time).sum()
    }

    /// About how long the device will work on these boss placements; `None` if nothing is recorded. Sizes
    /// that have not come up are taken for the next larger one, or else for the largest.
    pub fn time(&self, placements: &[BossPlacement]) -> Option<Duration> {
        let mut costs = [0; MAX_SLOTS + 1];
        for placement in placements {
            costs[placement.slots() as usize] += cost(placement.slots());
        }
        let mut measured = self.0.iter().rev().copied().find(|done| done.cost > 0)?;
        let mut seconds = 0.0;
        for (done, cost) in self.0.iter().zip(costs).rev() {
            if done.cost > 0 {
                measured = *done;
            }
            seconds += measured.time.as_secs_f64() * cost as f64 / measured.cost as f64;
        }
        Duration::try_from_secs_f64(seconds).ok()
    }
}
