// A game against the machine.

import { orderOf } from "./analysis.js";
import { html } from "./board.js";
import { LEVELS, PAGE_GAME, PAGE_VERSION, Refused, gameKey } from "./brain.js";
import { COLORS, START, opponent } from "./doves.js";
import { mayClaimDraw } from "./position.js";
import { sentenceOf, source } from "./source.js";
import { session } from "./session.js";
import { endingText, resultText, say, worthText } from "./words.js";

/** The levels of those who are told of dangers. */
const GENTLE = 2;
/** How often the strongest machine thinks so many seconds on the user's time. */
const PONDERED = 20;
const THINKING = 2;
/** For how many plies the machine has known a draw when it says so. */
const DRAWN_PLIES = 10;
/** The milliseconds after which the machine tries again after a failure. */
const PAUSE = 2000;
/** Random seeds are below this. */
const SEEDS = 2 ** 31;
/** The machine's name in a game file. */
const MACHINE = `dovemate ${PAGE_VERSION}`;
/** The games to choose from: a short one, too, which the page solves in no time. */
const GAMES = { usualGame: PAGE_GAME, shortGame: { ...PAGE_GAME, red: "AY", green: "AY" } };
/** Who the user may be. */
const YOU = ["red", "green", "both"];

export class Play {
  /** `sayMachine` shows what the machine did. */
  constructor(showMessage, sayMachine) {
    Object.assign(this, { showMessage, sayMachine });
    this.controller = null;
    this.isThinking = false;
    /** The game, by its positions, that the machine has known to be a draw since a ply: {positions, ply}. */
    this.drawn = { positions: null, ply: Infinity };
    /** The text of the action by which the opponent could win at once after the user's last one, if any. */
    this.danger = null;
    /** The colour and the strength that count from the next game. */
    this.next = {};
  }

  /** The user's colour, or "both" if two people play. */
  get you() {
    return YOU.includes(session.kept.you) ? session.kept.you : "red";
  }

  get isForTwo() {
    return this.you === "both";
  }

  /** Whether the machine is one for first games. */
  get isGentle() {
    return !this.isForTwo && LEVELS.indexOf(this.level) < GENTLE;
  }

  get dangerText() {
    return say("wasDangerous", { action: this.danger });
  }

  /** Chooses a colour, a strength or a game: at once if the game has not begun, else from the next one. */
  choose(key, value) {
    this.next[key] = value;
    if (session.texts.length || session.isFinished) session.changed();
    else this.begin(key !== "game");
  }

  /** The name of the game that is played. */
  get gameName() {
    const text = game => Object.values(gameKey(game)).join();
    return Object.keys(GAMES).find(name => text(GAMES[name]) === text(session.game)) ?? "ownGame";
  }

  /** Changes colours for the next game. */
  swap() {
    if (!this.isForTwo) this.next.you = opponent(this.you);
  }

  get level() {
    return LEVELS.find(({ level }) => level === session.kept.level) ?? LEVELS[0];
  }

  /** Whether the user may act now. */
  get isYours() {
    return !session.isFinished && session.isAtEnd && (this.isForTwo || session.now.mover === this.you);
  }

  /** Lets the machine act if it is its turn. */
  follow() {
    if (session.mode !== "play" || session.isFinished || this.isForTwo) return this.stop();
    // Names of a game file stay.
    const isNamed = COLORS.some(color => ![color, "you", MACHINE].includes(session.players[color]));
    if (!isNamed) session.players = { [this.you]: "you", [opponent(this.you)]: MACHINE };
    const isYourTurn = session.now.mover === this.you;
    if (!session.isAtEnd || isYourTurn && this.level.plies !== null) return this.stop();
    const at = session.address();
    if (this.isThinking === at) return;
    this.stop();
    this.isThinking = at;
    this.controller = new AbortController();
    if (isYourTurn) return this.ponder(session.place, this.controller.signal);
    this.askMachine(this.controller.signal).then(({ choice }) => {
      this.isThinking = false;
      if (session.mode !== "play" || session.address() !== at) return;
      const action = session.legal(choice.action);
      // No step of its own: going back leads to the user's own turn.
      session.act(action, {});
      this.drawn = { positions: session.positions, ply: choice.value === "draw" ? Math.min(this.drawnSince, session.ply) : Infinity };
      const saysDraw = !session.isFinished && session.ply - this.drawnSince === DRAWN_PLIES;
      const danger = this.danger && !session.isFinished ? this.dangerText : "";
      this.sayMachine([say("machinePlays", { action: action.text }), danger, saysDraw ? say("machineKnowsDraw") : ""].filter(Boolean).join(" "));
      this.danger = null;
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
      for (let asked = 0; asked < PONDERED && !document.hidden; asked++) {
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

  /** What the machine plays. A `seed` in the address makes it play the same again. */
  askMachine(signal) {
    const { seed: kept = "" } = session.kept;
    const seed = /^\d{1,15}$/.test(kept) ? Number(kept) + session.ply : Math.floor(Math.random() * SEEDS);
    const { level, plies } = this.level;
    const { game, place, places } = session;
    const seen = places.filter(({ mover }) => mover !== place.mover);
    return source.machine(place, { level, seed, seen, isDeep: plies === null }, signal);
  }

  begin(fromHere) {
    this.stop();
    const { game: name, ...kept } = this.next;
    const game = (!fromHere && GAMES[name]) || session.game;
    Object.assign(session.kept, kept);
    this.next = {};
    this.danger = null;
    const { doves, mover } = fromHere ? session.now : { doves: START(), mover: "red" };
    session.begin({ game, doves, mover });
  }

  /** The ply of the user's last turn before the position that is shown; -1 if there is none. */
  get lastTurn() {
    return session.positions.slice(0, session.ply).findLastIndex(({ mover }) => this.isForTwo || mover === this.you);
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
    const loser = this.isForTwo ? session.positions.at(-1).mover : this.you;
    this.end(`${opponent(loser)} wins, ${loser} resigned`);
  }

  /** Whether the last position has come up often enough for a draw. */
  get isRepeated() {
    const { positions: [{ doves, mover }], game, texts } = session;
    return mayClaimDraw({ doves, mover, game }, texts);
  }

  /** The ply since which the machine has known that this game is a draw; what it knew of another one does not count. */
  get drawnSince() {
    return this.drawn.positions === session.positions ? this.drawn.ply : Infinity;
  }

  /** Whether both players are ready to call the game a draw: two people, or a machine that has said that it is one. */
  get isAgreeable() {
    return this.isForTwo || session.ply - this.drawnSince >= DRAWN_PLIES;
  }

  end(ending) {
    session.ending = ending;
    session.changed();
  }

  draw() {
    this.end(this.isRepeated ? "draw by repetition" : "draw by agreement");
  }

  /** Says which dove to use; asked again in the same position, what to do with it. */
  async hint() {
    const { now } = session;
    if (this.hinted?.now === now) {
      const { best, action } = this.hinted;
      const worth = [worthText(best), orderOf(best)?.long].filter(Boolean).join(say("semicolon"));
      return this.showMessage(say("hintIs", { action, worth }), null, [action]);
    }
    await this.ask(signal => source.position(session.place, { seconds: 1 }, signal), ({ actions, choice: { action } }) => {
      this.hinted = { now, action, best: actions.find(one => one.action === action) };
      this.showMessage(say("hintDove", { dove: session.legal(action).dove }));
    });
  }

  /** Gives `take` the answer to a question, a function of an abort signal. */
  async ask(question, take) {
    this.stop();
    this.controller = new AbortController();
    this.showMessage(say("thinking"));
    try {
      take(await question(this.controller.signal));
    } catch (error) {
      this.showMessage(error.name === "AbortError" ? "" : say(...sentenceOf(error)));
    }
  }

  status() {
    const { ending, lastResult: result } = session;
    const { mover } = session.positions.at(-1);
    if (!session.isAtEnd) return say("earlier");
    if (this.isForTwo) return ending || result ? resultText(result, ending) : this.isRepeated ? say("repeated") : "";
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
      return [
        button("review", "review", { class: "main", disabled: !session.texts.length }), undo,
        button("newGame", "newGame"), this.isForTwo ? null : button("rematch", "rematch"),
      ];
    }
    return [
      button("hint", "askHint", { disabled: !this.isYours }), undo, button("giveUp", "giveUp"),
      button("draw", "callDraw", { disabled: !this.isYours || !this.isRepeated && !this.isAgreeable }),
    ];
  }

  /** `turns` says whether the board is turned for each of two players. */
  panel(turns) {
    const { you = this.you, level = this.level.level, game = this.gameName } = this.next;
    const games = [...Object.keys(GAMES), ...(this.gameName === "ownGame" ? ["ownGame"] : [])];
    const option = (value, text, chosen) => html("option", { value, selected: value === chosen }, text);
    const isLater = you !== this.you || level !== this.level.level || game !== this.gameName;
    return [
      html("p", { class: "settings" },
        html("label", {}, `${say("you")} `, html("select", { "data-set": "you" },
          YOU.map(who => option(who, say(who), you)))),
        you === "both" ? null : html("label", {}, `${say("strength")} `, html("select", { "data-set": "level" },
          LEVELS.map(other => option(other.level, say(other.level, other), level)))),
        html("label", {}, `${say("whichGame")} `, html("select", { "data-set": "game" }, games.map(name => option(name, say(name), game)))),
        you === "both" ? html("label", {}, html("input", { type: "checkbox", "data-set": "turns", checked: turns }), ` ${say("turnForEach")}`) : null,
        isLater ? html("span", { class: "faint" }, say("fromNextGame")) : null),
      html("p", { class: "buttons" },
        session.isFinished ? null : html("button", { "data-do": "newGame", class: "main" }, say("newGame")),
        html("button", { "data-do": "playFromHere" }, say("fromHere"))),
    ];
  }
}
