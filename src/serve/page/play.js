// A game against the machine.

import { START, enclosure, invariant, opponent, resultOf } from "./rules.js";
import { html } from "./board.js";
import { source } from "./source.js";
import { session } from "./session.js";
import { say, worthText } from "./words.js";

/**
 * The strengths: how many plies the machine sees, and for how many seconds it looks. Another one is another line, with
 * its name in words.js.
 */
const LEVELS = [
  { name: "novice", depth: 1, seconds: 0.5 },
  { name: "club", depth: 3, seconds: 0.5 },
  { name: "strong", depth: 7, seconds: 1 },
  { name: "perfect", depth: 199, seconds: 3 },
];
/** The longest that one question may take, in seconds. */
const SLICE = 1;
/** How often a position has to come up for a draw. */
const REPEATED = 3;

export class Play {
  constructor(tell, changed) {
    Object.assign(this, { tell, changed });
    this.controller = null;
    this.isThinking = false;
  }

  get you() {
    return session.kept.you === "green" ? "green" : "red";
  }

  get level() {
    return LEVELS.find(({ name }) => name === session.kept.level) ?? LEVELS[source.searches ? 1 : LEVELS.length - 1];
  }

  get isOver() {
    return Boolean(session.ending || session.result);
  }

  /** Whether the user may act now. */
  get isYours() {
    return !this.isOver && session.isAtEnd && session.now.mover === this.you;
  }

  /** Lets the machine act if it is its turn. */
  follow() {
    if (session.mode !== "play" || this.isOver || !session.isAtEnd || session.now.mover === this.you) return this.stop();
    const at = session.address();
    if (this.isThinking === at) return;
    this.stop();
    this.isThinking = at;
    this.controller = new AbortController();
    this.think(session.place, this.level, this.controller.signal).then(text => {
      this.isThinking = false;
      if (session.mode !== "play" || session.address() !== at) return;
      const action = session.legal(text);
      this.tell(say("machinePlays", { action: action.text }));
      session.act(action);
    }).catch(error => {
      if (error.name === "AbortError") return;
      this.isThinking = false;
      this.tell(say("offline"));
      setTimeout(() => this.follow(), 2000);
    });
  }

  stop() {
    this.controller?.abort();
    this.isThinking = false;
  }

  /** The text of an action of this strength. */
  async think(place, { depth, seconds }, signal) {
    const end = performance.now() + 1000 * seconds;
    let answer;
    do {
      const left = Math.max((end - performance.now()) / 1000, 0.05);
      answer = await source.position(place, { depth, seconds: Math.min(left, SLICE).toFixed(2) }, signal);
    } while (answer.out_of_time && answer.worth.value === "none" && performance.now() < end);
    return this.choose(place, answer);
  }

  /**
   * A best action. Among equal ones: one whose position has come up least often, then the one with the best estimate,
   * then one that leaves the opposing boss more enclosed than the own, then any.
   */
  choose(place, answer) {
    const [best] = answer.actions;
    const equal = answer.actions.filter(({ value, plies }) => value === best.value && plies === best.plies);
    const seen = new Map();
    for (const { doves, mover } of session.positions) {
      const key = `${invariant(doves, mover)} ${mover}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const cost = ({ action, estimate }) => {
      const { after } = session.legal(action);
      const visits = seen.get(`${invariant(after, opponent(place.mover))} ${opponent(place.mover)}`) ?? 0;
      return 10_000 * visits - 5 * (estimate?.per_mille ?? 0) + enclosure(after, place.mover) - enclosure(after, opponent(place.mover)) + Math.random() / 2;
    };
    return equal.map(ranked => [cost(ranked), ranked.action]).sort((a, b) => a[0] - b[0])[0][1];
  }

  begin(fromHere) {
    this.stop();
    session.players = { [this.you]: "you", [opponent(this.you)]: `dovemate ${document.body.dataset.version}` };
    const { doves, mover } = fromHere ? session.now : { doves: START(), mover: "red" };
    session.begin({ doves, mover });
    this.tell("");
  }

  undo() {
    this.stop();
    if (session.ending) {
      session.ending = null;
      return session.changed();
    }
    let ply = session.ply - 1;
    while (ply > 0 && session.positions[ply].mover !== this.you) ply--;
    if (ply >= 0 && session.positions[ply].mover === this.you) session.cut(ply);
  }

  giveUp() {
    this.stop();
    if (this.isOver) return;
    session.ending = `${opponent(this.you)} wins, ${this.you} resigned`;
    session.changed();
  }

  get isRepeated() {
    const keys = session.positions.map(({ doves, mover }) => `${invariant(doves, mover)} ${mover}`);
    return keys.filter(key => key === keys.at(-1)).length >= REPEATED;
  }

  draw() {
    this.stop();
    session.ending = "draw by repetition";
    session.changed();
  }

  async hint() {
    this.tell(say("thinking"));
    const place = session.place;
    try {
      const answer = await source.position(place, { seconds: 1 });
      if (place.doves !== session.now.doves) return;
      const action = this.choose(place, answer);
      const worth = answer.actions.find(ranked => ranked.action === action);
      this.tell(say("hintIs", { action, worth: worthText(worth) }));
    } catch {
      this.tell(say("offline"));
    }
  }

  status() {
    const { doves, mover } = session.positions.at(-1);
    const result = resultOf(doves, mover, session.game);
    if (session.ending?.includes("resigned")) return say("gaveUp");
    if (session.ending) return say("drawAgreed");
    if (result) {
      const stuck = result.why === "stuck" ? `${say("stuck", { color: mover })} ` : "";
      return stuck + say(result.winner === null ? "nobodyWon" : result.winner === this.you ? "youWon" : "youLost");
    }
    if (mover !== this.you) return say("thinking");
    return say("yourTurn") + (this.isRepeated ? ` ${say("repeated")}` : "");
  }

  panel() {
    const option = (value, text, chosen) => html("option", { value, selected: value === chosen }, text);
    const name = level => say(level.name === "perfect" && !source.searches ? "perfectSolved" : level.name);
    const levels = source.searches ? LEVELS : LEVELS.filter(({ name }) => name === "perfect");
    return [
      html("p", { class: "status", id: "play-status" }, this.status()),
      html("p", { class: "buttons" },
        html("button", { "data-do": "hint", disabled: !this.isYours }, say("hint")),
        html("button", { "data-do": "undo", disabled: session.ply === 0 && !session.ending }, say("undo")),
        html("button", { "data-do": "giveUp", disabled: this.isOver }, say("giveUp")),
        this.isRepeated && !this.isOver ? html("button", { "data-do": "draw" }, say("callDraw")) : null),
      html("p", { class: "settings" },
        html("label", {}, `${say("you")} `, html("select", { "data-set": "you" },
          ["red", "green"].map(color => option(color, say(color), this.you)))),
        html("label", {}, `${say("strength")} `, html("select", { "data-set": "level" },
          levels.map(level => option(level.name, name(level), this.level.name))))),
      html("p", { class: "buttons" },
        html("button", { "data-do": "newGame", class: "main" }, say("newGame")),
        html("button", { "data-do": "playFromHere" }, say("fromHere"))),
    ];
  }
}
