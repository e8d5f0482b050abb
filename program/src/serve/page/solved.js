// A solved game in an exported page: program/src/serve/embedded.rs describes the format.

import { ORDER, boardText, dovesOf, invariant, legalActions, opponent, outcome, recolored } from "./rules.js";
import { SERVED } from "./session.js";

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

const isBoss = letter => letter === "B" || letter === "b";

/** The doves and the rules of a game. */
const textOf = game => [dovesOf(game, "red"), dovesOf(game, "green"), game.returns, game.bothSurrounded].join();

export class Solved {
  name = "solved";

  constructor({ keys, plies }) {
    this.game = SERVED;
    this.isEven = this.game.red === this.game.green;
    let last = 0;
    this.keys = Float64Array.from(unpacked(keys), step => last += step);
    this.plies = Uint16Array.from(unpacked(plies));
  }

  async open() {}

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

  /** The value of a position on which no boss is surrounded, to the player to move; null for another game. */
  value(doves, mover, game) {
    if (textOf(game) !== textOf(this.game)) return null;
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

  /** A position won in this many plies, the same for the same seed; null if there is none, undefined for another game. */
  puzzle(game, { plies, isUnique, doves: wanted }, seed) {
    if (textOf(game) !== textOf(this.game)) return undefined;
    const fitting = [];
    this.plies.forEach((value, index) => value === 2 * plies && fitting.push(index));
    for (let tried = 0; tried < fitting.length; tried++) {
      const number = this.keys[fitting[(seed * 7919 + tried) % fitting.length]];
      const place = this.placeOf(number);
      if (wanted !== "any" && Object.keys(place.doves).length !== Number(wanted)) continue;
      if (isUnique && !this.hasOneWay(place, plies)) continue;
      return { board: boardText(place.doves), to_move: place.mover };
    }
    return null;
  }

  /** Whether the winner in this many plies has a single way to win, up to the last action: see ask/puzzle.rs. */
  hasOneWay(place, plies) {
    if (plies === 1) return true;
    const [after, ...others] = this.placesAfter(place, "lose", plies - 1);
    return !others.length && this.placesAfter(after, "win", plies - 2).every(next => this.hasOneWay(next, plies - 2));
  }

  /** The different positions of this value that actions lead to. */
  placesAfter({ doves, mover }, value, plies) {
    const next = opponent(mover);
    const open = legalActions(doves, mover, this.game).filter(({ after }) => outcome(after, mover, this.game) === "open");
    const equal = open.filter(({ after }) => {
      const known = this.value(after, next, this.game);
      return known.value === value && known.plies === plies;
    });
    return [...new Map(equal.map(({ after }) => [invariant(after, next), { doves: after, mover: next }])).values()];
  }

  placeOf(number) {
    const isGreen = !this.isEven && this.isGreenToMove(number);
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

  isGreenToMove(number) {
    const others = ["red", "green"].flatMap(color => dovesOf(this.game, color)).length - 2;
    return number >= 256 * 17 ** others;
  }
}
