// Doves and cells: letters, colours, and where doves stand. What may move where, the library says: see position.js.
//
// A board is an object from the letters of doves on the board to their cells, [row, column], on a plane without origin:
// upper case is red, lower case green. Rows count downwards, columns to the right.

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

const same = (a, b) => a[0] === b[0] && a[1] === b[1];
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];

/** The letter of the dove on a cell, or undefined. */
export const doveAt = (doves, cell) => Object.keys(doves).find(letter => same(doves[letter], cell));

/** The smallest box around all doves. */
export function boxOf(doves) {
  const cells = Object.values(doves);
  const [rows, columns] = [cells.map(cell => cell[0]), cells.map(cell => cell[1])];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  return { top, bottom, left, right, rows: bottom - top + 1, columns: right - left + 1 };
}

/** The upper left corner of the box around all doves. */
export function cornerOf(doves) {
  const { top, left } = boxOf(doves);
  return [top, left];
}

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

/** A board with every cell changed. */
export const moved = (doves, change) =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letter, change(cell)]));
export const turned = doves => moved(doves, ([row, column]) => [column, -row]);
export const mirrored = doves => moved(doves, ([row, column]) => [row, -column]);
export const recolored = doves =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letterOf(opponent(colorOf(letter)), kindOf(letter)), cell]));
