// A game against the machine, or of two people.

import { orderOf } from "./analysis.js";
import { LEVELS, PAGE_GAME, PAGE_VERSION, Refused, gameKey, sentenceOf } from "./brain.js";
import { button, checkbox, html, labelled, select } from "./elements.js";
import { COLORS, START, mayClaimDraw, opponent } from "./position.js";
import { session } from "./session.js";
import { randomSeed, source } from "./source.js";
import { showMessage, state } from "./state.js";
import { endingText, resultText, say, worthText } from "./words.js";

/** The number of levels, from the weakest, at which the user is warned of dangers. */
const GENTLE_LEVELS = 2;
/** How often the strongest machine thinks on the user's time, and the seconds of each. */
const PONDERINGS = 20;
const PONDERING_SECONDS = 2;
/** For how many plies the machine has known a draw when it says so. */
const DRAWN_PLIES = 10;
/** The milliseconds after which the machine tries again after a failure. */
const RETRY_MS = 2000;
/** The machine's name in a game file. */
const MACHINE = `dovemate ${PAGE_VERSION}`;
/** The games to choose from: a short one, too, which the page solves in no time. */
const GAMES = { usualGame: PAGE_GAME, shortGame: { ...PAGE_GAME, red: "AY", green: "AY" } };

/** Ends the question that is being asked. */
let controller = null;
/** The address of the game for which the machine is thinking; null if it is not. */
let thinking = null;
/** The game, by its positions, that the machine has known to be a draw since a ply. */
export const drawn = { positions: null, ply: Infinity };
/** The text of the action by which the opponent could win at once after the user's last one, if any. */
let danger = null;
/** The colour, the strength and the game that count from the next game. */
let next = {};
/** The new game {positions, back}: until the user has acted, `back` brings back the game before. */
let begun = null;
/** The hint that was asked for last: {place, action, best}. */
export let hinted = null;

/** The user's colour, or "both" if two people play. */
export const you = () => session.kept.you ?? "red";
export const isForTwo = () => you() === "both";
const isOfUser = ({ mover }) => isForTwo() || mover === you();
const level = () => LEVELS.find(({ level }) => level === session.kept.level) ?? LEVELS[0];

/** Whether the machine is one for first games. */
export const isGentle = () => !isForTwo() && LEVELS.indexOf(level()) < GENTLE_LEVELS;

/** Whether the user may act now. */
export const isYours = () => !session.isFinished && session.isAtEnd && isOfUser(session.place);

/** The name of the game that is played. */
function gameName() {
  const text = game => Object.values(gameKey(game)).join();
  return Object.keys(GAMES).find(name => text(GAMES[name]) === text(session.game)) ?? "ownGame";
}

/** The ply of the user's last turn before the position that is shown; -1 if there is none. */
const lastTurn = () => session.positions.slice(0, session.ply).findLastIndex(isOfUser);

/** Whether the last position has come up often enough for a draw. */
const isRepeated = () => mayClaimDraw(session.positions[0], session.texts);

/** The ply since which the machine has known that this game is a draw; what it knew of another one does not count. */
const drawnSince = () => (drawn.positions === session.positions ? drawn.ply : Infinity);

/** Whether both players are ready to call the game a draw: two people, or a machine that has said that it is one. */
const isAgreeable = () => isForTwo() || session.ply - drawnSince() >= DRAWN_PLIES;

const dangerText = () => say("wasDangerous", { action: danger });

/** Says what the machine did. */
function tell(text) {
  const isNew = begun?.positions === session.positions && lastTurn() < 0;
  if (isNew) showMessage(text, begun.back, [], say("backToGame"));
  else showMessage(text, danger && undo, [], say("takeBackAction", { action: session.texts[lastTurn()] }));
}

/** Takes the user's action, after which the opponent could win by `answer`, if there is one. */
export function act(action, answer) {
  danger = answer;
  session.act(action);
  if (danger && !session.isFinished) tell(dangerText());
}

/** Chooses a colour, a strength or a game: at once if the game has not begun, else from the next one. */
export function choose(key, value) {
  next[key] = value;
  if (session.texts.length || session.isFinished) session.changed();
  else begin(key !== "game");
}

/** Lets the machine act if it is its turn. */
export function follow() {
  if (session.mode !== "play" || session.isFinished || isForTwo()) return stop();
  // Names of a game file stay.
  const isNamed = COLORS.some(color => ![color, "you", MACHINE].includes(session.players[color]));
  if (!isNamed) session.players = { [you()]: "you", [opponent(you())]: MACHINE };
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

/** While the user thinks, the strongest machine does, too: what it finds helps with its answer. */
async function ponder(place, signal) {
  try {
    for (let asked = 0; asked < PONDERINGS && !document.hidden; asked++) {
      const { out_of_time: isOpen } = await source.position(place, { seconds: PONDERING_SECONDS }, signal);
      if (!isOpen) return;
    }
  } catch {
    // Nothing depends on it.
  }
}

/** Lets the machine act in the game at an address, unless it is another one by then. */
async function answer(at, signal) {
  // A `seed` in the address makes it play the same again.
  const { seed: kept = "" } = session.kept;
  const seed = /^\d{1,15}$/.test(kept) ? Number(kept) + session.ply : randomSeed();
  const { place, positions } = session;
  const seen = positions.filter(({ mover }) => mover !== place.mover);
  const machine = { level: level().level, seed, seen, isDeep: level().plies === null };
  try {
    const { choice: { action, value } } = await source.machine(place, machine, signal);
    thinking = null;
    if (session.mode !== "play" || session.address() !== at) return;
    // No step of its own: going back leads to the user's own turn.
    session.act(session.legal(action), false);
    Object.assign(drawn, { ply: value === "draw" ? Math.min(drawnSince(), session.ply) : Infinity, positions: session.positions });
    const goesOn = !session.isFinished;
    const said = [
      say("machinePlays", { action }), goesOn && danger && dangerText(),
      goesOn && session.ply - drawnSince() === DRAWN_PLIES && say("machineKnowsDraw"),
    ];
    tell(said.filter(Boolean).join(" "));
    danger = null;
  } catch (error) {
    if (error.name === "AbortError") return;
    thinking = null;
    showMessage(say(...sentenceOf(error)));
    if (!(error instanceof Refused)) setTimeout(follow, RETRY_MS);
  }
}

export function stop() {
  controller?.abort();
  thinking = null;
}

function begin(fromHere) {
  stop();
  const { game: name, ...kept } = next;
  Object.assign(session.kept, kept);
  next = {};
  danger = null;
  if (fromHere) session.begin(session.place);
  else session.begin({ game: GAMES[name] ?? session.game, doves: START(), mover: "red" });
}

/** Begins a new game, which a button in the message takes back. */
export function beginAnew(fromHere) {
  const before = session.snapshot();
  state.turned = null;
  begin(fromHere);
  begun = { positions: session.positions, back: () => session.restore(before) };
  tell(say("begun"));
}

/** Begins a new game with the colours changed. */
export function rematch() {
  next.you = opponent(you());
  beginAnew(false);
}

export function undo() {
  stop();
  if (session.ending) end(null);
  else if (lastTurn() >= 0) session.cut(lastTurn());
}

function end(ending) {
  session.ending = ending;
  session.changed();
}

export function giveUp() {
  stop();
  if (session.isFinished) return;
  const loser = isForTwo() ? session.positions.at(-1).mover : you();
  end(`${opponent(loser)} wins, ${loser} resigned`);
}

export const draw = () => end(isRepeated() ? "draw by repetition" : "draw by agreement");

/** Says which dove to use; asked again in the same position, what to do with it. */
export async function hint() {
  const { place } = session;
  if (hinted?.place === place) {
    const { best, action } = hinted;
    const worth = [worthText(best), orderOf(best)?.long].filter(Boolean).join(say("semicolon"));
    return showMessage(say("hintIs", { action, worth }), null, [action]);
  }
  stop();
  controller = new AbortController();
  showMessage(say("thinking"));
  try {
    const { actions, choice: { action } } = await source.position(place, { seconds: 1 }, controller.signal);
    hinted = { place, action, best: actions.find(one => one.action === action) };
    showMessage(say("hintDove", { dove: session.legal(action).dove }));
  } catch (error) {
    showMessage(error.name === "AbortError" ? "" : say(...sentenceOf(error)));
  }
}

export function status() {
  const { ending, lastResult: result } = session;
  const { mover } = session.positions.at(-1);
  if (!session.isAtEnd) return say("earlier");
  if (isForTwo()) return ending || result ? resultText(result, ending) : isRepeated() ? say("repeated") : "";
  if (ending?.endsWith("resigned")) return say(ending.startsWith(you()) ? "otherGaveUp" : "gaveUp");
  if (ending) return endingText(ending);
  if (result) return say(result.winner === null ? "nobodyWon" : result.winner === you() ? "youWon" : "youLost");
  if (mover !== you()) return say("thinking");
  return say("yourTurn") + (isRepeated() ? ` ${say("repeated")}` : "");
}

/** What one needs during a game and after it, beside the board. */
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
  const now = { you: you(), level: level().level, game: gameName() };
  const chosen = { ...now, ...next };
  const isLater = Object.keys(now).some(key => chosen[key] !== now[key]);
  const games = [...Object.keys(GAMES), ...now.game === "ownGame" ? ["ownGame"] : []];
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
