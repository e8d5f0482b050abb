// The openings in an exported page: the values of all positions with few doves of the whole game, with returns and
// without. program/src/serve/embedded.rs describes the format.

import { IMAGES, ORDER, boxOf, colorOf, kindOf, moved, recolored } from "./rules.js";

const BOSSES = 2;
const OTHERS = [...ORDER].slice(BOSSES);
const EVERY_KIND = "AYMTH";

/** The bytes that a text in base64 holds, compressed. */
export async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** All ways to put doves on so many cells, in the order of embedded.rs: their letters, each with its number. */
function arrangements(cells) {
  let all = [[]];
  for (let cell = 0; cell < cells; cell++) {
    all = all.flatMap(letters => OTHERS.filter(letter => !letters.includes(letter)).map(letter => [...letters, letter]));
  }
  const kinds = (letters, color) => letters.filter(letter => colorOf(letter) === color).map(letter => EVERY_KIND.indexOf(kindOf(letter))).join("");
  const key = letters => [letters.map(letter => Number(colorOf(letter) === "green")).join(""), kinds(letters, "red"), kinds(letters, "green")].join();
  const sorted = all.map(letters => [key(letters), letters.join("")]).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([, text], number) => [text, number]));
}

export class Openings {
  name = "openings";

  constructor({ most, placements, yes, no, handicaps }) {
    this.most = most;
    this.handicaps = handicaps;
    this.packed = { placements, yes, no };
  }

  /** Makes the values ready to be looked up. */
  async open() {
    const [placements, yes, no] = await Promise.all(Object.values(this.packed).map(inflated));
    this.arrangements = Array.from({ length: this.most - BOSSES + 1 }, (_, cells) => arrangements(cells));
    /** For each boss placement, the place of its first value. */
    this.first = new Map();
    /** The same for the first boss placement with each number of doves: fewer doves come first. */
    this.firstWith = [];
    let place = 0;
    for (let at = 0; at < placements.length; at += 3) {
      const cells = placements[at] | placements[at + 1] << 8;
      this.first.set(cells << 8 | placements[at + 2], place);
      let slots = -BOSSES;
      for (let rest = cells; rest; rest &= rest - 1) slots++;
      this.firstWith[slots + BOSSES] ??= place;
      place += this.arrangements[slots].size;
    }
    this.values = { yes, no };
    this.count = place;
    this.packed = null;
  }

  /** The value of a position to the player to move; null if it is not known. */
  value(doves, mover, game) {
    const isOpening = this.knows(game, Object.keys(doves).length);
    const plies = isOpening ? this.plies(game, this.place(mover === "red" ? doves : recolored(doves))) : this.handicap(doves, mover, game);
    if (plies === undefined) return null;
    if (!plies) return { value: "draw", plies: null };
    return { value: plies % 2 ? "win" : "lose", plies };
  }

  /** Whether all positions of a game with this number of doves are known. */
  knows({ red, green, bothSurrounded }, doves) {
    const isWhole = [red, green].every(kinds => kinds.length === EVERY_KIND.length);
    return isWhole && bothSurrounded === "mover-loses" && doves <= this.most;
  }

  /** The plies of the win or the loss at the start of a solved handicap; undefined in any other position. */
  handicap(doves, mover, { red, green, returns, bothSurrounded }) {
    const { rows, columns } = boxOf(doves);
    if (Object.keys(doves).length > BOSSES || rows * columns > BOSSES || bothSurrounded !== "mover-loses") return undefined;
    return this.handicaps[[red, green, returns ? "yes" : "no"].join(" ")]?.[mover === "red" ? 0 : 1];
  }

  /** The plies of the win or the loss at a place of the values; 0 if it is a draw. */
  plies({ returns }, place) {
    const values = this.values[returns ? "yes" : "no"];
    return values[place] | values[this.count + place] << 8;
  }

  /** Null if no position with so many doves is won in so many plies; undefined if there is one, or that is not known. */
  puzzle(game, { plies, doves }) {
    if (!this.knows(game, Number(doves))) return undefined;
    const [from, to] = [Number(doves), Number(doves) + 1].map(number => this.firstWith[number] ?? this.count);
    for (let place = from; place < to; place++) if (this.plies(game, place) === plies) return undefined;
    return null;
  }

  place(doves) {
    for (const image of IMAGES) {
      const turned = moved(doves, image);
      const { top, left } = boxOf(turned);
      const letters = [];
      for (const [letter, [row, column]] of Object.entries(turned)) letters[4 * (row - top) + column - left] = letter;
      const cells = Object.keys(letters).reduce((set, cell) => set | 1 << cell, 0);
      const first = this.first.get(cells << 8 | letters.indexOf("B") << 4 | letters.indexOf("b"));
      if (first === undefined) continue;
      const others = letters.filter(letter => letter && !"Bb".includes(letter));
      return first + this.arrangements[others.length].get(others.join(""));
    }
    throw new Error("every shape with few doves is there");
  }
}
