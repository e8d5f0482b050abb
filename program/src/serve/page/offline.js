// Answers without a server: from the values in an exported page, and from a search in a worker for the rest.

import { Estimate, perMille } from "./estimate.js";
import { inflated } from "./openings.js";
import { ORDER, boardText, boxOf, dovesOf, invariant, legalActions, opponent, outcome } from "./rules.js";
import { ANSWERS, searchOf } from "./search.js";

/** The most plies that are looked ahead, and the usual seconds for it. */
const DEEPEST = 40;
const USUAL = 0.5;
/** The most seconds that a machine thinks. */
export const THINKING = 2;
/** The seconds of a search where the browser has no worker: the page stands still for so long. */
const SLICE = 0.05;
/** The milliseconds spent looking for a puzzle, and for one question about it. */
export const PATIENCE = 60_000;
const GLANCE = 500;
/** The actions of a line that leads to no end. */
const DRAWN = 6;
/** The most values that are looked up to order equal actions: as in ask/traps.rs. */
const MOST_LOOK_UPS = 2000;
/** The plies that are looked ahead for an estimate. */
const LOOKAHEAD = 2;

/** What an action is worth by its outcome alone. */
const ENDS = { won: { value: "win", plies: 1 }, lost: { value: "lose", plies: 1 }, drawn: { value: "draw", plies: null } };
const FLIPPED = { win: "lose", lose: "win", draw: "draw" };
/** The value of an action, from that of the position it leads to. */
const before = known => known && { value: FLIPPED[known.value], plies: known.plies === null ? null : known.plies + 1 };

/** Less for a better value. */
function rank({ value, plies }) {
  return { win: plies - 1e6, draw: -1, none: 0, lose: 1e6 - plies }[value];
}

/** A position as search.js has it. */
export function packed(doves, mover) {
  const { top, left } = boxOf(doves);
  const cells = [...ORDER].map(letter => (doves[letter] ? 16 * (doves[letter][0] - top + 4) + doves[letter][1] - left + 4 : 0));
  return { cells, mover: mover === "red" ? 0 : 1 };
}

function unpacked({ cells, mover }) {
  const there = [...ORDER].map((letter, index) => [letter, cells[index]]).filter(([, cell]) => cell);
  return { doves: Object.fromEntries(there.map(([letter, cell]) => [letter, [cell >> 4, cell & 15]])), mover: mover ? "green" : "red" };
}

/** The search in a worker, or in slices where there is none. */
class Searcher {
  constructor() {
    this.waiting = new Map();
    this.asked = 0;
    try {
      this.worker = new Worker(import.meta.resolve("search.js"), { type: "module" });
      this.worker.onmessage = ({ data: { id, answer } }) => this.take(id).resolve(answer);
      this.worker.onerror = () => this.alone();
    } catch {
      this.worker = null;
    }
  }

  take(id) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  /** Goes on without a worker. */
  alone() {
    this.worker = null;
    for (const id of [...this.waiting.keys()]) {
      const { resolve, reject, name, question } = this.take(id);
      this.ask(name, question).then(resolve, reject);
    }
  }

  async ask(name, question) {
    if (this.worker) {
      const id = this.asked++;
      return new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject, name, question });
        this.worker.postMessage({ id, name, question });
      });
    }
    await new Promise(done => setTimeout(done, 0));
    return ANSWERS[name]({ ...question, milliseconds: Math.min(question.milliseconds, 1000 * SLICE) });
  }
}

export class Offline {
  /** `values` looks positions up: {open, value, name}. */
  constructor(values, model) {
    this.values = values;
    this.isOpen = Promise.all([values.open(), inflated(model).then(weights => this.estimate = new Estimate(weights))]);
    this.searcher = new Searcher();
  }

  /** The actions of a position, best first, as the server gives them; without `usesValues`, by search alone. */
  async position(place, { depth = DEEPEST, seconds = USUAL, usesValues = true } = {}, signal) {
    await this.isOpen;
    signal?.throwIfAborted();
    const { doves, mover, game } = place;
    const next = opponent(mover);
    const look = (doves, mover) => (usesValues ? this.values.value(doves, mover, game) : null);
    const actions = legalActions(doves, mover, game).map(({ text, after }) => {
      const end = ENDS[outcome(after, mover, game)];
      const known = end ?? before(look(after, next));
      return { action: text, ...known, source: end ? "rules" : this.values.name, after: boardText(after), doves: after };
    });
    const open = actions.filter(({ value }) => !value);
    let searched;
    if (open.length) {
      const positions = open.map(({ doves }) => packed(doves, next));
      const found = await this.searcher.ask("values", { game, positions, plies: depth - 1, milliseconds: 1000 * seconds });
      signal?.throwIfAborted();
      searched = found.searched + 1;
      for (const [index, action] of open.entries()) {
        Object.assign(action, before(found.values[index]) ?? { value: "none", plies: searched }, { source: "search" });
      }
    }
    const scores = await this.scores(place, actions.filter(({ value }) => value === "none"), signal);
    for (const action of actions) {
      if (action.value === "none") action.estimate = { per_mille: perMille(scores.get(action.action)), plies: LOOKAHEAD };
    }
    if (usesValues) await this.countWays(place, actions, signal);
    const score = ({ value, action }) => (value === "none" ? scores.get(action) : 0);
    // As in ask/rank.rs, images of a position have one order.
    const image = new Map(actions.map(action => [action, invariant(action.doves, next)]));
    const compare = (a, b) => (a < b ? -1 : Number(a > b));
    actions.sort((a, b) => rank(a) - rank(b) || (a.ways ?? 0) - (b.ways ?? 0) || score(b) - score(a) || compare(image.get(a), image.get(b)) || compare(a.action, b.action));
    const [best] = actions;
    const found = best ? { value: best.value, plies: best.plies } : { value: "lose", plies: 0 };
    const known = look(doves, mover);
    const isLate = open.some(({ value }) => value === "none") && searched < depth;
    return {
      worth: known ?? found, source: known ? this.values.name : undefined, searched_plies: searched, out_of_time: isLate, actions, line: [],
    };
  }

  /** How good actions look to the player, by their texts. The page stays alive meanwhile. */
  async scores({ doves, mover, game }, actions, signal) {
    const key = JSON.stringify([boardText(doves), mover, game]);
    if (this.scored?.key !== key) this.scored = { key, scores: new Map() };
    const { scores } = this.scored;
    for (const { action, doves } of actions) {
      if (scores.has(action)) continue;
      scores.set(action, this.estimate.afterAnswers(searchOf(game), packed(doves, opponent(mover))));
      await new Promise(done => setTimeout(done, 0));
      signal?.throwIfAborted();
    }
    return scores;
  }

  /** The line of best play, as far as values are known. */
  async line(place, effort, signal) {
    const { worth, out_of_time, actions: [first] } = await this.position(place, effort, signal);
    const line = [];
    let [best, { mover }] = [first, place];
    while (best && best.value !== "none" && (best.value !== "draw" || line.length < DRAWN)) {
      line.push({ action: best.action, player: mover, after: best.after });
      mover = opponent(mover);
      if (outcome(best.doves, opponent(mover), place.game) !== "open") break;
      [best] = (await this.position({ ...place, doves: best.doves, mover }, { ...effort, depth: best.plies ?? 1 }, signal)).actions;
    }
    return { worth, out_of_time, line };
  }

  /**
   * A best action as a level sees it: of equal ones, one whose position has come up least often, then one that leaves
   * the opponent the fewest ways to keep the value if they are known, then one that looks good, give or take chance.
   */
  async play(place, { level, seen }, signal) {
    const skill = document.body.dataset.levels.split(" ").find(text => text.startsWith(`${level}:`));
    const [plies, threats, wins, chance] = skill.split(":").slice(1).map(Number);
    const overlooks = percent => 100 * Math.random() < percent;
    const overlooksThreats = overlooks(threats);
    const depth = overlooksThreats ? 1 : plies;
    const effort = plies ? { depth, seconds: THINKING, usesValues: false } : { seconds: THINKING };
    let { actions } = await this.position(place, effort, signal);
    const others = actions.filter(({ value, plies }) => value !== "win" || plies > 1);
    if (others.length && overlooks(wins)) actions = others;
    const [{ value, plies: distance }] = actions;
    const next = opponent(place.mover);
    const equal = actions.filter(action => action.value === value && action.plies === distance);
    const open = value === "none" || value === "draw" ? equal.filter(({ doves }) => outcome(doves, place.mover, place.game) === "open") : [];
    const atFirstSight = ({ action, doves }) => [action, -this.estimate.of(searchOf(place.game), packed(doves, next))];
    const scores = overlooksThreats ? new Map(open.map(atFirstSight)) : await this.scores(place, open, signal);
    const cost = action => [
      seen.filter(board => invariant(board, next) === invariant(action.doves, next)).length,
      action.ways ?? 0,
      (2 * Math.random() - 1) * chance - (scores.get(action.action) ?? 0),
    ];
    const compare = ([a], [b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
    return equal.map(action => [cost(action), action]).sort(compare)[0][1];
  }

  /**
   * Gives the best actions, if they draw or lose, `ways`: how many of the opponent's `answers` keep the value. As
   * ask/traps.rs does, it gives them to all or none: not if a value is not known, or there are too many to look up.
   */
  async countWays({ mover, game }, actions, signal) {
    const best = Math.min(...actions.map(rank));
    const equal = actions.filter(action => rank(action) === best);
    if (!equal.length || !["draw", "lose"].includes(equal[0].value)) return;
    const next = opponent(mover);
    const counted = [];
    let left = MOST_LOOK_UPS;
    for (const { doves, value } of equal) {
      const isOpen = outcome(doves, mover, game) === "open";
      let ways = 0;
      const answers = isOpen ? legalActions(doves, next, game) : [];
      for (const { after } of answers) {
        const end = ENDS[outcome(after, next, game)];
        const known = end ?? (left-- > 0 ? before(this.values.value(after, mover, game)) : null);
        if (!known) return;
        ways += known.value === FLIPPED[value];
      }
      counted.push({ ways, answers: answers.length });
      await new Promise(done => setTimeout(done, 0));
      signal?.throwIfAborted();
    }
    equal.forEach((action, index) => Object.assign(action, counted[index]));
  }

  /** A position won in this many plies; null if none is found in a minute. `doves` is a number, or "any". */
  async puzzle(game, wanted, seed, signal) {
    await this.isOpen;
    const found = this.values.puzzle?.(game, wanted, seed);
    if (found !== undefined) return found;
    const { plies, isUnique, doves } = wanted;
    const most = ["red", "green"].flatMap(color => dovesOf(game, color)).length;
    // With more doves there are far more positions.
    const numbers = doves === "any" ? [most, most, most - 1, most - 2].filter(number => number > 1) : [Number(doves)];
    for (const end = performance.now() + PATIENCE; performance.now() < end;) {
      const found = await this.searcher.ask("puzzle", { game, plies, isUnique, doves: numbers, milliseconds: GLANCE });
      signal?.throwIfAborted();
      if (!found) continue;
      const place = unpacked(found);
      return { board: boardText(place.doves), to_move: place.mover };
    }
    return null;
  }
}
