// Doves, cells and positions: where doves stand, and what the library says of that: the actions, how the game stands, what
// closes the bosses' sides.
//
// A board is an object from the letters of doves on the board to their cells, [row, column], on a plane without origin:
// upper case is red, lower case green. Rows count downwards, columns to the right. A position is {doves, mover, game}; the
// library counts cells from the corner of the box around all doves.

import { ask, askOnce, gameKey } from "./brain.js";

export const KINDS = ["B", "A", "Y", "M", "T", "H"];
export const COLORS = ["red", "green"];
/** The most rows and columns that all doves together take. */
export const SIZE = 4;
/** The board at the start of a game. */
export const START = () => ({ b: [0, 0], B: [1, 0] });

export const opponent = color => (color === "red" ? "green" : "red");
export const colorOf = letter => (letter === letter.toUpperCase() ? "red" : "green");
export const kindOf = letter => letter.toUpperCase();
const letterOf = (color, kind) => (color === "red" ? kind : kind.toLowerCase());

/** Whether a text names kinds, each once, with the boss or without, or is '-' for none. */
export const isDoveSet = text =>
  text === "-" || /^[BAYMTH]+$/i.test(text) && new Set(text.toUpperCase()).size === text.length;

/** The kinds of a dove set besides the boss, or '-' for none. */
export const kindsIn = text => text.toUpperCase().replace("B", "") || "-";

/** The letters of a player's doves in a game, the boss first. */
export const dovesOf = (game, color) =>
  KINDS.filter(kind => kind === "B" || game[color].includes(kind)).map(kind => letterOf(color, kind));

export const same = (a, b) => a[0] === b[0] && a[1] === b[1];
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];

/** The letter of the dove on a cell, or undefined. */
export const doveAt = (doves, cell) => Object.keys(doves).find(letter => same(doves[letter], cell));

/** The smallest box around all doves, or around a list of cells; one of no rows if there are none. */
export function boxOf(doves) {
  const cells = Object.values(doves);
  if (!cells.length) return { top: 0, bottom: 0, left: 0, right: 0, rows: 0, columns: 0 };
  const [rows, columns] = [cells.map(cell => cell[0]), cells.map(cell => cell[1])];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  return { top, bottom, left, right, rows: bottom - top + 1, columns: right - left + 1 };
}

/** The upper left corner of the box around all doves. */
export const cornerOf = doves => (({ top, left }) => [top, left])(boxOf(doves));

/** The text of doves that fit in a box. */
export function boardText(doves) {
  const corner = cornerOf(doves);
  const letter = (row, column) => doveAt(doves, plus(corner, [row, column])) ?? "-";
  return [0, 1, 2, 3].map(row => [0, 1, 2, 3].map(column => letter(row, column)).join("")).join(";");
}

/** The doves of a text that the library has written. */
export function dovesOfText(text) {
  const cells = text.split(";").flatMap((row, r) => [...row].map((letter, c) => [letter, [r, c]]));
  return Object.fromEntries(cells.filter(([letter]) => letter !== "-"));
}

/** The name of a cell, from the red boss: N1E2. */
export function cellName(doves, cell) {
  const [rows, columns] = minus(cell, doves.B);
  const part = (distance, positive, negative) =>
    distance === 0 ? "" : (distance > 0 ? positive : negative) + Math.abs(distance);
  return part(rows, "S", "N") + part(columns, "E", "W");
}

/** A board without a dove. */
export const without = (doves, dove) => Object.fromEntries(Object.entries(doves).filter(([letter]) => letter !== dove));

/** A board with every cell changed. */
export const moved = (doves, change) =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letter, change(cell)]));
export const recolored = doves =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letterOf(opponent(colorOf(letter)), kindOf(letter)), cell]));

/** The parameters of a question about a position. */
export const keyOf = ({ doves, mover, game }) => ({ board: boardText(doves), to_move: mover, ...gameKey(game) });

/** The same as a text. */
export const textOf = place => Object.values(keyOf(place)).join(" ");

/** The parameters of a question about a game: its first position, and the texts of its actions. */
export const gameOf = ({ doves, mover, game }, texts) =>
  ({ start: boardText(doves), to_move: mover, actions: texts.join(" "), ...gameKey(game) });

/** The answer about a position, whose cells are still the library's. */
function answerOf(place) {
  const answer = askOnce("legal", keyOf(place));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** An action on the plane: {text, kind, dove, from, to, outcome, after}. */
function onPlane(doves, { action: text, kind, dove, from, to, outcome }) {
  const corner = cornerOf(doves);
  const cell = to && plus(corner, to);
  const after = { ...without(doves, dove), ...cell && { [dove]: cell } };
  return { text, kind, dove, from: from && plus(corner, from), to: cell, outcome, after };
}

/** The legal actions of the player to move; none if the game is over. */
export const actionsOf = place => answerOf(place).actions.map(action => onPlane(place.doves, action));

/** The action of this text; null if it is not legal. */
export function actionOf(place, text) {
  const found = answerOf(place).actions.find(({ action }) => action === text);
  return found ? onPlane(place.doves, found) : null;
}

/** The position after an action. */
export const placeAfter = ({ mover, game }, { after: doves }) => ({ doves, mover: opponent(mover), game });

/** The actions of these texts one after the other, up to the first that is not legal there. */
export function actionsFrom(place, texts) {
  const actions = [];
  for (const text of texts) {
    const action = actionOf(place, text);
    if (!action) break;
    actions.push(action);
    place = placeAfter(place, action);
  }
  return actions;
}

/**
 * A dove put or moved to a cell, or returned for null: {action}, or {refused}, a sentence that says why there is no
 * such action.
 */
export function attempt({ doves, game }, dove, to) {
  const parameters = keyOf({ doves, mover: colorOf(dove), game });
  const cell = to ? { to: minus(to, cornerOf(doves)).join() } : {};
  const { action, refused, error } = ask("try", { ...parameters, dove, ...cell });
  return action ? { action: onPlane(doves, action) } : { refused: refused ?? error };
}

/** The text of an action by which the opponent wins at once after this action; undefined if there is none. */
export const answerThatWins = (place, action) =>
  actionsOf(placeAfter(place, action)).find(({ outcome }) => outcome === "won")?.text;

/** How a game stands: null if it goes on, or {winner, why}; the winner is null for a draw. */
export const endingOf = place => answerOf(place).ending;

/** What closes the sides of both bosses – above, left, right, below: the letter of a dove, "wall", or null. */
export const closedSides = place => answerOf(place).closed;

/** The players whose bosses are surrounded. */
export const surroundedIn = place => COLORS.filter(color => closedSides(place)[color].every(Boolean));

/** The code of a board, 16 hexadecimal digits. */
export const codeOf = place => answerOf(place).u64;

/** What all images of a position share. */
export const imageOf = place => answerOf(place).code;

/** The game that was asked about last, and whether a draw may be claimed in it. */
let claim = {};

/** Whether a draw by repetition may be claimed after these actions of a game from a place. */
export function mayClaimDraw(place, texts) {
  const parameters = gameOf(place, texts);
  const question = Object.values(parameters).join("|");
  if (claim.question !== question) claim = { question, isAllowed: ask("game", parameters).may_claim_draw };
  return claim.isAllowed;
}
