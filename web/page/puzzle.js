// Puzzles: positions that the player to move wins in a number of plies, against the longest defence.

/** @import { Action, Game, Place, Position, PositionAnswer, PuzzleWishes, Sentence } from "./types.d.ts" */
/** @import { FoundPuzzle } from "./documents.d.ts" */
import { FULL_GAME, ask, gameKey, sentenceOf, yesOrNo } from "./brain.js";
import { button, checkbox, html, labelled, select } from "./elements.js";
import { localTime, shareButtons, typingLine } from "./game.js";
import { printSheet } from "./picture.js";
import { COLORS, dovesOf, dovesOfText } from "./position.js";
import { session } from "./session.js";
import { randomSeed, source } from "./source.js";
import { showMessage, state } from "./state.js";
import { isStored, keep, recallList } from "./storage.js";
import { pliesText, say } from "./words.js";

const PLIES = [1, 3, 5, 7];
const MIN_DOVES = 2;
/** Maximum number of stars, and the number of promising first actions that adds one. */
const MOST_STARS = 5;
const MANY_PROMISING = 6;
/** The expected points, in thousandths, that make an action promising at a depth of two plies. */
const GOOD_PER_MILLE = 500;
/** Maximum numbers of recorded puzzles and of links to them. */
const MOST_REMEMBERED = 200;
const MOST_LINKED = 20;
/** The search limit of a puzzle of the day, in positions, and the number of puzzles on a sheet. */
const DAILY_POSITIONS = 1_000_000;
const SHEET_PUZZLES = 6;
/** Maximum number of half-second questions on whether a board is a puzzle. */
const MOST_CHECKS = 8;
/** Puzzles drawn again before a sheet has those that there are. */
const MOST_REPEATED = 40;

/** @typedef {{ address: string, isRight: boolean }} Tried */

const recallTried = () => recallList(
  "puzzles", /** @type {(puzzle: any) => puzzle is Tried} */ (puzzle => typeof puzzle?.address === "string" && typeof puzzle.isRight === "boolean"));

/**
 * Repeats a question until `isEnough` accepts its answer, by default until its search has finished; null after `most` times.
 *
 * @template {{ out_of_time: boolean }} A
 * @param {() => Promise<A>} question
 * @param {number} most
 */
async function settled(question, most = Infinity, isEnough = (/** @type {A} */ answer) => !answer.out_of_time) {
  for (let asked = 0; asked < most; asked++) {
    const answer = await question();
    if (isEnough(answer)) return answer;
  }
  return null;
}

/** The message. @type {Sentence | null} */
let told = null;
/** The number of promising first actions; null until it is known. @type {number | null} */
let promising = null;
/** The settings of the next puzzle. @type {PuzzleWishes} */
let wanted = { plies: 3, isUnique: true, doves: "any" };
/** Aborts the current question. @type {AbortController | null} */
let asked = null;
/** Aborts the check of the board. @type {AbortController | null} */
let checked = null;
/** The latest hint. @type {{ place: Position, action: string } | null} */
export let hinted = null;
/** The puzzles that were tried in this browser, the latest last, and the name of the player. */
let tried = recallTried();
let [scoreName = ""] = recallList("score", /** @type {(name: any) => name is string} */ (name => typeof name === "string"));

const isBusy = () => asked !== null;
/** Whether the address contains a puzzle. */
export const isThere = () => session.kept.plies !== undefined;
/** In how many plies the puzzle is won. */
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

/** Records the result of the first try at the current puzzle. @param {boolean} isRight */
function remember(isRight) {
  const address = session.address("puzzles", true);
  // Another tab may have added some, or reset the score.
  if (isStored("puzzles")) tried = recallTried();
  if (!tried.some(puzzle => puzzle.address === address)) keepTried([...tried, { address, isRight }].slice(-MOST_REMEMBERED));
}

/** @param {Tried[]} puzzles */
function keepTried(puzzles) {
  tried = puzzles;
  keep("puzzles", JSON.stringify(tried));
}

/** Resets the score; a button in the message undoes that. */
export function newScore() {
  const before = tried;
  keepTried([]);
  showMessage(say("scoreBegun"), () => {
    keepTried(before);
    showMessage("");
  });
}

/** Names the player. @param {string} name */
export function nameScore(name) {
  scoreName = name;
  keep("score", JSON.stringify([name]));
}

/** Called when the page is loaded, with or without a board in the address, and when the mode changes. */
export function enter(hasBoard = false) {
  const { plies, unique, doves = "any" } = session.kept;
  // The game may have fewer doves now than when the puzzle was drawn.
  const isOffered = numbers().includes(Number(doves));
  wanted = { plies: Number(plies) || wanted.plies, isUnique: unique !== "no", doves: isOffered ? doves : "any" };
  // An address may ask for a puzzle without a board, or contain a board but no number of plies.
  if (!hasBoard) delete session.kept.plies;
  else session.kept.plies ??= String(wanted.plies);
  const isOver = Boolean(session.lastResult);
  // Undo an action that was being checked when the page was closed.
  if (isThere() && !isOver && !isShown() && session.positions.length % 2 === 0) session.cut(session.positions.length - 2, false);
  told = isShown() ? ["shown", { line: session.texts.join(" ") }] : isOver && session.ply > 0 ? ["solved"] : null;
  if (!isThere()) return next();
  rate();
  check();
}

/** Shows a message if the board, which may come from any address, is no win in the stated number of plies. */
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

/** Counts the promising first actions. */
async function rate() {
  promising = null;
  const [start] = session.positions;
  const answer = await source.position(start, { depth: 2 }).catch(() => null);
  if (!answer || session.positions[0].doves !== start.doves) return;
  const looksGood = (/** @type {PositionAnswer["actions"][0]} */ { value, estimate }) => value !== "lose" && (estimate?.per_mille ?? GOOD_PER_MILLE) >= GOOD_PER_MILLE;
  promising = answer.actions.filter(looksGood).length;
  state.redraw();
}

/** The difficulty: longer puzzles, and those with many promising first actions, are harder. @param {number} promising */
function grade(promising) {
  const stars = Math.min((pliesOf() + 1) / 2 + (promising >= MANY_PROMISING ? 1 : 0), MOST_STARS);
  return say("grade", { stars: "★".repeat(stars) + "☆".repeat(MOST_STARS - stars), promising });
}

/** Aborts the current question and the check of the board. */
export function stop() {
  asked?.abort();
  asked = null;
  checked?.abort();
  if (told?.[0] === "drawing") told = null;
}

/**
 * Shows a message until a question is answered, then calls `onAnswer`. Returns false if the question was aborted or
 * failed.
 *
 * @template A
 * @param {Sentence} message
 * @param {(signal: AbortSignal) => Promise<A>} question
 * @param {(answer: A) => void} onAnswer
 */
async function inquire(message, question, onAnswer) {
  stop();
  const controller = new AbortController();
  asked = controller;
  told = message;
  state.redraw();
  const settled = await question(controller.signal).then(answer => ({ answer }), error => ({ error }));
  if (controller.signal.aborted) return false;
  asked = null;
  if ("answer" in settled) onAnswer(settled.answer);
  else told = sentenceOf(settled.error);
  state.redraw();
  return "answer" in settled;
}

/** Draws the next puzzle, with changed settings. @param {Partial<PuzzleWishes>} wishes */
export function next(wishes = {}) {
  wanted = { ...wanted, ...wishes };
  return draw(session.game, wanted, randomSeed());
}

export const harder = () => next({ plies: wanted.plies + 2 });

/** Draws the puzzle of the day, the same everywhere: the date is the seed, and the search limit does not depend on speed. */
export function daily() {
  const [day] = localTime();
  draw(FULL_GAME, { plies: 3, isUnique: true, doves: "any", positions: DAILY_POSITIONS }, Number(day.replaceAll("-", "")), day);
}

/** @param {Game} game @param {PuzzleWishes} wanted @param {number} seed @param {string} day */
function draw(game, wanted, seed, day = "") {
  return inquire(["drawing"], signal => source.puzzle(game, wanted, seed, signal), found => {
    told = found ? null : ["noPuzzle"];
    if (!found) return;
    const { shown, day: before, ...kept } = session.kept;
    const { plies, isUnique, doves } = wanted;
    session.kept = { ...kept, plies: String(plies), unique: yesOrNo(isUnique), doves, ...(day && { day }) };
    session.begin({ game, doves: dovesOfText(found.board), mover: /** @type {Place["mover"]} */ (found.to_move) });
    rate();
  });
}

/** Draws puzzles, and prints a sheet of them. */
export function sheet() {
  const question = async (/** @type {AbortSignal} */ signal) => {
    /** @type {FoundPuzzle[]} */
    const found = [];
    let repeated = 0;
    for (let seed = randomSeed(); found.length < SHEET_PUZZLES && repeated < MOST_REPEATED; seed++) {
      const puzzle = await source.puzzle(session.game, wanted, seed, signal);
      if (!puzzle) break;
      if (found.some(({ board }) => board === puzzle.board)) repeated++;
      else found.push(puzzle);
    }
    return found;
  };
  const unique = yesOrNo(wanted.isUnique);
  inquire(["drawing"], question, async found => {
    told = found.length ? null : ["noPuzzle"];
    if (!found.length) return;
    const texts = found.map(({ board, to_move: mover, line }) => [board, mover, ...line].join(" "));
    const { html: content = "" } = ask("sheet", { puzzles: texts.join(), unique, ...gameKey(session.game) });
    if (!await printSheet(content)) showMessage(say("noPrint"));
  });
}

/** Plays the user's action. If it does not win in time, undoes it and shows its refutation. @param {Action} action */
export async function act(action) {
  const left = pliesOf() - session.ply - 1;
  const by = action.outcome;
  if (by === "lost" || by === "drawn") {
    told = [by === "lost" ? "wrongOwn" : "wrongBoth", { action: action.text }];
    remember(false);
    return showMessage("", null, [action.text]);
  }
  // *Back* leads to the user's own turn, so the action gets a history entry only with its reply.
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
    if (!answer) return;
    const { worth: { value, plies }, actions: [best] } = answer;
    if (session.ply !== ply) {
      told = null;
      takeBack();
    } else if (value === "lose" && plies !== null && plies <= left) {
      told = best ? ["right", { action: best.action }] : ["solved"];
      const reply = best && session.legal(best.action);
      if (reply) session.act(reply);
      else remember(true);
    } else {
      remember(false);
      const known = !best || plies === null ? undefined : value === "win" ? "wrongLets" : value === "lose" ? "wrongSlow" : undefined;
      const parameters = { action: action.text, refutation: best?.action, color: place.mover, plies: known ? plies : pliesOf() };
      told = [known ?? (best ? "wrong" : "wrongPlain"), parameters];
      takeBack();
      showMessage("", null, [action.text, best?.action].filter(Boolean));
    }
  });
  if (!isChecked && session.positions[ply]?.action === action) takeBack();
}

/**
 * Calls `onLine` with the texts of a line that wins within a number of plies, if there is one.
 *
 * @param {Place} place
 * @param {number} depth
 * @param {(texts: string[]) => void} onLine
 */
function askLine(place, depth, onLine) {
  // The beginning of a line is enough.
  const question = (/** @type {AbortSignal} */ signal) => settled(
    () => source.line(place, { seconds: 2, depth }, signal), Infinity, ({ out_of_time: isOpen, line }) => !isOpen || line.length > 0);
  return inquire(["checking"], question, answer => {
    showMessage("");
    told = ["lineNone"];
    const { line, worth } = answer ?? { line: [], worth: null };
    if (worth?.value !== "win" || !line.length) return;
    remember(false);
    onLine(line.map(({ action }) => action));
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

/** Names the dove to use or, when called again in the same position, the action. */
export function hint() {
  const { place, ply } = session;
  if (hinted?.place === place) {
    const { action } = hinted;
    told = ["hintAction", { action }];
    return showMessage("", null, [action]);
  }
  askLine(place, pliesOf() - ply, ([action]) => {
    told = null;
    if (session.place !== place) return;
    hinted = { place, action };
    told = ["hintDove", { dove: session.legal(action)?.dove }];
  });
}

export function again() {
  told = null;
  delete session.kept.shown;
  session.cut(0);
}

/** The task. */
export const task = () => say("puzzleTask", { color: session.positions[0].mover, plies: pliesOf(), own: (pliesOf() + 1) / 2 });

export const status = () => (told ? say(...told) : "");

/** The buttons beside the board. */
export function buttons() {
  const [isDrawing, isStuck] = [told?.[0] === "drawing", !isThere() || isBusy()];
  return [
    isDrawing ? button("stopPuzzle", { class: "main" }, say("stop")) : button("nextPuzzle", { class: "main", disabled: isBusy() }),
    button("again", { disabled: isStuck || session.positions.length === 1 }),
    button("hint", { disabled: !isYours() }, say("askHint")), button("solution", { disabled: isStuck }),
  ];
}

/** The score in this browser, and links to the latest puzzles. */
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

/** The panel. @param {Element | null} code the QR code of the address, if it is shown */
export function panel(code) {
  const { plies, isUnique, doves } = wanted;
  /** @type {[string | number, string | number][]} */
  const choices = [["any", say("anyDoves")], ...numbers().map(number => /** @type {[number, number]} */ ([number, number]))];
  return [
    isShown() && html("p", { class: "line" }, session.texts.map((text, index) => button("go", {
      "data-ply": index + 1, class: ["action", index + 1 === session.ply && "current"],
    }, `${index + 1}. ${text}`))),
    session.kept.day && html("h3", {}, say("ofDay", { day: session.kept.day })),
    // Always present, so that nothing below moves when the grade is known.
    html("p", { id: "grade" }, isThere() && promising !== null ? grade(promising) : "…"),
    html("p", { class: "settings" },
      labelled("puzzlePlies", select("plies", PLIES.map(number => [number, pliesText(number)]), plies)),
      labelled("puzzleDoves", select("doves", choices, doves)),
      checkbox("unique", say("unique"), isUnique)),
    typingLine(),
    html("p", { class: "buttons" },
      button("harder", { disabled: isBusy() || plies === PLIES.at(-1) }), button("daily", { disabled: isBusy() }),
      shareButtons(say("sharePuzzle"), code, !isThere()), button("sheet", { disabled: isBusy() })),
    code,
    ...record(),
  ];
}
