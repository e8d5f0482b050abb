#!/usr/bin/env bash
# What criterion makes of a measurement during which the process was stopped or the computer slept.
#
# Guess: the sample is kept; the run counts as slower, and the next one as faster, or as slower if its code is slower.
# Seen (criterion 0.8.2): the sample is kept, and hides every change. With 3 s more in the sample of three iterations,
# `change` is +20000 % while `time` is three times as long: `change` compares means, and `time` is a slope, in which short
# samples have little weight. Yet *no change in performance* is detected, as the samples vary too much. In the next run,
# whose code takes twice the time, `change` is -99 %, and none is detected either; without a stop it has *regressed*.
# The times of iterations are made up here, except in the warm-up, so that they are the same in every run.
set -euo pipefail
command -v cargo >/dev/null || { echo "missing: cargo" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
mkdir "$folder/benches" "$folder/src" && cd "$folder" && touch src/lib.rs
cat >Cargo.toml <<'TOML'
package = { name = "stops", edition = "2024" }
lib.bench = false
dev-dependencies.criterion = { version = "=0.8.2", default-features = false }
bench = [{ name = "stops", harness = false }]
TOML
cat >benches/stops.rs <<'RUST'
use std::time::Duration;

/// An iteration takes 100 µs times FACTOR, give or take a hundredth, and the sample of STOPPED iterations 3 s more.
fn main() {
    let number = |name| std::env::var(name).unwrap().parse::<u32>().unwrap();
    let (factor, stopped) = (number("FACTOR"), u64::from(number("STOPPED")));
    let mut criterion = criterion::Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("stops");
    // Samples of 1, 2, … 50 iterations.
    group.sampling_mode(criterion::SamplingMode::Linear).sample_size(50);
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(100));
    let mut samples = 0;
    group.bench_function("work", |bencher| {
        bencher.iter_custom(|iterations| {
            let time = Duration::from_micros(100) * factor * iterations as u32;
            std::thread::sleep(time);
            samples += 1;
            let stop = if iterations == stopped { Duration::from_secs(3) } else { Duration::ZERO };
            time.mul_f64(0.99 + 0.01 * f64::from(samples % 3)) + stop
        })
    });
}
RUST
run() {
    FACTOR=$1 STOPPED=$2 cargo bench --quiet -- --noplot 2>&1 |
        sed -nE 's/.*time: +\[\S+ \S+ (\S+ \S+) .*/\1/p; s/.*change: \[\S+ (\S+) .*/\1/p; s/^ +((No c|Perf|Change).*)/\1/p' |
        paste -sd' '
}
for stopped in 0 3 49; do
    rm -rf target/criterion
    echo "stop in the sample of $stopped iterations: $(run 1 0) / $(run 1 $stopped) / $(run 2 0)"
done | tee seen
[ "$(cat seen)" = "stop in the sample of 0 iterations: 99.980 µs / 99.980 µs +0.0000% No change in performance detected. / \
200.08 µs +100.04% Performance has regressed.
stop in the sample of 3 iterations: 99.980 µs / 309.65 µs +20000% No change in performance detected. / \
200.08 µs −99.005% No change in performance detected.
stop in the sample of 49 iterations: 99.980 µs / 3.5246 ms +1224.5% No change in performance detected. / \
200.08 µs −84.897% No change in performance detected." ] || { echo "another behaviour" >&2; exit 1; }
