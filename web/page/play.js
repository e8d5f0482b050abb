// A game against the engine, or between two people.

/** @import { Color, Game, Place, Position } from "./types.d.ts" */
/** @import { Ranked } from "./documents.d.ts" */
import { orderOf } from "./analysis.js";
import { LEVELS, PAGE_GAME, PAGE_VERSION, Refused, gameKey, isAborted, sentenceOf } from "./brain.js";
import { button, checkbox, html, labelled, select } from "./elements.js";
import { COLORS, START, actionOf, mayClaimDraw, opponent } from "./position.js";
import { session } from "./session.js";
import { randomSeed, source } from "./source.js";
import { showMessage, state } from "./state.js";
import { endingText, resultText, say, worthText } from "./words.js";

/** The number of levels, from the weakest, at which the page warns of dangers. */
const GENTLE_LEVELS = 2;
/** The maximum number of searches by the strongest engine during the user's turn, and the time of each. */
const PONDERINGS = 20;
const PONDERING_SECONDS = 2;
/** How many plies the engine must have known of a draw before announcing it. */
const DRAWN_PLIES = 10;
/** The delay before another try after a failure. */
const RETRY_MS = 2000;
/** The engine's name in a game file. */
const MACHINE = `dovemate ${PAGE_VERSION}`;
/** The games to choose from. The page solves the short one in a moment. @type {Record<string, Game>} */
const GAMES = { usualGame: PAGE_GAME, shortGame: { ...PAGE_GAME, red: "AY", green: "AY" } };

/** Aborts the current question. @type {AbortController | null} */
let controller = null;
/** The address of the game in which the engine is thinking; null if it is not. @type {string | null} */
let thinking = null;
/**
 * A game, identified by its array of positions, and the ply at which the engine first knew that it was a draw.
 *
 * @type {{ positions: Position[] | null, ply: number }}
 */
export const drawn = { positions: null, ply: Infinity };
/** The opponent's winning reply to the user's last action. @type {string | null | undefined} */
let danger = null;
/** Settings for the next game: colour, strength and game. @type {Record<string, string>} */
let next = {};
/** The game just begun. Until the user acts in it, `back` restores the previous game. @type {{ positions: Position[], back: () => void } | null} */
let begun = null;
/** The latest hint. @type {{ place: Position, action: string, best: Ranked | undefined } | null} */
export let hinted = null;

/** The user's colour, or "both" if two people play. */
const side = () => session.kept.you ?? "red";
export const isForTwo = () => side() === "both";
/** The user's colour against the engine. */
export const you = () => /** @type {Color} */ (side());
const isOfUser = (/** @type {Place} */ { mover }) => isForTwo() || mover === you();
const level = () => LEVELS.find(({ level }) => level === session.kept.level) ?? LEVELS[0];

/** Whether the engine plays at one of the weakest levels. */
export const isGentle = () => !isForTwo() && LEVELS.indexOf(level()) < GENTLE_LEVELS;

/** Whether the user may act now. */
export const isYours = () => !session.isFinished && session.isAtEnd && isOfUser(session.place);

/** The name of the current game. */
function gameName() {
  const text = (/** @type {Game} */ game) => Object.values(gameKey(game)).join();
  return Object.keys(GAMES).find(name => text(GAMES[name]) === text(session.game)) ?? "ownGame";
}

/** The ply of the user's last turn before the current position; -1 if there is none. */
const lastTurn = () => session.positions.slice(0, session.ply).findLastIndex(isOfUser);

/** Whether the last position has occurred often enough for a draw. */
const isRepeated = () => mayClaimDraw(session.positions[0], session.texts);

/** The ply at which the engine first knew that the current game was a draw. */
const drawnSince = () => (drawn.positions === session.positions ? drawn.ply : Infinity);

/** Whether the players may agree to a draw. Two people always may; the engine agrees once it has announced the draw. */
const isAgreeable = () => isForTwo() || session.ply - drawnSince() >= DRAWN_PLIES;

const dangerText = () => say("wasDangerous", { action: danger });

/**
 * Shows a message. Its button returns to the previous game if the user has not acted in the new one yet, or takes back a
 * dangerous action.
 *
 * @param {string} text
 */
function tell(text) {
  const isNew = begun?.positions === session.positions && lastTurn() < 0;
  if (begun && isNew) showMessage(text, begun.back, [], say("backToGame"));
  else showMessage(text, danger ? undo : null, [], say("takeBackAction", { action: session.texts[lastTurn()] }));
}

/**
 * Plays the user's action.
 *
 * @param {import("./types.d.ts").Action} action
 * @param {string | null | undefined} answer the opponent's winning reply
 */
export function act(action, answer) {
  danger = answer;
  session.act(action);
  if (danger && !session.isFinished) tell(dangerText());
}

/** Changes a setting: at once if the game has not begun, otherwise for the next one. @param {string} key @param {string} value */
export function choose(key, value) {
  next[key] = value;
  if (session.texts.length || session.isFinished) session.changed();
  else begin(key !== "game");
}

/** Lets the engine think on its turn or, at the strongest level, ponder on the user's; otherwise stops it. */
export function follow() {
  if (session.mode !== "play" || session.isFinished || isForTwo()) return stop();
  // Do not overwrite the names of a game file.
  const isNamed = COLORS.some(color => ![color, "you", MACHINE].includes(session.players[color]));
  if (!isNamed) session.players = you() === "red" ? { red: "you", green: MACHINE } : { red: MACHINE, green: "you" };
  const isYourTurn = session.place.mover === you();
  if (!session.isAtEnd || isYourTurn && level().plies !== null) return stop();
  const at = session.address();
  if (thinking === at) return;
  stop();
  thinking = at;
  controller = new AbortController();
  if (isYourTurn) ponder(session.place, controller.signal);
  else answer(at, controller.signal);
}

/** Searches during the user's turn; the results speed up the engine's reply. @param {Place} place @param {AbortSignal} signal */
async function ponder(place, signal) {
  try {
    for (let asked = 0; asked < PONDERINGS && !document.hidden; asked++) {
      const { out_of_time: isOpen } = await source.position(place, { seconds: PONDERING_SECONDS }, signal);
      if (!isOpen) return;
    }
  } catch {
    // Pondering is optional.
  }
}

/**
 * Asks for the engine's action and plays it, unless the game has changed in the meantime.
 *
 * @param {string} at the address
 * @param {AbortSignal} signal
 */
async function answer(at, signal) {
  // With a `seed` in the address, the engine's random choices are reproducible.
  const { seed: kept = "" } = session.kept;
  const seed = /^\d{1,15}$/.test(kept) ? Number(kept) + session.ply : randomSeed();
  const { place, positions } = session;
  const seen = positions.filter(({ mover }) => mover !== place.mover);
  const machine = { level: level().level, seed, seen, isDeep: level().plies === null };
  try {
    const { choice } = await source.machine(place, machine, signal);
    thinking = null;
    const taken = choice && session.legal(choice.action);
    if (!taken || session.mode !== "play" || session.address() !== at) return;
    const { action, value } = choice;
    // No history entry, so that *back* leads to the user's own turn.
    session.act(taken, false);
    Object.assign(drawn, { ply: value === "draw" ? Math.min(drawnSince(), session.ply) : Infinity, positions: session.positions });
    const isOpen = !session.isFinished;
    const said = [
      say("machinePlays", { action }), isOpen && danger && dangerText(),
      isOpen && session.ply - drawnSince() === DRAWN_PLIES && say("machineKnowsDraw"),
    ];
    tell(said.filter(Boolean).join(" "));
    danger = null;
  } catch (error) {
    if (isAborted(error)) return;
    thinking = null;
    showMessage(say(...sentenceOf(error)));
    if (!(error instanceof Refused)) setTimeout(follow, RETRY_MS);
  }
}

export function stop() {
  controller?.abort();
  thinking = null;
}

/** @param {boolean} fromHere */
function begin(fromHere) {
  stop();
  const { game: name, ...kept } = next;
  Object.assign(session.kept, kept);
  next = {};
  danger = null;
  if (fromHere) session.begin(session.place);
  else session.begin({ game: GAMES[name] ?? session.game, doves: START(), mover: "red" });
}

/** Begins a new game; a button in the message restores the previous one. @param {boolean} fromHere */
export function beginAnew(fromHere) {
  const before = session.snapshot();
  state.turned = null;
  begin(fromHere);
  begun = { positions: session.positions, back: () => session.restore(before) };
  tell(say("begun"));
}

/** Begins a new game with the colours swapped. */
export function rematch() {
  next.you = opponent(you());
  beginAnew(false);
}

export function undo() {
  stop();
  if (session.ending) end(null);
  else if (lastTurn() >= 0) session.cut(lastTurn());
}

/** @param {string | null} ending */
function end(ending) {
  session.ending = ending;
  session.changed();
}

export function giveUp() {
  stop();
  if (session.isFinished) return;
  const loser = isForTwo() ? session.last.mover : you();
  end(`${opponent(loser)} wins, ${loser} resigned`);
}

export const draw = () => end(isRepeated() ? "draw by repetition" : "draw by agreement");

/** Names the dove to use or, when called again in the same position, the action. */
export async function hint() {
  const { place } = session;
  if (hinted?.place === place) {
    const { best, action } = hinted;
    const worth = best ? [worthText(best), orderOf(best)?.long].filter(Boolean).join(say("semicolon")) : "";
    return showMessage(say("hintIs", { action, worth }), null, [action]);
  }
  stop();
  controller = new AbortController();
  showMessage(say("thinking"));
  try {
    const { actions, choice } = await source.position(place, { seconds: 1 }, controller.signal);
    const action = choice && actionOf(place, choice.action);
    if (!action) return;
    hinted = { place, action: action.text, best: actions.find(one => one.action === action.text) };
    showMessage(say("hintDove", { dove: action.dove }));
  } catch (error) {
    // What aborted it may have shown a message.
    if (!isAborted(error)) showMessage(say(...sentenceOf(error)));
  }
}

export function status() {
  const { ending, lastResult: result } = session;
  const { mover } = session.last;
  if (!session.isAtEnd) return say("earlier");
  if (isForTwo()) return ending || result ? resultText(result, ending) : isRepeated() ? say("repeated") : "";
  if (ending?.endsWith("resigned")) return say(ending.startsWith(you()) ? "otherGaveUp" : "gaveUp");
  if (ending) return endingText(ending);
  if (result) return say(result.winner === null ? "nobodyWon" : result.winner === you() ? "youWon" : "youLost");
  if (mover !== you()) return say("thinking");
  return say("yourTurn") + (isRepeated() ? ` ${say("repeated")}` : "");
}

/** The buttons beside the board, during a game and after it. */
export function buttons() {
  const back = button("undo", { disabled: lastTurn() < 0 && !session.ending });
  if (session.isFinished) {
    return [
      button("review", { class: "main", disabled: !session.texts.length }), back, button("newGame"), !isForTwo() && button("rematch"),
    ];
  }
  return [
    button("hint", { disabled: !isYours() }, say("askHint")), back, button("giveUp"),
    button("draw", { disabled: !isYours() || !isRepeated() && !isAgreeable() }, say("callDraw")),
  ];
}

export function panel() {
  /** @type {Record<string, string>} */
  const now = { you: side(), level: level().level, game: gameName() };
  const chosen = { ...now, ...next };
  const isLater = Object.keys(now).some(key => chosen[key] !== now[key]);
  const games = [...Object.keys(GAMES), ...now.game === "ownGame" ? ["ownGame"] : []];
  /** @type {(keys: string[]) => [string, string][]} */
  const named = keys => keys.map(key => [key, say(key)]);
  const isBoth = chosen.you === "both";
  return [
    html("p", { class: "settings" },
      labelled("you", select("you", named([...COLORS, "both"]), chosen.you)),
      !isBoth && labelled("strength", select("level", LEVELS.map(other => [other.level, say(other.level, other)]), chosen.level)),
      labelled("whichGame", select("game", named(games), chosen.game)),
      isBoth && checkbox("turns", say("turnForEach"), state.turnsForEach),
      isLater && html("span", { class: "faint" }, say("fromNextGame"))),
    html("p", { class: "buttons" },
      !session.isFinished && button("newGame", { class: "main" }), button("playFromHere", {}, say("fromHere"))),
  ];
}
