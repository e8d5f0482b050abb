// A count on the CPU: in as many workers as there are cores, each with its share of the shapes.

import { Thinker, gameKey } from "./brain.js";

const MOST_WORKERS = 8;
/** How many of the shapes with the most positions are named. */
const SHAPES = 10;

const nameOf = ({ mover, doves }) => `${mover} ${doves}`;

/** The rows of all shares, added up by mover and number of doves. */
function added(rows) {
  const sums = new Map();
  for (const row of rows) {
    const sum = sums.get(nameOf(row)) ?? { ...row, shapes: 0, boss_placements: 0, assignments: 0, positions: 0 };
    for (const key of ["shapes", "boss_placements", "assignments", "positions"]) sum[key] += row[key];
    sums.set(nameOf(row), sum);
  }
  return [...sums.values()].sort((a, b) => (a.mover < b.mover) - (a.mover > b.mover) || a.doves - b.doves);
}

/** Rows as CSV, as the program writes them. */
export function csvOf(rows, category) {
  const isEven = rows.every(({ mover }) => mover === "any");
  const keys = [...(isEven ? [] : ["mover"]), "doves", "shapes", "boss_placements", "assignments"];
  const lines = rows.map(row => [...keys.map(key => row[key]), row.positions].join());
  return `${[[...keys, category].join(), ...lines].join("\n")}\n`;
}

/** A count of the positions of a category – mates, wins or stuck – in a game. */
export class Tally {
  constructor(game, category, changed) {
    Object.assign(this, { game, category, changed });
    /** The rows so far, and those of the shares as they came. */
    this.rows = [];
    this.parts = [];
    this.shapes = [];
    /** The figure that is published; null if there is none. */
    this.published = null;
    /** The seconds that it took; null until it is done. */
    this.seconds = null;
    this.workers = Array.from({ length: Math.min(navigator.hardwareConcurrency || 2, MOST_WORKERS) }, () => new Thinker({ knowsOpenings: false }));
  }

  /** Counts; ends early, with an AbortError, if `stop` is called. */
  async run() {
    const { workers, game, category } = this;
    const begun = performance.now();
    const ask = (worker, index) => {
      const share = { category, part: index + 1, parts: workers.length, shapes: SHAPES };
      return worker.ask("count", { ...gameKey(game), ...share }, undefined, row => this.take(row));
    };
    try {
      const answers = await Promise.all(workers.map(ask));
      this.rows = added(answers.flatMap(({ rows }) => rows));
      this.shapes = answers.flatMap(({ shapes }) => shapes).sort((a, b) => b.positions - a.positions).slice(0, SHAPES);
      this.published = answers[0].published;
      this.seconds = (performance.now() - begun) / 1000;
    } finally {
      this.stop();
    }
    this.changed();
  }

  take(row) {
    this.parts.push(row);
    this.rows = added(this.parts);
    this.changed();
  }

  stop() {
    this.workers.forEach(worker => worker.end());
  }

  get total() {
    return this.rows.reduce((total, { positions }) => total + positions, 0);
  }

  /** The rows as CSV. */
  get csv() {
    return csvOf(this.rows, this.category);
  }
}
