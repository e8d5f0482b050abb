// Derives what the user can see and do from the game, the mode and the state, and draws the page.

/** @import { Action, Target } from "./types.d.ts" */
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

/**
 * The element with an id. The type also includes the properties of form fields.
 *
 * @type {(id: string) => HTMLElement & { checked: boolean, disabled: boolean, value: string }}
 */
export const at = id => /** @type {any} */ (document.getElementById(id));
/** The board. commands.js sets its callbacks. */
export const board = new BoardView(
  at("board"), { red: at("hand-red"), green: at("hand-green") }, at("walls"), { choose: () => {}, place: () => {}, letGo: () => {} });

/** The analysis of the current position, and its analysis under another rule. */
export const [analysis, other] = [new Analysis(), new Analysis()];

/** Whether the board is seen from green's side. By default it is if the user plays green on a phone. */
export function isTurned() {
  if (session.mode !== "play") return state.turned ?? false;
  if (play.isForTwo() && state.turnsForEach) return session.place.mover === "green";
  return state.turned ?? (play.you() === "green" && matchMedia("(max-width: 560px)").matches);
}

/** The module of the current mode if that has an opponent, otherwise null. */
const opposed = () => (session.mode === "play" ? play : session.mode === "puzzles" ? puzzles : null);

/** The player whose doves the user may move, if any; "both" in the editor. */
export function whoActs() {
  if (session.mode === "setup") return "both";
  if (session.isOver) return null;
  return opposed()?.isYours() ?? true ? session.place.mover : null;
}

export function showsValues() {
  if (session.mode === "analyse") return session.kept.values !== "no" && !isTrying();
  return session.kept.values === "yes" && session.mode === "play";
}

/**
 * Whether the current game has the same start as the one with the retried mistake, and the same actions before that
 * mistake.
 *
 * @param {{ texts: string[], start: string }} retry
 */
const isOfRetry = ({ texts, start }) =>
  start === textOf(session.positions[0]) && texts.slice(0, -1).every((text, ply) => text === session.texts[ply]);

/** Whether the user is looking for a better action. */
const isTrying = () => state.retry !== null && session.ply === state.retry.ply - 1 && isOfRetry(state.retry);

/** Whether another action has been tried instead of a mistake. */
function hasTried() {
  const { retry } = state;
  return retry !== null && session.ply === retry.ply && isOfRetry(retry) && session.texts[retry.ply - 1] !== retry.texts.at(-1);
}

/** Whether the verdicts on a finished game are shown. After a retry, `tryText` judges the new action instead. */
const isReviewed = () => state.review !== null && session.isFinished && !hasTried();

/** Whether actions that let a weak engine win at once are marked. */
export const warnsOfAnswers = () => state.warns && session.mode === "play" && play.isGentle();

/** The current position under another rule, for comparison; null if no rule is chosen. */
function comparedPlace() {
  const game = session.mode === "analyse" && showsValues() ? otherGames(session.game)[session.kept.compare ?? ""] : null;
  return game ? { ...session.place, game } : null;
}

/**
 * The address to share: on localhost, the server's network address if it has one. A puzzle is shared without the user's
 * actions, a game as an analysis.
 */
export function sharedAddress() {
  const isOwn = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const page = isOwn && document.body.dataset.network || location.href.split("#")[0];
  const isPuzzle = session.mode === "puzzles";
  return `${page}#${session.address(isPuzzle ? "puzzles" : "analyse", isPuzzle)}`;
}

/** Called after every change of the game, the current position or the mode. */
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

/** Redraws the page. */
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

/** Previews actions on the board: hovered or focused ones, the next one of a solution, those of the message, or missed ones. */
export function showThoughts() {
  const isSolution = session.mode === "puzzles" && puzzles.isShown() && !session.isAtEnd;
  const { pointed, message: { actions } } = state;
  const texts = pointed.length ? pointed : isSolution ? [session.texts[session.ply]] : actions;
  const ofMistake = !texts.length && isReviewed();
  board.previewed = session.mode === "setup" ? []
    : ofMistake && state.review ? missedActions(state.review) : actionsFrom(session.place, texts);
}

function showTexts() {
  const root = document.documentElement;
  root.lang = currentLanguage();
  root.dataset.size = state.isLarge ? "large" : "usual";
  const manifest = document.querySelector("link[rel=manifest]");
  const name = root.lang === "ja" ? "manifest.ja.webmanifest" : "manifest.webmanifest";
  // Setting `href`, even to the same value, may reload the manifest.
  if (manifest && manifest.getAttribute("href") !== name) manifest.setAttribute("href", name);
  at("size").setAttribute("aria-pressed", String(state.isLarge));
  at("draw").setAttribute("aria-pressed", String(board.draws));
  document.body.dataset.draws = yesOrNo(board.draws);
  for (const element of all("[data-say]")) element.textContent = say(element.dataset.say ?? "");
  for (const element of all("[data-label]")) label(element, say(element.dataset.label ?? ""));
  at("language").lang = root.lang === "en" ? "ja" : "en";
  label(at("theme"), `${say("theme")}${say("colon")}${say(currentTheme())}`);
  at("theme-icon").setAttribute("d", currentIcon());
}

/** @type {(selector: string) => NodeListOf<HTMLElement>} */
const all = selector => document.querySelectorAll(selector);

/** Names an element for screen readers, and in a tooltip. @param {HTMLElement} element @param {string} text */
function label(element, text) {
  element.setAttribute("aria-label", text);
  if (element !== board.board) element.title = text;
}

/** Shows the parts that have failed, in every view. */
function showFailures() {
  const parts = [...failures].map(([part, error]) => `${say(`part-${part}`)} (${error})`);
  refill(at("failed"), parts.length ? say("startFailed", { parts: parts.join(", ") }) : null);
}

function showTabs() {
  document.body.dataset.mode = session.mode;
  for (const tab of all("[role=tab]")) {
    const isThis = tab.dataset.mode === session.mode;
    tab.setAttribute("aria-selected", String(isThis));
    tab.tabIndex = isThis ? 0 : -1;
  }
  at("panel").setAttribute("aria-labelledby", `tab-${session.mode}`);
}

/** Draws the controls below the board. */
function showSwitches() {
  const isSetup = session.mode === "setup";
  at("values").checked = showsValues();
  at("values").disabled = session.mode === "puzzles" || isSetup;
  at("warn").checked = state.warns;
  at("rules").textContent = rulesText(isSetup ? setup.board.game : session.game);
  const { ply, positions, isAtEnd } = session;
  /** @type {Record<string, [ply: number, isDisabled: boolean]>} */
  const steps = { first: [0, ply === 0], back: [ply - 1, ply === 0], forward: [ply + 1, isAtEnd], last: [positions.length - 1, isAtEnd] };
  for (const [id, [to, isDisabled]] of Object.entries(steps)) {
    at(id).dataset.ply = String(to);
    disable(at(id), isSetup || isDisabled);
  }
}

function showBoard() {
  const isSetup = session.mode === "setup";
  const { doves, mover, game } = isSetup ? setup.board : session.place;
  if (state.chosen && colorOf(state.chosen) !== mover) state.chosen = null;
  const isOver = !isSetup && session.isOver;
  document.body.dataset.turned = yesOrNo(isTurned());
  const hint = opposed()?.hinted;
  board.show({
    start: isSetup ? null : session.positions[0], isTurned: isTurned(), doves, mover: isOver ? null : mover, targets: targets(), game, free: whoActs(),
    chosen: isSetup ? setup.board.chosen : state.chosen,
    hinted: hint?.place === session.place ? session.legal(hint.action)?.dove : null,
    last: isSetup ? null : session.place.action,
    surrounded: isSetup ? setup.arranged().surrounded ?? [] : surroundedIn(session.place),
  });
  const isTask = session.mode === "puzzles" && puzzles.isThere() && !isOver;
  const turn = isSetup ? "" : isOver ? say("over") : isTask ? puzzles.task() : say("toMove", { color: mover });
  refill(at("turn"), turn);
  at("turn").className = isOver || isSetup ? "turn" : `turn ${mover}`;
}

/** Updates the live region for screen readers: the last action, the player to move, and the verdict, each when it changes. */
function showSpoken() {
  const isAnalysis = session.mode === "analyse";
  const parts = [
    isAnalysis && session.place.action?.text, at("turn").textContent, isAnalysis && showsValues() && analysis.spoken(session.place),
  ];
  // A part that is already a sentence needs no full stop.
  const sentence = (/** @type {string} */ part) => (/[.。!！?？…]$/.test(part) ? `${part} ` : say("spoken", { part }));
  refill(at("spoken"), parts.map(part => html("span", {}, part ? sentence(part) : "")));
}

/**
 * The cells that the chosen dove can go to, with values if these are shown. `end` marks actions that win or lose at once,
 * and risky ones, which let the opponent win.
 *
 * @returns {Target[]}
 */
function targets() {
  const { place } = session;
  const { doves, chosen } = setup.board;
  if (session.mode === "setup") return chosen && doves[chosen] ? [{ to: null, dove: chosen }] : [];
  if (!state.chosen || !whoActs()) return [];
  const known = showsValues() ? analysis.of(place)?.actions ?? [] : [];
  const endOf = (/** @type {Action} */ action) => (action.outcome === "won" ? "wins" : action.outcome === "lost" ? "loses"
    : warnsOfAnswers() && answerThatWins(place, action) ? "risky" : undefined);
  return actionsOf(place).filter(({ dove }) => dove === state.chosen).map(target => ({
    ...target, worth: known.find(({ action }) => action === target.text), end: state.warns ? endOf(target) : undefined,
  }));
}

/** Shows the message, the verdict on the position or on the last action, and a button if something can be undone. */
function showMessageLine() {
  const { text, back } = state.message;
  const isTried = isTrying() || hasTried();
  const ofPlace = () => whyOver(session.place) || (state.review && isReviewed() ? missedText(state.review) : "");
  const said = [text, isTried ? tryText() : session.mode === "setup" ? "" : ofPlace()].filter(Boolean).join(" ");
  const takesBack = text && back ? back.text : isTried && say("backToGame");
  refill(at("notice"), said, takesBack && [" ", button("takeBack", {}, takesBack)]);
}

/** The task while the user looks for a better action, or the verdict on the action tried instead. */
function tryText() {
  if (isTrying()) return say("tryTask", { action: state.retry?.texts.at(-1), color: session.place.mover });
  const verdict = state.review && verdictOf(state.review);
  if (!state.review || !verdict) return say("checking");
  return verdict.mistake ? missedText(state.review) : say(verdict.kind === "kept" ? "triedWell" : "triedLikely", { action: session.texts[session.ply - 1] });
}

function showPanels() {
  const { mode, place, kept: { compare } } = session;
  const isShown = (/** @type {string[]} */ ...modes) => modes.includes(mode);
  const compared = comparedPlace();
  const shownCode = () => (state.showsCode ? qrCodeOf(sharedAddress(), say("qrCode")) : null);
  refill(at("status"), status());
  refill(at("beside"), [
    ...opposed()?.buttons() ?? [], ...state.review && (isReviewed() || hasTried()) ? reviewButtons(state.review, hasTried()) : [],
  ]);
  refillPanel("learn-panel", isShown("learn") ? learnPanel() : []);
  refillPanel("play-panel", isShown("play") ? play.panel() : []);
  refillPanel("puzzle-panel", isShown("puzzles") ? puzzles.panel(puzzles.isThere() ? shownCode() : null) : []);
  refillPanel("setup-panel", isShown("setup") ? setup.panel() : []);
  refillPanel("count-panel", isShown("count") ? counting.panel(state.message.text) : []);
  refillPanel("analysis-panel", showsValues() ? analysis.panel(place, compare, compared && other.side(compared, compare ?? "")) : []);
  refillPanel("game-panel", isShown("analyse", "play") ? gamePanel(state.review, {
    showsGraph: showsValues(), isReviewed: isReviewed(), isLooking: analysis.isFilling, isTurned: isTurned(), code: shownCode(),
  }) : []);
}

/** The status of the mode, beside the board. */
function status() {
  if (session.mode === "play") return html("span", { id: "play-status" }, play.status());
  if (session.mode === "puzzles") return html("span", { id: "puzzle-status" }, puzzles.status());
  return session.mode === "setup" ? setup.statusLine() : null;
}

/** Identifies a button or a field across redraws by its id and its data, except `preview`. @param {HTMLElement} element */
const purposeOf = ({ id, dataset: { preview, ...data } }) => JSON.stringify([id, Object.entries(data).sort()]);

/**
 * Refills a panel. The focus stays on the same control, even if that is now another element.
 *
 * @param {string} id
 * @param {any} children
 */
function refillPanel(id, children) {
  const panel = at(id);
  const focus = () => /** @type {HTMLElement} */ (document.activeElement);
  const focused = focus();
  const purpose = panel.contains(focused) ? purposeOf(focused) : null;
  refill(panel, children);
  if (purpose === null || purposeOf(focus()) === purpose) return;
  [...all(`#${id} ${focused.tagName}`)].find(element => purposeOf(element) === purpose)?.focus({ preventScroll: true });
}

/** Scrolls the list of the game, and nothing else, to the current action. */
function showCurrent() {
  const [list, current] = [at("game-list"), document.querySelector("#game-list .current")];
  if (!current) return;
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
