// Puzzles: positions that the player to move wins in a number of plies. The machine defends as long as it can.

import { html } from "./board.js";
import { FULL_GAME, ask, gameKey } from "./brain.js";
import { COLORS, dovesOf, dovesOfText } from "./doves.js";
import { typingLine } from "./game.js";
import { sentenceOf, source } from "./source.js";
import { session } from "./session.js";
import { keep, recallList } from "./storage.js";
import { pliesText, say } from "./words.js";

const PLIES = [1, 3, 5, 7];
/** Random seeds are below this. */
const SEEDS = 2 ** 31;
const MIN_DOVES = 2;
/** The stars of the hardest puzzles, and the number of promising first actions that makes one harder. */
const MOST_STARS = 5;
const MANY = 6;
/** The points expected, in thousandths, from which an action looks good to who sees two plies. */
const GOOD = 500;
/** The puzzles that are remembered, the positions searched for one of the day, and the puzzles of a sheet. */
const REMEMBERED = 200;
const SEARCHED = 1_000_000;
const SHEET = 6;
/** The most half-second questions on whether a board is a puzzle. */
const CHECKS = 8;
/** Of these, those that are linked to. */
const LINKED = 20;

const recallHistory = () => recallList("puzzles", puzzle => typeof puzzle?.address === "string" && typeof puzzle.isRight === "boolean");

export class Puzzles {
  constructor(showMessage, changed) {
    Object.assign(this, { showMessage, changed });
    /** The message to show: a key of words.js and its parameters. */
    this.status = null;
    this.isSolved = false;
    /** The number of first actions that look good; null as long as it is not known. */
    this.promising = null;
    /** The wishes for the next puzzle. */
    this.wanted = { plies: 3, isUnique: true, doves: "any" };
    /** The controllers of the question that is being asked and of the check of the board, if any. */
    this.asked = null;
    this.checked = null;
    /** The puzzles that were tried on this device, the latest last: {address, isRight}. */
    this.history = recallHistory();
    [this.scoreName = ""] = recallList("score", name => typeof name === "string");
  }

  /** Remembers how the puzzle that is shown went: what came first counts. */
  remember(isRight) {
    const address = session.address("puzzles", true);
    // Another tab may have added some.
    const kept = recallHistory();
    if (kept.length) this.history = kept;
    if (this.history.some(puzzle => puzzle.address === address)) return;
    this.history = [...this.history, { address, isRight }].slice(-REMEMBERED);
    keep("puzzles", JSON.stringify(this.history));
  }

  /** Begins the score anew, or brings one back; returns the one before. */
  beginScore(history = []) {
    const before = this.history;
    this.history = history;
    keep("puzzles", JSON.stringify(history));
    return before;
  }

  /** Names who solves here. */
  nameScore(name) {
    this.scoreName = name;
    keep("score", JSON.stringify([name]));
    this.changed();
  }

  get isBusy() {
    return this.asked !== null;
  }

  /** The plies of the puzzle that is shown. */
  get plies() {
    return Number(session.kept.plies);
  }

  /** The numbers of doves that a puzzle can have. */
  get numbers() {
    const most = COLORS.flatMap(color => dovesOf(session.game, color)).length;
    return Array.from({ length: most - MIN_DOVES + 1 }, (_, index) => MIN_DOVES + index);
  }

  /** Whether the address holds a puzzle. */
  get isThere() {
    return session.kept.plies !== undefined;
  }

  /** Whether the game is the solution, to be stepped through. */
  get isShown() {
    return session.kept.shown === "yes";
  }

  /** Whether the user may act now. */
  get isYours() {
    return this.isThere && !this.isShown && !this.isBusy && !this.isSolved && session.isAtEnd && !session.result && session.ply % 2 === 0;
  }

  /** Runs after the page is loaded, from an address that may have a board, or the mode changes. */
  enter({ hasBoard = false } = {}) {
    const { plies, unique, doves } = session.kept;
    // The game may have fewer doves now than when the puzzle was drawn.
    const isOffered = this.numbers.includes(Number(doves));
    this.wanted = { plies: Number(plies) || this.wanted.plies, isUnique: unique !== "no", doves: isOffered ? doves : "any" };
    // An address may ask for a puzzle without a board, or have a board and no number of plies.
    if (!hasBoard) delete session.kept.plies;
    else session.kept.plies ??= String(this.wanted.plies);
    const isOver = Boolean(session.lastResult);
    this.isSolved = isOver && session.ply > 0;
    // Takes back an action that was being checked when the page was left.
    if (this.isThere && !isOver && !this.isShown && session.positions.length % 2 === 0) session.cut(session.positions.length - 2, {});
    this.status = this.isShown ? ["shown", { line: session.texts.join(" ") }] : this.isSolved ? ["solved"] : null;
    if (!this.isThere) return this.next();
    this.rate();
    this.check();
  }

  /** Says so if the board, which an address may have from anywhere, is no such win. */
  async check() {
    const { positions: [{ doves, mover }], game } = session;
    const { plies } = this;
    this.checked = new AbortController();
    const worth = await this.worthOf({ doves, mover, game }, plies, this.checked.signal).catch(() => null);
    if (!worth || worth.value === "win" && (worth.plies ?? plies) === plies) return;
    this.status = ["noSuchWin", { color: mover, plies }];
    this.changed();
  }

  /** What a position is worth within so many plies; null if that takes too long. */
  async worthOf(place, depth, signal) {
    for (let asked = 0; asked < CHECKS; asked++) {
      const { worth, out_of_time: isOpen } = await source.position(place, { depth }, signal);
      if (!isOpen) return worth;
    }
    return null;
  }

  /** Finds out how many first actions look good. */
  async rate() {
    this.promising = null;
    const { doves, mover } = session.positions[0];
    const { actions } = await source.position({ doves, mover, game: session.game }, { depth: 2 }).catch(() => ({}));
    if (!actions || session.positions[0].doves !== doves) return;
    const looksGood = ({ value, estimate }) => value !== "lose" && (estimate?.per_mille ?? GOOD) >= GOOD;
    this.promising = actions.filter(looksGood).length;
    this.changed();
  }

  /** How hard the puzzle is: longer ones and ones with many promising first actions are harder. */
  grade() {
    const stars = Math.min((this.plies + 1) / 2 + (this.promising >= MANY ? 1 : 0), MOST_STARS);
    return say("grade", { stars: "★".repeat(stars) + "☆".repeat(MOST_STARS - stars), promising: this.promising });
  }

  /** Ends the question that is being asked. */
  stop() {
    this.asked?.abort();
    this.asked = null;
    this.checked?.abort();
    if (this.status?.[0] === "drawing") this.status = null;
  }

  /**
   * Shows `status` until `question`, a function of an abort signal, is answered; then calls `take` with the answer.
   * False if the question was stopped or failed.
   */
  async ask(status, question, take) {
    this.stop();
    const asked = new AbortController();
    this.asked = asked;
    this.status = status;
    this.changed();
    const { answer, error } = await question(asked.signal).then(answer => ({ answer }), error => ({ error }));
    if (asked.signal.aborted) return false;
    this.asked = null;
    if (!error) take(answer);
    else this.status = sentenceOf(error);
    this.changed();
    return !error;
  }

  /** Draws the next puzzle, with these wishes changed. */
  next(wishes = {}) {
    this.wanted = { ...this.wanted, ...wishes };
    return this.draw(session.game, this.wanted, Math.floor(Math.random() * SEEDS));
  }

  /** The puzzle of the day, the same everywhere: its date is the seed, and positions limit the search, not time. */
  daily() {
    const day = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    return this.draw(FULL_GAME, { plies: 3, isUnique: true, doves: "any", positions: SEARCHED }, Number(day.replaceAll("-", "")), day);
  }

  draw(game, wanted, seed, day) {
    return this.ask(["drawing"], signal => source.puzzle(game, wanted, seed, signal), found => {
      this.status = found ? null : ["noPuzzle"];
      if (!found) return;
      this.isSolved = false;
      const { shown, day: before, ...kept } = session.kept;
      const { plies, isUnique, doves } = wanted;
      session.kept = { ...kept, plies: String(plies), unique: isUnique ? "yes" : "no", doves, ...(day && { day }) };
      session.begin({ game, doves: dovesOfText(found.board), mover: found.to_move });
      this.rate();
    });
  }

  /** Draws puzzles and has `print` print the library's sheet of them. */
  sheet(print) {
    const { isUnique } = this.wanted;
    const draw = async signal => {
      const found = [];
      for (let seed = Math.floor(Math.random() * SEEDS); found.length < SHEET; seed++) {
        const puzzle = await source.puzzle(session.game, this.wanted, seed, signal);
        if (!puzzle) break;
        if (found.every(({ board }) => board !== puzzle.board)) found.push(puzzle);
      }
      return found;
    };
    return this.ask(["drawing"], draw, found => {
      this.status = found.length ? null : ["noPuzzle"];
      if (!found.length) return;
      const texts = found.map(({ board, to_move: mover, line }) => [board, mover, ...line].join(" "));
      print(ask("sheet", { puzzles: texts.join(), unique: isUnique ? "yes" : "no", ...gameKey(session.game) }).html);
    });
  }

  /** Takes the user's action: goes on if it wins in time, otherwise says what refutes it. */
  async act(action) {
    const left = this.plies - session.ply - 1;
    const by = action.outcome;
    if (by === "lost" || by === "drawn") {
      this.status = [by === "lost" ? "wrongOwn" : "wrongBoth", { action: action.text }];
      this.remember(false);
      return this.showMessage("", null, [action.text]);
    }
    // Going back leads to the user's own turn, so the action becomes a step only when it has been answered.
    session.act(action, { isStep: by === "won" });
    if (by === "won") {
      this.isSolved = true;
      this.status = ["solved"];
      this.remember(true);
      return this.changed();
    }
    const { place, ply } = session;
    const takeBack = () => session.cut(ply - 1, {});
    const isChecked = await this.ask(["checking"], async signal => {
      let answer;
      do answer = await source.position(place, { depth: Math.max(left, 1), seconds: 2 }, signal);
      while (answer.out_of_time);
      return answer;
    }, ({ worth: { value, plies }, actions: [best] }) => {
      if (session.ply !== ply) {
        this.status = null;
        takeBack();
      } else if (value === "lose" && plies !== null && plies <= left) {
        this.isSolved = !best;
        if (this.isSolved) this.remember(true);
        this.status = best ? ["right", { action: best.action }] : ["solved"];
        if (best) session.act(session.legal(best.action));
      } else {
        this.remember(false);
        const parameters = { action: action.text, refutation: best?.action, color: place.mover };
        if (!best) this.status = ["wrongPlain", { ...parameters, plies: this.plies }];
        else if (value === "win" && plies !== null) this.status = ["wrongLets", { ...parameters, plies }];
        else if (value === "lose" && plies !== null) this.status = ["wrongSlow", { ...parameters, plies }];
        else this.status = ["wrong", { ...parameters, plies: this.plies }];
        takeBack();
        this.showMessage("", null, [action.text, best?.action].filter(Boolean));
      }
    });
    if (!isChecked && session.positions[ply]?.action === action) takeBack();
  }

  /** Gives `take` the texts of a line that wins from this place within these plies, if there is one. */
  askLine(place, depth, take) {
    return this.ask(["checking"], async signal => {
      let answer;
      do answer = await source.line(place, { seconds: 2, depth }, signal);
      while (answer.out_of_time && !answer.line.length);
      return answer;
    }, ({ line, worth }) => {
      this.showMessage("");
      this.status = ["lineNone"];
      if (worth.value !== "win" || !line.length) return;
      this.remember(false);
      take(line.map(({ action }) => action));
    });
  }

  solution() {
    const { doves, mover } = session.positions[0];
    return this.askLine({ doves, mover, game: session.game }, this.plies, texts => {
      this.status = ["shown", { line: texts.join(" ") }];
      session.kept.shown = "yes";
      session.begin({ doves, mover, texts, ply: 0 });
    });
  }

  /** Says which dove to use; asked again in the same position, what to do with it. */
  async hint() {
    const { now, place, ply } = session;
    if (this.hinted?.now === now) {
      const { action } = this.hinted;
      this.status = ["hintAction", { action }];
      return this.showMessage("", null, [action]);
    }
    await this.askLine(place, this.plies - ply, ([action]) => {
      this.hinted = { now, action };
      this.status = ["hintDove", { dove: session.legal(action).dove }];
    });
  }

  again() {
    this.isSolved = false;
    this.status = null;
    delete session.kept.shown;
    session.cut(0);
  }

  /** What to do. */
  task() {
    return say("puzzleTask", { color: session.positions[0].mover, plies: this.plies, own: (this.plies + 1) / 2 });
  }

  statusText() {
    return this.status ? say(...this.status) : "";
  }

  /** What one needs to solve a puzzle, beside the board. */
  buttons() {
    return [
      this.status?.[0] === "drawing"
        ? html("button", { "data-do": "stopPuzzle", class: "main" }, say("stop"))
        : html("button", { "data-do": "nextPuzzle", class: "main", disabled: this.isBusy }, say("nextPuzzle")),
      html("button", { "data-do": "again", disabled: !this.isThere || session.positions.length === 1 || this.isBusy }, say("again")),
      html("button", { "data-do": "hint", disabled: !this.isYours }, say("askHint")),
      html("button", { "data-do": "solution", disabled: !this.isThere || this.isBusy }, say("solution")),
    ];
  }

  /** How the puzzles on this device went: numbers, and the latest as links. */
  record() {
    const rights = this.history.map(({ isRight }) => isRight);
    if (!rights.length) return null;
    const row = rights.length - 1 - rights.lastIndexOf(false);
    const texts = { solved: rights.filter(Boolean).length, tried: rights.length, row };
    return [
      html("h3", {}, say("history")),
      html("p", { class: "settings" },
        html("label", {}, `${say("scoreName")} `, html("input", { type: "text", "data-set": "scoreName", value: this.scoreName, maxlength: 40 })),
        html("button", { "data-do": "newScore" }, say("newScore"))),
      html("p", { id: "history" }, this.scoreName && `${this.scoreName}${say("colon")}`, say("historyLine", texts)),
      html("p", { class: "lines" }, this.history.slice(-LINKED).map(({ address, isRight }, index) => html("a", {
        href: `#${address}`, class: isRight ? "good" : "warning", "aria-label": `${index + 1}${say("colon")}${say(isRight ? "solved" : "notSolved")}`,
      }, isRight ? "✓ " : "✕ "))),
    ];
  }

  /** `code` is the QR code of the address, if it is shown. */
  panel(code) {
    const { plies, isUnique, doves } = this.wanted;
    const option = (value, text, chosen) => html("option", { value, selected: String(value) === String(chosen) }, text);
    return [
      // What is below stays where it is when the grade is known.
      this.isShown ? html("p", { class: "line" }, session.texts.map((text, index) => html("button", {
        "data-do": "go", "data-ply": index + 1, class: `action${index + 1 === session.ply ? " current" : ""}`,
      }, `${index + 1}. ${text}`))) : null,
      session.kept.day ? html("h3", {}, say("ofDay", { day: session.kept.day })) : null,
      html("p", { id: "grade" }, this.isThere && this.promising !== null ? this.grade() : "…"),
      html("p", { class: "settings" },
        html("label", {}, `${say("puzzlePlies")} `, html("select", { "data-set": "plies" },
          PLIES.map(number => option(number, pliesText(number), plies)))),
        html("label", {}, `${say("puzzleDoves")} `, html("select", { "data-set": "doves" },
          option("any", say("anyDoves"), doves), this.numbers.map(number => option(number, number, doves)))),
        html("label", {},
          html("input", { type: "checkbox", "data-set": "unique", checked: isUnique }), ` ${say("unique")}`)),
      typingLine(),
      html("p", { class: "buttons" },
        html("button", { "data-do": "harder", disabled: this.isBusy || plies === PLIES.at(-1) }, say("harder")),
        html("button", { "data-do": "daily", disabled: this.isBusy }, say("daily")),
        html("button", { "data-do": "share", disabled: !this.isThere }, say("sharePuzzle")),
        navigator.share ? html("button", { "data-do": "shareTo", disabled: !this.isThere }, say("shareTo")) : null,
        html("button", { "data-do": "showCode", disabled: !this.isThere, "aria-expanded": String(Boolean(code)) }, say("qrCode")),
        html("button", { "data-do": "sheet", disabled: this.isBusy }, say("sheet"))),
      code,
      ...this.record() ?? [],
    ];
  }
}
