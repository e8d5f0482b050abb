//! How long a device has worked on a batch, by its timestamps or else by the host's clock.
//!
//! A device's clock may move in steps: browsers round timestamps to 0.1 ms, or to 65,536 ns, lest pages learn too
//! much. Two equal stamps then mean *less than a step*, if the clock has moved since the last batch. The step is
//! the greatest common divisor of the differences that were seen. A clock that stands still, or makes no sense,
//! tells nothing.
//!
//! By the host's clock a batch also takes as long as it waits to be looked at, which in a page may be many times
//! its work, and one that is looked at late leaves less of its time to the next. The shortest batch so far bounds that
//! wait from above; it is subtracted, but at least an eighth of the time counts as work.

use std::time::Duration;

/// The longest step that a clock is believed to have: ten times that of a browser.
const MAX_STEP: Duration = Duration::from_millis(1);
/// The least part of the host's time that counts as work.
const LEAST_PART: u32 = 8;

/// Measures how long a device works on its batches.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch {
    /// The greatest common divisor of the differences between stamps, in nanoseconds; 0 if there were none.
    step: u64,
    /// The stamp at the end of the last batch.
    last: u64,
    /// The shortest time of a batch by the host's clock, and that of the last one.
    shortest: Option<Duration>,
    before: Duration,
    /// How long the device has worked by its own clock; `None` once that is unknown for a batch.
    total: Option<Duration>,
}

impl Stopwatch {
    /// Begins to add up.
    pub(crate) fn reset(&mut self) {
        self.total = Some(Duration::ZERO);
    }

    /// How long the device has worked by its own clock since the last reset; `None` if that is unknown.
    pub(crate) fn device_time(&self) -> Option<Duration> {
        self.total.filter(|total| !total.is_zero())
    }

    /// How long the device worked on a batch that took `elapsed` by the host's clock, with its stamps of the
    /// beginning and the end in nanoseconds, if it has any.
    pub(crate) fn worked(&mut self, stamps: Option<[u64; 2]>, elapsed: Duration) -> Duration {
        let shortest = self.shortest.map_or(elapsed, |shortest| shortest.min(elapsed));
        self.shortest = Some(shortest);
        // Two batches may be in flight, so one may have begun when the last one did.
        let most = elapsed + std::mem::replace(&mut self.before, elapsed);
        let by_stamps = stamps.and_then(|stamps| self.by_stamps(stamps, most));
        self.total = self.total.zip(by_stamps).map(|(total, worked)| total + worked);
        by_stamps.unwrap_or_else(|| (elapsed - shortest).max(elapsed / LEAST_PART))
    }

    fn by_stamps(&mut self, [begin, end]: [u64; 2], most: Duration) -> Option<Duration> {
        let last = std::mem::replace(&mut self.last, end);
        let ticks = end.checked_sub(begin).filter(|_| begin > 0)?;
        if last > 0 {
            self.step = common_divisor(self.step, begin.abs_diff(last));
        }
        self.step = common_divisor(self.step, ticks);
        let step = Duration::from_nanos(self.step).min(MAX_STEP);
        match Duration::from_nanos(ticks) {
            // Before a second batch, or after a clock that stood still, nothing is known of its steps.
            Duration::ZERO if step.is_zero() || end == last => None,
            Duration::ZERO => Some(step.min(most)),
            worked => (worked <= most + step).then_some(worked.min(most)),
        }
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
