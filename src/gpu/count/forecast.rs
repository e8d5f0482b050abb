//! How long a count will take, from what boss placements like those that are left have taken.

use std::time::Duration;

use super::batches::cost;
use crate::shapes::BossPlacement;
use crate::shapes::deals::MAX_SLOTS;

/// What has been worked on.
#[derive(Default)]
pub(super) struct Forecast {
    /// By numbers of slots, costs and the seconds that the device worked on them: a block of a larger boss
    /// placement takes longer.
    done: [(f64, f64); MAX_SLOTS + 1],
    /// The time since the count began, and how much of it the device has worked.
    elapsed: Duration,
    worked: Duration,
}

impl Forecast {
    /// Records a batch of these boss placements: the device has `worked` for a part of the time that `elapsed`.
    pub(super) fn learn(&mut self, placements: &[BossPlacement], elapsed: Duration, worked: Duration) {
        let all: u64 = placements.iter().map(|placement| cost(placement.slots())).sum();
        for placement in placements {
            let share = cost(placement.slots()) as f64;
            let (costs, seconds) = &mut self.done[placement.slots() as usize];
            *costs += share;
            *seconds += share / all as f64 * worked.as_secs_f64();
        }
        self.elapsed += elapsed;
        self.worked += worked;
    }

    /// How long the device has worked.
    pub(super) fn worked(&self) -> Duration {
        self.worked
    }

    /// Begins the count. In the few batches before it, the device may have waited far longer.
    pub(super) fn begin(&mut self) {
        (self.elapsed, self.worked) = (Duration::ZERO, Duration::ZERO);
    }

    /// About how long these boss placements will take; `None` if nothing is recorded. Sizes that have not
    /// come up are taken for the next larger one, or else for the largest.
    pub(super) fn time(&self, placements: &[BossPlacement]) -> Option<Duration> {
        let mut costs = [0; MAX_SLOTS + 1];
        for placement in placements {
            costs[placement.slots() as usize] += cost(placement.slots());
        }
        let mut measured = self.done.iter().rev().copied().find(|(costs, _)| *costs > 0.0)?;
        let mut seconds = 0.0;
        for (done, cost) in self.done.iter().zip(costs).rev() {
            if done.0 > 0.0 {
                measured = *done;
            }
            seconds += measured.1 / measured.0 * cost as f64;
        }
        let worked = self.worked.as_secs_f64();
        let with_waiting = if worked > 0.0 { self.elapsed.as_secs_f64() / worked } else { 1.0 };
        Duration::try_from_secs_f64(seconds * with_waiting).ok()
    }
}
