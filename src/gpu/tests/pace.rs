//! The sizes of batches on devices of any speed.

use std::time::Duration;

use crate::gpu::pace::{MEMORY, Pace, TARGET};
use proptest::prelude::*;

/// The seconds that each batch takes on a device that does `rate` items of weight 1 a second, given the
/// weight of the items in each batch.
fn seconds(rate: f64, weights: &[f64]) -> Vec<f64> {
    let mut pace = Pace::default();
    let batch = |weight: &f64| {
        let cost = pace.cost();
        let elapsed = cost as f64 * weight / rate;
        pace.learn(cost, Duration::from_secs_f64(elapsed));
        elapsed
    };
    weights.iter().map(batch).collect()
}

proptest! {
    /// A batch takes at most the target, times its weight over that of the heaviest of the last few, plus one item.
    /// The first batch is exempt, because nothing is known yet.
    #[test]
    fn batches_stay_short(
        rate in 1e5f64..1e11,
        weights in prop::collection::vec(1f64..20.0, 1..200),
    ) {
        let seconds = seconds(rate, &weights);
        for (batch, elapsed) in seconds.iter().enumerate().skip(1) {
            let heaviest = weights[batch.saturating_sub(MEMORY)..batch].iter().copied().fold(0.0, f64::max);
            let item = weights[batch] / rate;
            let bound = TARGET.as_secs_f64() * weights[batch] / heaviest + item;
            prop_assert!(*elapsed <= 1.001 * bound, "batch {batch}: {elapsed} s, at most {bound} s");
        }
    }
}

/// Batches reach full size within a dozen, on any device.
#[test]
fn fast_devices_soon_get_large_batches() {
    for rate in [1e6, 1e8, 1e10] {
        let seconds = seconds(rate, &[1.0; 20]);
        let full = seconds.iter().position(|&elapsed| elapsed > 0.9 * TARGET.as_secs_f64());
        assert!(full.is_some_and(|batch| batch <= 12), "{rate} items a second: {seconds:?}");
    }
}
