// Puzzles: positions that the player to move wins in a number of plies. The machine defends as long as it can.

import { outcome, readBoard } from "./rules.js";
import { html } from "./board.js";
import { Refused, source } from "./source.js";
import { session } from "./session.js";
import { say } from "./words.js";

const PLIES = [1, 3, 5, 7];

export class Puzzles {
  constructor(changed) {
    this.changed = changed;
    /** What there is to say: a key of words.js and its parameters. */
    this.status = null;
    this.isBusy = false;
    this.isSolved = false;
  }

  get plies() {
    return Number(session.kept.plies) || 3;
  }

  get isUnique() {
    return session.kept.unique !== "no";
  }

  /** Whether the address holds a puzzle. */
  get isThere() {
    return session.kept.plies !== undefined;
  }

  /** Whether the user may act now. */
  get isYours() {
    return this.isThere && !this.isBusy && !this.isSolved && session.isAtEnd && !session.result && session.ply % 2 === 0;
  }

  /** After the page was loaded, or the mode changed. */
  enter() {
    this.isSolved = Boolean(session.result) && session.ply > 0;
    this.status = this.isSolved ? ["solved"] : null;
    if (!this.isThere) this.next();
  }

  async next(plies = this.plies, isUnique = this.isUnique) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.isSolved = false;
    this.status = ["drawing"];
    this.changed();
    try {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const found = await source.puzzle(session.game, plies, isUnique, seed);
      this.isBusy = false;
      if (session.mode !== "puzzles") return;
      if (found) {
        this.status = null;
        session.kept = { ...session.kept, plies: String(plies), unique: isUnique ? "yes" : "no" };
        session.begin({ doves: readBoard(found.board).doves, mover: found.to_move });
      } else {
        this.status = ["noPuzzle"];
        this.changed();
      }
    } catch (error) {
      this.isBusy = false;
      this.status = error instanceof Refused ? ["refused", { error: error.message }] : ["offline"];
      this.changed();
    }
  }

  /** Takes the user's action: goes on if it wins in time, otherwise says what refutes it. */
  async act(action) {
    const left = this.plies - session.ply - 1;
    const mover = session.now.mover;
    session.act(action);
    const ply = session.ply;
    if (outcome(action.after, mover, session.game) === "won") {
      this.isSolved = true;
      this.status = ["solved"];
      return this.changed();
    }
    this.isBusy = true;
    this.status = ["checking"];
    this.changed();
    try {
      const answer = await this.values(session.place, left);
      if (session.ply !== ply || session.mode !== "puzzles") return;
      const { value, plies } = answer.worth;
      if (value === "lose" && plies <= left) {
        const defence = answer.actions[0];
        this.isSolved = !defence;
        this.status = defence ? ["right", { action: defence.action }] : ["solved"];
        if (defence) session.act(session.legal(defence.action));
      } else {
        const refutation = answer.actions[0]?.action;
        this.status = refutation ? ["wrong", { action: action.text, refutation }] : ["wrongPlain", { action: action.text }];
        session.cut(ply - 1);
      }
    } catch {
      this.status = ["offline"];
      session.cut(ply - 1);
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }

  async values(place, plies) {
    let answer;
    do answer = await source.position(place, { depth: Math.max(plies, 1), seconds: 2 });
    while (answer.out_of_time);
    return answer;
  }

  async solution() {
    this.isBusy = true;
    this.changed();
    const { doves, mover } = session.positions[0];
    try {
      let answer;
      do answer = await source.line({ doves, mover, game: session.game }, null, { seconds: 2, depth: this.plies });
      while (answer.line.length < this.plies && answer.worth.value === "none");
      this.status = ["shown", { line: answer.line.map(({ action }) => action).join(" ") }];
    } catch {
      this.status = ["offline"];
    }
    this.isBusy = false;
    this.changed();
  }

  again() {
    this.isSolved = false;
    this.status = null;
    session.cut(0);
  }

  panel() {
    const option = plies => html("option", { value: plies, selected: plies === this.plies }, say("pliesOption", { plies }));
    const mover = session.positions[0].mover;
    return [
      this.isThere ? html("h2", {}, say("puzzleTask", { color: mover, plies: this.plies })) : null,
      html("p", { class: "status", id: "puzzle-status", role: "status" }, this.status && say(...this.status)),
      html("p", { class: "settings" },
        html("label", {}, `${say("puzzlePlies")} `, html("select", { "data-set": "plies" }, PLIES.map(option))),
        html("label", {}, html("input", { type: "checkbox", "data-set": "unique", checked: this.isUnique }), ` ${say("unique")}`)),
      html("p", { class: "buttons" },
        html("button", { "data-do": "nextPuzzle", class: "main", disabled: this.isBusy }, say("nextPuzzle")),
        html("button", { "data-do": "again", disabled: !this.isThere || session.ply === 0 || this.isBusy }, say("again")),
        html("button", { "data-do": "solution", disabled: !this.isThere || this.isBusy }, say("solution"))),
    ];
  }
}
