// The counts that are shown side by side: on the CPU, in as many workers as there are cores, up to eight, each with its share
// of the shapes; and on the GPU, where the library, in a worker, says what there is to do, and compares what has been found.

import { Thinker, gameKey, sumOfCounts } from "./brain.js";
import { Card, Failed } from "./card.js";

const MOST_WORKERS = 8;
/** How many of the shapes with the most positions are named. */
const SHAPES = 10;

/** A count of the positions of a category – mates, wins or stuck – in a game, by a method. */
export class Tally {
  /** The rows of the shares as they came. */
  parts = [];
  /** The shapes with the most positions. */
  shapes = [];
  /** The figure that is published; null if there is none. */
  published = null;
  /** The seconds that it took; null until it is done. */
  seconds = null;

  constructor(game, category, method, changed) {
    const number = Math.min(navigator.hardwareConcurrency || 2, MOST_WORKERS);
    const workers = Array.from({ length: number }, () => new Thinker({ knowsOpenings: false }));
    Object.assign(this, { game, category, method, changed, workers, sum: sumOfCounts(category, []) });
  }

  /** Counts; ends early, with an AbortError, if `stop` is called. */
  async run() {
    const { workers, game, category, method } = this;
    const begun = performance.now();
    const ask = (worker, index) => {
      const share = { category, method, part: index + 1, parts: workers.length, shapes: SHAPES };
      return worker.ask("count", { ...gameKey(game), ...share }, undefined, row => this.take(row));
    };
    try {
      const answers = await Promise.all(workers.map(ask));
      this.shapes = answers.flatMap(({ shapes }) => shapes).sort((a, b) => b.positions - a.positions).slice(0, SHAPES);
      this.published = answers[0].published;
      this.seconds = (performance.now() - begun) / 1000;
    } finally {
      this.stop();
    }
    this.changed();
  }

  /** Adds a row of a share to the sum, which has `rows`, their `total`, and its `csv`. */
  take(row) {
    this.parts.push(row);
    this.sum = sumOfCounts(this.category, this.parts);
    this.changed();
  }

  stop() {
    this.workers.forEach(worker => worker.end());
  }
}

/** The milliseconds between two pictures of a count. */
const FRAME_MS = 100;
/** No batch takes longer than this, in milliseconds, unless the computer slept meanwhile. */
const SLEEP_MS = 10_000;
/** A count that is forecast to take longer than this, in seconds, waits until the user starts it. */
const LONG_SECONDS = 60;
/** The progress of a count that has not begun. */
const NOTHING = { placements: 0, assignments: 0, rows: [], seconds_left: null };

/** Makes the browser ask before it leaves the page. */
const stay = event => event.preventDefault();

export class GpuCount {
  thinker = new Thinker({ knowsOpenings: false });
  /** The card that works, or has worked last. */
  card = null;
  /** How far it has come, as the library says, and the numbers of all. */
  progress = { ...NOTHING };
  all = { placements: 0, assignments: 0 };
  /** The seconds that it took so far, besides the self-test. */
  seconds = 0;
  /** Starts a count that waits because its forecast is long; null otherwise. */
  begin = null;
  isRunning = false;
  /** When it was shown last. */
  shown = 0;
  /** Its message, such as how it has ended: a key of words.js and its parameters, or null; and the style of that message. */
  status = null;
  kind = "";

  /** A count with these parameters. `changed` is called when there is something to show. */
  constructor(question, changed) {
    Object.assign(this, { question, changed });
  }

  /** Begins or resumes the count in the library. Returns what a GPU needs for it. */
  host(resume) {
    return this.thinker.ask("gpu", { ...this.question, resume });
  }

  /** Fails if there is no GPU that has what is needed. */
  async look() {
    await Card.find((await this.host("no")).limits);
  }

  get isDone() {
    return this.progress.placements === this.all.placements && this.all.placements > 0;
  }

  /** Whether it goes on where it was. */
  get isBegun() {
    return this.progress.placements > 0 && !this.isDone;
  }

  /** The share that is done, as a number up to 1. */
  get share() {
    return this.progress.assignments / Math.max(this.all.assignments, 1);
  }

  /** Counts until all is done or `stop` is called, even while it waits for something. Resumes where it stopped. */
  async run() {
    const stopping = new AbortController();
    const stopped = new Promise(resolve => stopping.signal.addEventListener("abort", resolve));
    this.stop = () => {
      stopping.abort();
      this.begin?.();
    };
    this.isRunning = true;
    addEventListener("beforeunload", stay);
    this.progress.seconds_left = null;
    try {
      await Promise.race([this.work(stopping.signal), stopped]);
    } catch (error) {
      const failed = error instanceof Failed ? error : new Failed("countDriver", { error: String(error.message) });
      // The GPU returned a wrong result: discard everything that it computed.
      if (failed.isWrong) this.end();
      throw failed;
    } finally {
      if (this.isDone) this.thinker.end();
      this.card?.device.destroy();
      this.isRunning = false;
      removeEventListener("beforeunload", stay);
    }
  }

  async work(signal) {
    const host = await this.host("yes");
    if (signal.aborted) return;
    this.all = host;
    const card = await Card.open(host);
    if (signal.aborted) return card.device.destroy();
    this.card = card;
    await card.prepare();
    await card.work(() => this.thinker.call("next_batch", []), (...taken) => this.take(...taken), signal);
  }

  async take(words, milliseconds, stamps) {
    const time = Math.min(milliseconds, SLEEP_MS);
    const progress = JSON.parse(await this.thinker.call("take_counts", [words, time, stamps]));
    if (progress.error) throw new Failed("refused", { error: progress.error }, progress.wrong);
    this.progress = progress;
    if (!progress.self_test) this.seconds += time / 1000;
    if (performance.now() > this.shown + FRAME_MS) this.show();
    if (progress.self_test && progress.seconds_left > LONG_SECONDS && !this.isBegun) {
      const begun = new Promise(resolve => (this.begin = resolve));
      this.show();
      await begun;
      this.begin = null;
      this.show();
    }
  }

  show() {
    this.shown = performance.now();
    this.changed();
  }

  /** Ends the worker, and forgets what was counted. */
  end() {
    this.stop?.();
    this.thinker.end();
    this.progress = { ...NOTHING };
    this.seconds = 0;
  }
}
