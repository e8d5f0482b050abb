// A count on the CPU: in as many workers as there are cores, up to eight, each with its share of the shapes.

import { Thinker, gameKey, sumOfCounts } from "./brain.js";

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
