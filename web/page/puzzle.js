// Puzzles: positions that the player to move wins in a number of plies. The machine defends as long as it can.

import { html } from "./board.js";
import { COLORS, dovesOf, dovesOfText } from "./doves.js";
import { sentenceOf, source } from "./source.js";
import { session } from "./session.js";
import { pliesText, say } from "./words.js";

const PLIES = [1, 3, 5, 7];
const MIN_DOVES = 2;
/** The stars of the hardest puzzles, and the number of promising first actions that makes one harder. */
const MOST_STARS = 5;
const MANY = 6;
/** The points expected, in thousandths, from which an action looks good to who sees two plies. */
const GOOD = 500;

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
    /** The controller of the question that is being asked, if any. */
    this.asked = null;
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

  /** Whether the user may act now. */
  get isYours() {
    return this.isThere && !this.isBusy && !this.isSolved && session.isAtEnd && !session.result && session.ply % 2 === 0;
  }

  /** Runs after the page is loaded or the mode changes. */
  enter() {
    const { plies, unique, doves } = session.kept;
    // The game may have fewer doves now than when the puzzle was drawn.
    const isOffered = this.numbers.includes(Number(doves));
    this.wanted = { plies: Number(plies) || this.wanted.plies, isUnique: unique !== "no", doves: isOffered ? doves : "any" };
    const isOver = Boolean(session.lastResult);
    this.isSolved = isOver && session.ply > 0;
    // Takes back an action that was being checked when the page was left.
    if (this.isThere && !isOver && session.positions.length % 2 === 0) session.cut(session.positions.length - 2, {});
    this.status = this.isSolved ? ["solved"] : null;
    if (this.isThere) this.rate();
    else this.next();
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
    const { plies, isUnique, doves } = this.wanted;
    const seed = Math.floor(Math.random() * 2 ** 31);
    return this.ask(["drawing"], signal => source.puzzle(session.game, this.wanted, seed, signal), found => {
      this.status = found ? null : ["noPuzzle"];
      if (!found) return;
      this.isSolved = false;
      session.kept = { ...session.kept, plies: String(plies), unique: isUnique ? "yes" : "no", doves };
      session.begin({ doves: dovesOfText(found.board), mover: found.to_move });
      this.rate();
    });
  }

  /** Takes the user's action: goes on if it wins in time, otherwise says what refutes it. */
  async act(action) {
    const left = this.plies - session.ply - 1;
    const by = action.outcome;
    if (by === "lost" || by === "drawn") {
      this.status = [by === "lost" ? "wrongOwn" : "wrongBoth", { action: action.text }];
      return this.showMessage("", null, [action.text]);
    }
    // Going back leads to the user's own turn, so the action becomes a step only when it has been answered.
    session.act(action, { isStep: by === "won" });
    if (by === "won") {
      this.isSolved = true;
      this.status = ["solved"];
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
        this.status = best ? ["right", { action: best.action }] : ["solved"];
        if (best) session.act(session.legal(best.action));
      } else {
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

  solution() {
    const { doves, mover } = session.positions[0];
    const place = { doves, mover, game: session.game };
    return this.ask(["checking"], async signal => {
      let answer;
      do answer = await source.line(place, { seconds: 2, depth: this.plies }, signal);
      while (answer.out_of_time && !answer.line.length);
      return answer;
    }, ({ line, worth }) => {
      this.status = worth.value === "win" && line.length ? ["shown", { line: line.map(({ action }) => action).join(" ") }] : ["lineNone"];
    });
  }

  again() {
    this.isSolved = false;
    this.status = null;
    session.cut(0);
  }

  /** What to do. */
  task() {
    return say("puzzleTask", { color: session.positions[0].mover, plies: this.plies });
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
      html("button", { "data-do": "solution", disabled: !this.isThere || this.isBusy }, say("solution")),
    ];
  }

  panel() {
    const { plies, isUnique, doves } = this.wanted;
    const option = (value, text, chosen) => html("option", { value, selected: String(value) === String(chosen) }, text);
    return [
      // What is below stays where it is when the grade is known.
      html("p", { id: "grade" }, this.isThere && this.promising !== null ? this.grade() : "…"),
      html("p", { class: "settings" },
        html("label", {}, `${say("puzzlePlies")} `, html("select", { "data-set": "plies" },
          PLIES.map(number => option(number, pliesText(number), plies)))),
        html("label", {}, `${say("puzzleDoves")} `, html("select", { "data-set": "doves" },
          option("any", say("anyDoves"), doves), this.numbers.map(number => option(number, number, doves)))),
        html("label", {},
          html("input", { type: "checkbox", "data-set": "unique", checked: isUnique }), ` ${say("unique")}`)),
    ];
  }
}
