//! What is made of a driver's panics and timestamps.

use std::time::Duration;

use dovemate::internals::gpu::caught::caught;
use dovemate::internals::gpu::dispatch::{Clock, between};

#[test]
fn a_panic_becomes_its_message() {
    assert_eq!(caught(|| 7), Ok(7));
    assert_eq!(caught(|| -> u32 { panic!("the device is gone") }), Err("the device is gone".to_owned()));
    let place = 3;
    assert_eq!(caught(|| -> u32 { panic!("lost at {place}") }), Err("lost at 3".to_owned()));
}

const ELAPSED: Duration = Duration::from_millis(50);

/// Zeros, an end before the beginning, and times beyond the elapsed time are rejected.
#[test]
fn timestamps_that_make_no_sense_are_none() {
    assert_eq!(between(1_000, 41_000, 1.0, ELAPSED), Some(Duration::from_micros(40)));
    assert_eq!(between(1_000, 41_000, 40.0, ELAPSED), Some(Duration::from_micros(1_600)));
    for (begin, end, tick) in [
        (0, 0, 1.0),
        (0, 41_000, 1.0),
        (41_000, 1_000, 1.0),
        (1_000, 51_001_000, 1.0),
        (1_000, 41_000, f32::NAN),
        (1, u64::MAX, f32::MAX),
    ] {
        assert_eq!(between(begin, end, tick, ELAPSED), None, "{begin} to {end}, {tick} ns");
    }
}

/// One batch without a time makes the sum unknown; so does a clock that stands still.
#[test]
fn a_clock_that_was_wrong_once_tells_nothing() {
    let mut clock = Clock(Some(Duration::ZERO));
    assert_eq!(clock.time(), None);
    clock.add(Some(Duration::ZERO));
    assert_eq!(clock.time(), None);
    clock.add(Some(ELAPSED));
    clock.add(Some(ELAPSED));
    assert_eq!(clock.time(), Some(2 * ELAPSED));
    clock.add(None);
    clock.add(Some(ELAPSED));
    assert_eq!(clock.time(), None);
}
