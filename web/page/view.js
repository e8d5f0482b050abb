// Draws the page: the board, the panels, and the texts of its buttons.

import { withWorth } from "./analysis.js";
import { failures } from "./attempt.js";
import { BoardView, disable, html, refill } from "./board.js";
import { Counting } from "./count.js";
import { colorOf } from "./doves.js";
import { whyOver } from "./ending.js";
import { gamePanel, missedActions, missedText, reviewButtons, reviewed, verdictOf } from "./game.js";
import { learnPanel } from "./learn.js";
import { codeOf } from "./picture.js";
import { actionsFrom, actionsOf, answerThatWins, surroundedIn } from "./position.js";
import { session } from "./session.js";
import {
  analysis, comparedPlace, hasTried, isReviewed, isTrying, isTurned, other, play, puzzles, setup, sharedAddress,
  showsValues, state, warnsOfAnswers, whoActs,
} from "./state.js";
import { currentIcon, currentTheme } from "./theme.js";
import { currentLanguage, rulesText, say } from "./words.js";

export const at = id => document.getElementById(id);
/** The board. What the user does with it is among its wishes. */
export const board = new BoardView(at("board"), { red: at("hand-red"), green: at("hand-green") }, at("walls"), {});
export const counting = new Counting(() => (session.mode === "count" ? show() : showCount()));

/** Brings the page up to date. */
export function show() {
  showTexts();
  showFailures();
  showTabs();
  showCount();
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
  const isSolution = session.mode === "puzzles" && puzzles.isShown && !session.isAtEnd;
  const { pointed, message: { actions } } = state;
  const texts = pointed.length ? pointed : isSolution ? [session.texts[session.ply]] : actions;
  const ofMistake = !texts.length && isReviewed();
  board.previewed = session.mode === "setup" ? [] : ofMistake ? missedActions(state.review) : actionsFrom(session.place, texts);
}

function showTexts() {
  document.documentElement.lang = currentLanguage();
  document.documentElement.dataset.size = state.isLarge ? "large" : "usual";
  const manifest = document.querySelector("link[rel=manifest]");
  const name = currentLanguage() === "ja" ? "manifest.ja.webmanifest" : "manifest.webmanifest";
  // A browser may load it anew whenever it is set.
  if (manifest && manifest.getAttribute("href") !== name) manifest.setAttribute("href", name);
  at("size").setAttribute("aria-pressed", state.isLarge);
  at("draw").setAttribute("aria-pressed", board.draws);
  document.body.dataset.draws = board.draws ? "yes" : "no";
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.id !== "board") element.title = say(element.dataset.label);
  }
  at("language").lang = currentLanguage() === "en" ? "ja" : "en";
  const colours = `${say("theme")}${say("colon")}${say(currentTheme())}`;
  at("theme").title = colours;
  at("theme").setAttribute("aria-label", colours);
  at("theme-icon").setAttribute("d", currentIcon());
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
  for (const panel of document.querySelectorAll("[data-for]")) panel.hidden = panel.dataset.for !== session.mode;
}

/** Shows in every view, and in the browser's tab, that a count on the GPU runs. */
function showCount() {
  const { running } = counting;
  if (running === null) delete at("tab-count").dataset.share;
  else at("tab-count").dataset.share = `${running} %`;
  document.title = `${running === null ? "" : `${running} % – `}${say("title")} – dovemate`;
}

/** What is below the board. */
function showSwitches() {
  const isSetup = session.mode === "setup";
  at("values").checked = showsValues();
  at("values").disabled = session.mode === "puzzles" || isSetup;
  at("warn").checked = state.warns;
  at("rules").textContent = rulesText(isSetup ? setup.game : session.game);
  const { ply, positions } = session;
  const isAtStart = ply === 0;
  const steps = { first: [0, isAtStart], back: [ply - 1, isAtStart], forward: [ply + 1, session.isAtEnd], last: [positions.length - 1, session.isAtEnd] };
  for (const [id, [to, isThere]] of Object.entries(steps)) {
    at(id).dataset.ply = to;
    disable(at(id), isSetup || isThere);
  }
}

function showBoard() {
  const isSetup = session.mode === "setup";
  const { doves, mover, game } = isSetup ? setup : session.place;
  if (state.chosen && colorOf(state.chosen) !== mover) state.chosen = null;
  const isOver = !isSetup && session.isOver;
  document.body.dataset.turned = isTurned() ? "yes" : "no";
  const hint = { play, puzzles }[session.mode]?.hinted;
  board.show({
    start: isSetup ? null : session.positions[0], isTurned: isTurned(), doves, mover: isOver ? null : mover, targets: targets(), game, free: whoActs(),
    chosen: isSetup ? setup.chosen : state.chosen,
    hinted: hint?.now === session.now ? session.legal(hint.action).dove : null,
    last: isSetup ? null : session.now.action,
    surrounded: isSetup ? setup.arranged.surrounded : surroundedIn(session.place),
  });
  const isTask = session.mode === "puzzles" && puzzles.isThere && !isOver;
  const turn = isSetup ? "" : isOver ? say("over") : isTask ? puzzles.task() : say("toMove", { color: mover });
  refill(at("turn"), turn);
  at("turn").className = isOver || isSetup ? "turn" : `turn ${mover}`;
}

/** What is read aloud, each part when it changes: the action that led here, whose turn it is, and the verdict. */
function showSpoken() {
  const isAnalysis = session.mode === "analyse";
  const parts = [
    isAnalysis && session.now.action?.text, at("turn").textContent, isAnalysis && showsValues() && analysis.spoken(session.place),
  ];
  refill(at("spoken"), parts.map(part => html("span", {}, part ? say("spoken", { part }) : "")));
}

/** Where the chosen dove may go, with values if they are shown. */
function targets() {
  if (session.mode === "setup") return setup.doves[setup.chosen] ? [{ to: null, dove: setup.chosen }] : [];
  if (!state.chosen || !whoActs()) return [];
  const ofDove = actionsOf(session.place).filter(({ dove }) => dove === state.chosen);
  return withEnds(withWorth(ofDove, showsValues() ? analysis.of(session.place) : null));
}

/** Targets with `end`, where an action "wins" or "loses" at once, or is "risky": the opponent can win then. */
function withEnds(targets) {
  if (!state.warns) return targets;
  const ends = { won: "wins", lost: "loses" };
  const risk = target => (warnsOfAnswers() && answerThatWins(session.place, target) ? "risky" : undefined);
  return targets.map(target => ({ ...target, end: ends[target.outcome] ?? risk(target) }));
}

/** The message, and what is said of the position, with a button that takes something back. */
function showMessageLine() {
  const { text, back } = state.message;
  const isTried = isTrying() || hasTried();
  const ofPlace = () => whyOver(session.place) || (isReviewed() ? missedText(state.review) : "");
  const said = [text, isTried ? tryText() : session.mode === "setup" ? "" : ofPlace()].filter(Boolean).join(" ");
  const button = text && back ? back : isTried ? { text: say("backToGame") } : null;
  refill(at("notice"), said, button ? [" ", html("button", { "data-do": "takeBack" }, button.text)] : null);
}

/** What is to be found, or how good what was tried is. */
function tryText() {
  if (isTrying()) return say("tryTask", { action: state.retry.texts.at(-1), color: session.now.mover });
  const verdict = state.review && verdictOf(state.review);
  if (!verdict) return say("checking");
  return verdict.mistake ? missedText(state.review) : say(verdict.kind === "kept" ? "triedWell" : "triedLikely", { action: session.texts[session.ply - 1] });
}

function showPanels() {
  const { mode, place, kept: { compare } } = session;
  const isShown = (...modes) => modes.includes(mode);
  const compared = comparedPlace();
  const shownCode = () => (state.showsCode ? codeOf(sharedAddress(), say("qrCode")) : null);
  refill(at("status"), status());
  refill(at("beside"), [...{ play, puzzles }[mode]?.buttons() ?? [], ...isReviewed() || state.review && hasTried() ? reviewButtons(state.review, hasTried()) : []]);
  refillPanel("learn-panel", isShown("learn") ? learnPanel() : []);
  refillPanel("play-panel", isShown("play") ? play.panel(state.turnsForEach) : []);
  refillPanel("puzzle-panel", isShown("puzzles") ? puzzles.panel(puzzles.isThere ? shownCode() : null) : []);
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
  if (session.mode === "puzzles") return html("span", { id: "puzzle-status" }, puzzles.statusText());
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
