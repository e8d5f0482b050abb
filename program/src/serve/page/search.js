// A small proof search: whether the player to move wins or loses within a few plies. It runs in a worker of its own.
//
// A position is {cells, mover}: the cell of each dove in the order of a u64, `BbAaYyMmTtHh`, and the colour to move, 0 for
// red and 1 for green. A cell is 16 × row + column, with the box beginning at row and column 4; a dove in hand has none, 0.
// There is no import: a worker has no import map.

const DOVES = 12;
export const ROW = 16;
const FIRST = 4;
export const SIZE = 4;
export const SIDES = [-ROW, -1, 1, ROW];
const CORNERS = [-ROW - 1, -ROW + 1, ROW - 1, ROW + 1];
const AROUND = [...SIDES, ...CORNERS];
const JUMPS = [-2 * ROW - 1, -2 * ROW + 1, -ROW - 2, -ROW + 2, ROW - 2, ROW + 2, 2 * ROW - 1, 2 * ROW + 1];
/** By kind, in the order of the doves; the Totsu goes on until something is in its way. */
const STEPS = [AROUND, AROUND, SIDES, CORNERS, SIDES, JUMPS];
const TOTSU = 4;

/** What an action comes to, for the player who takes it. */
const [OPEN, WON, LOST, DRAWN] = [0, 1, 2, 3];
/** The positions between two looks at the clock. */
const GLANCE = 256;
/** The most positions that are remembered of each kind: some 50 MB in all. */
const REMEMBERED = 1 << 19;
/** More plies than any. */
const NEVER = 255;

/** Time is up. */
class Late extends Error {}

/** A position with its box where it belongs. */
function normal(cells, mover) {
  let [top, left] = [ROW, ROW];
  for (const cell of cells) {
    if (!cell) continue;
    top = Math.min(top, cell >> 4);
    left = Math.min(left, cell & 15);
  }
  const shift = ROW * (FIRST - top) + FIRST - left;
  return { cells: cells.map(cell => (cell ? cell + shift : 0)), mover };
}

/** A number of its own for each position. */
function keyOf({ cells, mover }) {
  let key = mover;
  for (const cell of cells) key = key * 17 + (cell ? ((cell >> 4) - FIRST) * SIZE + (cell & 15) - FIRST + 1 : 0);
  return key;
}

export class Search {
  constructor({ red, green, returns, bothSurrounded }) {
    const kinds = ["AYMTH".split("").map(kind => red.includes(kind)), "AYMTH".split("").map(kind => green.includes(kind))];
    this.isIn = Array.from({ length: DOVES }, (_, dove) => dove < 2 || kinds[dove & 1][(dove >> 1) - 1]);
    /** With all doves, nobody is ever without an action that does not lose at once; so wins are odd, losses even. */
    this.canBeStuck = this.isIn.includes(false);
    this.returns = returns;
    this.both = { "mover-loses": LOST, "mover-wins": WON, draw: DRAWN }[bothSurrounded];
    /** For each position, the plies within which the player to move wins (or loses), and those within which not. */
    this.wins = new Map();
    this.losses = new Map();
    this.grid = new Uint8Array(ROW * ROW);
    this.looked = 0;
    this.deadline = Infinity;
  }

  /** Puts the doves on the grid, or takes them off it. */
  fill(cells, isThere) {
    for (const cell of cells) if (cell) this.grid[cell] = isThere;
  }

  /** The box of all doves but one: its first and last row, first and last column. */
  box(cells, left) {
    let [top, bottom, first, last] = [ROW, 0, ROW, 0];
    for (let dove = 0; dove < DOVES; dove++) {
      const cell = cells[dove];
      if (!cell || dove === left) continue;
      const [row, column] = [cell >> 4, cell & 15];
      if (row < top) top = row;
      if (row > bottom) bottom = row;
      if (column < first) first = column;
      if (column > last) last = column;
    }
    return [top, bottom, first, last];
  }

  /** Whether a boss on this cell is surrounded, the doves being on the grid and in this box. */
  isShut(boss, top, bottom, first, last) {
    const { grid } = this;
    const [row, column] = [boss >> 4, boss & 15];
    const [hasEnds, hasSides] = [bottom - top === SIZE - 1, last - first === SIZE - 1];
    return (grid[boss - ROW] || hasEnds && row === top) && (grid[boss + ROW] || hasEnds && row === bottom) &&
      (grid[boss - 1] || hasSides && column === first) && (grid[boss + 1] || hasSides && column === last);
  }

  /**
   * Calls `visit` with the dove, its cell (0 for the hand) and the outcome of each legal action, until it returns true.
   * Whether it did. `visit` must not look at other positions.
   */
  some({ cells, mover }, visit) {
    const { grid } = this;
    const other = 1 - mover;
    this.fill(cells, 1);
    const outcome = (dove, to, top, bottom, first, last) => {
      if (to) {
        grid[to] = 1;
        const [row, column] = [to >> 4, to & 15];
        if (row < top) top = row;
        if (row > bottom) bottom = row;
        if (column < first) first = column;
        if (column > last) last = column;
      }
      let by = -1;
      if (bottom - top < SIZE && last - first < SIZE) {
        const own = this.isShut(dove === mover ? to : cells[mover], top, bottom, first, last);
        const their = this.isShut(cells[other], top, bottom, first, last);
        by = own && their ? this.both : own ? LOST : their ? WON : OPEN;
      }
      if (to) grid[to] = 0;
      return by;
    };
    const look = () => {
      const all = this.box(cells, -1);
      // What is put makes no difference to the outcome.
      const puts = [];
      const hand = [];
      for (let dove = mover + 2; dove < DOVES; dove += 2) if (!cells[dove] && this.isIn[dove]) hand.push(dove);
      if (hand.length) {
        for (let dove = mover; dove < DOVES; dove += 2) {
          if (!cells[dove]) continue;
          for (const step of AROUND) {
            const to = cells[dove] + step;
            if (!grid[to] && !puts.includes(to) && !SIDES.includes(to - cells[other])) puts.push(to);
          }
        }
      }
      for (const to of puts) {
        const by = outcome(hand[0], to, ...all);
        if (by >= 0) for (const dove of hand) if (visit(dove, to, by)) return true;
      }
      for (let dove = mover; dove < DOVES; dove += 2) {
        const from = cells[dove];
        if (!from) continue;
        grid[from] = 0;
        const rest = this.box(cells, dove);
        // Those that have no neighbour without this dove.
        const lonely = AROUND.map(step => from + step).filter(cell => grid[cell] && !AROUND.some(step => grid[cell + step]));
        const isDone = this.returns && dove > 1 && !lonely.length && visit(dove, 0, outcome(dove, 0, ...rest)) ||
          STEPS[dove >> 1].some(step => {
            for (let to = from + step; !grid[to]; to += step) {
              const by = outcome(dove, to, ...rest);
              if (by < 0) break;
              const hasNeighbour = AROUND.some(step => grid[to + step]) && lonely.every(cell => AROUND.includes(cell - to));
              if (hasNeighbour && visit(dove, to, by)) return true;
              if (dove >> 1 !== TOTSU) break;
            }
            return false;
          });
        grid[from] = 1;
        if (isDone) return true;
      }
      return false;
    };
    const isDone = look();
    this.fill(cells, 0);
    return isDone;
  }

  /** The positions after all actions that do not end the game; null if one of them has this outcome. */
  after(position, end) {
    const found = [];
    const { cells, mover } = position;
    const isEnded = this.some(position, (dove, to, by) => {
      if (by === OPEN) found.push([dove, to]);
      return end.includes(by);
    });
    return isEnded ? null : found.map(([dove, to]) => normal(cells.with(dove, to), 1 - mover));
  }

  /** Whether the player to move surrounds the opposing boss with the next action. */
  winsAtOnce(position) {
    const boss = position.cells[1 - position.mover];
    const { cells } = position;
    // One dove and two walls close three sides at most.
    return SIDES.some(step => cells.includes(boss + step)) && this.some(position, (dove, to, by) => by === WON);
  }

  look() {
    if (++this.looked % GLANCE === 0 && performance.now() > this.deadline) throw new Late();
    for (const map of [this.wins, this.losses]) if (map.size > REMEMBERED) map.clear();
  }

  /** What is remembered of a position and a number of plies, or what `find` finds. */
  remembered(map, position, plies, find) {
    const key = keyOf(position);
    // In one number: the least plies found, and one more than the most refuted.
    const known = map.get(key) ?? NEVER << 8;
    const [found, refuted] = [known >> 8, known & 255];
    if (found <= plies) return true;
    if (refuted > plies) return false;
    this.look();
    const isFound = find();
    map.set(key, isFound ? plies << 8 | refuted : found << 8 | plies + 1);
    return isFound;
  }

  /** Whether the player to move wins within these plies. */
  winsWithin(position, plies) {
    if (plies < 1) return false;
    if (this.winsAtOnce(position)) return true;
    if (plies === 1 && !this.canBeStuck) return false;
    return this.remembered(this.wins, position, plies, () =>
      this.after(position, []).some(after => this.losesWithin(after, plies - 1)));
  }

  /** Whether the player to move loses within these plies. */
  losesWithin(position, plies) {
    if (plies === 0) return this.canBeStuck && !this.some(position, () => true);
    if (plies < (this.canBeStuck ? 1 : 2)) return false;
    return this.remembered(this.losses, position, plies, () => {
      let left = this.after(position, [WON, DRAWN]);
      if (!left) return false;
      // The quick refutations first: most actions are answered by a win in one.
      for (let within = 1; within < plies - 1 && left.length; within += 2) left = left.filter(after => !this.winsWithin(after, within));
      return left.every(after => this.winsWithin(after, plies - 1));
    });
  }

  /** The value of a position that is neither won nor lost in fewer plies: a win or a loss in these, or null. */
  exactly(position, plies) {
    if ((this.canBeStuck || plies % 2 === 0) && this.losesWithin(position, plies)) return { value: "lose", plies };
    if ((this.canBeStuck || plies % 2) && this.winsWithin(position, plies)) return { value: "win", plies };
    return null;
  }

  /** Whether the winner in this many plies has a single way to win, up to the last action. */
  hasOneWay(position, plies) {
    if (plies === 1) return true;
    const ways = this.after(position, []).filter(after => this.losesWithin(after, plies - 1));
    if (ways.length !== 1) return false;
    const longest = this.after(ways[0], []).filter(after => !this.winsWithin(after, plies - 3));
    return longest.every(after => this.hasOneWay(after, plies - 2));
  }

  /** A random position; null if the doves drawn make none. */
  random(doves) {
    const others = [...this.isIn.keys()].filter(dove => dove > 1 && this.isIn[dove]);
    const shuffled = list => list.map(item => [Math.random(), item]).sort(([a], [b]) => a - b).map(([, item]) => item);
    const squares = shuffled([...Array(SIZE * SIZE).keys()]);
    const cells = Array(DOVES).fill(0);
    for (const dove of [0, 1, ...shuffled(others).slice(0, doves - 2)]) {
      const square = squares.pop();
      cells[dove] = ROW * (FIRST + (square >> 2)) + FIRST + (square & 3);
    }
    const there = cells.filter(Boolean);
    const isBoard = there.every(cell => AROUND.some(step => there.includes(cell + step)));
    const position = normal(cells, Math.random() < 0.5 ? 0 : 1);
    const box = this.box(position.cells, -1);
    this.fill(position.cells, 1);
    const isOver = this.isShut(position.cells[0], ...box) || this.isShut(position.cells[1], ...box);
    this.fill(position.cells, 0);
    return isBoard && !isOver ? position : null;
  }
}

/** Does something until time is up; its result, or null. */
function inTime(search, milliseconds, work) {
  search.deadline = performance.now() + milliseconds;
  try {
    return work();
  } catch (error) {
    if (error instanceof Late) return null;
    throw error;
  }
}

/** The search of the latest question, which goes on with the next one about the same game. */
const latest = { game: null, search: null };

export function searchOf(game) {
  const text = JSON.stringify(game);
  if (latest.game !== text) Object.assign(latest, { game: text, search: new Search(game) });
  return latest.search;
}

/** What a search of its own thread is asked, by name. */
export const ANSWERS = {
  /**
   * The values of positions within `plies`, deepened ply by ply until time is up: null where there is none, and the
   * plies that were searched to the end.
   */
  values({ game, positions, plies, milliseconds }) {
    const search = searchOf(game);
    const values = positions.map(() => null);
    let searched = 0;
    inTime(search, milliseconds, () => {
      for (let within = 0; within <= plies; within++) {
        for (const [index, { cells, mover }] of positions.entries()) {
          values[index] ??= search.exactly(normal(cells, mover), within);
        }
        searched = within;
        if (values.every(Boolean)) break;
      }
    });
    return { values, searched };
  },
  /** A random position that is won in exactly `plies`, in one way only if `isUnique`; null if none is found in time. */
  puzzle({ game, plies, isUnique, doves, milliseconds }) {
    const search = searchOf(game);
    return inTime(search, milliseconds, () => {
      for (;;) {
        search.look();
        const position = search.random(doves[Math.floor(Math.random() * doves.length)]);
        if (!position || search.winsWithin(position, plies - 2) || !search.winsWithin(position, plies)) continue;
        if (!isUnique || search.hasOneWay(position, plies)) return position;
      }
    });
  },
};

// In a worker, questions are messages.
if (typeof document === "undefined") {
  onmessage = ({ data: { id, name, question } }) => postMessage({ id, answer: ANSWERS[name](question) });
}
