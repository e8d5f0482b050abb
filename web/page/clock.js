// A stopwatch that excludes time in which the computer slept or the browser was suspended.

/** The interval between ticks, and the longest gap that does not count as a suspension. */
const TICK_MS = 500;
const MOST_MS = 3000;

/** Measures time from its construction until `end`. A worker ticks, because the timers of a hidden page are slow. */
export class Stopwatch {
  /** The milliseconds measured up to the latest tick, and the time of that tick. */
  counted = 0;
  latest = performance.now();

  constructor() {
    this.address = URL.createObjectURL(new Blob([`setInterval(() => postMessage(0), ${TICK_MS})`], { type: "text/javascript" }));
    this.worker = new Worker(this.address);
    this.worker.onmessage = () => this.tick();
  }

  tick() {
    const now = performance.now();
    const passed = now - this.latest;
    this.counted += passed > MOST_MS ? TICK_MS : passed;
    this.latest = now;
  }

  /** The seconds so far. */
  get seconds() {
    this.tick();
    return this.counted / 1000;
  }

  end() {
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }
}
