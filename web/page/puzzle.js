// Puzzles: positions that the player to move wins in a number of plies. The machine defends as long as it can.

import { FULL_GAME, ask, gameKey, sentenceOf, yesOrNo } from "./brain.js";
import { button, checkbox, html, labelled, select } from "./elements.js";
import { localTime, shareButtons, typingLine } from "./game.js";
import { printSheet } from "./picture.js";
import { COLORS, dovesOf, dovesOfText } from "./position.js";
import { session } from "./session.js";
import { randomSeed, source } from "./source.js";
import { showMessage, state } from "./state.js";
import { keep, recallList } from "./storage.js";
import { pliesText, say } from "./words.js";

const PLIES = [1, 3, 5, 7];
const MIN_DOVES = 2;
/** The stars of the hardest puzzles, and the number of promising first actions that makes one harder. */
const MOST_STARS = 5;
const MANY_PROMISING = 6;
/** The points expected, in thousandths, from which an action looks good to someone who sees two plies. */
const GOOD_PER_MILLE = 500;
/** The puzzles that are remembered, and those of them that are linked to. */
const MOST_REMEMBERED = 200;
const MOST_LINKED = 20;
/** The positions searched for a puzzle of the day, and the puzzles of a sheet. */
const DAILY_POSITIONS = 1_000_000;
const SHEET_PUZZLES = 6;
/** The most half-second questions on whether a board is a puzzle. */
const MOST_CHECKS = 8;

const recallTried = () => recallList("puzzles", puzzle => typeof puzzle?.address === "string" && typeof puzzle.isRight === "boolean");

/** The answer to a question that is repeated until it has had enough time; null if that takes more than `most` times. */
async function settled(question, most = Infinity, isEnough = answer => !answer.out_of_time) {
  for (let asked = 0; asked < most; asked++) {
    const answer = await question();
    if (isEnough(answer)) return answer;
  }
  return null;
}

/** The message to show: a key of words.js and its parameters. */
let told = null;
/** The number of first actions that look good; null as long as it is not known. */
let promising = null;
/** The wishes for the next puzzle. */
let wanted = { plies: 3, isUnique: true, doves: "any" };
/** The controllers of the question that is being asked and of the check of the board, if any. */
let asked = null;
let checked = null;
/** The hint that was asked for last: {place, action}. */
export let hinted = null;
/** The puzzles that were tried on this device, the latest last: {address, isRight}; and who solves here. */
let tried = recallTried();
let [scoreName = ""] = recallList("score", name => typeof name === "string");

const isBusy = () => asked !== null;
/** Whether the address holds a puzzle, and its plies. */
export const isThere = () => session.kept.plies !== undefined;
const pliesOf = () => Number(session.kept.plies);
/** Whether the game is the solution, to be stepped through. */
export const isShown = () => session.kept.shown === "yes";
/** Whether the user may act now. */
export const isYours = () => isThere() && !isShown() && !isBusy() && session.isAtEnd && !session.result && session.ply % 2 === 0;

/** The numbers of doves that a puzzle can have. */
function numbers() {
  const most = COLORS.flatMap(color => dovesOf(session.game, color)).length;
  return Array.from({ length: most - MIN_DOVES + 1 }, (_, index) => MIN_DOVES + index);
}

/** Remembers how the puzzle that is shown went: what came first counts. */
function remember(isRight) {
  const address = session.address("puzzles", true);
  // Another tab may have added some.
  const kept = recallTried();
  if (kept.length) tried = kept;
  if (!tried.some(puzzle => puzzle.address === address)) keepTried([...tried, { address, isRight }].slice(-MOST_REMEMBERED));
}

function keepTried(puzzles) {
  tried = puzzles;
  keep("puzzles", JSON.stringify(tried));
}

/** Resets the score, which a button in the message takes back. */
export function newScore() {
  const before = tried;
  keepTried([]);
  showMessage(say("scoreBegun"), () => {
    keepTried(before);
    showMessage("");
  });
}

/** Names who solves here. */
export function nameScore(name) {
  scoreName = name;
  keep("score", JSON.stringify([name]));
}

/** Runs after the page is loaded, from an address that may have a board, or the mode changes. */
export function enter(hasBoard = false) {
  const { plies, unique, doves } = session.kept;
  // The game may have fewer doves now than when the puzzle was drawn.
  const isOffered = numbers().includes(Number(doves));
  wanted = { plies: Number(plies) || wanted.plies, isUnique: unique !== "no", doves: isOffered ? doves : "any" };
  // An address may ask for a puzzle without a board, or have a board and no number of plies.
  if (!hasBoard) delete session.kept.plies;
  else session.kept.plies ??= String(wanted.plies);
  const isOver = Boolean(session.lastResult);
  // Takes back an action that was being checked when the page was left.
  if (isThere() && !isOver && !isShown() && session.positions.length % 2 === 0) session.cut(session.positions.length - 2, false);
  told = isShown() ? ["shown", { line: session.texts.join(" ") }] : isOver && session.ply > 0 ? ["solved"] : null;
  if (!isThere()) return next();
  rate();
  check();
}

/** Says so if the board, which an address may have from anywhere, is no such win. */
async function check() {
  const [start] = session.positions;
  const plies = pliesOf();
  checked = new AbortController();
  const { signal } = checked;
  const answer = await settled(() => source.position(start, { depth: plies }, signal), MOST_CHECKS).catch(() => null);
  if (!answer || answer.worth.value === "win" && (answer.worth.plies ?? plies) === plies) return;
  told = ["noSuchWin", { color: start.mover, plies }];
  state.redraw();
}

/** Finds out how many first actions look good. */
async function rate() {
  promising = null;
  const [start] = session.positions;
  const { actions } = await source.position(start, { depth: 2 }).catch(() => ({}));
  if (!actions || session.positions[0].doves !== start.doves) return;
  const looksGood = ({ value, estimate }) => value !== "lose" && (estimate?.per_mille ?? GOOD_PER_MILLE) >= GOOD_PER_MILLE;
  promising = actions.filter(looksGood).length;
  state.redraw();
}

/** How hard the puzzle is: longer ones and ones with many promising first actions are harder. */
function grade() {
  const stars = Math.min((pliesOf() + 1) / 2 + (promising >= MANY_PROMISING ? 1 : 0), MOST_STARS);
  return say("grade", { stars: "★".repeat(stars) + "☆".repeat(MOST_STARS - stars), promising });
}

/** Ends the question that is being asked. */
export function stop() {
  asked?.abort();
  asked = null;
  checked?.abort();
  if (told?.[0] === "drawing") told = null;
}

/**
 * Shows a message until `question`, a function of an abort signal, is answered; then calls `take` with the answer.
 * False if the question was stopped or failed.
 */
async function inquire(message, question, take) {
  stop();
  const controller = new AbortController();
  asked = controller;
  told = message;
  state.redraw();
  const { answer, error } = await question(controller.signal).then(answer => ({ answer }), error => ({ error }));
  if (controller.signal.aborted) return false;
  asked = null;
  if (!error) take(answer);
  else told = sentenceOf(error);
  state.redraw();
  return !error;
}

/** Draws the next puzzle, with these wishes changed. */
export function next(wishes = {}) {
  wanted = { ...wanted, ...wishes };
  return draw(session.game, wanted, randomSeed());
}

export const harder = () => next({ plies: wanted.plies + 2 });

/** The puzzle of the day, the same everywhere: its date is the seed, and positions limit the search, not time. */
export function daily() {
  const [day] = localTime();
  draw(FULL_GAME, { plies: 3, isUnique: true, doves: "any", positions: DAILY_POSITIONS }, Number(day.replaceAll("-", "")), day);
}

function draw(game, wanted, seed, day) {
  return inquire(["drawing"], signal => source.puzzle(game, wanted, seed, signal), found => {
    told = found ? null : ["noPuzzle"];
    if (!found) return;
    const { shown, day: before, ...kept } = session.kept;
    const { plies, isUnique, doves } = wanted;
    session.kept = { ...kept, plies: String(plies), unique: yesOrNo(isUnique), doves, ...(day && { day }) };
    session.begin({ game, doves: dovesOfText(found.board), mover: found.to_move });
    rate();
  });
}

/** Draws puzzles, and prints the library's sheet of them. */
export function sheet() {
  const question = async signal => {
    const found = [];
    for (let seed = randomSeed(); found.length < SHEET_PUZZLES; seed++) {
      const puzzle = await source.puzzle(session.game, wanted, seed, signal);
      if (!puzzle) break;
      if (found.every(({ board }) => board !== puzzle.board)) found.push(puzzle);
    }
    return found;
  };
  const unique = yesOrNo(wanted.isUnique);
  inquire(["drawing"], question, async found => {
    told = found.length ? null : ["noPuzzle"];
    if (!found.length) return;
    const texts = found.map(({ board, to_move: mover, line }) => [board, mover, ...line].join(" "));
    const { html: content } = ask("sheet", { puzzles: texts.join(), unique, ...gameKey(session.game) });
    if (!await printSheet(content)) showMessage(say("noPrint"));
  });
}

/** Takes the user's action: goes on if it wins in time, otherwise says what refutes it. */
export async function act(action) {
  const left = pliesOf() - session.ply - 1;
  const by = action.outcome;
  if (by === "lost" || by === "drawn") {
    told = [by === "lost" ? "wrongOwn" : "wrongBoth", { action: action.text }];
    remember(false);
    return showMessage("", null, [action.text]);
  }
  // Going back leads to the user's own turn, so the action becomes a step only when it has been answered.
  session.act(action, by === "won");
  if (by === "won") {
    told = ["solved"];
    remember(true);
    return state.redraw();
  }
  const { place, ply } = session;
  const takeBack = () => session.cut(ply - 1, false);
  const effort = { depth: Math.max(left, 1), seconds: 2 };
  const isChecked = await inquire(["checking"], signal => settled(() => source.position(place, effort, signal)), answer => {
    const { worth: { value, plies }, actions: [best] } = answer;
    if (session.ply !== ply) {
      told = null;
      takeBack();
    } else if (value === "lose" && plies !== null && plies <= left) {
      told = best ? ["right", { action: best.action }] : ["solved"];
      if (best) session.act(session.legal(best.action));
      else remember(true);
    } else {
      remember(false);
      const known = best && plies !== null ? { win: "wrongLets", lose: "wrongSlow" }[value] : null;
      const parameters = { action: action.text, refutation: best?.action, color: place.mover, plies: known ? plies : pliesOf() };
      told = [known ?? (best ? "wrong" : "wrongPlain"), parameters];
      takeBack();
      showMessage("", null, [action.text, best?.action].filter(Boolean));
    }
  });
  if (!isChecked && session.positions[ply]?.action === action) takeBack();
}

/** Gives `take` the texts of a line that wins from this place within these plies, if there is one. */
function askLine(place, depth, take) {
  // A line that has begun is enough.
  const isEnough = ({ out_of_time: isOpen, line }) => !isOpen || line.length > 0;
  const question = signal => settled(() => source.line(place, { seconds: 2, depth }, signal), Infinity, isEnough);
  return inquire(["checking"], question, ({ line, worth }) => {
    showMessage("");
    told = ["lineNone"];
    if (worth.value !== "win" || !line.length) return;
    remember(false);
    take(line.map(({ action }) => action));
  });
}

export function solution() {
  const [start] = session.positions;
  askLine(start, pliesOf(), texts => {
    told = ["shown", { line: texts.join(" ") }];
    session.kept.shown = "yes";
    session.begin({ ...start, texts, ply: 0 });
  });
}

/** Says which dove to use; asked again in the same position, what to do with it. */
export function hint() {
  const { place, ply } = session;
  if (hinted?.place === place) {
    const { action } = hinted;
    told = ["hintAction", { action }];
    return showMessage("", null, [action]);
  }
  askLine(place, pliesOf() - ply, ([action]) => {
    hinted = { place, action };
    told = ["hintDove", { dove: session.legal(action).dove }];
  });
}

export function again() {
  told = null;
  delete session.kept.shown;
  session.cut(0);
}

/** What to do. */
export const task = () => say("puzzleTask", { color: session.positions[0].mover, plies: pliesOf(), own: (pliesOf() + 1) / 2 });

export const status = () => (told ? say(...told) : "");

/** What one needs to solve a puzzle, beside the board. */
export function buttons() {
  const [isDrawing, isStuck] = [told?.[0] === "drawing", !isThere() || isBusy()];
  return [
    isDrawing ? button("stopPuzzle", { class: "main" }, say("stop")) : button("nextPuzzle", { class: "main", disabled: isBusy() }),
    button("again", { disabled: isStuck || session.positions.length === 1 }),
    button("hint", { disabled: !isYours() }, say("askHint")), button("solution", { disabled: isStuck }),
  ];
}

/** How the puzzles on this device went: numbers, and the latest as links. */
function record() {
  if (!tried.length) return [];
  const rights = tried.map(({ isRight }) => isRight);
  const row = rights.length - 1 - rights.lastIndexOf(false);
  const texts = { solved: rights.filter(Boolean).length, tried: rights.length, row };
  return [
    html("h3", {}, say("history")),
    html("p", { class: "settings" },
      labelled("scoreName", html("input", { type: "text", "data-set": "scoreName", value: scoreName, maxlength: 40 })), button("newScore")),
    html("p", { id: "history" }, scoreName && `${scoreName}${say("colon")}`, say("historyLine", texts)),
    html("p", { class: "lines" }, tried.slice(-MOST_LINKED).map(({ address, isRight }, index) => html("a", {
      href: `#${address}`, class: isRight ? "good" : "warning", "aria-label": `${index + 1}${say("colon")}${say(isRight ? "solved" : "notSolved")}`,
    }, isRight ? "✓ " : "✕ "))),
  ];
}

/** `code` is the QR code of the address, if it is shown. */
export function panel(code) {
  const { plies, isUnique, doves } = wanted;
  return [
    // What is below stays where it is when the grade is known.
    isShown() && html("p", { class: "line" }, session.texts.map((text, index) => button("go", {
      "data-ply": index + 1, class: ["action", index + 1 === session.ply && "current"],
    }, `${index + 1}. ${text}`))),
    session.kept.day && html("h3", {}, say("ofDay", { day: session.kept.day })),
    html("p", { id: "grade" }, isThere() && promising !== null ? grade() : "…"),
    html("p", { class: "settings" },
      labelled("puzzlePlies", select("plies", PLIES.map(number => [number, pliesText(number)]), plies)),
      labelled("puzzleDoves", select("doves", [["any", say("anyDoves")], ...numbers().map(number => [number, number])], doves)),
      checkbox("unique", say("unique"), isUnique)),
    typingLine(),
    html("p", { class: "buttons" },
      button("harder", { disabled: isBusy() || plies === PLIES.at(-1) }), button("daily", { disabled: isBusy() }),
      shareButtons(say("sharePuzzle"), code, !isThere()), button("sheet", { disabled: isBusy() })),
    code,
    ...record(),
  ];
}
