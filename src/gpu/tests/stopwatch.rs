//! How long a device has worked, by clocks of any kind.

use std::time::Duration;

use crate::gpu::count::stopwatch::Stopwatch;

const ELAPSED: Duration = Duration::from_millis(50);
/// The step of Dawn's clock, in nanoseconds (npm webgpu 0.6.2); Chrome documents 100,000.
const STEP: u64 = 65_536;

fn nanoseconds(number: u64) -> Duration {
    Duration::from_nanos(number)
}

#[test]
fn a_fine_clock_is_believed() {
    let mut stopwatch = Stopwatch::default();
    stopwatch.reset();
    assert_eq!(stopwatch.device_time(), None);
    assert_eq!(stopwatch.worked(Some([1_000, 41_007]), ELAPSED), nanoseconds(40_007));
    assert_eq!(stopwatch.worked(Some([41_009, 81_010]), ELAPSED), nanoseconds(40_001));
    assert_eq!(stopwatch.device_time(), Some(nanoseconds(80_008)));
}

/// Zeros, an end before the beginning, and times beyond the elapsed time are ignored; then the host's clock counts, and
/// the sum is unknown.
#[test]
fn stamps_that_make_no_sense_tell_nothing() {
    for stamps in [[0, 0], [0, 41_000], [41_000, 1_000], [1_000, 161_001_000], [1, u64::MAX]] {
        let mut stopwatch = Stopwatch::default();
        stopwatch.reset();
        assert_eq!(stopwatch.worked(Some(stamps), ELAPSED), ELAPSED / 8, "{stamps:?}");
        assert_eq!(stopwatch.worked(Some(stamps), ELAPSED), ELAPSED / 8, "{stamps:?}");
        stopwatch.worked(Some([1_000_000, 1_041_000]), ELAPSED);
        assert_eq!(stopwatch.device_time(), None, "{stamps:?}");
    }
}

/// Once a clock has shown its step, equal stamps count as one step.
#[test]
fn less_than_a_step_is_a_step() {
    let mut stopwatch = Stopwatch::default();
    let mut now = 7 * STEP;
    let mut worked = Duration::ZERO;
    for steps in [600, 601, 450, 512] {
        now += steps * STEP;
        worked = stopwatch.worked(Some([now, now]), ELAPSED);
    }
    assert_eq!(worked, nanoseconds(STEP));
    assert_eq!(stopwatch.worked(Some([now + 3 * STEP, now + 5 * STEP]), ELAPSED), nanoseconds(2 * STEP));
}

/// A device does not count as fast because its clock stands still.
#[test]
fn a_clock_that_stands_still_tells_nothing() {
    let mut stopwatch = Stopwatch::default();
    for now in [600, 1201, 1651] {
        stopwatch.worked(Some([now * STEP, now * STEP]), ELAPSED);
    }
    for _ in 0..10 {
        assert_eq!(stopwatch.worked(Some([1651 * STEP, 1651 * STEP]), 3 * ELAPSED), 2 * ELAPSED);
    }
}

/// Without stamps, the time of the shortest batch counts as waiting and is subtracted.
#[test]
fn without_stamps_a_wait_is_no_work() {
    let mut stopwatch = Stopwatch::default();
    assert_eq!(stopwatch.worked(None, ELAPSED), ELAPSED / 8);
    assert_eq!(stopwatch.worked(None, ELAPSED), ELAPSED / 8);
    assert_eq!(stopwatch.worked(None, 4 * ELAPSED), 3 * ELAPSED);
}

/// A batch collected late leaves the next one less time than it took; the stamps still count.
#[test]
fn a_late_look_takes_nothing_from_the_next_batch() {
    let mut stopwatch = Stopwatch::default();
    stopwatch.reset();
    assert_eq!(stopwatch.worked(Some([1_000, 30_001_007]), 2 * ELAPSED), nanoseconds(30_000_007));
    assert_eq!(stopwatch.worked(Some([30_001_009, 60_001_020]), ELAPSED / 50), nanoseconds(30_000_011));
    assert_eq!(stopwatch.device_time(), Some(nanoseconds(60_000_018)));
}
