// What the page shows beside the game, and what follows from it.

import { Analysis, otherGames } from "./analysis.js";
import { Play } from "./play.js";
import { keyOf } from "./position.js";
import { Puzzles } from "./puzzle.js";
import { session } from "./session.js";
import { Setup } from "./setup.js";
import { recall } from "./storage.js";
import { say } from "./words.js";

const SILENCE = { text: "", back: null, actions: [] };

export const state = {
  /** The letter of the dove that is taken up, if any. */
  chosen: null,
  /**
   * The message: its `text`; `back`, what its button does and says, or null; and the texts of the `actions` that it is about, which are drawn on the board.
   */
  message: SILENCE,
  /** The texts of the actions that are pointed at, which are drawn on the board. */
  pointed: [],
  /** The new game {positions, back}, until the user has acted: `back` brings back the game before. */
  begun: null,
  /** Whether the board is seen from green's side, as the user chose; null for the usual side. */
  turned: null,
  /** Whether it is seen from the side of each of two players in turn. */
  turnsForEach: recall("turns", ["yes"]) !== null,
  /** Whether cells at which an action ends the game are marked. */
  warns: recall("warn", ["no"]) === null,
  /** Whether text is large, for a projector. */
  isLarge: recall("size", ["large"]) !== null,
  /** Whether the QR code of the address is shown. */
  showsCode: false,
  /** The review of the game; null where no values are shown. */
  review: null,
  /** A mistake that is tried again: {ply, texts, start, before}, its ply, the game up to it, and the whole game before. */
  retry: null,
  /** Brings the page up to date. */
  redraw: () => {},
};

const redraw = () => state.redraw();
export const analysis = new Analysis(redraw);
/** The same position by another rule. */
export const other = new Analysis(redraw);
export const play = new Play(showMessage, sayMachine);
export const puzzles = new Puzzles(showMessage, redraw);
export const setup = new Setup(showMessage, redraw);

/** Shows a message: with a button that takes something back, if `back` does, and with actions that are drawn on the board. */
export function showMessage(text, back = null, actions = [], label = say("takeBack")) {
  state.message = { text, back: back && { do: back, text: label }, actions };
  redraw();
}

/** Says what the machine did. As long as the user has not acted, the game before can be gone back to. */
export function sayMachine(text) {
  const { lastTurn } = play;
  const isNew = state.begun?.positions === session.positions && lastTurn < 0;
  if (isNew) showMessage(text, state.begun.back, [], say("backToGame"));
  else showMessage(text, play.danger && (() => play.undo()), [], say("takeBackAction", { action: session.texts[lastTurn] }));
}

/** Whether the board is seen from green's side: usually by who plays green on a phone. */
export function isTurned() {
  if (session.mode !== "play") return state.turned ?? false;
  if (play.isForTwo && state.turnsForEach) return session.now.mover === "green";
  return state.turned ?? (play.you === "green" && matchMedia("(max-width: 560px)").matches);
}

/** The player whose doves the user may move now, if any. */
export function whoActs() {
  if (session.mode === "setup") return "both";
  if (session.isOver) return null;
  const { isYours } = { play, puzzles }[session.mode] ?? { isYours: true };
  return isYours ? session.now.mover : null;
}

export function showsValues() {
  if (session.mode === "analyse") return session.kept.values !== "no" && !isTrying();
  return session.kept.values === "yes" && session.mode === "play";
}

/** The first position of the game as a text. */
export const startText = () => Object.values(keyOf(session.places[0])).join();

/** Whether the game is that of the mistake that is tried again, up to it. */
const isOfRetry = ({ texts, start }) => start === startText() && texts.slice(0, -1).every((text, ply) => text === session.texts[ply]);

/** Whether the user is to find a better action now. */
export const isTrying = () => state.retry !== null && session.ply === state.retry.ply - 1 && isOfRetry(state.retry);

/** Whether another action has been tried in the place of a mistake. */
export function hasTried() {
  const { retry } = state;
  return retry !== null && session.ply === retry.ply && isOfRetry(retry) && session.texts[retry.ply - 1] !== retry.texts.at(-1);
}

/** Whether what each action gave away is said; what was tried in place of one has a sentence of its own. */
export const isReviewed = () => state.review !== null && session.isFinished && !hasTried();

/** Whether actions are marked that let a weak machine win at once. */
export const warnsOfAnswers = () => state.warns && session.mode === "play" && play.isGentle;

/** The position by another rule, whose values are shown, too; null if none is chosen. */
export function comparedPlace() {
  const game = session.mode === "analyse" && showsValues() ? otherGames(session.game)[session.kept.compare] : null;
  return game ? { ...session.place, game } : null;
}

/** The address to pass on: of a puzzle without what has been tried, of a game as one to look at; from elsewhere, too. */
export function sharedAddress() {
  const isOwn = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const page = isOwn && document.body.dataset.network || location.href.split("#")[0];
  const isPuzzle = session.mode === "puzzles";
  return `${page}#${session.address(isPuzzle ? "puzzles" : "analyse", isPuzzle)}`;
}

/** Runs after every change of the game, of the place in it or of the mode. */
export function refresh() {
  state.chosen = null;
  state.message = SILENCE;
  if (!isTrying() && !hasTried()) state.retry = null;
  if (showsValues()) {
    const others = session.places.filter((_, index) => index !== session.ply);
    analysis.watch(session.place, others, session.isFinished || state.retry !== null);
  } else analysis.rest();
  const compared = comparedPlace();
  if (compared) other.watch(compared);
  else other.rest();
  play.follow();
  redraw();
}
