// The current game and the mode of the page, and the address that stores both.

/** @import { Action, Beginning, Color, Players, Position } from "./types.d.ts" */
import { LEVELS, PAGE_GAME, ask, gameKey, yesOrNo } from "./brain.js";
import { START, actionOf, actionsFrom, boardText, endingOf, gameOf, isDoveSet, kindsIn, placeAfter } from "./position.js";
import { failures, tryPart } from "./storage.js";

export const MODES = ["learn", "analyse", "play", "puzzles", "setup", "count"];
/** The endings that players declare, as in doc/game-file.md. */
export const ENDINGS = [
  "red wins, green resigned", "green wins, red resigned", "draw by agreement", "draw by repetition",
];
/** Maximum number of other lines kept for a game. */
const MOST_LINES = 16;

/** The rulings on an action that surrounds both bosses. */
export const RULINGS = ["mover-loses", "mover-wins", "draw"];

/** The default names of the players. @type {Players} */
const NOBODY = { red: "red", green: "green" };
/** Rate limit for history updates. Above the browser's own limit, WebKit throws and Chromium drops updates. */
const [MOST_WRITES, WRITES_SPAN_MS] = [50, 10_000];
const YES_OR_NO = /^(yes|no)$/;
/** The parts of the address that are settings of a mode, and their forms. @type {Record<string, RegExp>} */
const KEPT = {
  you: /^(red|green|both)$/, level: RegExp(`^(${LEVELS.map(({ level }) => level).join("|")})$`), seed: /^\d+$/,
  plies: /^[1357]$/, unique: YES_OR_NO, doves: /^(any|[2-9]|1[0-2])$/, shown: YES_OR_NO, day: /^\d{4}-\d\d-\d\d$/,
  compare: RegExp(`^(|returns|${RULINGS.join("|")})$`), values: YES_OR_NO, answers: YES_OR_NO,
};

/**
 * The number of characters in the keys and values of an address, not counting the part `length`. That part
 * has this number, which reveals a truncated address.
 *
 * @param {URLSearchParams} parts
 */
const lengthOf = parts => [...parts].filter(([key]) => key !== "length").flat().join("").length;

class Session {
  mode = "analyse";
  /** The positions of the game. @type {Position[]} */
  positions = [{ doves: START(), mover: "red", game: PAGE_GAME, action: null }];
  ply = 0;
  /** The ending that the players declared: one of ENDINGS, or null. @type {string | null} */
  ending = null;
  players = NOBODY;
  /** The comments of a game file, each with the number of actions before it. @type {[number, string][]} */
  comments = [];
  /** Other lines that were tried, each as the texts of its actions from the start. @type {string[][]} */
  lines = [];
  /** The settings of modes in the address. @type {Record<string, string | undefined>} */
  kept = {};
  /** Called after every change. */
  onChange = () => {};
  /** The times of recent history updates, and the timer of the next one. @type {number[]} */
  writes = [];
  /** @type {number | undefined} */
  writing = undefined;

  changed(isStep = false) {
    this.write(isStep);
    this.onChange();
  }

  /**
   * Writes the address, with the players' names and the comments as the state of its history entry: now, or as soon as the
   * rate limit permits.
   *
   * @param {boolean} isStep whether *back* leads to the previous address
   */
  write(isStep) {
    clearTimeout(this.writing);
    const address = `#${this.address()}`;
    const written = { players: this.players, comments: this.comments };
    const isThere = address === location.hash;
    if (isThere && JSON.stringify(history.state) === JSON.stringify(written)) return;
    const now = performance.now();
    this.writes = this.writes.filter(time => now - time < WRITES_SPAN_MS);
    let rest = this.writes.length < MOST_WRITES ? 0 : this.writes[0] + WRITES_SPAN_MS - now;
    if (!rest) {
      const isWritten = tryPart("address", () => {
        history[isStep && !isThere ? "pushState" : "replaceState"](written, "", address);
        return this.writes.push(now);
      }, 0);
      if (isWritten) failures.delete("address");
      // The browser also counts updates made before a reload, and in some frames permits none at all.
      else rest = WRITES_SPAN_MS;
    }
    if (rest) this.writing = setTimeout(() => this.write(isStep), rest);
  }

  /** The current position. */
  get place() {
    return this.positions[this.ply];
  }

  get game() {
    return this.positions[0].game;
  }

  /** What the rules say of the current position: how the game ended there, or null if it did not. */
  get result() {
    return endingOf(this.place);
  }

  get last() {
    return this.positions[this.positions.length - 1];
  }

  /** What the rules say of the last position: how the game ended there, or null if it did not. */
  get lastResult() {
    return endingOf(this.last);
  }

  get isFinished() {
    return Boolean(this.ending || this.lastResult);
  }

  get isAtEnd() {
    return this.ply === this.positions.length - 1;
  }

  /** Whether the game is over in the current position. Analysis continues after an ending that the players declared. */
  get isOver() {
    return Boolean(this.result || this.ending && this.isAtEnd && this.mode !== "analyse");
  }

  /**
   * Plays an action in the current position. If the game went on differently, its old course becomes another line.
   *
   * @param {Action} action
   */
  act(action, isStep = true) {
    const next = this.positions[this.ply + 1];
    if (next?.action?.text !== action.text) {
      const before = this.texts;
      this.positions.length = this.ply + 1;
      this.keepComments();
      this.add(action);
      this.ending = null;
      this.keepLines([before, ...this.lines]);
    }
    this.ply++;
    this.changed(isStep);
  }

  /** Removes the comments on actions that the game no longer has. */
  keepComments() {
    this.comments = this.comments.filter(([before]) => before < this.positions.length);
  }

  /** Adds the position after an action. @param {Action} action */
  add(action) {
    this.positions.push({ ...placeAfter(this.last, action), action });
  }

  /** The texts of the actions of the game. */
  get texts() {
    return this.positions.flatMap(({ action }) => (action ? [action.text] : []));
  }

  /**
   * Stores up to `MOST_LINES` lines, except those that an earlier line or the game begins with.
   *
   * @param {string[][]} lines
   */
  keepLines(lines) {
    const isPart = (/** @type {string[]} */ line, /** @type {string[]} */ whole) => line.every((text, index) => whole[index] === text);
    const others = lines.filter((line, index) => !lines.slice(0, index).some(whole => isPart(line, whole)));
    this.lines = others.filter(line => !isPart(line, this.texts)).slice(0, MOST_LINES);
  }

  /** Makes another line the game, and goes to a ply of it. @param {number} index @param {number} ply */
  takeLine(index, ply) {
    const { players, positions: [start], texts: old } = this;
    const texts = this.lines[index];
    const differs = texts.findIndex((text, at) => text !== old[at]);
    const comments = this.comments.filter(([before]) => differs < 0 || before <= differs);
    this.begin({ ...start, players, comments, texts, ply, lines: [old, ...this.lines] });
  }

  /** Everything that `restore` brings back. */
  snapshot() {
    const { mode, positions, ply, ending, players, comments, lines, kept } = this;
    return { mode, positions: [...positions], ply, ending, players, comments, lines, kept: { ...kept } };
  }

  /** @param {object} snapshot */
  restore(snapshot) {
    Object.assign(this, snapshot);
    this.changed(true);
  }

  /** The action with this text, or null if it is not legal in the current position. @param {string} text */
  legal(text) {
    return actionOf(this.place, text);
  }

  /** The nearest ply of the game. @param {number} ply */
  within(ply) {
    return Math.min(Math.max(ply, 0), this.positions.length - 1);
  }

  /** @param {number} ply */
  go(ply) {
    this.ply = this.within(ply);
    this.changed();
  }

  /** Removes everything after a ply. @param {number} ply */
  cut(ply, isStep = true) {
    this.positions.length = ply + 1;
    this.keepComments();
    this.ply = ply;
    this.ending = null;
    this.changed(isStep);
  }

  /** Begins a game. Actions from the first illegal one on are left out. @param {Beginning} beginning */
  begin({ doves, mover, game = this.game, texts = [], ply = texts.length, lines = [], ...about }, isStep = true) {
    const { players = NOBODY, comments = [], ending = null } = about;
    Object.assign(this, { players, comments, ending });
    this.positions = [{ doves, mover, game, action: null }];
    for (const action of actionsFrom({ doves, mover, game }, texts)) this.add(action);
    this.ply = this.within(ply);
    this.keepLines(lines);
    this.changed(isStep);
  }

  /** The address in a mode; with `isStart`, the address of the first position alone. */
  address(mode = this.mode, isStart = false) {
    const { doves, mover } = this.positions[0];
    const { red, green, returns, bothSurrounded: both } = this.game;
    // The game is included, because the next server at this address may have a different game.
    const parts = new URLSearchParams({
      mode, length: "", board: boardText(doves), turn: mover, red, green, returns: yesOrNo(returns), both,
    });
    const texts = isStart ? [] : this.texts;
    // A plus would have to be escaped.
    const joined = (/** @type {string[]} */ texts) => texts.join().replaceAll("+", "*");
    if (texts.length) parts.set("actions", joined(texts));
    if (this.lines.length && !isStart) parts.set("lines", this.lines.map(joined).join(";"));
    if (this.ply < texts.length) parts.set("ply", String(this.ply));
    if (this.ending) parts.set("ending", this.ending);
    for (const [key, value = ""] of Object.entries(this.kept)) if (key !== "shown" || !isStart) parts.set(key, value);
    parts.set("length", String(lengthOf(parts)));
    return parts.toString().replaceAll("%3B", ";").replaceAll("%2C", ",");
  }

  /**
   * Shows the game of an address (the text after its `#`). Returns whether it contains a board, whether it was
   * truncated, its first illegal action, and its `unread` parts: those that are unknown, invalid or given twice.
   * Returns null if the board is not valid.
   *
   * @param {string} text
   */
  readAddress(text) {
    const parts = new URLSearchParams(text);
    const known = ["length", "board", "actions", "lines"];
    // A part that occurs twice is read once, and reported.
    const unread = [...new Set(parts.keys())].filter(key => parts.getAll(key).length > 1);
    /**
     * The value of a part, or the default if it is missing or invalid.
     *
     * @template D
     * @param {string} key
     * @param {(value: string) => boolean} isRight
     * @param {D} usual
     */
    const part = (key, isRight, usual) => {
      known.push(key);
      const value = parts.get(key);
      if (value === null) return usual;
      if (isRight(value)) return value;
      unread.push(key);
      return usual;
    };
    /** @type {(key: string, allowed: string[], usual: string) => string} */
    const oneOf = (key, allowed, usual) => part(key, value => allowed.includes(value), usual);
    const set = (/** @type {Color} */ color) => kindsIn(part(color, isDoveSet, PAGE_GAME[color]));
    const game = {
      red: set("red"),
      green: set("green"),
      returns: oneOf("returns", ["yes", "no"], yesOrNo(PAGE_GAME.returns)) === "yes",
      bothSurrounded: oneOf("both", RULINGS, PAGE_GAME.bothSurrounded),
    };
    const board = parts.get("board");
    const read = board === null ? { doves: START() } : ask("arrange", { text: board, ...gameKey(game) });
    if ("error" in read || "wrong" in read && read.wrong) return null;
    this.mode = oneOf("mode", MODES, "analyse");
    const kept = Object.entries(KEPT).map(([key, form]) => [key, part(key, value => form.test(value), undefined)]);
    this.kept = Object.fromEntries(kept.filter(([, value]) => value !== undefined));
    const split = (/** @type {string} */ text) => text.replaceAll("*", "+").split(",").filter(Boolean);
    const texts = split(parts.get("actions") ?? "");
    const lines = (parts.get("lines") ?? "").split(";").map(split).filter(line => line.length);
    const ply = Number(part("ply", value => /^\d+$/.test(value) && Number(value) <= texts.length, texts.length));
    const mover = /** @type {Color} */ (oneOf("turn", ["red", "green"], "red"));
    const place = { game, doves: read.doves, mover };
    const played = { ...gameOf(place, texts), lenient: "yes" };
    const ending = part("ending", value => ENDINGS.includes(value) && !ask("game", { ...played, ending: value }).error, null);
    const isLegal = (/** @type {string[]} */ line) => actionsFrom(place, line).length === line.length;
    if (!lines.every(isLegal)) unread.push("lines");
    unread.push(...[...parts.keys()].filter(key => !known.includes(key)));
    const { players, comments } = history.state ?? {};
    this.begin({ ...place, players, comments, texts, ply, ending, lines: lines.filter(isLegal) }, false);
    const { length } = this.texts;
    return {
      hasBoard: board !== null, isCut: lengthOf(parts) < Number(parts.get("length")), unread,
      illegal: length < texts.length ? { action: texts[length], ply: length + 1 } : null,
    };
  }
}

export const session = new Session();
