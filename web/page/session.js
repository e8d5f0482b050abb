// The game that is shown: positions, the mode of the page, and the address that holds them all.

import { LEVELS, PAGE_GAME, ask, gameKey, yesOrNo } from "./brain.js";
import { START, actionOf, actionsFrom, boardText, endingOf, gameOf, isDoveSet, kindsIn, placeAfter } from "./position.js";
import { failures, tryPart } from "./storage.js";

export const MODES = ["learn", "analyse", "play", "puzzles", "setup", "count"];
/** How a game ends otherwise than by the rules, as doc/game-file.md has it. */
export const ENDINGS = [
  "red wins, green resigned", "green wins, red resigned", "draw by agreement", "draw by repetition",
];
/** The most other lines of a game that are kept. */
const MOST_LINES = 16;

/** What can be ruled when both bosses are surrounded. */
export const RULINGS = ["mover-loses", "mover-wins", "draw"];

/** The names of players who have none. */
const NOBODY = { red: "red", green: "green" };
/** The most changes of the address within this many milliseconds: beyond that, WebKit throws, and Chromium ignores them. */
const [MOST_WRITES, WRITES_SPAN_MS] = [50, 10_000];
const YES_OR_NO = /^(yes|no)$/;
/** What the modes keep in the address, and how it is written. */
const KEPT = {
  you: /^(red|green|both)$/, level: RegExp(`^(${LEVELS.map(({ level }) => level).join("|")})$`), seed: /^\d+$/,
  plies: /^[1357]$/, unique: YES_OR_NO, doves: /^(any|[2-9]|1[0-2])$/, shown: YES_OR_NO, day: /^\d{4}-\d\d-\d\d$/,
  compare: RegExp(`^(|returns|${RULINGS.join("|")})$`), values: YES_OR_NO, answers: YES_OR_NO,
};

class Session {
  mode = "analyse";
  /** The positions of the game: {doves, mover, game, action}, with the action that led there. */
  positions = [{ doves: START(), mover: "red", game: PAGE_GAME, action: null }];
  ply = 0;
  /** How the game ended otherwise than by the rules: one of ENDINGS, or null. */
  ending = null;
  players = NOBODY;
  /** The comments of a game file, each with the number of actions before it. */
  comments = [];
  /** Other lines that were tried, each as the texts of its actions from the start. */
  lines = [];
  /** What the modes keep in the address. */
  kept = {};
  /** Is called after every change. */
  onChange = () => {};
  /** When the address was written, and the timer that will write it. */
  writes = [];
  writing = null;

  changed(isStep = false) {
    this.write(isStep);
    this.onChange();
  }

  /** Writes the address, and beside it the players' names and the comments: now, or as soon as the browser accepts it. */
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
      });
      if (isWritten) failures.delete("address");
      // The browser may still count changes from before a reload; in some frames the address cannot be changed at all.
      else rest = WRITES_SPAN_MS;
    }
    if (rest) this.writing = setTimeout(() => this.write(isStep), rest);
  }

  /** The position that is shown. */
  get place() {
    return this.positions[this.ply];
  }

  get game() {
    return this.positions[0].game;
  }

  /** How the game stands in the position that is shown; null if it goes on. */
  get result() {
    return endingOf(this.place);
  }

  /** How the game has ended by the rules, in its last position; null if it goes on. */
  get lastResult() {
    return endingOf(this.positions.at(-1));
  }

  get isFinished() {
    return Boolean(this.ending || this.lastResult);
  }

  get isAtEnd() {
    return this.ply === this.positions.length - 1;
  }

  /** Whether the game is over in the position that is shown. An analysis goes on after a resignation. */
  get isOver() {
    return Boolean(this.result || this.ending && this.isAtEnd && this.mode !== "analyse");
  }

  /** Goes on from the position that is shown. Other actions that followed are kept as a line of their own. */
  act(action, isStep = true) {
    const next = this.positions[this.ply + 1];
    if (next?.action.text !== action.text) {
      const before = this.texts;
      this.positions.length = this.ply + 1;
      this.add(action);
      this.ending = null;
      this.keepLines([before, ...this.lines]);
    }
    this.ply++;
    this.changed(isStep);
  }

  /** Adds a position to the game, that after an action. */
  add(action) {
    this.positions.push({ ...placeAfter(this.positions.at(-1), action), action });
  }

  /** The texts of the actions of the game. */
  get texts() {
    return this.positions.slice(1).map(position => position.action.text);
  }

  /** Keeps those lines that are no part of another one, nor of the game. */
  keepLines(lines) {
    const isPart = (line, whole) => line.every((text, index) => whole[index] === text);
    const others = lines.filter((line, index) => !lines.slice(0, index).some(whole => isPart(line, whole)));
    this.lines = others.filter(line => !isPart(line, this.texts)).slice(0, MOST_LINES);
  }

  /** Makes another line the game, and shows it at a ply. */
  takeLine(index, ply) {
    const { players, comments, positions: [start] } = this;
    this.begin({ ...start, players, comments, texts: this.lines[index], ply, lines: [this.texts, ...this.lines] });
  }

  /** Everything that a message can bring back. */
  snapshot() {
    const { mode, positions, ply, ending, players, comments, lines, kept } = this;
    return { mode, positions: [...positions], ply, ending, players, comments, lines, kept: { ...kept } };
  }

  restore(snapshot) {
    Object.assign(this, snapshot);
    this.changed(true);
  }

  /** An action by its text, or null if it is not legal in the position that is shown. */
  legal(text) {
    return actionOf(this.place, text);
  }

  within(ply) {
    return Math.min(Math.max(ply, 0), this.positions.length - 1);
  }

  go(ply) {
    this.ply = this.within(ply);
    this.changed();
  }

  /** Takes back everything after a position. */
  cut(ply, isStep = true) {
    this.positions.length = ply + 1;
    this.ply = ply;
    this.ending = null;
    this.changed(isStep);
  }

  /** Begins from a board; `texts` are actions that follow, up to the first that is not legal. */
  begin({ doves, mover, game = this.game, texts = [], ply = texts.length, lines = [], ...about }, isStep = true) {
    const { players = NOBODY, comments = [], ending = null } = about;
    Object.assign(this, { players, comments, ending });
    this.positions = [{ doves, mover, game, action: null }];
    for (const action of actionsFrom({ doves, mover, game }, texts)) this.add(action);
    this.ply = this.within(ply);
    this.keepLines(lines);
    this.changed(isStep);
  }

  /** The address in a mode; with `isStart`, that of the first position alone. */
  address(mode = this.mode, isStart = false) {
    const { doves, mover } = this.positions[0];
    const { red, green, returns, bothSurrounded: both } = this.game;
    // The game, too: the next server at this address may have another one.
    const parts = new URLSearchParams({
      mode, board: boardText(doves), turn: mover, red, green, returns: yesOrNo(returns), both,
    });
    const texts = isStart ? [] : this.texts;
    // A plus would have to be escaped.
    const joined = texts => texts.join().replaceAll("+", "*");
    if (texts.length) parts.set("actions", joined(texts));
    if (this.lines.length && !isStart) parts.set("lines", this.lines.map(joined).join(";"));
    if (this.ply < texts.length) parts.set("ply", this.ply);
    if (this.ending) parts.set("ending", this.ending);
    for (const [key, value] of Object.entries(this.kept)) if (key !== "shown" || !isStart) parts.set(key, value);
    return parts.toString().replaceAll("%3B", ";").replaceAll("%2C", ",");
  }

  /**
   * Shows what an address holds after its `#`. Returns whether it has a board, the action that is `illegal` with its ply, and
   * its parts that were not read: mistyped, cut, or of another version; null if it holds nothing that could be shown.
   */
  readAddress(text) {
    const parts = new URLSearchParams(text);
    const known = ["board", "actions", "lines"];
    // Of a part that occurs twice, only the first is read, and the part is reported.
    const unread = [...new Set(parts.keys())].filter(key => parts.getAll(key).length > 1);
    /** A part, if it is there and can be read. */
    const part = (key, isRight, usual) => {
      known.push(key);
      if (!parts.has(key)) return usual;
      if (isRight(parts.get(key))) return parts.get(key);
      unread.push(key);
      return usual;
    };
    const oneOf = (key, allowed, usual) => part(key, value => allowed.includes(value), usual);
    const set = color => kindsIn(part(color, isDoveSet, PAGE_GAME[color]));
    const game = {
      red: set("red"),
      green: set("green"),
      returns: oneOf("returns", ["yes", "no"], yesOrNo(PAGE_GAME.returns)) === "yes",
      bothSurrounded: oneOf("both", RULINGS, PAGE_GAME.bothSurrounded),
    };
    const hasBoard = parts.has("board");
    const read = hasBoard ? ask("arrange", { text: parts.get("board"), ...gameKey(game) }) : { doves: START() };
    if (read.error || read.wrong) return null;
    this.mode = oneOf("mode", MODES, "analyse");
    const kept = Object.entries(KEPT).map(([key, form]) => [key, part(key, value => form.test(value))]);
    this.kept = Object.fromEntries(kept.filter(([, value]) => value !== undefined));
    const split = text => text.replaceAll("*", "+").split(",").filter(Boolean);
    const texts = split(parts.get("actions") ?? "");
    const lines = (parts.get("lines") ?? "").split(";").map(split).filter(line => line.length);
    const ply = Number(part("ply", value => /^\d+$/.test(value) && value <= texts.length, texts.length));
    const place = { game, doves: read.doves, mover: oneOf("turn", ["red", "green"], "red") };
    const played = { ...gameOf(place, texts), lenient: "yes" };
    const ending = part("ending", value => ENDINGS.includes(value) && !ask("game", { ...played, ending: value }).error, null);
    const isLegal = line => actionsFrom(place, line).length === line.length;
    if (!lines.every(isLegal)) unread.push("lines");
    unread.push(...[...parts.keys()].filter(key => !known.includes(key)));
    const { players, comments } = history.state ?? {};
    this.begin({ ...place, players, comments, texts, ply, ending, lines: lines.filter(isLegal) }, false);
    const { length } = this.texts;
    return { hasBoard, unread, illegal: length < texts.length ? { action: texts[length], ply: length + 1 } : null };
  }
}

export const session = new Session();
