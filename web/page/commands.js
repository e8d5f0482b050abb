// What the user does: on the board, with buttons and with fields.

import { ask, gameKey } from "./brain.js";
import { boardText, doveAt, colorOf } from "./doves.js";
import { html } from "./board.js";
import { fileName, gameText, nextMistake, save, saveAddress, takeBoard, takeText, togglePasting } from "./game.js";
import { addressOf, pictureOf, pngOf, printSheet } from "./picture.js";
import { answerThatWins, attempt } from "./position.js";
import { session } from "./session.js";
import {
  analysis, isTurned, other, play, puzzles, sayMachine, setup, sharedAddress, showMessage, showsValues, startText, state,
  warnsOfAnswers, whoActs,
} from "./state.js";
import { keep } from "./storage.js";
import { changeTheme, shownTheme } from "./theme.js";
import { at, board, counting, show } from "./view.js";
import { changeLanguage, say } from "./words.js";

board.wishes = {
  choose: letter => (session.mode === "setup" ? setup.choose(letter) : choose(letter)),
  place: cell => (session.mode === "setup" ? setup.place(cell) : place(cell)),
  putInHand: () => (session.mode === "setup" ? setup.putInHand() : putInHand()),
  letGo: () => {
    state.chosen = null;
    setup.chosen = null;
    show();
  },
};

function choose(letter) {
  const about = say("about", { dove: letter });
  if (session.isOver) return showMessage(about);
  if (colorOf(letter) !== session.now.mover) return showMessage(`${about} ${say("notYours", { color: session.now.mover })}`);
  if (whoActs() === null) return showMessage(session.isAtEnd ? about : say("earlier"));
  state.chosen = state.chosen === letter ? null : letter;
  showMessage(state.chosen ? about : "");
}

function place(cell) {
  if (!state.chosen) {
    const letter = doveAt(board.view.doves, cell);
    if (letter) choose(letter);
    else if (whoActs()) showMessage(say("chooseFirst"));
    else if (!session.isAtEnd) showMessage(say("earlier"));
    return;
  }
  carryOut(attempt(session.place, state.chosen, cell));
}

function putInHand() {
  if (state.chosen) carryOut(attempt(session.place, state.chosen, null));
}

/** Carries out an attempt, or says why it is no action. */
function carryOut({ action, refused }) {
  if (refused) return showMessage(refused);
  act(action);
}

function act(action) {
  if (whoActs() !== session.now.mover) return;
  state.chosen = null;
  showMessage("");
  const danger = warnsOfAnswers() ? answerThatWins(session.place, action) : null;
  if (session.mode === "puzzles") return puzzles.act(action);
  play.danger = danger;
  session.act(action);
  if (danger && !session.isFinished) sayMachine(play.dangerText);
}

/** Takes the action of this text, if it is legal. */
function actBy(text) {
  const action = session.legal(text);
  if (action) act(action);
}

/** Takes the actions that were typed, or says why they are none. */
export function typeAction(text) {
  const { doves, mover, game } = session.place;
  if (whoActs() !== mover) return showMessage(say(session.isOver ? "over" : session.isAtEnd ? "notYours" : "earlier", { color: mover }));
  const { steps = [], error = "" } = ask("game", { start: boardText(doves), to_move: mover, actions: text, ...gameKey(game) });
  if (error) return showMessage(error);
  at("typed-action").value = "";
  for (const { action } of steps.slice(1)) actBy(action);
}

export function playBest() {
  const best = showsValues() && whoActs() ? analysis.bestOf(session.place) : null;
  if (best) actBy(best);
}

/** Begins a new game, which a button in the message takes back. */
function begin(fromHere) {
  const before = session.snapshot();
  state.turned = null;
  play.begin(fromHere);
  state.begun = { positions: session.positions, back: () => session.restore(before) };
  sayMachine(say("begun"));
}

/** Changes the mode. */
export function enter(mode) {
  if (mode === session.mode) return;
  play.stop();
  puzzles.stop();
  if (mode === "setup") setup.enter();
  if (mode === "puzzles") delete session.kept.plies;
  session.change(mode);
  if (mode === "puzzles") puzzles.enter();
  if (mode === "count") counting.enter();
}

/** The picture of the position that is shown, as it is seen, with the action that led to it. */
function shownPicture() {
  const { positions, ply, game } = session;
  const { doves, mover } = positions[Math.max(ply - 1, 0)];
  return pictureOf({ doves, mover, game }, positions[ply].action?.text, isTurned(), shownTheme());
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

function change(changes) {
  Object.assign(state, changes);
  show();
}

const yesOrNo = value => (value ? "yes" : "no");

/** Changes a setting that the browser keeps. */
function keepInBrowser(key, setting) {
  keep(key, yesOrNo(Object.values(setting)[0]));
  change(setting);
}

/** Changes a setting that the address has, unless it is the usual one. */
function keepInAddress(key, value, usual) {
  if (value === usual) delete session.kept[key];
  else session.kept[key] = value;
  session.changed();
}

/** What buttons do, by their `data-do`. */
export const DO = {
  language: () => {
    changeLanguage();
    showMessage("");
  },
  drawByHand: () => {
    board.draws = !board.draws;
    show();
  },
  size: () => {
    const isLarge = !state.isLarge;
    keep("size", isLarge ? "large" : "usual");
    change({ isLarge });
  },
  theme: () => {
    changeTheme();
    show();
  },
  mode: ({ mode }) => enter(mode),
  go: ({ ply }) => session.go(Number(ply)),
  act: ({ action }) => actBy(action),
  best: playBest,
  line: () => analysis.askLines(session.place, session.ply),
  stepLine: ({ line: index, steps }) => {
    const { lines, ply } = analysis.steps;
    const { line } = lines[index];
    // In a game against the machine, the user only moves for themself.
    if (session.mode === "analyse" && session.ply !== ply) session.go(ply);
    for (const { action } of line.slice(session.ply - ply, Number(steps))) actBy(action);
  },
  takeLine: ({ line, ply }) => session.takeLine(Number(line), Number(ply)),
  takeBack: () => (state.message.back ? state.message.back.do() : session.restore(state.retry.before)),
  nextMistake: () => session.go(nextMistake(state.review)),
  tryAgain: () => {
    const { ply, texts } = session;
    state.retry ??= { ply, texts: texts.slice(0, ply), start: startText(), before: session.snapshot() };
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
  hint: () => (session.mode === "play" ? play : puzzles).hint(),
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
  sheet: () => puzzles.sheet(async content => (await printSheet(content)) || showMessage(say("noPrint"))),
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
    change({ showsCode: !state.showsCode });
    document.querySelector(".qr")?.scrollIntoView({ block: "nearest" });
  },
  shareTo: () => navigator.share({ title: say("title"), url: sharedAddress() }).catch(() => {}),
  newScore: () => {
    const before = puzzles.beginScore();
    showMessage(say("scoreBegun"), () => {
      puzzles.beginScore(before);
      showMessage("");
    });
  },
  sayBoard: () => showMessage(board.text()),
  savePicture: () => saveAddress(addressOf(shownPicture()), fileName("svg")),
  savePng: async () => {
    const address = await pngOf(shownPicture());
    if (address) saveAddress(address, fileName("png"));
    else showMessage(say("noPng"));
  },
  turnBoard: () => change({ turned: !isTurned() }),
};

/** What fields set, by their `data-set`. */
export const SET = {
  values: value => keepInAddress("values", yesOrNo(value), yesOrNo(session.mode === "analyse")),
  compare: value => keepInAddress("compare", value, ""),
  answers: value => {
    // What is looked at differs.
    [analysis, other].forEach(one => one.rest());
    keepInAddress("answers", yesOrNo(value), "no");
  },
  warn: value => keepInBrowser("warn", { warns: value }),
  turns: value => keepInBrowser("turns", { turnsForEach: value }),
  you: value => play.choose("you", value),
  level: value => play.choose("level", value),
  game: value => play.choose("game", value),
  plies: value => puzzles.next({ plies: Number(value) }),
  unique: value => puzzles.next({ isUnique: value }),
  doves: value => puzzles.next({ doves: value }),
  scoreName: value => puzzles.nameScore(value),
  count: (value, { key }) => counting.change(key, value),
  countMost: value => counting.choose(Number(value)),
  mover: value => setup.move(value),
  rule: (value, { key }) => setup.change(key, value),
  "board-text": (value, { key }) => setup.type(value, key),
};
