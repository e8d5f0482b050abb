// A game against the machine.

import { orderOf } from "./analysis.js";
import { html } from "./board.js";
import { LEVELS, PAGE_VERSION, Refused } from "./brain.js";
import { START, opponent } from "./doves.js";
import { timesSeen } from "./position.js";
import { sentenceOf, source } from "./source.js";
import { session } from "./session.js";
import { endingText, say, worthText } from "./words.js";

/** How often a position has come up when a draw may be claimed. */
const REPEATED = 3;
/** How often the strongest machine thinks so many seconds on the user's time. */
const PONDERED = 20;
const THINKING = 2;
/** The milliseconds after which the machine tries again after a failure. */
const PAUSE = 2000;
/** Random seeds are below this. */
const SEEDS = 2 ** 31;

export class Play {
  constructor(showMessage, changed) {
    Object.assign(this, { showMessage, changed });
    this.controller = null;
    this.isThinking = false;
    /** The ply after which the machine offers a draw; null if it does not. */
    this.offered = null;
  }

  get you() {
    return session.kept.you === "green" ? "green" : "red";
  }

  get level() {
    return LEVELS.find(({ level }) => level === session.kept.level) ?? LEVELS[0];
  }

  /** Whether the user may act now. */
  get isYours() {
    return !session.isFinished && session.isAtEnd && session.now.mover === this.you;
  }

  /** Lets the machine act if it is its turn. */
  follow() {
    if (session.mode !== "play" || session.isFinished) return this.stop();
    session.players = { [this.you]: "you", [opponent(this.you)]: `dovemate ${PAGE_VERSION}` };
    const isYourTurn = session.now.mover === this.you;
    if (!session.isAtEnd || isYourTurn && this.level.plies !== null) return this.stop();
    const at = session.address();
    if (this.isThinking === at) return;
    this.stop();
    this.isThinking = at;
    this.controller = new AbortController();
    if (isYourTurn) return this.ponder(session.place, this.controller.signal);
    this.think(session.place, this.controller.signal).then(choice => {
      this.isThinking = false;
      if (session.mode !== "play" || session.address() !== at) return;
      const action = session.legal(choice.action);
      const hasComeBack = this.timesSeen > 1;
      // No step of its own: going back leads to the user's own turn.
      session.act(action, {});
      this.offered = hasComeBack && choice.value !== "win" && !session.isFinished ? session.ply : null;
      this.showMessage(say("machinePlays", { action: action.text }) + (this.isOffered ? ` ${say("offers")}` : ""));
    }).catch(error => {
      if (error.name === "AbortError") return;
      this.isThinking = false;
      this.showMessage(say(...sentenceOf(error)));
      if (!(error instanceof Refused)) setTimeout(() => this.follow(), PAUSE);
    });
  }

  /** While the user thinks, the strongest machine does, too: what it finds helps with its answer. */
  async ponder(place, signal) {
    try {
      for (let asked = 0; source.isServed && asked < PONDERED && !document.hidden; asked++) {
        const { out_of_time: isOpen } = await source.position(place, { seconds: THINKING }, signal);
        if (!isOpen) return;
      }
    } catch {
      // Nothing depends on it.
    }
  }

  stop() {
    this.controller?.abort();
    this.isThinking = false;
  }

  /** The machine's choice. A `seed` in the address makes it play the same again. */
  think(place, signal) {
    const { seed: kept = "" } = session.kept;
    const seed = /^\d{1,15}$/.test(kept) ? Number(kept) + session.ply : Math.floor(Math.random() * SEEDS);
    const { level, plies } = this.level;
    const { game } = session;
    const seen = session.positions.filter(({ mover }) => mover !== place.mover).map(({ doves, mover }) => ({ doves, mover, game }));
    return source.play(place, { level, seed, seen, isDeep: plies === null }, signal);
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
    if (session.isFinished) return;
    session.ending = `${opponent(this.you)} wins, ${this.you} resigned`;
    session.changed();
  }

  /** How often the last position has come up. */
  get timesSeen() {
    return timesSeen(session.positions, session.game);
  }

  get isRepeated() {
    return this.timesSeen >= REPEATED;
  }

  /** Whether the machine offers a draw now. */
  get isOffered() {
    return this.offered === session.ply;
  }

  end(ending) {
    session.ending = ending;
    session.changed();
  }

  /**
   * Claims a draw, agrees to one, or offers one. The machine agrees as it does in `dovemate play`: if the position is
   * known to be drawn, or lost for it, or if nothing is known and the position has come back.
   */
  async draw() {
    this.stop();
    if (this.isRepeated) return this.end("draw by repetition");
    if (this.isOffered) return this.end("draw by agreement");
    this.controller = new AbortController();
    this.showMessage(say("thinking"));
    try {
      const { worth: { value } } = await source.position(session.place, { seconds: 1 }, this.controller.signal);
      if (value === "win" || value === "draw" || value === "none" && this.timesSeen > 1) this.end("draw by agreement");
      else this.showMessage(say("declines"));
    } catch (error) {
      this.showMessage(error.name === "AbortError" ? "" : say(...sentenceOf(error)));
    }
  }

  async hint() {
    this.stop();
    this.controller = new AbortController();
    this.showMessage(say("thinking"));
    try {
      const { actions: [best] } = await source.position(session.place, { seconds: 1 }, this.controller.signal);
      const worth = [worthText(best), orderOf(best)?.long].filter(Boolean).join("; ");
      this.showMessage(say("hintIs", { action: best.action, worth }), null, [best.action]);
    } catch (error) {
      this.showMessage(error.name === "AbortError" ? "" : say(...sentenceOf(error)));
    }
  }

  status() {
    const { ending, lastResult: result } = session;
    const { mover } = session.positions.at(-1);
    if (ending?.endsWith("resigned")) return say(ending.startsWith(this.you) ? "otherGaveUp" : "gaveUp");
    if (ending) return endingText(ending);
    if (result) return say(result.winner === null ? "nobodyWon" : result.winner === this.you ? "youWon" : "youLost");
    if (mover !== this.you) return say("thinking");
    return say("yourTurn") + (this.isRepeated ? ` ${say("repeated")}` : "");
  }

  /** What one needs during a game and after it, beside the board. */
  buttons() {
    const button = (what, text, attributes = {}) => html("button", { "data-do": what, ...attributes }, say(text));
    const undo = button("undo", "undo", { disabled: this.lastTurn < 0 && !session.ending });
    if (session.isFinished) {
      return [button("review", "review", { class: "main", disabled: !session.texts.length }), undo, button("newGame", "newGame")];
    }
    const draw = this.isRepeated ? "callDraw" : this.isOffered ? "agreeDraw" : "offerDraw";
    return [
      button("hint", "hint", { disabled: !this.isYours }), undo, button("giveUp", "giveUp"),
      button("draw", draw, { disabled: !this.isYours }),
    ];
  }

  panel() {
    const option = (value, text, chosen) => html("option", { value, selected: value === chosen }, text);
    return [
      html("p", { class: "settings" },
        html("label", {}, `${say("you")} `, html("select", { "data-set": "you" },
          ["red", "green"].map(color => option(color, say(color), this.you)))),
        html("label", {}, `${say("strength")} `, html("select", { "data-set": "level" },
          LEVELS.map(({ level, plies }) => option(level, say(level, { plies }), this.level.level))))),
      html("p", { class: "buttons" },
        session.isFinished ? null : html("button", { "data-do": "newGame", class: "main" }, say("newGame")),
        html("button", { "data-do": "playFromHere" }, say("fromHere"))),
    ];
  }
}
