// Carries out the user's commands, given on the board or by buttons, fields and keys.

/** @import { Action, Cell } from "./types.d.ts" */
import { ask, yesOrNo } from "./brain.js";
import * as counting from "./count.js";
import { html } from "./elements.js";
import { fileName, gameText, nextMistake, save, saveAddress, takeBoard, takeText, togglePasting } from "./game.js";
import { addressOf, pictureOf, pngOf } from "./picture.js";
import * as play from "./play.js";
import { answerThatWins, attempt, colorOf, doveAt, gameOf, textOf } from "./position.js";
import * as puzzles from "./puzzle.js";
import { session } from "./session.js";
import * as setup from "./setup.js";
import { showMessage, state } from "./state.js";
import { changeLanguage, keep } from "./storage.js";
import { changeTheme, shownTheme } from "./theme.js";
import { analysis, at, board, isTurned, other, sharedAddress, show, showsValues, warnsOfAnswers, whoActs } from "./view.js";
import { say } from "./words.js";

board.wishes = {
  choose: letter => (session.mode === "setup" ? setup.choose(letter) : choose(letter)),
  place: cell => (session.mode === "setup" ? setup.place(cell) : place(cell)),
  letGo: () => {
    state.chosen = null;
    setup.board.chosen = null;
    show();
  },
};

/**
 * Chooses a dove, or deselects the chosen one. If the dove cannot be moved now, only shows a message: what the dove
 * is, or why it cannot be moved.
 *
 * @param {string} letter
 */
function choose(letter) {
  const about = say("about", { dove: letter });
  if (session.isOver) return showMessage(about);
  if (colorOf(letter) !== session.place.mover) return showMessage(`${about} ${say("notYours", { color: session.place.mover })}`);
  if (whoActs() === null) return showMessage(session.isAtEnd ? about : say("earlier"));
  state.chosen = state.chosen === letter ? null : letter;
  showMessage(state.chosen ? about : "");
}

/**
 * Puts the chosen dove on a cell, or back in the hand if `cell` is null; shows why if that is impossible. If no dove is
 * chosen, chooses the one on the cell.
 *
 * @param {Cell | null} cell
 */
function place(cell) {
  if (state.chosen) {
    const tried = attempt(session.place, state.chosen, cell);
    return tried.action ? act(tried.action) : showMessage(tried.refused);
  }
  const letter = cell && doveAt(board.view.doves, cell);
  if (letter) choose(letter);
  else if (whoActs()) showMessage(say("chooseFirst"));
  else if (!session.isAtEnd) showMessage(say("earlier"));
}

/** Plays the user's action. @param {Action} action */
function act(action) {
  if (whoActs() !== session.place.mover) return;
  state.chosen = null;
  showMessage("");
  const danger = warnsOfAnswers() ? answerThatWins(session.place, action) : null;
  if (session.mode === "puzzles") return puzzles.act(action);
  play.act(action, danger);
}

/** Plays the action with this text, if it is legal. @param {string} text */
function actBy(text) {
  const action = session.legal(text);
  if (action) act(action);
}

/** Plays the typed actions, or shows why they are refused. @param {string} text */
export function typeAction(text) {
  const { mover } = session.place;
  if (whoActs() !== mover) return showMessage(say(session.isOver ? "over" : session.isAtEnd ? "notYours" : "earlier", { color: mover }));
  const { steps = [], error = "" } = ask("game", { ...gameOf(session.place, []), actions: text });
  if (error) return showMessage(error);
  at("typed-action").value = "";
  for (const { action } of steps) if (action) actBy(action);
}

export function playBest() {
  const best = showsValues() && whoActs() ? analysis.bestOf(session.place) : null;
  if (best) actBy(best);
}

/** Changes the mode. @param {string} mode */
function enter(mode) {
  if (mode === session.mode) return;
  play.stop();
  puzzles.stop();
  if (mode === "setup") setup.enter();
  if (mode === "puzzles") delete session.kept.plies;
  session.mode = mode;
  session.changed(true);
  if (mode === "puzzles") puzzles.enter();
  if (mode === "count") counting.enter();
}

/** A picture of the current position as shown, with the action that led to it. */
function shownPicture() {
  const { positions, ply } = session;
  return pictureOf(positions[Math.max(ply - 1, 0)], positions[ply].action?.text, isTurned(), shownTheme());
}

/** @param {string} what */
async function copy(what) {
  const isCopied = await navigator.clipboard?.writeText(what).then(() => true, () => false) || copySelected(what);
  showMessage(isCopied ? say("copied") : say("cannotCopy", { text: what }));
}

/** Copies a text by selecting it, because browsers provide no clipboard at addresses in the local network. @param {string} what */
function copySelected(what) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = html("textarea", { class: "hidden-text" }, what);
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}

/**
 * Stores a setting in the address, unless it has its default value.
 *
 * @param {string} key
 * @param {string} value
 * @param {string} usual
 */
function keepInAddress(key, value, usual) {
  if (value === usual) delete session.kept[key];
  else session.kept[key] = value;
  session.changed();
}

/**
 * The commands of buttons by `data-do`, called with the button's other data. The page is redrawn afterwards.
 *
 * @type {Record<string, (data: Record<string, string>) => void>}
 */
export const DO = {
  // The page.
  language: () => {
    changeLanguage();
    showMessage("");
  },
  size: () => {
    state.isLarge = !state.isLarge;
    keep("size", state.isLarge ? "large" : "usual");
  },
  theme: changeTheme,
  mode: ({ mode }) => enter(mode),
  drawByHand: () => { board.draws = !board.draws; },
  turnBoard: () => { state.turned = !isTurned(); },
  sayBoard: () => showMessage(board.text()),
  takeBack: () => (state.message.back ? state.message.back.do() : session.restore(state.retry?.before ?? {})),
  // The game, and the values of its positions.
  go: ({ ply }) => session.go(Number(ply)),
  act: ({ action }) => actBy(action),
  best: playBest,
  line: () => analysis.askLines(session.place, session.ply),
  stepLine: ({ line: index, steps }) => {
    const { lines, ply } = analysis.steps ?? {};
    if (!lines || ply === undefined) return;
    const { line } = lines[Number(index)];
    // In mode play, the user cannot act in an earlier position or, against the engine, for the other side.
    if (session.mode === "analyse" && session.ply !== ply) session.go(ply);
    for (const { action } of line.slice(session.ply - ply, Number(steps))) actBy(action);
  },
  takeLine: ({ line, ply }) => session.takeLine(Number(line), Number(ply)),
  nextMistake: () => state.review && session.go(nextMistake(state.review)),
  tryAgain: () => {
    const { ply, texts } = session;
    state.retry ??= { ply, texts: texts.slice(0, ply), start: textOf(session.positions[0]), before: session.snapshot() };
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
  // A game against the engine, puzzles, the editor, and counts.
  hint: () => (session.mode === "play" ? play.hint() : puzzles.hint()),
  undo: play.undo, giveUp: play.giveUp, draw: play.draw, rematch: play.rematch,
  newGame: () => play.beginAnew(false), playFromHere: () => play.beginAnew(true),
  nextPuzzle: () => puzzles.next(), harder: puzzles.harder, daily: puzzles.daily, stopPuzzle: puzzles.stop,
  again: puzzles.again, solution: puzzles.solution, sheet: puzzles.sheet, newScore: puzzles.newScore,
  edit: ({ what }) => setup.edit(what),
  count: counting.start, stopCount: counting.stop, saveCount: ({ what }) => counting.saveCount(what),
  // Import and export of games, positions and pictures.
  copy: ({ text }) => copy(text),
  copyGame: () => copy(gameText()),
  share: () => copy(sharedAddress()),
  shareTo: () => navigator.share({ title: say("title"), url: sharedAddress() }).catch(() => {}),
  showCode: () => {
    state.showsCode = !state.showsCode;
    show();
    document.querySelector(".qr")?.scrollIntoView({ block: "nearest" });
  },
  paste: () => {
    togglePasting();
    show();
    at("paste-text")?.focus();
  },
  take: () => takeText(at("paste-text").value),
  takeBoard: ({ board }) => takeBoard(board),
  download: () => save(gameText(), "text/plain", fileName("txt")),
  savePicture: () => saveAddress(addressOf(shownPicture()), fileName("svg")),
  savePng: async () => {
    const address = await pngOf(shownPicture());
    if (address) saveAddress(address, fileName("png"));
    else showMessage(say("noPng"));
  },
};

/**
 * The commands of fields by `data-set`, called with the field's value and other data. The page is redrawn afterwards.
 *
 * @type {Record<string, (value: any, data: Record<string, string>) => void>}
 */
export const SET = {
  values: value => keepInAddress("values", yesOrNo(value), yesOrNo(session.mode === "analyse")),
  compare: value => keepInAddress("compare", value, ""),
  answers: value => {
    // This setting determines which positions are analysed.
    analysis.rest();
    other.rest();
    keepInAddress("answers", yesOrNo(value), "no");
  },
  warn: value => {
    state.warns = value;
    keep("warn", yesOrNo(value));
  },
  turns: value => {
    state.turnsForEach = value;
    keep("turns", yesOrNo(value));
  },
  you: value => play.choose("you", value), level: value => play.choose("level", value), game: value => play.choose("game", value),
  plies: value => puzzles.next({ plies: Number(value) }),
  unique: value => puzzles.next({ isUnique: value }),
  doves: value => puzzles.next({ doves: value }),
  scoreName: puzzles.nameScore,
  count: (value, { key }) => counting.change(key, value), countMost: value => counting.choose(Number(value)),
  mover: mover => setup.change({ mover, chosen: setup.board.chosen }),
  rule: (value, { key }) => setup.change({ game: setup.changedRule(setup.board.game, key, value), chosen: setup.board.chosen }),
  "board-text": (value, { key }) => setup.type(value, key),
};
