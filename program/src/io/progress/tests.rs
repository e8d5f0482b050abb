//! Tests of the remaining time that a bar shows.

use std::time::Duration;

use super::left;

/// The pace is that of the whole work so far. The first second, or percent, says nothing.
#[test]
fn what_is_left_goes_by_the_pace_so_far() {
    for (elapsed, done, all, expected) in [
        (10, 20, 100, Some(40)),
        (10, 100, 100, Some(0)),
        (1, 1, 100, Some(99)),
        (100, 1, 101, None),
        (0, 50, 100, None),
        (10, 0, 0, None),
    ] {
        let left = left(Duration::from_secs(elapsed), done, all);
        assert_eq!(left, expected.map(Duration::from_secs), "{done} of {all} after {elapsed} s");
    }
}
