#!/usr/bin/env bash
# tinybench's throughput if iterations take different times, or the process was stopped during one.
#
# Guess: the throughput is the number of iterations divided by their time, so a stop of 3 s lowers it as it raises latency.
# Seen (tinybench 6.2.5): it is the mean of the throughputs of single iterations, to which long ones add almost nothing. A
# stop of 3 s among 1,000 iterations of 1 ms makes the mean latency four times as long, but the throughput stays at 999
# a second, where 250 were done. Iterations that take 1 and 9 ms in turn have a throughput of 556 and a latency of 5 ms.
# An option replaces the clock here, so that times are the same in every run.
set -euo pipefail
for program in node npm; do
    command -v "$program" >/dev/null || { echo "missing: $program" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix "$folder" tinybench@6.2.5
cat >bench.mjs <<'JS'
import { Bench } from "tinybench";

// The times of iterations in ms, by their number.
const KINDS = { even: () => 1, "a stop": number => number === 500 ? 3001 : 1, "in turn": number => number % 2 ? 1 : 9 };
for (const [name, takes] of Object.entries(KINDS)) {
    let time = 0, number = 0;
    const bench = new Bench({ now: () => time, time: 0, iterations: 1000, warmup: false });
    bench.add(name, () => { time += takes(number++); });
    await bench.run();
    const { latency, throughput, totalTime } = bench.tasks[0].result;
    const done = 1000 * latency.samplesCount / totalTime;
    console.log(`${name}: ${latency.mean.toFixed()} ms, ${throughput.mean.toFixed()} in a second; done: ${done.toFixed()}`);
}
JS
seen=$(node bench.mjs)
echo "$seen"
[ "$seen" = "even: 1 ms, 1000 in a second; done: 1000
a stop: 4 ms, 999 in a second; done: 250
in turn: 5 ms, 556 in a second; done: 200" ] || { echo "another behaviour" >&2; exit 1; }
