// The counts to compare. On the CPU, each of several workers counts a share of the shapes. The library drives the GPU in
// another worker, and also checks the results there.

/** @import { Game, Sentence } from "./types.d.ts" */
/** @import { ProgressDocument, ShapeDocument, TallyRow } from "./documents.d.ts" */
import { Thinker, gameKey, queryOf, sumOfCounts } from "./brain.js";
import { Stopwatch } from "./clock.js";
import { currentLanguage, messageOf } from "./storage.js";

const MOST_WORKERS = 8;
/** Maximum number of shapes to list, beginning with the one with the most positions. */
const SHAPES = 10;

/** A count on the CPU of the positions of a category – mates, wins or stuck – in a game, with one of the methods. */
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
/** A count with a longer forecast waits for the user's confirmation. */
const LONG_SECONDS = 60;
/** Time limits for work on the GPU, and for finding or opening one. */
const WORK_SECONDS = 120;
const OPENING_SECONDS = 20;
/** The progress of a count before its first batch. @type {ProgressDocument} */
const NOTHING = { placements: 0, assignments: 0, rows: [], self_test: true, seconds: 0, seconds_left: null };

/** Makes the browser ask before it closes the page. */
const stay = (/** @type {Event} */ event) => event.preventDefault();

/** Why a GPU cannot be used, or its count ended: the key of a text, and its parameters. */
class Failed extends Error {
  /**
   * @param {Sentence} sentence
   * @param {boolean} isWrong whether the GPU returned a wrong result, so that all its results are discarded
   */
  constructor(sentence, isWrong = false) {
    super(sentence[0]);
    this.sentence = sentence;
    this.isWrong = isWrong;
  }
}

/**
 * The result of `work`. Fails if `limit` seconds pass without a call of `heard`, not counting time in which the computer
 * slept.
 *
 * @template T
 * @param {number} limit
 * @param {string} key the sentence for work that takes longer
 * @param {(heard: () => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
function within(limit, key, work) {
  let [timer, seconds] = [0, 0];
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setInterval(() => ++seconds === limit && reject(new Failed([key, { seconds }])), 1000);
  });
  return Promise.race([work(() => void (seconds = 0)), late]).finally(() => clearInterval(timer));
}

/** The GPU's name according to WebGL, for browsers whose WebGPU does not reveal it. */
function nameByWebGl() {
  const gl = document.createElement("canvas").getContext("webgl");
  return gl && gl.getParameter(gl.RENDERER);
}

/** A count on the GPU, which the library drives in a worker. */
export class GpuCount {
  thinker = new Thinker({ knowsOpenings: false });
  /** The GPU of the latest run. @type {{ name: string, is_software: boolean } | null} */
  card = null;
  /** Its name, for users. */
  get name() {
    return this.card?.name ?? "GPU";
  }

  /** The progress that the library reports, and the totals. */
  progress = { ...NOTHING };
  all = { placements: 0, assignments: 0 };
  /** The duration so far without the self-test, and the part of it before the latest run. */
  seconds = 0;
  earlier = 0;
  /** Confirms a count with a long forecast; null unless the count is waiting for confirmation. @type {((begun: unknown) => void) | null} */
  begin = null;
  /** Stops the run. @type {() => void} */
  stop = () => {};
  isRunning = false;
  /** The time of the last redraw. */
  shown = 0;
  /** The message, and its style. @type {Sentence | null} */
  status = null;
  kind = "";

  /** The look for a GPU that is in progress. @type {Promise<void> | null} */
  looking = null;

  /**
   * @param {object} question the parameters
   * @param {() => void} changed called when there is something new to show
   */
  constructor(question, changed) {
    this.question = question;
    this.changed = changed;
  }

  /**
   * Calls a method of the library that works on the GPU. Fails if that fails, or makes no progress for `limit` seconds.
   *
   * @param {number} limit in seconds
   * @param {string} key the sentence for a call that takes longer
   * @param {string} method
   * @param {unknown[]} args
   * @param {(progress: ProgressDocument) => void} [onProgress]
   * @returns {Promise<any>}
   */
  async call(limit, key, method, args, onProgress) {
    try {
      const answer = JSON.parse(await within(limit, key, heard => this.thinker.call(method, args, undefined, onProgress && (progress => {
        heard();
        onProgress(progress);
      }))));
      if (answer.error) throw new Failed(answer.error, answer.wrong);
      return answer;
    } catch (error) {
      this.thinker.stop();
      throw error;
    }
  }

  /** Fails if there is no suitable GPU. Asked again meanwhile, it is the same look. */
  look() {
    return this.looking ??= this.lookAtOnce().finally(() => (this.looking = null));
  }

  async lookAtOnce() {
    if (!navigator.gpu) throw new Failed([isSecureContext ? "countNoWebGpu" : "countNotSecure"]);
    // Start the worker first, because the time limit is for the browser alone.
    await this.thinker.ask("gpu", this.question);
    await this.call(OPENING_SECONDS, "countNoAnswer", "look_for_gpu", [currentLanguage()]);
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
    this.earlier = this.seconds;
    try {
      await Promise.race([this.work(stopping.signal), stopped]);
    } catch (error) {
      const failed = error instanceof Failed ? error : new Failed(["countDriver", { error: messageOf(error) }]);
      // The GPU returned a wrong result: discard everything that it computed.
      if (failed.isWrong) this.end();
      throw failed;
    } finally {
      if (this.isDone) this.thinker.end();
      this.thinker.stop();
      this.isRunning = false;
      removeEventListener("beforeunload", stay);
    }
  }

  /** @param {AbortSignal} signal */
  async work(signal) {
    this.all = await this.thinker.ask("gpu", this.question);
    if (signal.aborted) return;
    const asked = [queryOf(this.question), currentLanguage()];
    const card = await this.call(OPENING_SECONDS, "countNoAnswer", "open_gpu", asked);
    if (signal.aborted) return;
    this.card = { ...card, name: card.name || nameByWebGl() || "GPU" };
    const count = () =>
      this.call(WORK_SECONDS, "countTimeout", "count_on_gpu", [currentLanguage()], progress => this.take(progress, signal));
    await count();
    if (signal.aborted) return;
    if ((this.progress.seconds_left ?? 0) > LONG_SECONDS && !this.isBegun) {
      const begun = new Promise(resolve => (this.begin = resolve));
      this.show();
      await begun;
      this.begin = null;
      this.show();
    }
    if (!signal.aborted) await count();
  }

  /** Records the progress after a batch. @param {ProgressDocument} progress @param {AbortSignal} signal */
  take(progress, signal) {
    if (signal.aborted) return;
    this.progress = progress;
    if (!progress.self_test) this.seconds = this.earlier + progress.seconds;
    if (performance.now() > this.shown + FRAME_MS) this.show();
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
