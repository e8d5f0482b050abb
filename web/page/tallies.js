// The counts to be compared: on the CPU, in a worker per core, each with a share of the shapes; and on the GPU, where the
// library, in a worker, makes the batches and checks the results.

/** @import { Game, Sentence } from "./types.d.ts" */
/** @import { ProgressDocument, ShapeDocument, TallyRow } from "./documents.d.ts" */
import { Thinker, gameKey, sumOfCounts } from "./brain.js";
import { Card, Failed } from "./card.js";
import { Stopwatch } from "./clock.js";
import { messageOf } from "./storage.js";

const MOST_WORKERS = 8;
/** The number of shapes listed, those with the most positions. */
const SHAPES = 10;

/** A count of the positions of a category – mates, wins or stuck – in a game, by a method. */
export class Tally {
  /** The rows of all shares. @type {TallyRow[]} */
  parts = [];
  /** The shapes with the most positions. @type {ShapeDocument[]} */
  shapes = [];
  /** The published figure; null if there is none. @type {number | null} */
  published = null;
  /** The duration; null until the count is done. @type {number | null} */
  seconds = null;

  /**
   * @param {Game} game
   * @param {string} category
   * @param {string} method
   * @param {() => void} changed called when there is something new to show
   */
  constructor(game, category, method, changed) {
    const number = Math.min(navigator.hardwareConcurrency || 2, MOST_WORKERS);
    this.workers = Array.from({ length: number }, () => new Thinker({ knowsOpenings: false }));
    this.game = game;
    this.category = category;
    this.method = method;
    this.changed = changed;
    this.sum = sumOfCounts(category, []);
  }

  /** Counts. Rejects with an AbortError after `stop`. */
  async run() {
    const { workers, game, category, method } = this;
    const stopwatch = new Stopwatch();
    const ask = (/** @type {Thinker} */ worker, /** @type {number} */ index) => {
      const share = { category, method, part: index + 1, parts: workers.length, shapes: SHAPES };
      return worker.ask("count", { ...gameKey(game), ...share }, undefined, row => this.take(row));
    };
    try {
      const answers = await Promise.all(workers.map(ask));
      this.shapes = answers.flatMap(({ shapes }) => shapes).sort((a, b) => b.positions - a.positions).slice(0, SHAPES);
      this.published = answers[0].published;
      this.seconds = stopwatch.seconds;
    } finally {
      stopwatch.end();
      this.stop();
    }
    this.changed();
  }

  /** Adds a row of a share. @param {TallyRow} row */
  take(row) {
    this.parts.push(row);
    this.sum = sumOfCounts(this.category, this.parts);
    this.changed();
  }

  stop() {
    this.workers.forEach(worker => worker.end());
  }
}

/** The interval between redraws during a count. */
const FRAME_MS = 100;
/** The longest time of a batch; more means that the computer slept. */
const SLEEP_MS = 10_000;
/** The longest forecast of a count that starts without a confirmation. */
const LONG_SECONDS = 60;
/** The progress of a count before its first batch. @type {ProgressDocument} */
const NOTHING = { placements: 0, assignments: 0, rows: [], self_test: true, seconds_left: null };

/** Makes the browser ask before it closes the page. */
const stay = (/** @type {Event} */ event) => event.preventDefault();

export class GpuCount {
  thinker = new Thinker({ knowsOpenings: false });
  /** The card of the latest run. @type {any} */
  card = null;
  /** The progress, from the library, and the total numbers. */
  progress = { ...NOTHING };
  all = { placements: 0, assignments: 0 };
  /** The duration so far, without the self-test. */
  seconds = 0;
  /** Confirms a count with a long forecast; null unless it waits for that. @type {((begun: unknown) => void) | null} */
  begin = null;
  /** Stops the run. @type {() => void} */
  stop = () => {};
  isRunning = false;
  /** The time of the last redraw. */
  shown = 0;
  /** The message, and its style. @type {Sentence | null} */
  status = null;
  kind = "";

  /**
   * @param {object} question the parameters
   * @param {() => void} changed called when there is something new to show
   */
  constructor(question, changed) {
    this.question = question;
    this.changed = changed;
  }

  /** Begins or resumes the count in the library. Returns the setup of the device. @param {string} resume @returns {Promise<any>} */
  host(resume) {
    return this.thinker.ask("gpu", { ...this.question, resume });
  }

  /** Fails if there is no suitable GPU. */
  async look() {
    await Card.find((await this.host("no")).limits);
  }

  get isDone() {
    return this.progress.placements === this.all.placements && this.all.placements > 0;
  }

  /** Whether the count can be resumed. */
  get isBegun() {
    return this.progress.placements > 0 && !this.isDone;
  }

  /** The share that is done, up to 1. */
  get share() {
    return this.progress.assignments / Math.max(this.all.assignments, 1);
  }

  /** Counts, or resumes, until all is done or `stop` is called. */
  async run() {
    const stopping = new AbortController();
    const stopped = new Promise(resolve => stopping.signal.addEventListener("abort", resolve));
    this.stop = () => {
      stopping.abort();
      this.begin?.(null);
    };
    this.isRunning = true;
    addEventListener("beforeunload", stay);
    this.progress.seconds_left = null;
    try {
      await Promise.race([this.work(stopping.signal), stopped]);
    } catch (error) {
      const failed = error instanceof Failed ? error : new Failed("countDriver", { error: messageOf(error) });
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

  /** @param {AbortSignal} signal */
  async work(signal) {
    const host = await this.host("yes");
    if (signal.aborted) return;
    this.all = host;
    const card = await Card.open(host);
    if (signal.aborted) return card.device.destroy();
    this.card = card;
    await card.prepare();
    await card.work(() => this.thinker.call("next_batch", []), this.take.bind(this), signal);
  }

  /** Takes in the results of a batch. @param {Uint32Array} words @param {number} milliseconds @param {BigUint64Array} stamps */
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

  /** Ends the worker, and discards the results. */
  end() {
    this.stop();
    this.thinker.end();
    this.progress = { ...NOTHING };
    this.seconds = 0;
  }
}
