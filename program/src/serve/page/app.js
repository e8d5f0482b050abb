// The page: ties the board, the panels and the address together, and passes on what the user does.

import { Analysis, withWorth } from "./analysis.js";
import { BoardView, html, refill } from "./board.js";
import { chart } from "./chart.js";
import { Play } from "./play.js";
import { Puzzles } from "./puzzle.js";
import { read, write } from "./record.js";
import { actionsOf, attempt, colorOf, doveAt, readBoard, wrongWith } from "./rules.js";
import { MODES, session } from "./session.js";
import { Setup } from "./setup.js";
import { changeTheme, currentTheme } from "./theme.js";
import { changeLanguage, currentLanguage, say, worthSign } from "./words.js";

const at = id => document.getElementById(id);
/** The letter of the dove that is taken up, if any. */
let chosen = null;
let notice = "";
/** Whether the field for pasting is open. */
let isPasting = false;
/** The first position of the game that is shown. */
let start = null;

const analysis = new Analysis(() => show());
const play = new Play(tell, () => show());
const puzzles = new Puzzles(() => show());
const setup = new Setup(() => show());
const view = new BoardView(at("board"), { red: at("hand-red"), green: at("hand-green") }, {
  choose: letter => (session.mode === "setup" ? setup.choose(letter) : choose(letter)),
  place: cell => (session.mode === "setup" ? setup.place(cell) : place(cell)),
  putInHand: () => (session.mode === "setup" ? setup.putInHand() : putInHand()),
  letGo: () => {
    chosen = null;
    setup.chosen = null;
    show();
  },
});

function tell(text) {
  notice = text;
  show();
}

/** The player whose doves the user may move now, if any. */
function free() {
  if (session.mode === "setup") return "both";
  if (session.isOver) return null;
  if (session.mode === "play") return play.isYours ? session.now.mover : null;
  if (session.mode === "puzzles") return puzzles.isYours ? session.now.mover : null;
  return session.now.mover;
}

function choose(letter) {
  if (session.isOver) return tell(say("over"));
  if (colorOf(letter) !== session.now.mover) return tell(say("notYours", { color: session.now.mover }));
  if (free() === null) return session.isAtEnd ? null : tell(say("earlier"));
  notice = "";
  chosen = chosen === letter ? null : letter;
  show();
}

function place(cell) {
  if (!chosen) {
    const letter = doveAt(view.view.doves, cell);
    if (letter) choose(letter);
    return;
  }
  take(attempt(session.now.doves, chosen, cell, session.game));
}

function putInHand() {
  if (chosen) take(attempt(session.now.doves, chosen, null, session.game));
}

/** Carries out an attempt, or says why it is no action. */
function take({ action, refused }) {
  if (refused) return tell(say(...refused));
  act(action);
}

function act(action) {
  if (free() !== session.now.mover) return;
  chosen = null;
  notice = "";
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
  document.title = `${say("title")} – dovemate`;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    element.title = element.id === "board" ? "" : say(element.dataset.label);
  }
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isThis = tab.dataset.mode === session.mode;
    tab.setAttribute("aria-selected", isThis);
    tab.tabIndex = isThis ? 0 : -1;
  }
  at("panel").setAttribute("aria-labelledby", `tab-${session.mode}`);
  at("language").lang = currentLanguage() === "en" ? "ja" : "en";
  at("theme").textContent = say(currentTheme());
  at("theme").title = `${say("theme")}: ${say(currentTheme())}`;
  at("theme").setAttribute("aria-label", at("theme").title);
  const isSetup = session.mode === "setup";
  document.body.dataset.mode = session.mode;
  at("values").checked = showsValues();
  at("values").disabled = session.mode === "puzzles" || isSetup;
  const { ply, positions } = session;
  at("first").disabled = at("back").disabled = ply === 0 || isSetup;
  at("forward").disabled = at("last").disabled = session.isAtEnd || isSetup;
  showBoard(isSetup);
  at("notice").textContent = notice;
  for (const panel of document.querySelectorAll("[data-for]")) panel.hidden = panel.dataset.for !== session.mode;
  refill(at("play-panel"), session.mode === "play" ? play.panel() : []);
  refill(at("puzzle-panel"), session.mode === "puzzles" ? puzzles.panel() : []);
  refill(at("setup-panel"), isSetup ? setup.panel() : []);
  refillActions(at("analysis-panel"), showsValues() ? analysis.panel(session.place) : []);
  refill(at("game-panel"), isSetup || session.mode === "puzzles" ? [] : gamePanel(ply, positions));
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
  else if (chosen && !isSetup && free()) targets = withWorth(actionsOf(doves, chosen, game), answer);
  const wrong = isSetup && setup.wrong?.[1].dove;
  if (start !== session.positions[0] && !isSetup) {
    view.recentre();
    start = session.positions[0];
  }
  const isOver = !isSetup && session.isOver;
  view.show({
    doves, mover: isOver ? null : mover, targets, game, free: free(),
    chosen: isSetup ? setup.chosen : chosen,
    last: isSetup ? null : session.now.action, marks: wrong ? [wrong] : null,
  });
  at("turn").textContent = isOver ? say("over") : say("toMove", { color: mover });
  at("turn").className = isOver ? "turn" : `turn ${mover}`;
}

function gamePanel(ply, positions) {
  const isShown = showsValues() || session.kept.values === "yes";
  const worths = positions.map(position => (isShown ? analysis.worthOf({ ...position, game: session.game }) : null));
  const step = (text, index) => {
    const value = worths[index];
    return html("li", {}, html("button", {
      "data-do": "go", "data-ply": index, class: `action${index === ply ? " current" : ""}${value ? ` worth-${value.value}` : ""}`, "aria-current": index === ply ? "step" : null,
    }, index ? `${index}. ${text}` : text, value ? html("span", { class: "sign" }, ` ${worthSign(value)}`) : null));
  };
  const points = positions.map((position, index) => ({ ply: index, mover: position.mover, worth: worths[index] })).filter(point => point.worth);
  return [
    html("h3", {}, say("game")),
    html("ol", { class: "game", id: "game-list" }, positions.map(({ action }, index) => step(action?.text ?? say("start"), index))),
    html("p", { class: "buttons" },
      html("button", { "data-do": "copyGame" }, say("copyGame")),
      html("button", { "data-do": "paste", "aria-expanded": String(isPasting) }, say("pasteGame")),
      html("button", { "data-do": "download" }, say("download"))),
    isPasting ? html("p", { class: "paste" },
      html("label", {}, say("pasteHere"), html("textarea", { id: "paste-text", rows: 6, spellcheck: "false" })),
      html("button", { "data-do": "take", class: "main" }, say("take")), " ", html("button", { "data-do": "paste" }, say("close"))) : null,
    showsValues() ? chart(points, positions.length - 1, ply) : null,
  ];
}

/** Runs after every change of the game, of the place in it or of the mode. */
function follow() {
  chosen = null;
  notice = "";
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
}

const text = () => write({ game: session.game, players: session.players, positions: session.positions, ending: session.ending });

async function copy(what) {
  try {
    await navigator.clipboard.writeText(what);
    tell(say("copied"));
  } catch {
    tell(say("cannotCopy", { text: what }));
  }
}

function takeText(text) {
  const first = text.trimStart();
  if (first.startsWith("Tokyo Doves")) {
    const game = read(first);
    if (game.wrong) return tell(say(...game.wrong));
    isPasting = false;
    return session.begin(game);
  }
  const { doves, wrong } = readBoard(text);
  const problem = wrong ?? wrongWith(doves, session.game);
  if (problem) return tell(say(...problem));
  isPasting = false;
  session.begin({ doves, mover: "red" });
}

const DO = {
  mode: ({ mode }) => enter(mode),
  go: ({ ply }) => session.go(Number(ply)),
  act: ({ action }) => {
    const legal = session.legal(action);
    if (legal) act(legal);
  },
  best: playBest,
  line: () => analysis.askLine(session.place),
  stepLine: ({ steps }) => {
    const line = analysis.steps?.line?.slice(0, Number(steps)) ?? [];
    for (const { action } of line) {
      const legal = session.legal(action);
      if (legal) act(legal);
    }
  },
  hint: () => play.hint(),
  undo: () => play.undo(),
  giveUp: () => play.giveUp(),
  draw: () => play.draw(),
  newGame: () => play.begin(false),
  playFromHere: () => play.begin(true),
  nextPuzzle: () => puzzles.next(),
  stopPuzzle: () => {
    puzzles.stop();
    show();
  },
  again: () => puzzles.again(),
  solution: () => puzzles.solution(),
  edit: ({ what }) => setup.edit(what),
  copy: ({ text }) => copy(text),
  copyGame: () => copy(text()),
  paste: () => {
    isPasting = !isPasting;
    show();
    at("paste-text")?.focus();
  },
  take: () => takeText(at("paste-text").value),
  download: () => {
    const link = html("a", { href: `data:text/plain;charset=utf-8,${encodeURIComponent(text())}`, download: "game.txt" });
    link.click();
  },
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
  mover: value => setup.move(value),
  rule: (value, { key }) => setup.change(key, value),
  "board-text": (value, { key }) => setup.type(value, key),
};

function playBest() {
  const best = showsValues() && free() ? analysis.of(session.place)?.actions[0] : null;
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
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const tab = event.target.closest("[role=tab]");
  if (tab && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    // Only the focus goes there: a mode that is passed through may begin a game or a puzzle of its own.
    const step = event.key === "ArrowRight" ? 1 : MODES.length - 1;
    return at(`tab-${MODES[(MODES.indexOf(tab.dataset.mode) + step) % MODES.length]}`).focus();
  }
  if (event.key === " " && !event.target.closest("button, summary")) {
    event.preventDefault();
    playBest();
  }
});
at("language").addEventListener("click", () => {
  changeLanguage();
  notice = "";
  show();
});
at("theme").addEventListener("click", () => {
  changeTheme();
  show();
});
at("values").addEventListener("change", event => {
  session.kept.values = event.target.checked ? "yes" : "no";
  session.changed();
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
  if (session.mode === "puzzles") puzzles.enter();
  tell(isRead ? "" : say("badAddress"));
}

at("version").textContent = document.body.dataset.version;
session.onChange(follow);
addEventListener("popstate", load);
load();
document.body.dataset.ready = "yes";
