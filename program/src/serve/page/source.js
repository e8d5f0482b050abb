// Where values come from: the server, or a solved game that is in the page.

import { boardText, codeOf, dovesOf, invariant, legalActions, opponent, outcome, ORDER, recolored } from "./rules.js";
import { SERVED } from "./session.js";

const key = game => ({
  red: game.red, green: game.green, returns: game.returns ? "yes" : "no", both_surrounded: game.bothSurrounded,
});

/** The most seconds that a machine thinks, and the most boards that it is told of. */
const THINKING = 2;
const MOST_SEEN = 64;
/** The milliseconds spent looking for a puzzle. */
const PATIENCE = 60_000;

/** Why a question is not answered: a sentence of the server's, or a key of words.js. */
export class Refused extends Error {}

/** The message for an error: a key of words.js and its parameters. */
export const sentenceOf = error => (error instanceof Refused ? ["refused", { error: error.message }] : ["offline"]);

/** The server's answers. */
class Server {
  searches = true;

  async ask(path, parameters, signal) {
    const response = await fetch(`api/${path}?${new URLSearchParams(parameters)}`, { signal });
    const answer = await response.json();
    if (!response.ok) throw new Refused(answer.error);
    return answer;
  }

  place({ doves, mover, game }) {
    return { board: boardText(doves), to_move: mover, ...key(game) };
  }

  position(place, effort = {}, signal) {
    return this.ask("position", { ...this.place(place), ...effort }, signal);
  }

  line(place, effort = {}, signal) {
    return this.ask("line", { ...this.place(place), ...effort }, signal);
  }

  /** What a machine of this level plays, {action, value}; `seen` are boards that have come up with the opponent to move. */
  async play(place, { level, seed, seen }, signal) {
    const machine = { level, seed, seconds: THINKING };
    if (seen.length) machine.seen = seen.slice(-MOST_SEEN).map(codeOf).join();
    return (await this.ask("play", { ...this.place(place), ...machine }, signal)).choice;
  }

  /** A puzzle; null if there is none, or none is found in a minute. `doves` is a number, or "any". */
  async puzzle(game, { plies, isUnique, doves }, seed, signal) {
    const end = performance.now() + PATIENCE;
    // Another seed goes on at once, whereas `skip` would first repeat the earlier draws.
    for (let drawing = seed; performance.now() < end; drawing++) {
      const wanted = { plies, unique: isUnique ? "yes" : "no", seed: drawing, ...key(game) };
      if (doves !== "any") wanted.doves = doves;
      const answer = await this.ask("puzzle", wanted, signal);
      if (answer.puzzle || !answer.possible) return answer.puzzle;
    }
    return null;
  }
}

/** Numbers in base64: 7 bits a byte, the lowest first; every byte of a number but its last has the highest bit set. */
function* unpacked(text) {
  let [number, weight] = [0, 1];
  for (const letter of atob(text)) {
    const byte = letter.charCodeAt(0);
    number += (byte & 127) * weight;
    weight *= 128;
    if (byte >= 128) continue;
    yield number;
    [number, weight] = [0, 1];
  }
}

/**
 * A solved game in the page. `keys` has the numbers of the positions that are won or lost, ascending, each as its
 * difference from the one before; `plies` has their distances: twice the plies, plus one for a loss. All others are
 * draws.
 */
class Solved {
  searches = false;

  constructor({ keys, plies }) {
    this.game = SERVED;
    this.isEven = this.game.red === this.game.green;
    let last = 0;
    this.keys = Float64Array.from(unpacked(keys), step => last += step);
    this.plies = Uint16Array.from(unpacked(plies));
  }

  /** The number of a position among those of the game. */
  number(doves, mover) {
    const code = invariant(doves, mover);
    const seen = mover === "red" ? this.game : { red: this.game.green, green: this.game.red };
    const both = ["red", "green"].flatMap(color => dovesOf(seen, color));
    let number = this.isEven || mover === "red" ? 0 : 1;
    for (const [place, letter] of [...ORDER].entries()) {
      if (!both.includes(letter)) continue;
      const square = Number(code >> BigInt(44 - 4 * place) & 15n);
      if (isBoss(letter)) number = number * 16 + square;
      else number = number * 17 + (code >> BigInt(59 - place) & 1n ? square + 1 : 0);
    }
    return number;
  }

  /** The value of a position on which no boss is surrounded, to the player to move. */
  value(doves, mover) {
    const number = this.number(doves, mover);
    let [from, to] = [0, this.keys.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.keys[middle] < number) from = middle + 1;
      else to = middle;
    }
    if (this.keys[from] !== number) return { value: "draw", plies: null };
    return { value: this.plies[from] % 2 ? "lose" : "win", plies: this.plies[from] >> 1 };
  }

  rank({ doves, mover, game }) {
    if (textOf(game) !== textOf(this.game)) throw new Refused("otherGame");
    const ranked = legalActions(doves, mover, game).map(action => {
      const by = outcome(action.after, mover, game);
      const end = { won: ["win", 1], lost: ["lose", 1], drawn: ["draw", null] }[by];
      const after = end ? null : this.value(action.after, opponent(mover));
      const [value, plies] = end ?? [BEFORE[after.value], after.plies === null ? null : after.plies + 1];
      return { action: action.text, value, plies, source: end ? "rules" : "solved", after: boardText(action.after), doves: action.after };
    });
    const order = ({ value, plies }) => (value === "win" ? plies - 1e6 : value === "draw" ? 0 : 1e6 - plies);
    return ranked.sort((a, b) => order(a) - order(b) || (a.action < b.action ? -1 : 1));
  }

  async position(place) {
    const actions = this.rank(place);
    const worth = actions.length ? { value: actions[0].value, plies: actions[0].plies } : { value: "lose", plies: 0 };
    return { worth, out_of_time: false, actions, line: [] };
  }

  async line(place) {
    const { worth, actions: [first] } = await this.position(place);
    const line = [];
    let [best, { mover }] = [first, place];
    while (best && (best.value !== "draw" || line.length < 6)) {
      line.push({ action: best.action, player: mover, after: best.after });
      mover = opponent(mover);
      best = this.rank({ ...place, doves: best.doves, mover })[0];
    }
    return { worth, out_of_time: false, line };
  }

  /**
   * A best action: of equal ones one whose position has come up least often, then one that leaves the opponent the
   * fewest ways to keep the value, then any.
   */
  async play(place, { seen }) {
    const next = opponent(place.mover);
    const ranked = this.rank(place);
    const [{ value, plies }] = ranked;
    const kept = BEFORE[value];
    const cost = ({ doves }) => [
      seen.filter(board => invariant(board, next) === invariant(doves, next)).length,
      this.rank({ ...place, doves, mover: next }).filter(reply => reply.value === kept).length,
      Math.random(),
    ];
    const equal = ranked.filter(action => action.value === value && action.plies === plies);
    const compare = ([a], [b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
    return equal.map(action => [cost(action), action]).sort(compare)[0][1];
  }

  /** A position won in this many plies; the same for the same seed. */
  async puzzle(game, { plies, isUnique, doves: wanted }, seed) {
    const fitting = [];
    this.plies.forEach((value, index) => value === 2 * plies && fitting.push(index));
    for (let tried = 0; tried < fitting.length; tried++) {
      const number = this.keys[fitting[(seed * 7919 + tried) % fitting.length]];
      const { doves, mover } = this.boardOf(number);
      if (wanted !== "any" && Object.keys(doves).length !== Number(wanted)) continue;
      if (isUnique && !this.hasOneWay({ doves, mover, game }, plies)) continue;
      return { board: boardText(doves), to_move: mover };
    }
    return null;
  }

  /** Whether the winner in this many plies has a single way to win, up to the last action: see ask/puzzle.rs. */
  hasOneWay(place, plies) {
    if (plies === 1) return true;
    const [after, ...others] = this.placesAfter(place, "win", plies);
    return !others.length && this.placesAfter(after, "lose", plies - 1).every(next => this.hasOneWay(next, plies - 2));
  }

  /** The different positions that actions of this value lead to. */
  placesAfter(place, value, plies) {
    const mover = opponent(place.mover);
    const equal = this.rank(place).filter(action => action.value === value && action.plies === plies);
    const places = equal.map(({ doves }) => [invariant(doves, mover), { ...place, doves, mover }]);
    return [...new Map(places).values()];
  }

  boardOf(number) {
    const isGreen = !this.isEven && this.greenFirst(number);
    const seen = isGreen ? { red: this.game.green, green: this.game.red } : this.game;
    const both = ["red", "green"].flatMap(color => dovesOf(seen, color));
    let doves = {};
    for (const letter of [...ORDER].reverse().filter(letter => both.includes(letter))) {
      const base = isBoss(letter) ? 16 : 17;
      const digit = number % base;
      number = (number - digit) / base;
      if (base === 16) doves[letter] = [digit >> 2, digit & 3];
      else if (digit) doves[letter] = [(digit - 1) >> 2, (digit - 1) & 3];
    }
    if (isGreen) doves = recolored(doves);
    return { doves, mover: isGreen ? "green" : "red" };
  }

  greenFirst(number) {
    const others = ["red", "green"].flatMap(color => dovesOf(this.game, color)).length - 2;
    return number >= 256 * 17 ** others;
  }
}

/** The value of an action, from that of the position it leads to. */
const BEFORE = { win: "lose", lose: "win", draw: "draw" };

const isBoss = letter => letter === "B" || letter === "b";

/** The doves and the rules of a game. */
const textOf = game => [dovesOf(game, "red"), dovesOf(game, "green"), game.returns, game.bothSurrounded].join();

const embedded = document.getElementById("solved");
export const source = embedded ? new Solved(JSON.parse(embedded.textContent)) : new Server();
