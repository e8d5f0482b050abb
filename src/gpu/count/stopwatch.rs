//! The time that a device was busy with a batch, by its timestamps or else by the host's clock.
//!
//! A device's clock may move in steps: browsers round timestamps to 0.1 ms, or to 65,536 ns, against timing attacks by
//! pages. Two equal stamps then mean *less than a step*, if the clock has moved since the last batch. The step is the
//! greatest common divisor of the differences seen so far. A clock that stands still, runs backwards or contradicts the
//! host's is ignored.
//!
//! By the host's clock, the time of a batch includes its wait for the host. In a page that wait may be many times as
//! long as the work. A batch's time starts when the one before is collected, so a late collection also makes the next
//! batch look short. The shortest time of a batch so far serves as an estimate of the wait. This can only be too long.
//! It is subtracted, but at least an eighth of the time counts as work.

use std::time::Duration;

/// The longest plausible step of a clock: ten times a browser's step.
const MAX_STEP: Duration = Duration::from_millis(1);
/// The divisor of the host's time that gives the least time counted as work.
const WORK_DIVISOR: u32 = 8;

/// Measures how long a device works on its batches.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch {
    /// The step of the device's clock so far, in nanoseconds; 0 if unknown.
    step: u64,
    /// The stamp at the end of the last batch.
    last: u64,
    /// The shortest time of a batch by the host's clock.
    shortest: Option<Duration>,
    /// The time of the last batch by the host's clock.
    previous: Duration,
    /// The time that the device was busy, by its own clock; `None` once that is unknown for a batch.
    total: Option<Duration>,
}

impl Stopwatch {
    /// Resets the total to zero.
    pub(crate) fn reset(&mut self) {
        self.total = Some(Duration::ZERO);
    }

    /// The time that the device was busy since the last reset, by its own clock; `None` if unknown.
    pub(crate) fn device_time(&self) -> Option<Duration> {
        self.total.filter(|total| !total.is_zero())
    }

    /// The time that the device was busy with a batch. `stamps`: its start and end by the device's clock, in
    /// nanoseconds, if it has one. `elapsed`: its time by the host's clock.
    pub(crate) fn worked(&mut self, stamps: Option<[u64; 2]>, elapsed: Duration) -> Duration {
        let shortest = self.shortest.map_or(elapsed, |shortest| shortest.min(elapsed));
        self.shortest = Some(shortest);
        // Two batches may be in flight, so this one may have begun while the previous one was still being timed.
        let most = elapsed + std::mem::replace(&mut self.previous, elapsed);
        let by_stamps = stamps.and_then(|stamps| self.by_stamps(stamps, most));
        self.total = self.total.zip(by_stamps).map(|(total, worked)| total + worked);
        by_stamps.unwrap_or_else(|| (elapsed - shortest).max(elapsed / WORK_DIVISOR))
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
            // Equal stamps tell nothing while no step has been seen, or if the clock has not moved since the last
            // batch.
            Duration::ZERO if step.is_zero() || end == last => None,
            Duration::ZERO => Some(step.min(most)),
            worked => (worked <= most + step).then_some(worked.min(most)),
        }
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
