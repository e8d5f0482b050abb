//! Forecasts the time of a count from the time that boss placements of the same sizes have taken.

use std::time::Duration;

use super::batches::cost;
use crate::shapes::deals::MAX_SLOTS;

/// The measured costs and times.
#[derive(Debug, Default)]
pub(super) struct Forecast {
    /// For each number of slots: the costs done, and the seconds that the device was busy with them. They are kept
    /// apart because a block of a larger boss placement takes longer.
    done: [(f64, f64); MAX_SLOTS + 1],
    /// The time of the batches since the sample or the count began, and the time that the device was busy with them.
    elapsed: Duration,
    worked: Duration,
}

impl Forecast {
    /// Records a batch of boss placements with these numbers of slots. `elapsed`: the time since its submission, or
    /// since the previous batch returned if that was later. `worked`: the time that the device was busy with it.
    pub(super) fn learn(&mut self, slots: &[u32], elapsed: Duration, worked: Duration) {
        let all: u64 = slots.iter().map(|&slots| cost(slots)).sum();
        for &slots in slots {
            let share = cost(slots) as f64;
            let (costs, seconds) = &mut self.done[slots as usize];
            *costs += share;
            *seconds += share / all as f64 * worked.as_secs_f64();
        }
        self.elapsed += elapsed;
        self.worked += worked;
    }

    /// The time of the batches since the sample or the count began.
    pub(super) fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The time that the device was busy with these batches.
    pub(super) fn worked(&self) -> Duration {
        self.worked
    }

    /// Resets both clocks before the count, because the device may idle far more in the few batches of the sample.
    pub(super) fn begin(&mut self) {
        (self.elapsed, self.worked) = (Duration::ZERO, Duration::ZERO);
    }

    /// An estimate of the time for boss placements with these numbers of slots; `None` if nothing is recorded. A size
    /// without a record counts as the next larger recorded one, or else as the largest.
    pub(super) fn time(&self, slots: impl Iterator<Item = u32>) -> Option<Duration> {
        let mut costs = [0; MAX_SLOTS + 1];
        for slots in slots {
            costs[slots as usize] += cost(slots);
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
