// How good a position looks where nothing is proved: the twin of src/search/estimate/features.rs, which says what each
// number means. The weights are those of the program's model.

import { ROW, SIDES, SIZE } from "./search.js";

const KINDS = 6;
const SURROUNDINGS = 8740;
const RELATIONS = 10;
const BOXES = 10;
const TWO_DOVES = KINDS * (2 * KINDS - 1);
const DANGER = 2 * SURROUNDINGS;
const ATTACKERS = DANGER + 5 * 5 * 4 * 4 * 4 * 4;
const ON_BOARD = ATTACKERS + 2 * 64 * 5 * 4;
const HANDS = ON_BOARD + 1024;
const MOVES = HANDS + 5 * 9;
const PUTS = MOVES + 16 * 16;
const TIES = PUTS + 2 * 2 * 8 * 8;
const PLACE = TIES + 7 * 7;
const REACH = PLACE + 2 * KINDS * RELATIONS * RELATIONS;
const PAIRS = REACH + 2 * KINDS * 8 * 2;
const PAIRS_AT_A_BOSS = PAIRS + TWO_DOVES * RELATIONS;
const BOSSES = PAIRS_AT_A_BOSS + TWO_DOVES * 2 * RELATIONS * RELATIONS;
const OF_A_GAME = BOSSES + RELATIONS * 5 * 5 * BOXES;
const FEW_KINDS = 8;
/** The cells around a boss, from the north clockwise. */
const RING = [-ROW, -ROW + 1, 1, ROW + 1, ROW, ROW - 1, -1, -ROW - 1];
/** A score of this much multiplies the odds by e. */
export const SCALE = 1024;

/** The number of each ring's class under the eight symmetries. */
const CLASSES = new Uint16Array(1 << 16);

function classify() {
  let count = 0;
  for (let ring = 0; ring < CLASSES.length; ring++) {
    if (CLASSES[ring]) continue;
    count++;
    let reflected = 0;
    for (let cell = 0; cell < 8; cell++) reflected |= (ring >> 2 * cell & 3) << 2 * ((8 - cell) % 8);
    for (const image of [ring, reflected]) {
      for (let turn = 0; turn < 16; turn += 4) CLASSES[(image << turn | image >> 16 - turn) & 0xffff] = count;
    }
  }
}

const triangle = (more, less) => more * (more + 1) / 2 + less;

/** Where one cell is from another, up to symmetry. */
function relation(one, other) {
  const [rows, columns] = [Math.abs((one >> 4) - (other >> 4)), Math.abs((one & 15) - (other & 15))];
  return triangle(Math.max(rows, columns), Math.min(rows, columns));
}

/** Whether a cell is beyond a wall of this box. */
const isWall = (cell, [top, bottom, first, last]) =>
  bottom - top === SIZE - 1 && (cell >> 4 === top - 1 || cell >> 4 === bottom + 1) ||
  last - first === SIZE - 1 && ((cell & 15) === first - 1 || (cell & 15) === last + 1);

/** The sides of a cell with neither a dove nor a wall. */
function openSides(search, cell, cells) {
  const box = search.box(cells, -1);
  return SIDES.map(step => cell + step).filter(side => !cells.includes(side) && !isWall(side, box));
}

/** What the player of a colour can do. */
function sideOf(search, cells, color) {
  const target = openSides(search, cells[1 - color], cells);
  const at = { open: openSides(search, cells[color], cells).length, attackers: 0, moves: Array(KINDS).fill(0), tied: 0 };
  const [steps, puts] = [[], new Set()];
  search.some({ cells, mover: color }, (dove, to) => {
    if (!cells[dove]) puts.add(to);
    else if (to) {
      at.moves[dove >> 1]++;
      if (target.includes(to)) at.attackers |= 1 << (dove >> 1);
      if (dove === color) steps.push(to);
    }
    return false;
  });
  at.escapes = Math.min(3, steps.filter(to => openSides(search, to, cells.with(color, to)).length >= 2).length);
  at.tied = at.moves.filter((count, kind) => !count && cells[2 * kind + color]).length;
  at.hasHand = cells.some((cell, dove) => !cell && (dove & 1) === color && search.isIn[dove]);
  at.puts = puts.size;
  return at;
}

const bits = number => number.toString(2).replaceAll("0", "").length;

export class Estimate {
  /** `weights` are the bytes of the model's weights. */
  constructor(weights) {
    this.weights = new Int16Array(weights.buffer);
    if (!CLASSES[0]) classify();
  }

  /** The estimate for the player to move, in 1,024ths of a logit of the points expected. */
  of(search, { cells, mover }) {
    const first = search.isIn.filter(Boolean).length - 2 > FEW_KINDS ? OF_A_GAME : 0;
    let sum = 0;
    const add = feature => sum += this.weights[first + feature];
    const colors = [mover, 1 - mover];
    const box = search.box(cells, -1);
    const sides = colors.map(color => sideOf(search, cells, color));
    const bosses = colors.map(color => cells[color]);
    const [own, opposing] = sides;
    for (const side of [0, 1]) {
      let ring = 0;
      for (const [index, step] of RING.entries()) {
        const cell = bosses[side] + step;
        const dove = cells.indexOf(cell);
        const state = dove >= 0 ? ((dove & 1) === colors[side] ? 1 : 2) : isWall(cell, box) ? 3 : 0;
        ring |= state << 2 * index;
      }
      add(side * SURROUNDINGS + CLASSES[ring] - 1);
      add(ATTACKERS + ((side * 64 + sides[1 - side].attackers) * 5 + sides[side].open) * 4 + sides[side].escapes);
    }
    const danger = [[own, opposing], [opposing, own]].map(([at, by]) => (at.open * 4 + at.escapes) * 4 + Math.min(bits(by.attackers), 3));
    add(DANGER + danger[0] * 80 + danger[1]);
    let onBoard = 0;
    for (let kind = 1; kind < KINDS; kind++) {
      const states = colors.map(color => (cells[2 * kind + color] ? 2 : Number(search.isIn[2 * kind + color])));
      onBoard |= Number(states[0] === 2) << kind - 1 | Number(states[1] === 2) << kind + 4;
      add(HANDS + (kind - 1) * 9 + states[0] * 3 + states[1]);
    }
    add(ON_BOARD + onBoard);
    const moves = sides.map(side => Math.min(side.moves.reduce((sum, count) => sum + count) >> 1, 15));
    add(MOVES + moves[0] * 16 + moves[1]);
    const puts = sides.map(side => Number(side.hasHand) * 8 + Math.min(side.puts, 7));
    add(PUTS + puts[0] * 16 + puts[1]);
    add(TIES + own.tied * 7 + opposing.tied);
    const others = [];
    for (const [side, at] of sides.entries()) {
      for (let kind = 0; kind < KINDS; kind++) {
        const cell = cells[2 * kind + colors[side]];
        if (!cell) continue;
        const dove = side * KINDS + kind;
        const from = bosses.map(boss => relation(cell, boss));
        add(PLACE + (dove * RELATIONS + from[side]) * RELATIONS + from[1 - side]);
        add(REACH + (dove * 8 + Math.min(at.moves[kind], 7)) * 2 + (at.attackers >> kind & 1));
        for (const [other, there, fromThere] of others) {
          const pair = dove * (dove - 1) / 2 + other;
          add(PAIRS + pair * RELATIONS + relation(cell, there));
          for (const boss of [0, 1]) add(PAIRS_AT_A_BOSS + ((pair * 2 + boss) * RELATIONS + from[boss]) * RELATIONS + fromThere[boss]);
        }
        others.push([dove, cell, from]);
      }
    }
    const [height, width] = [box[1] - box[0], box[3] - box[2]];
    const size = triangle(Math.max(height, width), Math.min(height, width));
    add(BOSSES + ((relation(...bosses) * 5 + own.open) * 5 + opposing.open) * BOXES + size);
    return sum;
  }

  /** How good an action looks to the player who took it, after the opponent's best answer. */
  afterAnswers(search, position) {
    const answers = search.after(position, []);
    return Math.min(...answers.map(answer => this.of(search, answer)), -this.of(search, position));
  }
}

/** The points expected, in thousandths; nothing unproved is shown as certain. */
export const perMille = score => Math.min(Math.max(Math.round(1000 / (1 + Math.exp(-score / SCALE))), 1), 999);
