// The page: ties the board, the panels and the address together, and passes on what the user does.

import { Analysis, withWorth } from "./analysis.js";
import { BoardView, html, refill } from "./board.js";
import { Counting } from "./count.js";
import { PAGE_VERSION } from "./brain.js";
import { colorOf, doveAt } from "./doves.js";
import { whyOver } from "./ending.js";
import { isReachedByKeys } from "./focus.js";
import { fileName, gamePanel, gameText, missedText, nextMistake, nextMistakeButton, save, takeText, togglePasting } from "./game.js";
import { learnPanel } from "./learn.js";
import { pictureOf } from "./picture.js";
import { Play } from "./play.js";
import { actionsOf, attempt, surroundedIn } from "./position.js";
import { actionsFrom, watchPreviews } from "./preview.js";
import { Puzzles } from "./puzzle.js";
import { MODES, session } from "./session.js";
import { Setup } from "./setup.js";
import { source } from "./source.js";
import { keep, recall } from "./storage.js";
import { changeTheme, currentTheme } from "./theme.js";
import { changeLanguage, currentLanguage, rulesText, say } from "./words.js";

const at = id => document.getElementById(id);
/** The letter of the dove that is taken up, if any. */
let chosen = null;
let notice = "";
/** What the button beside the notice takes back; null if there is nothing. */
let takesBack = null;
/** What brings back the game before a new one, {positions, back}, for as long as nobody but the machine has acted. */
let begun = null;
/** The texts of the actions that the notice is about, which are drawn on the board. */
let drawn = [];
/** Whether cells at which an action ends the game are marked. */
let warns = recall("warn", ["no"]) === null;
/** The first position of the game that is shown. */
let start = null;

const analysis = new Analysis(() => show());
const play = new Play(showMessage, () => show());
const puzzles = new Puzzles(showMessage, () => show());
const setup = new Setup(showMessage, () => show());
const counting = new Counting(() => (session.mode === "count" ? show() : showCount()));
const view = new BoardView(at("board"), { red: at("hand-red"), green: at("hand-green") }, at("walls"), {
  choose: letter => (session.mode === "setup" ? setup.choose(letter) : choose(letter)),
  place: cell => (session.mode === "setup" ? setup.place(cell) : place(cell)),
  putInHand: () => (session.mode === "setup" ? setup.putInHand() : putInHand()),
  letGo: () => {
    chosen = null;
    setup.chosen = null;
    show();
  },
});

/**
 * Shows a message: with a button that takes something back, if there is something to take back, and with actions that
 * are drawn on the board.
 */
function showMessage(text, back = null, actions = []) {
  notice = text;
  takesBack = back ?? (begun?.positions === session.positions && session.positions.length <= 2 ? begun.back : null);
  drawn = actions;
  preview(drawn);
  show();
}

/** Draws these actions, or if there are none, those of the message. */
function preview(texts) {
  view.previewed = actionsFrom(session.place, texts.length ? texts : drawn);
}

/** Begins a new game, which a button in the message takes back. */
function begin(fromHere) {
  const before = session.snapshot();
  play.begin(fromHere);
  begun = { positions: session.positions, back: () => session.restore(before) };
  showMessage(say("begun"), begun.back);
}

/** The player whose doves the user may move now, if any. */
function whoActs() {
  if (session.mode === "setup") return "both";
  if (session.isOver) return null;
  if (session.mode === "play") return play.isYours ? session.now.mover : null;
  if (session.mode === "puzzles") return puzzles.isYours ? session.now.mover : null;
  return session.now.mover;
}

function choose(letter) {
  const about = say("about", { dove: letter });
  if (session.isOver) return showMessage(about);
  if (colorOf(letter) !== session.now.mover) return showMessage(`${about} ${say("notYours", { color: session.now.mover })}`);
  if (whoActs() === null) return showMessage(session.isAtEnd ? about : say("earlier"));
  chosen = chosen === letter ? null : letter;
  showMessage(chosen ? about : "");
}

function place(cell) {
  if (!chosen) {
    const letter = doveAt(view.view.doves, cell);
    if (letter) choose(letter);
    return;
  }
  carryOut(attempt(session.place, chosen, cell));
}

function putInHand() {
  if (chosen) carryOut(attempt(session.place, chosen, null));
}

/** Carries out an attempt, or says why it is no action. */
function carryOut({ action, refused }) {
  if (refused) return showMessage(refused);
  act(action);
}

function act(action) {
  if (whoActs() !== session.now.mover) return;
  chosen = null;
  showMessage("");
  if (session.mode === "puzzles") puzzles.act(action);
  else session.act(action);
}

function showsValues() {
  if (session.mode === "analyse") return session.kept.values !== "no";
  return session.kept.values === "yes" && session.mode === "play";
}

/** Brings the page up to date. */
function show() {
  document.documentElement.lang = currentLanguage();
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.id !== "board") element.title = say(element.dataset.label);
  }
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isThis = tab.dataset.mode === session.mode;
    tab.setAttribute("aria-selected", isThis);
    tab.tabIndex = isThis ? 0 : -1;
  }
  showCount();
  at("panel").setAttribute("aria-labelledby", `tab-${session.mode}`);
  at("language").lang = currentLanguage() === "en" ? "ja" : "en";
  at("theme").textContent = say(currentTheme());
  at("theme").title = `${say("theme")}${say("colon")}${say(currentTheme())}`;
  at("theme").setAttribute("aria-label", at("theme").title);
  const isSetup = session.mode === "setup";
  document.body.dataset.mode = session.mode;
  at("values").checked = showsValues();
  at("values").disabled = session.mode === "puzzles" || isSetup;
  const { ply } = session;
  at("first").disabled = at("back").disabled = ply === 0 || isSetup;
  at("forward").disabled = at("last").disabled = session.isAtEnd || isSetup;
  showBoard(isSetup);
  refill(at("notice"), [notice, isSetup ? "" : over() || reviewed()].filter(Boolean).join(" "), takesBack && notice ? [" ", html("button", { "data-do": "takeBack" }, say("takeBack"))] : null);
  at("rules").textContent = rulesText(isSetup ? setup.game : session.game);
  at("warn").checked = warns;
  for (const panel of document.querySelectorAll("[data-for]")) panel.hidden = panel.dataset.for !== session.mode;
  refill(at("status"), status());
  refill(at("learn-panel"), session.mode === "learn" ? learnPanel() : []);
  refill(at("beside"), beside());
  refill(at("play-panel"), session.mode === "play" ? play.panel() : []);
  refill(at("puzzle-panel"), session.mode === "puzzles" ? puzzles.panel() : []);
  refill(at("setup-panel"), isSetup ? setup.panel() : []);
  refill(at("count-panel"), session.mode === "count" ? counting.panel(notice) : []);
  refillActions(at("analysis-panel"), showsValues() ? analysis.panel(session.place) : []);
  const knows = showsValues() || session.kept.values === "yes" ? analysis : null;
  refill(at("game-panel"), ["analyse", "play"].includes(session.mode) ? gamePanel(knows, showsValues()) : []);
  showCurrent();
}

/** Shows in every view, and in the browser's tab, that a count on the GPU runs. */
function showCount() {
  const { running } = counting;
  if (running === null) delete at("tab-count").dataset.share;
  else at("tab-count").dataset.share = `${running} %`;
  document.title = `${running === null ? "" : `${running} % – `}${say("title")} – dovemate`;
}

/** Why the game is over in the position that is shown. */
const over = () => whyOver(session.place);

/** What the action that led to the position that is shown missed, in a game that is reviewed. */
const reviewed = () => (isReviewed() ? missedText(analysis) : "");
const isReviewed = () => showsValues() && session.isFinished;

/** The buttons that one looks for beside the board. */
function beside() {
  const buttons = { play, puzzles }[session.mode]?.buttons() ?? [];
  return [...buttons, isReviewed() ? nextMistakeButton(analysis) : null];
}

/** How things stand in this mode, beside the board. */
function status() {
  if (session.mode === "play") return html("span", { id: "play-status" }, play.status());
  if (session.mode === "puzzles") return html("span", { id: "puzzle-status" }, puzzles.statusText());
  if (session.mode === "setup") return setup.statusLine();
  return null;
}

/** Scrolls the list of the game, and nothing else, to the action that is shown. */
function showCurrent() {
  const [list, current] = [at("game-list"), document.querySelector("#game-list .current")];
  if (!current) return;
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** Refills a panel; the focus stays on its action, which may have another button now. */
function refillActions(panel, children) {
  const focused = document.activeElement;
  const action = panel.contains(focused) ? focused.dataset.action : undefined;
  refill(panel, children);
  if (action && document.activeElement.dataset.action !== action) panel.querySelector(`[data-action="${action}"]`)?.focus();
}

function showBoard(isSetup) {
  const { doves, mover, game } = isSetup ? setup : session.place;
  if (chosen && colorOf(chosen) !== mover) chosen = null;
  const answer = showsValues() ? analysis.of(session.place) : null;
  let targets = [];
  if (isSetup && doves[setup.chosen]) targets = [{ to: null, dove: setup.chosen }];
  else if (chosen && !isSetup && whoActs()) targets = withEnds(withWorth(actionsOf(session.place).filter(({ dove }) => dove === chosen), answer));
  if (start !== session.positions[0] && !isSetup) {
    view.recentre();
    start = session.positions[0];
  }
  const isOver = !isSetup && session.isOver;
  view.show({
    doves, mover: isOver ? null : mover, targets, game, free: whoActs(),
    chosen: isSetup ? setup.chosen : chosen,
    last: isSetup ? null : session.now.action,
    surrounded: isSetup ? setup.arranged.surrounded : surroundedIn(session.place),
  });
  const isTask = session.mode === "puzzles" && puzzles.isThere && !isOver;
  at("turn").textContent = isSetup ? "" : isOver ? say("over") : isTask ? puzzles.task() : say("toMove", { color: mover });
  at("turn").className = isOver || isSetup ? "turn" : `turn ${mover}`;
}

/** Targets with `end`, where an action ends the game at once: "wins" or "loses". */
function withEnds(targets) {
  const ends = { won: "wins", lost: "loses" };
  return warns ? targets.map(target => ({ ...target, end: ends[target.outcome] })) : targets;
}

/** Runs after every change of the game, of the place in it or of the mode. */
function refresh() {
  chosen = null;
  notice = "";
  takesBack = null;
  drawn = [];
  view.previewed = [];
  if (showsValues()) {
    const others = session.positions.filter((_, index) => index !== session.ply).map(({ doves, mover }) => ({ doves, mover, game: session.game }));
    analysis.watch(session.place, others);
  } else analysis.rest();
  play.follow();
  show();
}

/** Changes the mode. */
function enter(mode) {
  if (mode === session.mode) return;
  play.stop();
  puzzles.stop();
  if (mode === "setup") setup.enter();
  if (mode === "puzzles") delete session.kept.plies;
  session.change(mode);
  if (mode === "puzzles") puzzles.enter();
  if (mode === "count") counting.enter();
}

async function copy(what) {
  const isCopied = await navigator.clipboard?.writeText(what).then(() => true, () => false) || copySelected(what);
  showMessage(isCopied ? say("copied") : say("cannotCopy", { text: what }));
}

/** Copies a text by selecting it: browsers offer no clipboard at addresses in the local network. */
function copySelected(what) {
  const focused = document.activeElement;
  const field = html("textarea", { class: "hidden-text" }, what);
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  focused.focus({ preventScroll: true });
  return isCopied;
}

const DO = {
  mode: ({ mode }) => enter(mode),
  go: ({ ply }) => session.go(Number(ply)),
  act: ({ action }) => {
    const legal = session.legal(action);
    if (legal) act(legal);
  },
  best: playBest,
  line: () => analysis.askLine(session.place, session.ply),
  stepLine: ({ steps }) => {
    const { line, ply } = analysis.steps;
    // In a game against the machine, the user only moves for themself.
    if (session.mode === "analyse" && session.ply !== ply) session.go(ply);
    for (const { action } of line.slice(session.ply - ply, Number(steps))) {
      const legal = session.legal(action);
      if (legal) act(legal);
    }
  },
  takeLine: ({ line }) => session.takeLine(Number(line)),
  takeBack: () => takesBack?.(),
  nextMistake: () => session.go(nextMistake(analysis)),
  review: () => {
    session.kept.values = "yes";
    enter("analyse");
  },
  hint: () => play.hint(),
  undo: () => play.undo(),
  giveUp: () => play.giveUp(),
  draw: () => play.draw(),
  newGame: () => begin(false),
  playFromHere: () => begin(true),
  nextPuzzle: () => puzzles.next(),
  stopPuzzle: () => {
    puzzles.stop();
    show();
  },
  again: () => puzzles.again(),
  solution: () => puzzles.solution(),
  edit: ({ what }) => setup.edit(what),
  count: () => counting.start(),
  stopCount: () => counting.stop(),
  saveCount: ({ what }) => counting.save(what),
  copy: ({ text }) => copy(text),
  copyGame: () => copy(gameText()),
  paste: () => {
    togglePasting();
    show();
    at("paste-text")?.focus();
  },
  take: () => {
    const wrong = takeText(at("paste-text").value);
    if (wrong) showMessage(wrong);
  },
  download: () => save(gameText(), "text/plain", fileName("txt")),
  share: () => copy(session.link),
  savePicture: () => save(pictureOf(view), "image/svg+xml", fileName("svg")),
};

const SET = {
  you: value => {
    session.kept.you = value;
    session.changed();
  },
  level: value => {
    session.kept.level = value;
    session.changed();
  },
  plies: value => puzzles.next({ plies: Number(value) }),
  unique: value => puzzles.next({ isUnique: value }),
  doves: value => puzzles.next({ doves: value }),
  count: (value, { key }) => counting.change(key, value),
  countMost: value => counting.choose(Number(value)),
  mover: value => setup.move(value),
  rule: (value, { key }) => setup.change(key, value),
  "board-text": (value, { key }) => setup.type(value, key),
};

function playBest() {
  const best = showsValues() && whoActs() ? analysis.of(session.place)?.actions[0] : null;
  const action = best && session.legal(best.action);
  if (action) act(action);
}

/** The data of a button when it was pressed: an answer may turn it into another one before it is released. */
let pressed = {};
document.addEventListener("pointerdown", event => {
  pressed = { ...event.target.closest("[data-do]")?.dataset };
});
document.addEventListener("click", event => {
  const element = event.target.closest("[data-do], [role=tab]");
  if (!element) return;
  if (element.matches("[role=tab]")) return enter(element.dataset.mode);
  const isByPointer = event.detail > 0 && pressed.do;
  const asked = isByPointer ? pressed : element.dataset;
  DO[asked.do](asked);
});
document.addEventListener("change", event => {
  const { target } = event;
  if (target.dataset.set) SET[target.dataset.set](target.type === "checkbox" ? target.checked : target.value, target.dataset);
});
/** A field of one line would make blanks of line breaks, and one row of the rows of a board. */
document.addEventListener("paste", event => {
  const { target } = event;
  if (target.dataset?.set !== "board-text") return;
  const rows = event.clipboardData.getData("text").replace(/^[\r\n]+|[\r\n]+$/g, "").split(/\r\n|\r|\n/);
  if (rows.length < 2) return;
  event.preventDefault();
  target.setRangeText(rows.join(";"), target.selectionStart, target.selectionEnd, "end");
  setup.type(target.value, target.dataset.key);
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const tab = event.target.closest("[role=tab]");
  if (tab && isReachedByKeys() && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    // Only the focus goes there: a mode that is passed through may begin a game or a puzzle of its own.
    const step = event.key === "ArrowRight" ? 1 : MODES.length - 1;
    return at(`tab-${MODES[(MODES.indexOf(tab.dataset.mode) + step) % MODES.length]}`).focus();
  }
  // Who reached a button by keys presses it; on the board, Enter does that.
  const isOnBoard = Boolean(event.target.closest("#board"));
  if (event.key === " " && !(isReachedByKeys() && event.target.closest("button, summary") && !isOnBoard)) {
    event.preventDefault();
    if (!event.repeat) playBest();
  }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step && !event.defaultPrevented && !["learn", "setup", "count"].includes(session.mode)) {
    event.preventDefault();
    session.go(session.ply + step);
  }
});
document.addEventListener("keyup", event => {
  // A button is pressed when the space bar is released.
  if (event.key === " " && event.target.matches(isReachedByKeys() ? "#board button" : "button")) event.preventDefault();
});
at("language").addEventListener("click", () => {
  changeLanguage();
  showMessage("");
});
at("theme").addEventListener("click", () => {
  changeTheme();
  show();
});
at("values").addEventListener("change", event => {
  session.kept.values = event.target.checked ? "yes" : "no";
  session.changed();
});
at("warn").addEventListener("change", event => {
  warns = event.target.checked;
  keep("warn", warns ? "yes" : "no");
  show();
});
at("first").addEventListener("click", () => session.go(0));
at("back").addEventListener("click", () => session.go(session.ply - 1));
at("forward").addEventListener("click", () => session.go(session.ply + 1));
at("last").addEventListener("click", () => session.go(session.positions.length - 1));

function load() {
  play.stop();
  puzzles.stop();
  const isRead = session.readAddress();
  if (!isRead) session.changed();
  if (session.mode === "setup") setup.enter();
  // The board that was shown until now may have been another one.
  view.recentre();
  if (session.mode === "puzzles") puzzles.enter();
  if (session.mode === "count") counting.enter();
  const { illegal } = session;
  showMessage(!isRead ? say("badAddress") : illegal ? say("illegalAction", illegal) : "");
}

/** Shows the rules to those who have never been here, unless an address says what to show. */
function welcome() {
  const isFirst = recall("visited", ["yes"]) === null;
  keep("visited", "yes");
  if (isFirst && !location.hash) history.replaceState(null, "", "#mode=learn");
}

at("version").textContent = PAGE_VERSION;
source.tell = key => (key ? showMessage(say(key)) : show());
session.onChange(refresh);
addEventListener("popstate", load);
watchPreviews(texts => {
  preview(texts);
  view.redraw();
});
welcome();
load();
document.body.dataset.ready = "yes";
at("absent").remove();
