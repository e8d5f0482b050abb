// Doves, cells and positions, and the library's answers about them: the legal actions, the result, and the closed sides
// of the bosses.
//
// A board maps the letters of its doves to cells on a plane that has no origin. The library counts cells from the corner of
// the box around all doves.

/** @import { Action, Box, Cell, Color, Doves, Game, Place } from "./types.d.ts" */
/** @import { DrawnDocument, LegalDocument } from "./documents.d.ts" */
import { ask, askOnce, gameKey } from "./brain.js";

export const KINDS = ["B", "A", "Y", "M", "T", "H"];
/** @type {Color[]} */
export const COLORS = ["red", "green"];
/** Maximum number of rows, and of columns, of the box around all doves. */
export const SIZE = 4;
/** The board at the start of a game. @type {() => Doves} */
export const START = () => ({ b: [0, 0], B: [1, 0] });

/** @type {(color: Color) => Color} */
export const opponent = color => (color === "red" ? "green" : "red");
/** @type {(letter: string) => Color} */
export const colorOf = letter => (letter === letter.toUpperCase() ? "red" : "green");
/** @type {(letter: string) => string} */
export const kindOf = letter => letter.toUpperCase();
/** @type {(color: Color, kind: string) => string} */
const letterOf = (color, kind) => (color === "red" ? kind : kind.toLowerCase());

/** Whether a text names kinds, each once, with or without the boss, or is "-" for none. @type {(text: string) => boolean} */
export const isDoveSet = text =>
  text === "-" || /^[BAYMTH]+$/i.test(text) && new Set(text.toUpperCase()).size === text.length;

/** The kinds of a dove set besides the boss, or "-" for none. @type {(text: string) => string} */
export const kindsIn = text => text.toUpperCase().replace("B", "") || "-";

/** The letters of a player's doves in a game, the boss first. @type {(game: Game, color: Color) => string[]} */
export const dovesOf = (game, color) =>
  KINDS.filter(kind => kind === "B" || game[color].includes(kind)).map(kind => letterOf(color, kind));

/** @type {(a: number[], b: number[]) => boolean} */
export const same = (a, b) => a[0] === b[0] && a[1] === b[1];
/** @type {(a: Cell, b: Cell) => Cell} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
/** @type {(a: Cell, b: Cell) => Cell} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];

/** The letter of the dove on a cell. @type {(doves: Doves, cell: Cell) => string | undefined} */
export const doveAt = (doves, cell) => Object.keys(doves).find(letter => same(doves[letter], cell));

/**
 * The smallest box around all doves, or around a list of cells; it has no rows if there are none.
 *
 * @type {(doves: Doves | Cell[]) => Box}
 */
export function boxOf(doves) {
  const cells = Object.values(doves);
  if (!cells.length) return { top: 0, bottom: 0, left: 0, right: 0, rows: 0, columns: 0 };
  const [rows, columns] = [cells.map(cell => cell[0]), cells.map(cell => cell[1])];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  return { top, bottom, left, right, rows: bottom - top + 1, columns: right - left + 1 };
}

/** The upper left corner of the box around all doves. @type {(doves: Doves) => Cell} */
export function cornerOf(doves) {
  const { top, left } = boxOf(doves);
  return [top, left];
}

/** The board as text; the box around its doves must have at most four rows and columns. @type {(doves: Doves) => string} */
export function boardText(doves) {
  const corner = cornerOf(doves);
  const letter = (/** @type {Cell} */ cell) => doveAt(doves, plus(corner, cell)) ?? "-";
  return [0, 1, 2, 3].map(row => [0, 1, 2, 3].map(column => letter([row, column])).join("")).join(";");
}

/** The doves of a board text from the library. @type {(text: string) => Doves} */
export function dovesOfText(text) {
  const cells = text.split(";").flatMap((row, r) => [...row].map((letter, c) => [letter, [r, c]]));
  return Object.fromEntries(cells.filter(([letter]) => letter !== "-"));
}

/** The name of a cell relative to the red boss, such as N1E2. @type {(doves: Doves, cell: Cell) => string} */
export function cellName(doves, cell) {
  const [rows, columns] = minus(cell, doves.B);
  /** @type {(distance: number, positive: string, negative: string) => string} */
  const part = (distance, positive, negative) =>
    distance === 0 ? "" : (distance > 0 ? positive : negative) + Math.abs(distance);
  return part(rows, "S", "N") + part(columns, "E", "W");
}

/** A board without a dove. @type {(doves: Doves, dove?: string | null) => Doves} */
export const without = (doves, dove) => Object.fromEntries(Object.entries(doves).filter(([letter]) => letter !== dove));

/** A board with every cell changed. @type {(doves: Doves, change: (cell: Cell) => Cell) => Doves} */
export const moved = (doves, change) =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letter, change(cell)]));
/** @type {(doves: Doves) => Doves} */
export const recolored = doves =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letterOf(opponent(colorOf(letter)), kindOf(letter)), cell]));

/** The parameters of a question about a position. @param {Place} place */
export const keyOf = ({ doves, mover, game }) => ({ board: boardText(doves), to_move: mover, ...gameKey(game) });

/** The same parameters as one text. @param {Place} place */
export const textOf = place => Object.values(keyOf(place)).join(" ");

/**
 * The parameters of a question about a game: its first position, and the texts of its actions.
 *
 * @type {(start: Place, texts: string[]) => Record<string, string>}
 */
export const gameOf = ({ doves, mover, game }, texts) =>
  ({ start: boardText(doves), to_move: mover, actions: texts.join(" "), ...gameKey(game) });

/** The library's answer about a position, with the library's cells. @type {(place: Place) => LegalDocument} */
function answerOf(place) {
  const answer = askOnce("legal", keyOf(place));
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

/**
 * An action of the library, with cells of the plane.
 *
 * @type {(doves: Doves, action: DrawnDocument & { action: string, outcome: string }) => Action}
 */
function onPlane(doves, { action: text, kind, dove, from, to, outcome }) {
  const corner = cornerOf(doves);
  const cell = to && plus(corner, to);
  const after = { ...without(doves, dove), ...cell && { [dove]: cell } };
  return { text, kind, dove, from: from && plus(corner, from), to: cell, outcome, after };
}

/** The legal actions of the player to move; none if the game is over. @type {(place: Place) => Action[]} */
export const actionsOf = place => answerOf(place).actions.map(action => onPlane(place.doves, action));

/** The action with this text; null if it is not legal. @type {(place: Place, text: string) => Action | null} */
export function actionOf(place, text) {
  const found = answerOf(place).actions.find(({ action }) => action === text);
  return found ? onPlane(place.doves, found) : null;
}

/** The position after an action. @type {(place: Place, action: Action) => Place} */
export const placeAfter = ({ mover, game }, { after: doves }) => ({ doves, mover: opponent(mover), game });

/**
 * The actions with these texts, played one after the other, up to the first illegal one.
 *
 * @type {(place: Place, texts: (string | undefined)[]) => Action[]}
 */
export function actionsFrom(place, texts) {
  const actions = [];
  for (const text of texts) {
    const action = text === undefined ? null : actionOf(place, text);
    if (!action) break;
    actions.push(action);
    place = placeAfter(place, action);
  }
  return actions;
}

/**
 * The action that puts or moves a dove to a cell, or returns it if `to` is null; or why that is not legal.
 *
 * @type {(place: Place, dove: string, to: Cell | null) => { action: Action } | { action?: undefined, refused: string }}
 */
export function attempt({ doves, game }, dove, to) {
  const parameters = keyOf({ doves, mover: colorOf(dove), game });
  const cell = to ? { to: minus(to, cornerOf(doves)).join() } : {};
  const { action, refused, error } = ask("try", { ...parameters, dove, ...cell });
  return action ? { action: onPlane(doves, action) } : { refused: refused ?? error ?? "" };
}

/** The text of a reply that wins at once, if an action allows one. @type {(place: Place, action: Action) => string | undefined} */
export const answerThatWins = (place, action) =>
  actionsOf(placeAfter(place, action)).find(({ outcome }) => outcome === "won")?.text;

/** How the game has ended; null if it has not. The winner is null for a draw. @param {Place} place */
export const endingOf = place => answerOf(place).ending;

/** What closes each side of both bosses (above, left, right, below): the letter of a dove, "wall", or null. @param {Place} place */
export const closedSides = place => answerOf(place).closed;

/** The players whose bosses are surrounded. @param {Place} place */
export const surroundedIn = place => COLORS.filter(color => closedSides(place)[color].every(Boolean));

/** The code of a board, 16 hexadecimal digits. @param {Place} place */
export const codeOf = place => answerOf(place).u64;

/** The canonical code, which all images of a position share. @param {Place} place */
export const imageOf = place => answerOf(place).code;

/** The latest question about a draw, and its answer. @type {{ question?: string, isAllowed?: boolean }} */
let claim = {};

/**
 * Whether a draw by repetition may be claimed after these actions.
 *
 * @type {(place: Place, texts: string[]) => boolean | undefined}
 */
export function mayClaimDraw(place, texts) {
  const parameters = gameOf(place, texts);
  const question = Object.values(parameters).join("|");
  if (claim.question !== question) claim = { question, isAllowed: ask("game", parameters).may_claim_draw };
  return claim.isAllowed;
}
