// A game against the machine.

import { START, invariant, isRepeated, legalActions, opponent, resultOf } from "./rules.js";
import { html } from "./board.js";
import { Refused, sentenceOf, source } from "./source.js";
import { session } from "./session.js";
import { say, worthText } from "./words.js";

/** The machine's levels, the weakest first, with the plies that they see: the program has them in ask/level.rs. */
const LEVELS = document.body.dataset.levels.split(" ").map(level => {
  const [name, plies] = level.split(":");
  return { name, plies };
});
/** The milliseconds after which the machine tries again if the server did not answer. */
const PAUSE = 2000;
/** Random seeds are below this. */
const SEEDS = 2 ** 31;

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
    return this.levels.find(({ name }) => name === session.kept.level) ?? this.levels[source.searches ? 1 : 0];
  }

  /** The levels to choose from: a solved game in the page is always played perfectly. */
  get levels() {
    return source.searches ? LEVELS : LEVELS.slice(-1);
  }

  /** How the game has ended by the rules, in its last position; null if it goes on. */
  get result() {
    const { doves, mover } = session.positions.at(-1);
    return resultOf(doves, mover, session.game);
  }

  get isOver() {
    return Boolean(session.ending || this.result);
  }

  /** Whether the user may act now. */
  get isYours() {
    return !this.isOver && session.isAtEnd && session.now.mover === this.you;
  }

  /** Lets the machine act if it is its turn. */
  follow() {
    if (session.mode !== "play" || this.isOver) return this.stop();
    session.players = { [this.you]: "you", [opponent(this.you)]: `dovemate ${document.body.dataset.version}` };
    if (!session.isAtEnd || session.now.mover === this.you) return this.stop();
    const at = session.address();
    if (this.isThinking === at) return;
    this.stop();
    this.isThinking = at;
    this.controller = new AbortController();
    this.think(session.place, this.controller.signal).then(text => {
      this.isThinking = false;
      if (session.mode !== "play" || session.address() !== at) return;
      const action = session.legal(text);
      // No step of its own: going back leads to the user's own turn.
      session.act(action, {});
      this.tell(say("machinePlays", { action: action.text }));
    }).catch(error => {
      if (error.name === "AbortError") return;
      this.isThinking = false;
      this.tell(say(...sentenceOf(error)));
      if (!(error instanceof Refused)) setTimeout(() => this.follow(), PAUSE);
    });
  }

  stop() {
    this.controller?.abort();
    this.isThinking = false;
  }

  /** The text of the machine's action. A `seed` in the address makes it play the same again. */
  think(place, signal) {
    const { seed: kept = "" } = session.kept;
    const seed = /^\d{1,15}$/.test(kept) ? Number(kept) + session.ply : Math.floor(Math.random() * SEEDS);
    return source.play(place, { level: this.level.name, seed, seen: this.seen(place) }, signal);
  }

  /** The boards of the game so far, with the opponent to move, to which an action would lead again. */
  seen({ doves, mover, game }) {
    const next = opponent(mover);
    const ahead = new Set(legalActions(doves, mover, game).map(({ after }) => invariant(after, next)));
    return session.positions.filter(position => position.mover === next && ahead.has(invariant(position.doves, next)))
      .map(position => position.doves);
  }

  begin(fromHere) {
    this.stop();
    const { doves, mover } = fromHere ? session.now : { doves: START(), mover: "red" };
    session.begin({ doves, mover });
  }

  /** The ply of the user's last turn before the position that is shown; -1 if there is none. */
  get lastTurn() {
    return session.positions.slice(0, session.ply).findLastIndex(({ mover }) => mover === this.you);
  }

  undo() {
    this.stop();
    if (session.ending) {
      session.ending = null;
      return session.changed();
    }
    if (this.lastTurn >= 0) session.cut(this.lastTurn);
  }

  giveUp() {
    this.stop();
    if (this.isOver) return;
    session.ending = `${opponent(this.you)} wins, ${this.you} resigned`;
    session.changed();
  }

  get isRepeated() {
    return isRepeated(session.positions);
  }

  draw() {
    this.stop();
    session.ending = "draw by repetition";
    session.changed();
  }

  async hint() {
    this.stop();
    this.controller = new AbortController();
    this.tell(say("thinking"));
    try {
      const { actions: [best] } = await source.position(session.place, { seconds: 1 }, this.controller.signal);
      this.tell(say("hintIs", { action: best.action, worth: worthText(best) }));
    } catch (error) {
      this.tell(error.name === "AbortError" ? "" : say(...sentenceOf(error)));
    }
  }

  status() {
    const { result } = this;
    const { mover } = session.positions.at(-1);
    const { ending } = session;
    if (ending?.endsWith("resigned")) return say(ending.startsWith(this.you) ? "otherGaveUp" : "gaveUp");
    if (ending) return say(ending === "draw by agreement" ? "drawAgreed" : "drawRepeated");
    if (result) {
      const stuck = result.why === "stuck" ? `${say("stuck", { color: mover })} ` : "";
      return stuck + say(result.winner === null ? "nobodyWon" : result.winner === this.you ? "youWon" : "youLost");
    }
    if (mover !== this.you) return say("thinking");
    return say("yourTurn") + (this.isRepeated ? ` ${say("repeated")}` : "");
  }

  panel() {
    const option = (value, text, chosen) => html("option", { value, selected: value === chosen }, text);
    return [
      html("p", { class: "status", id: "play-status", role: "status" }, this.status()),
      html("p", { class: "buttons" },
        html("button", { "data-do": "hint", disabled: !this.isYours }, say("hint")),
        html("button", { "data-do": "undo", disabled: this.lastTurn < 0 && !session.ending }, say("undo")),
        html("button", { "data-do": "giveUp", disabled: this.isOver }, say("giveUp")),
        this.isRepeated && !this.isOver ? html("button", { "data-do": "draw" }, say("callDraw")) : null),
      html("p", { class: "settings" },
        html("label", {}, `${say("you")} `, html("select", { "data-set": "you" },
          ["red", "green"].map(color => option(color, say(color), this.you)))),
        html("label", {}, `${say("strength")} `, html("select", { "data-set": "level" },
          this.levels.map(({ name, plies }) => option(name, say(name, { plies }), this.level.name))))),
      html("p", { class: "buttons" },
        html("button", { "data-do": "newGame", class: "main" }, say("newGame")),
        html("button", { "data-do": "playFromHere" }, say("fromHere"))),
    ];
  }
}
