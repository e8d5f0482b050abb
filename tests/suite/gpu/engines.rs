//! Which engine solves a game when nobody has named one.

use std::time::Duration;

use dovemate::internals::gpu::solve::TestTimes;
use dovemate::internals::run::solve::{forecast, is_worth_it};
use dovemate::internals::solve::space::layout::Layout;
use dovemate::rules::Game;

/// The CPU solves what it solves soon; of longer games, the one that was faster in the self-test.
#[test]
fn engines_are_chosen() {
    let seconds = Duration::from_secs;
    let times = |cpu, gpu| Some(TestTimes { cpu: Duration::from_millis(cpu), gpu: Duration::from_millis(gpu) });
    for (forecast, times, expected) in [
        (0, None, false),
        (9, None, false),
        (10, None, true),
        (9, times(50, 1), false),
        (10, times(50, 1), true),
        (10, times(50, 49), true),
        (3_600, times(50, 50), false),
        (3_600, times(50, 1_500), false),
    ] {
        assert_eq!(is_worth_it(seconds(forecast), times), expected, "{forecast} s, {times:?}");
    }
    let forecast = |kinds: &str, threads| forecast(&Layout::new(Game::both(kinds).expect("kinds")), threads);
    // Measured: half a second and 35 seconds.
    assert!((0.25..1.0).contains(&forecast("AYM", 2).as_secs_f64()));
    assert!((17.0..70.0).contains(&forecast("AYMT", 2).as_secs_f64()));
}
