// The page: ties the board, the panels and the address together, and passes on what the user does.

import { Analysis, otherGames, withWorth } from "./analysis.js";
import { BoardView, html, refill } from "./board.js";
import { Counting } from "./count.js";
import { PAGE_VERSION } from "./brain.js";
import { colorOf, doveAt } from "./doves.js";
import { whyOver } from "./ending.js";
import { isReachedByKeys } from "./focus.js";
import { fileName, gamePanel, gameText, missedActions, missedText, nextMistake, reviewButtons, reviewed, save, saveAddress, takeBoard, takeText, togglePasting, verdictOf } from "./game.js";
import { learnPanel } from "./learn.js";
import { addressOf, codeOf, pictureOf, pngOf } from "./picture.js";
import { Play } from "./play.js";
import { actionsOf, answerThatWins, attempt, surroundedIn } from "./position.js";
import { actionsFrom, watchPreviews } from "./preview.js";
import { Puzzles } from "./puzzle.js";
import { MODES, session } from "./session.js";
import { Setup } from "./setup.js";
import { source } from "./source.js";
import { keep, recall } from "./storage.js";
import { changeTheme, currentIcon, currentTheme } from "./theme.js";
import { changeLanguage, currentLanguage, rulesText, say } from "./words.js";

const at = id => document.getElementById(id);
/** The letter of the dove that is taken up, if any. */
let chosen = null;
let notice = "";
/** What the button beside the notice does, and the key of its text: {back, text}; null if there is none. */
let takesBack = null;
/** What brings back the game before a new one, {positions, back}, for as long as nobody but the machine has acted. */
let begun = null;
/** The texts of the actions that the notice is about, and of those that are pointed at, which are drawn on the board. */
let drawn = [];
let pointed = [];
/** Whether the board is seen from green's side, as the user chose; null for the usual side. */
let turned = null;
/** Whether it is seen from the side of each of two players in turn. */
let turnsForEach = recall("turns", ["yes"]) !== null;
/** Whether the QR code of the address is shown. */
let showsCode = false;
/** What is known of the game that is shown; null where no values are shown. */
let review = null;
/** A mistake that is tried again: {ply, text, before}, the action's place in the game, and the game before. */
let retry = null;
/** Whether cells at which an action ends the game are marked. */
let warns = recall("warn", ["no"]) === null;
/** The first position of the game that is shown. */
let start = null;

const analysis = new Analysis(() => show());
/** The same position by another rule. */
const other = new Analysis(() => show());
const play = new Play(showMessage, sayMachine);
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
function showMessage(text, back = null, actions = [], key = "takeBack") {
  notice = text;
  takesBack = back && { back, text: key };
  drawn = actions;
  show();
}

/** The actions that are only thought of: those that are pointed at, those of the message, or those of a mistake. */
function thoughts() {
  const isSolution = session.mode === "puzzles" && puzzles.isShown && !session.isAtEnd;
  const texts = pointed.length ? pointed : isSolution ? [session.texts[session.ply]] : drawn;
  if (texts.length || !isReviewed()) return actionsFrom(session.place, texts);
  return missedActions(review);
}

/** Begins a new game, which a button in the message takes back. */
function begin(fromHere) {
  const before = session.snapshot();
  turned = null;
  play.begin(fromHere);
  begun = { positions: session.positions, back: () => session.restore(before) };
  sayMachine(say("begun"));
}

/** Says what the machine did. As long as the user has not acted, the game before can be gone back to. */
function sayMachine(text) {
  const isNew = begun?.positions === session.positions && play.lastTurn < 0;
  if (isNew) showMessage(text, begun.back, [], "backToGame");
  else showMessage(text, play.danger && (() => play.undo()));
}

/** Whether the board is seen from green's side: usually by who plays green on a phone. */
function isTurned() {
  if (session.mode !== "play") return turned ?? false;
  if (play.isForTwo && turnsForEach) return session.now.mover === "green";
  return turned ?? (play.you === "green" && matchMedia("(max-width: 560px)").matches);
}

/** The address to pass on: of a puzzle without what has been tried, of a game as one to look at; from elsewhere, too. */
function sharedAddress() {
  const isOwn = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const page = isOwn && document.body.dataset.network || location.href.split("#")[0];
  const isPuzzle = session.mode === "puzzles";
  return `${page}#${session.address(isPuzzle ? "puzzles" : "analyse", isPuzzle)}`;
}

/** The picture of the position that is shown, as it is seen, with the action that led to it. */
function shownPicture() {
  const { positions, ply, game } = session;
  const { doves, mover } = positions[Math.max(ply - 1, 0)];
  return pictureOf({ doves, mover, game }, positions[ply].action?.text, isTurned());
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
    else if (whoActs()) showMessage(say("chooseFirst"));
    else if (!session.isAtEnd) showMessage(say("earlier"));
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
  const danger = warnsOfAnswers() ? answerThatWins(session.place, action) : null;
  if (session.mode === "puzzles") return puzzles.act(action);
  play.danger = danger;
  session.act(action);
  if (danger && !session.isFinished) sayMachine(play.dangerText);
}

function showsValues() {
  if (session.mode === "analyse") return session.kept.values !== "no" && !isTrying();
  return session.kept.values === "yes" && session.mode === "play";
}

/** Whether the user is to find a better action now; and whether one has been tried in its place. */
const isTrying = () => retry !== null && session.ply === retry.ply - 1 && session.texts[session.ply] === retry.text;
const hasTried = () => retry !== null && session.ply === retry.ply && session.texts[retry.ply - 1] !== retry.text;

/** Whether actions are marked that let a weak machine win at once. */
const warnsOfAnswers = () => warns && session.mode === "play" && play.isGentle;

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
  const colours = `${say("theme")}${say("colon")}${say(currentTheme())}`;
  at("theme").title = colours;
  at("theme").setAttribute("aria-label", colours);
  at("theme-icon").setAttribute("d", currentIcon());
  const isSetup = session.mode === "setup";
  document.body.dataset.mode = session.mode;
  at("values").checked = showsValues();
  at("values").disabled = session.mode === "puzzles" || isSetup;
  const { ply, positions } = session;
  const plies = { first: 0, back: ply - 1, forward: ply + 1, last: positions.length - 1 };
  for (const [id, to] of Object.entries(plies)) {
    at(id).dataset.ply = to;
    at(id).disabled = isSetup || (id === "first" || id === "back" ? ply === 0 : session.isAtEnd);
  }
  review = showsValues() ? reviewed(analysis) : null;
  view.previewed = isSetup ? [] : thoughts();
  showBoard(isSetup);
  const isTried = isTrying() || hasTried();
  const said = [notice, isTried ? tryText() : isSetup ? "" : over() || (isReviewed() ? missedText(review) : "")].filter(Boolean).join(" ");
  const back = takesBack && notice ? takesBack : isTried ? { text: "backToGame" } : null;
  refill(at("notice"), said, back ? [" ", html("button", { "data-do": "takeBack" }, say(back.text))] : null);
  at("rules").textContent = rulesText(isSetup ? setup.game : session.game);
  at("warn").checked = warns;
  for (const panel of document.querySelectorAll("[data-for]")) panel.hidden = panel.dataset.for !== session.mode;
  refill(at("status"), status());
  refill(at("learn-panel"), session.mode === "learn" ? learnPanel() : []);
  refill(at("beside"), beside());
  refill(at("play-panel"), session.mode === "play" ? play.panel(turnsForEach) : []);
  refill(at("puzzle-panel"), session.mode === "puzzles" ? puzzles.panel(puzzles.isThere ? shownCode() : null) : []);
  refill(at("setup-panel"), isSetup ? setup.panel() : []);
  refill(at("count-panel"), session.mode === "count" ? counting.panel(notice) : []);
  const [{ compare }, otherPlace] = [session.kept, comparedPlace()];
  refillActions(at("analysis-panel"), showsValues() ? analysis.panel(session.place, compare, otherPlace && other.side(otherPlace, compare)) : []);
  refill(at("game-panel"), ["analyse", "play"].includes(session.mode) ? gamePanel(review, {
    showsGraph: showsValues(), isReviewed: isReviewed(), isLooking: analysis.isFilling, isTurned: isTurned(), code: shownCode(),
  }) : []);
  showCurrent();
}

/** Shows in every view, and in the browser's tab, that a count on the GPU runs. */
function showCount() {
  const { running } = counting;
  if (running === null) delete at("tab-count").dataset.share;
  else at("tab-count").dataset.share = `${running} %`;
  document.title = `${running === null ? "" : `${running} % – `}${say("title")} – dovemate`;
}

/** The position by another rule, whose values are shown, too; null if none is chosen. */
function comparedPlace() {
  const game = session.mode === "analyse" && showsValues() ? otherGames(session.game)[session.kept.compare] : null;
  return game ? { ...session.place, game } : null;
}

const shownCode = () => (showsCode ? codeOf(sharedAddress(), say("qrCode")) : null);

/** Why the game is over in the position that is shown. */
const over = () => whyOver(session.place);

/** Whether what each action gave away is said. */
const isReviewed = () => review !== null && session.isFinished;

/** What is to be found, or how good what was tried is. */
function tryText() {
  if (isTrying()) return say("tryTask", { action: retry.text, color: session.now.mover });
  const verdict = review && verdictOf(review);
  if (!verdict) return say("checking");
  return verdict.mistake ? missedText(review) : say(verdict.kind === "kept" ? "triedWell" : "triedLikely", { action: session.texts[session.ply - 1] });
}

/** The buttons that one looks for beside the board. */
function beside() {
  const buttons = { play, puzzles }[session.mode]?.buttons() ?? [];
  return [...buttons, ...(isReviewed() ? reviewButtons(review) : [])];
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
  document.body.dataset.turned = isTurned() ? "yes" : "no";
  view.show({
    isTurned: isTurned(), doves, mover: isOver ? null : mover, targets, game, free: whoActs(),
    chosen: isSetup ? setup.chosen : chosen,
    last: isSetup ? null : session.now.action,
    surrounded: isSetup ? setup.arranged.surrounded : surroundedIn(session.place),
  });
  const isTask = session.mode === "puzzles" && puzzles.isThere && !isOver;
  at("turn").textContent = isSetup ? "" : isOver ? say("over") : isTask ? puzzles.task() : say("toMove", { color: mover });
  at("turn").className = isOver || isSetup ? "turn" : `turn ${mover}`;
}

/** Targets with `end`, where an action "wins" or "loses" at once, or is "risky": the opponent can win then. */
function withEnds(targets) {
  if (!warns) return targets;
  const ends = { won: "wins", lost: "loses" };
  const risk = target => (warnsOfAnswers() && answerThatWins(session.place, target) ? "risky" : undefined);
  return targets.map(target => ({ ...target, end: ends[target.outcome] ?? risk(target) }));
}

/** Runs after every change of the game, of the place in it or of the mode. */
function refresh() {
  chosen = null;
  notice = "";
  takesBack = null;
  drawn = [];
  if (retry && !isTrying() && !hasTried()) retry = null;
  if (showsValues()) {
    const others = session.positions.filter((_, index) => index !== session.ply).map(({ doves, mover }) => ({ doves, mover, game: session.game }));
    analysis.watch(session.place, others, session.isFinished || retry !== null);
  } else analysis.rest();
  const otherPlace = comparedPlace();
  if (otherPlace) other.watch(otherPlace);
  else other.rest();
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
  language: () => {
    changeLanguage();
    showMessage("");
  },
  theme: () => {
    changeTheme();
    show();
  },
  mode: ({ mode }) => enter(mode),
  go: ({ ply }) => session.go(Number(ply)),
  act: ({ action }) => {
    const legal = session.legal(action);
    if (legal) act(legal);
  },
  best: playBest,
  line: () => analysis.askLines(session.place, session.ply),
  stepLine: ({ line: index, steps }) => {
    const { lines, ply } = analysis.steps;
    const { line } = lines[index];
    // In a game against the machine, the user only moves for themself.
    if (session.mode === "analyse" && session.ply !== ply) session.go(ply);
    for (const { action } of line.slice(session.ply - ply, Number(steps))) {
      const legal = session.legal(action);
      if (legal) act(legal);
    }
  },
  takeLine: ({ line, ply }) => session.takeLine(Number(line), Number(ply)),
  takeBack: () => (takesBack ? takesBack.back() : session.restore(retry.before)),
  nextMistake: () => session.go(nextMistake(review)),
  tryAgain: () => {
    const { ply, texts } = session;
    retry = { ply, text: texts[ply - 1], before: session.snapshot() };
    session.go(ply - 1);
  },
  lookLonger: () => {
    analysis.lookLonger();
    session.changed();
  },
  review: () => {
    if (session.kept.values === "no") delete session.kept.values;
    enter("analyse");
  },
  hint: () => play.hint(),
  undo: () => play.undo(),
  giveUp: () => play.giveUp(),
  draw: () => play.draw(),
  newGame: () => begin(false),
  rematch: () => {
    play.swap();
    begin(false);
  },
  playFromHere: () => begin(true),
  nextPuzzle: () => puzzles.next(),
  harder: () => puzzles.next({ plies: puzzles.wanted.plies + 2 }),
  daily: () => puzzles.daily(),
  sheet: () => puzzles.sheet(printSheet),
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
  take: () => takeText(at("paste-text").value) || show(),
  takeBoard: ({ board }) => takeBoard(board),
  download: () => save(gameText(), "text/plain", fileName("txt")),
  share: () => copy(sharedAddress()),
  showCode: () => {
    showsCode = !showsCode;
    show();
  },
  savePicture: () => saveAddress(addressOf(shownPicture()), fileName("svg")),
  savePng: async () => saveAddress(await pngOf(shownPicture()), fileName("png")),
  turnBoard: () => {
    turned = !isTurned();
    show();
  },
};

const SET = {
  values: value => {
    const [chosen, usual] = [value ? "yes" : "no", session.mode === "analyse" ? "yes" : "no"];
    if (chosen === usual) delete session.kept.values;
    else session.kept.values = chosen;
    session.changed();
  },
  compare: value => {
    if (value) session.kept.compare = value;
    else delete session.kept.compare;
    session.changed();
  },
  answers: value => {
    if (value) session.kept.answers = "yes";
    else delete session.kept.answers;
    // What is looked at differs.
    [analysis, other].forEach(one => one.rest());
    session.changed();
  },
  warn: value => {
    warns = value;
    keep("warn", value ? "yes" : "no");
    show();
  },
  you: value => play.choose("you", value),
  level: value => play.choose("level", value),
  game: value => play.choose("game", value),
  turns: value => {
    turnsForEach = value;
    keep("turns", value ? "yes" : "no");
    show();
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

/** Prints these elements, and nothing else of the page. */
async function printSheet(content) {
  refill(at("sheet"), content);
  await Promise.all([...at("sheet").querySelectorAll("img")].map(image => image.decode()));
  document.body.classList.add("printing");
  print();
  document.body.classList.remove("printing");
}

function playBest() {
  const best = showsValues() && whoActs() ? analysis.bestOf(session.place) : null;
  const action = best && session.legal(best);
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
  const { key } = target.dataset;
  setup.type(target.value, key);
  // A field that has the focus keeps what is typed; this was not.
  if (!setup.typed) target.value = setup.arranged[key];
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
  const tab = event.target.closest("[role=tab]");
  if (tab && isReachedByKeys() && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    // Only the focus goes there: a mode that is passed through may begin a game or a puzzle of its own.
    const step = event.key === "ArrowRight" ? 1 : MODES.length - 1;
    return at(`tab-${MODES[(MODES.indexOf(tab.dataset.mode) + step) % MODES.length]}`).focus();
  }
  // Who reached a button by keys presses it; on the board, Enter does that.
  const isButton = event.target.closest("button, summary, input") && !event.target.closest("#board");
  if (event.key === " " && !(isReachedByKeys() && isButton)) {
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
  if (event.key === " " && event.target.matches(isReachedByKeys() ? "#board button" : "button, input")) event.preventDefault();
});

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
  pointed = texts;
  view.previewed = thoughts();
  view.redraw();
});
welcome();
load();
document.body.dataset.ready = "yes";
at("absent").remove();
