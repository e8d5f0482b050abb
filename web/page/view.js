// What the user may do and see now, as it follows from the game, the mode and the state; and the page, drawn so.

import { Analysis, otherGames } from "./analysis.js";
import { BoardView } from "./board.js";
import { yesOrNo } from "./brain.js";
import * as counting from "./count.js";
import { button, disable, html, refill } from "./elements.js";
import { gamePanel, missedActions, missedText, reviewButtons, reviewed, verdictOf } from "./game.js";
import { learnPanel } from "./learn.js";
import { qrCodeOf } from "./picture.js";
import * as play from "./play.js";
import { actionsFrom, actionsOf, answerThatWins, colorOf, surroundedIn, textOf } from "./position.js";
import * as puzzles from "./puzzle.js";
import { session } from "./session.js";
import * as setup from "./setup.js";
import { SILENCE, state } from "./state.js";
import { currentLanguage, failures } from "./storage.js";
import { currentIcon, currentTheme } from "./theme.js";
import { rulesText, say, whyOver } from "./words.js";

export const at = id => document.getElementById(id);
/** The board. What the user does with it is among its wishes. */
export const board = new BoardView(at("board"), { red: at("hand-red"), green: at("hand-green") }, at("walls"), {});

/** What the position that is shown is worth, and what it is worth by another rule. */
export const [analysis, other] = [new Analysis(), new Analysis()];

/** Whether the board is seen from green's side: usually by who plays green on a phone. */
export function isTurned() {
  if (session.mode !== "play") return state.turned ?? false;
  if (play.isForTwo() && state.turnsForEach) return session.place.mover === "green";
  return state.turned ?? (play.you() === "green" && matchMedia("(max-width: 560px)").matches);
}

/** The player whose doves the user may move now, if any. */
export function whoActs() {
  if (session.mode === "setup") return "both";
  if (session.isOver) return null;
  const isYours = { play, puzzles }[session.mode]?.isYours() ?? true;
  return isYours ? session.place.mover : null;
}

export function showsValues() {
  if (session.mode === "analyse") return session.kept.values !== "no" && !isTrying();
  return session.kept.values === "yes" && session.mode === "play";
}

/** Whether the game is that of the mistake that is tried again, up to it. */
const isOfRetry = ({ texts, start }) =>
  start === textOf(session.positions[0]) && texts.slice(0, -1).every((text, ply) => text === session.texts[ply]);

/** Whether the user is to find a better action now. */
const isTrying = () => state.retry !== null && session.ply === state.retry.ply - 1 && isOfRetry(state.retry);

/** Whether another action has been tried in the place of a mistake. */
function hasTried() {
  const { retry } = state;
  return retry !== null && session.ply === retry.ply && isOfRetry(retry) && session.texts[retry.ply - 1] !== retry.texts.at(-1);
}

/** Whether what each action gave away is said; what was tried in place of one has a sentence of its own. */
const isReviewed = () => state.review !== null && session.isFinished && !hasTried();

/** Whether actions are marked that let a weak machine win at once. */
export const warnsOfAnswers = () => state.warns && session.mode === "play" && play.isGentle();

/** The position by another rule, whose values are shown, too; null if none is chosen. */
function comparedPlace() {
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
  const others = session.positions.filter((_, index) => index !== session.ply);
  analysis.watch(showsValues() ? session.place : null, others, session.isFinished || state.retry !== null);
  other.watch(comparedPlace());
  play.follow();
  state.redraw();
}

/** Brings the page up to date. */
export function show() {
  showTexts();
  showFailures();
  showTabs();
  counting.showShare();
  showSwitches();
  state.review = showsValues() ? reviewed(analysis) : null;
  showThoughts();
  showBoard();
  showSpoken();
  showMessageLine();
  showPanels();
  showCurrent();
}

/** Shows the actions that are only thought of: those that are pointed at, those of the message, or those of a mistake. */
export function showThoughts() {
  const isSolution = session.mode === "puzzles" && puzzles.isShown() && !session.isAtEnd;
  const { pointed, message: { actions } } = state;
  const texts = pointed.length ? pointed : isSolution ? [session.texts[session.ply]] : actions;
  const ofMistake = !texts.length && isReviewed();
  board.previewed = session.mode === "setup" ? [] : ofMistake ? missedActions(state.review) : actionsFrom(session.place, texts);
}

function showTexts() {
  const root = document.documentElement;
  root.lang = currentLanguage();
  root.dataset.size = state.isLarge ? "large" : "usual";
  const manifest = document.querySelector("link[rel=manifest]");
  const name = root.lang === "ja" ? "manifest.ja.webmanifest" : "manifest.webmanifest";
  // A browser may load it anew whenever it is set.
  if (manifest && manifest.getAttribute("href") !== name) manifest.setAttribute("href", name);
  at("size").setAttribute("aria-pressed", state.isLarge);
  at("draw").setAttribute("aria-pressed", board.draws);
  document.body.dataset.draws = yesOrNo(board.draws);
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) label(element, say(element.dataset.label));
  at("language").lang = root.lang === "en" ? "ja" : "en";
  label(at("theme"), `${say("theme")}${say("colon")}${say(currentTheme())}`);
  at("theme-icon").setAttribute("d", currentIcon());
}

/** Names an element for those who hear it and those who point at it. */
function label(element, text) {
  element.setAttribute("aria-label", text);
  if (element !== board.board) element.title = text;
}

/** Says in every view what the page does without. */
function showFailures() {
  const parts = [...failures].map(([part, error]) => `${say(`part-${part}`)} (${error})`);
  refill(at("failed"), parts.length ? say("startFailed", { parts: parts.join(", ") }) : null);
}

function showTabs() {
  document.body.dataset.mode = session.mode;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isThis = tab.dataset.mode === session.mode;
    tab.setAttribute("aria-selected", isThis);
    tab.tabIndex = isThis ? 0 : -1;
  }
  at("panel").setAttribute("aria-labelledby", `tab-${session.mode}`);
}

/** What is below the board. */
function showSwitches() {
  const isSetup = session.mode === "setup";
  at("values").checked = showsValues();
  at("values").disabled = session.mode === "puzzles" || isSetup;
  at("warn").checked = state.warns;
  at("rules").textContent = rulesText(isSetup ? setup.board.game : session.game);
  const { ply, positions, isAtEnd } = session;
  const steps = { first: [0, ply === 0], back: [ply - 1, ply === 0], forward: [ply + 1, isAtEnd], last: [positions.length - 1, isAtEnd] };
  for (const [id, [to, isThere]] of Object.entries(steps)) {
    at(id).dataset.ply = to;
    disable(at(id), isSetup || isThere);
  }
}

function showBoard() {
  const isSetup = session.mode === "setup";
  const { doves, mover, game } = isSetup ? setup.board : session.place;
  if (state.chosen && colorOf(state.chosen) !== mover) state.chosen = null;
  const isOver = !isSetup && session.isOver;
  document.body.dataset.turned = yesOrNo(isTurned());
  const hint = { play, puzzles }[session.mode]?.hinted;
  board.show({
    start: isSetup ? null : session.positions[0], isTurned: isTurned(), doves, mover: isOver ? null : mover, targets: targets(), game, free: whoActs(),
    chosen: isSetup ? setup.board.chosen : state.chosen,
    hinted: hint?.place === session.place ? session.legal(hint.action).dove : null,
    last: isSetup ? null : session.place.action,
    surrounded: isSetup ? setup.arranged().surrounded : surroundedIn(session.place),
  });
  const isTask = session.mode === "puzzles" && puzzles.isThere() && !isOver;
  const turn = isSetup ? "" : isOver ? say("over") : isTask ? puzzles.task() : say("toMove", { color: mover });
  refill(at("turn"), turn);
  at("turn").className = isOver || isSetup ? "turn" : `turn ${mover}`;
}

/** What is read aloud, each part when it changes: the action that led here, whose turn it is, and the verdict. */
function showSpoken() {
  const isAnalysis = session.mode === "analyse";
  const parts = [
    isAnalysis && session.place.action?.text, at("turn").textContent, isAnalysis && showsValues() && analysis.spoken(session.place),
  ];
  refill(at("spoken"), parts.map(part => html("span", {}, part ? say("spoken", { part }) : "")));
}

/**
 * Where the chosen dove may go: with `worth`, if values are shown, and with `end`, where an action "wins" or "loses" at once,
 * or is "risky": the opponent can win then.
 */
function targets() {
  const { place } = session;
  if (session.mode === "setup") return setup.board.doves[setup.board.chosen] ? [{ to: null, dove: setup.board.chosen }] : [];
  if (!state.chosen || !whoActs()) return [];
  const known = showsValues() ? analysis.of(place)?.actions ?? [] : [];
  const isRisky = action => warnsOfAnswers() && answerThatWins(place, action);
  const endOf = action => ({ won: "wins", lost: "loses" })[action.outcome] ?? (isRisky(action) ? "risky" : undefined);
  return actionsOf(place).filter(({ dove }) => dove === state.chosen).map(target => ({
    ...target, worth: known.find(({ action }) => action === target.text), end: state.warns ? endOf(target) : undefined,
  }));
}

/** The message, and what is said of the position, with a button that takes something back. */
function showMessageLine() {
  const { text, back } = state.message;
  const isTried = isTrying() || hasTried();
  const ofPlace = () => whyOver(session.place) || (isReviewed() ? missedText(state.review) : "");
  const said = [text, isTried ? tryText() : session.mode === "setup" ? "" : ofPlace()].filter(Boolean).join(" ");
  const takesBack = text && back ? back.text : isTried && say("backToGame");
  refill(at("notice"), said, takesBack && [" ", button("takeBack", {}, takesBack)]);
}

/** What is to be found, or how good what was tried is. */
function tryText() {
  if (isTrying()) return say("tryTask", { action: state.retry.texts.at(-1), color: session.place.mover });
  const verdict = state.review && verdictOf(state.review);
  if (!verdict) return say("checking");
  return verdict.mistake ? missedText(state.review) : say(verdict.kind === "kept" ? "triedWell" : "triedLikely", { action: session.texts[session.ply - 1] });
}

function showPanels() {
  const { mode, place, kept: { compare } } = session;
  const isShown = (...modes) => modes.includes(mode);
  const compared = comparedPlace();
  const shownCode = () => (state.showsCode ? qrCodeOf(sharedAddress(), say("qrCode")) : null);
  refill(at("status"), status());
  refill(at("beside"), [...{ play, puzzles }[mode]?.buttons() ?? [], ...isReviewed() || state.review && hasTried() ? reviewButtons(state.review, hasTried()) : []]);
  refillPanel("learn-panel", isShown("learn") ? learnPanel() : []);
  refillPanel("play-panel", isShown("play") ? play.panel() : []);
  refillPanel("puzzle-panel", isShown("puzzles") ? puzzles.panel(puzzles.isThere() ? shownCode() : null) : []);
  refillPanel("setup-panel", isShown("setup") ? setup.panel() : []);
  refillPanel("count-panel", isShown("count") ? counting.panel(state.message.text) : []);
  refillPanel("analysis-panel", showsValues() ? analysis.panel(place, compare, compared && other.side(compared, compare)) : []);
  refillPanel("game-panel", isShown("analyse", "play") ? gamePanel(state.review, {
    showsGraph: showsValues(), isReviewed: isReviewed(), isLooking: analysis.isFilling, isTurned: isTurned(), code: shownCode(),
  }) : []);
}

/** How things stand in this mode, beside the board. */
function status() {
  if (session.mode === "play") return html("span", { id: "play-status" }, play.status());
  if (session.mode === "puzzles") return html("span", { id: "puzzle-status" }, puzzles.status());
  return session.mode === "setup" ? setup.statusLine() : null;
}

/** What a button or a field is for, besides the actions that it draws. */
const purposeOf = ({ id, dataset: { preview, ...data } }) => JSON.stringify([id, Object.entries(data).sort()]);

/** Refills a panel; the focus stays on what it was on, which may be another element now. */
function refillPanel(id, children) {
  const panel = at(id);
  const focused = document.activeElement;
  const purpose = panel.contains(focused) ? purposeOf(focused) : null;
  refill(panel, children);
  if (purpose === null || purposeOf(document.activeElement) === purpose) return;
  [...panel.querySelectorAll(focused.tagName)].find(element => purposeOf(element) === purpose)?.focus({ preventScroll: true });
}

/** Scrolls the list of the game, and nothing else, to the action that is shown. */
function showCurrent() {
  const [list, current] = [at("game-list"), document.querySelector("#game-list .current")];
  if (!current) return;
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
