// The rules of Tokyo Doves, as in src/rules/, so that the page answers a click at once and works without a server.
//
// A board is an object from the letters of doves on the board to their cells, [row, column], on a plane without origin:
// upper case is red, lower case green. Rows count downwards, columns to the right.

export const KINDS = ["B", "A", "Y", "M", "T", "H"];
export const COLORS = ["red", "green"];
const SIDES = [[-1, 0], [0, -1], [0, 1], [1, 0]];
const CORNERS = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
const JUMPS = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];
const STEPS = {
  B: [...SIDES, ...CORNERS], A: [...SIDES, ...CORNERS], Y: SIDES, M: CORNERS, T: SIDES, H: JUMPS,
};
/** The most rows and columns that all doves together take. */
export const SIZE = 4;

export const opponent = color => (color === "red" ? "green" : "red");
export const colorOf = letter => (letter === letter.toUpperCase() ? "red" : "green");
export const kindOf = letter => letter.toUpperCase();
export const letterOf = (color, kind) => (color === "red" ? kind : kind.toLowerCase());
const isIn = (game, letter) => kindOf(letter) === "B" || game[colorOf(letter)].includes(kindOf(letter));
/** Whether a text names kinds besides the boss, each once, or is '-' for none. */
export const isDoveSet = text =>
  text === "-" || /^[AYMTH]+$/i.test(text) && new Set(text.toUpperCase()).size === text.length;
/** The letters of a player's doves in a game, the boss first. */
export const dovesOf = (game, color) => KINDS.map(kind => letterOf(color, kind)).filter(letter => isIn(game, letter));
export const START = () => ({ b: [0, 0], B: [1, 0] });

const same = (a, b) => a[0] === b[0] && a[1] === b[1];
const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
const touches = (a, b) => !same(a, b) && Math.abs(a[0] - b[0]) <= 1 && Math.abs(a[1] - b[1]) <= 1;
const isBeside = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) === 1;

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

const isIsolated = (doves, letter) => !Object.values(doves).some(cell => touches(cell, doves[letter]));

/**
 * What is wrong with doves on cells, as a key of words.js with its parameters; null if they are a board of the game.
 */
export function wrongWith(doves, game) {
  const stranger = Object.keys(doves).find(letter => !isIn(game, letter));
  if (stranger) return ["notInGame", { dove: stranger }];
  for (const letter of ["B", "b"]) if (!doves[letter]) return ["missingBoss", { dove: letter }];
  const box = boxOf(doves);
  if (box.rows > SIZE || box.columns > SIZE) return ["tooLarge", { rows: box.rows, columns: box.columns }];
  const lonely = Object.keys(doves).find(letter => isIsolated(doves, letter));
  return lonely ? ["isolated", { dove: lonely }] : null;
}

/** What closes the four sides of a boss – above, left, right, below: the letter of a dove, "wall", or undefined. */
export function closedSides(doves, color) {
  const box = boxOf(doves);
  const isWall = ([row, column]) =>
    box.rows === SIZE && (row < box.top || row > box.bottom) ||
    box.columns === SIZE && (column < box.left || column > box.right);
  const cells = SIDES.map(step => plus(doves[letterOf(color, "B")], step));
  return cells.map(cell => doveAt(doves, cell) ?? (isWall(cell) ? "wall" : undefined));
}

/** Whether a dove or a wall is on each of the four sides of a boss. */
export const isSurrounded = (doves, color) => closedSides(doves, color).every(Boolean);

/** What a board is to the player who has just acted: "open", "won", "lost" or "drawn". */
export function outcome(doves, actor, game) {
  const [own, other] = [isSurrounded(doves, actor), isSurrounded(doves, opponent(actor))];
  if (own && other) return { "mover-loses": "lost", "mover-wins": "won", draw: "drawn" }[game.bothSurrounded];
  return own ? "lost" : other ? "won" : "open";
}

/** The name of a cell, from the red boss: N1E2. */
export function cellName(doves, cell) {
  const [rows, columns] = [cell[0] - doves.B[0], cell[1] - doves.B[1]];
  const part = (distance, positive, negative) =>
    distance === 0 ? "" : (distance > 0 ? positive : negative) + Math.abs(distance);
  return part(rows, "S", "N") + part(columns, "E", "W");
}

function textOf(doves, letter, to) {
  if (!to) return `-${letter}`;
  return (doves[letter] ? "" : "+") + letter + cellName(doves, to);
}

/**
 * A dove put or moved to a cell, or returned for null: the action, or why it is none. The reason is a key of words.js
 * with its parameters.
 */
export function attempt(doves, letter, to, game) {
  const color = colorOf(letter);
  const refused = (key, parameters = {}) => ({ refused: [key, { dove: letter, ...parameters }] });
  if (!isIn(game, letter)) return refused("notInGame");
  const from = doves[letter];
  const after = { ...doves };
  if (to === null) {
    if (!from) return refused("inHand");
    if (!game.returns) return refused("noReturns");
    if (kindOf(letter) === "B") return refused("bossStays");
    delete after[letter];
  } else {
    if (doveAt(doves, to)) return refused("occupied", { other: doveAt(doves, to) });
    if (from) {
      const reason = reaches(doves, letter, to);
      if (reason) return refused(reason);
    } else {
      const own = Object.keys(doves).filter(other => colorOf(other) === color);
      if (!own.some(other => touches(doves[other], to))) return refused("touchesNone");
      if (isBeside(doves[letterOf(opponent(color), "B")], to)) return refused("besideBoss");
    }
    after[letter] = to;
  }
  const wrong = wrongWith(after, game);
  if (wrong) return refused(wrong[0] === "isolated" ? "wouldIsolate" : "wouldBeTooLarge", { ...wrong[1], other: wrong[1].dove });
  const kind = to === null ? "return" : from ? "move" : "put";
  return { action: { kind, dove: letter, from: from ?? null, to, text: textOf(doves, letter, to), after } };
}

/** Why a dove on the board does not reach an empty cell; null if it does. */
function reaches(doves, letter, to) {
  const [from, kind] = [doves[letter], kindOf(letter)];
  if (kind !== "T") return STEPS[kind].some(step => same(plus(from, step), to)) ? null : "moves";
  if (from[0] !== to[0] && from[1] !== to[1]) return "moves";
  const step = [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
  for (let cell = plus(from, step); !same(cell, to); cell = plus(cell, step)) if (doveAt(doves, cell)) return "inTheWay";
  return null;
}

/** The cells that any action can lead to: those within 4×4 together with some dove. */
function* field(doves) {
  const box = boxOf(doves);
  for (let row = box.top - SIZE; row <= box.bottom + SIZE; row++) {
    for (let column = box.left - SIZE; column <= box.right + SIZE; column++) yield [row, column];
  }
}

/** The legal actions of a player's dove. */
export function actionsOf(doves, letter, game) {
  const actions = [];
  for (const to of [...field(doves), null]) {
    const { action } = attempt(doves, letter, to, game);
    if (action) actions.push(action);
  }
  return actions;
}

/** The legal actions of a player; none if the game is over. */
export function legalActions(doves, color, game) {
  if (COLORS.some(player => isSurrounded(doves, player))) return [];
  return dovesOf(game, color).flatMap(letter => actionsOf(doves, letter, game));
}

/**
 * How a game stands with this player to move: null if it goes on, or {winner, why}; the winner is null for a draw.
 */
export function resultOf(doves, mover, game) {
  const last = opponent(mover);
  const by = outcome(doves, last, game);
  if (by === "won") return { winner: last, why: "surrounded" };
  if (by === "lost") return { winner: mover, why: "surrounded" };
  if (by === "drawn") return { winner: null, why: "bothSurrounded" };
  return legalActions(doves, mover, game).length === 0 ? { winner: last, why: "stuck" } : null;
}

/** How a game ends otherwise than by the rules, as doc/game-file.md has it. */
export const ENDINGS = [
  "red wins, green resigned", "green wins, red resigned", "draw by agreement", "draw by repetition",
];

/** Reads an action as people type it; null if it is none. */
function readAction(text, doves, color) {
  const letters = asciiForms(text).replace(/\s/g, "").toUpperCase();
  const [, sign, kind, cell] = /^([+-]?)([BAYMTH])((?:[NSEW][1-9])*)$/.exec(letters) ?? [];
  if (!kind) return null;
  const letter = letterOf(color, kind);
  if (sign === "-") return cell ? null : { letter, to: null };
  if (sign === "+" && doves[letter]) return null;
  const to = [...doves.B];
  for (const [, direction, distance] of cell.matchAll(/([NSEW])(\d)/g)) {
    const step = { N: [-1, 0], S: [1, 0], E: [0, 1], W: [0, -1] }[direction];
    to[0] += step[0] * distance;
    to[1] += step[1] * distance;
  }
  return { letter, to };
}

/** The action of a text as people type it; null if it is none, or is not legal in this position. */
export function typedAction(text, { doves, mover, game }) {
  const typed = readAction(text, doves, mover);
  return typed && (attempt(doves, typed.letter, typed.to, game).action ?? null);
}

// Text and numbers.

/** Board text with the box in its corner. */
export function boardText(doves) {
  const { top, left } = boxOf(doves);
  return grid((row, column) => doveAt(doves, [top + row, left + column]) ?? "-");
}

const grid = letter => [0, 1, 2, 3].map(row => [0, 1, 2, 3].map(column => letter(row, column)).join("")).join(";");

/** The order of doves in a u64. */
export const ORDER = "BbAaYyMmTtHh";

/** The u64 of a board, 16 hexadecimal digits. */
export const codeOf = doves => numberOf(doves).toString(16).padStart(16, "0");

function numberOf(doves) {
  const { top, left } = boxOf(doves);
  let [present, squares] = [0n, 0n];
  for (const letter of ORDER) {
    const cell = doves[letter];
    present = present << 1n | (cell ? 1n : 0n);
    squares = squares << 4n | BigInt(cell ? SIZE * (cell[0] - top) + cell[1] - left : 0);
  }
  return present << 48n | squares;
}

/** The same position on eight boards: turned and mirrored. */
export const IMAGES = [0, 1, 2, 3, 4, 5, 6, 7].map(symmetry => ([row, column]) => {
  const [r, c] = [symmetry & 1 ? -row : row, symmetry & 2 ? -column : column];
  return symmetry & 4 ? [c, r] : [r, c];
});

/** A board with every cell changed. */
export const moved = (doves, change) =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letter, change(cell)]));
export const turned = doves => moved(doves, ([row, column]) => [column, -row]);
export const mirrored = doves => moved(doves, ([row, column]) => [row, -column]);
export const recolored = doves =>
  Object.fromEntries(Object.entries(doves).map(([letter, cell]) => [letterOf(opponent(colorOf(letter)), kindOf(letter)), cell]));

/** A number that is the same for a position turned, mirrored or recoloured: the invariant u64. */
export function invariant(doves, mover) {
  const seen = mover === "red" ? doves : recolored(doves);
  const codes = IMAGES.map(image => numberOf(moved(seen, image)));
  return codes.reduce((least, code) => (code < least ? code : least));
}

/** How often the last of these positions has come up, with the same player to move. */
export function timesSeen(positions) {
  const keys = positions.map(({ doves, mover }) => `${invariant(doves, mover)} ${mover}`);
  return keys.filter(key => key === keys.at(-1)).length;
}

/** Whether the last of these positions has come up three times: a draw can be claimed. */
export const isRepeated = positions => timesSeen(positions) >= 3;

/** Text in ASCII where a keyboard wrote full-width forms, other dashes or other spaces: as ascii_forms of the program. */
export const asciiForms = text => text.replace(/^\ufeff/, "")
  .replace(/[！-～]/g, letter => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
  .replace(/[\u2010-\u2015−﹣ーｰ]/g, "-")
  .replace(/[\u00a0\u2007\u202f\u3000]/g, " ");

// The quotes that may stand around a board.
const QUOTES = ["''", '""', "‘’", "“”"];

function unquoted(text) {
  const withoutBreaks = text => text.replace(/^\n+|\n+$/g, "");
  const trimmed = withoutBreaks(text);
  const isQuoted = QUOTES.some(([open, close]) => trimmed.length > 1 && trimmed.startsWith(open) && trimmed.endsWith(close));
  return isQuoted ? withoutBreaks(trimmed.slice(1, -1)) : trimmed;
}

/**
 * Reads board text or a u64: {doves}, or {wrong} with a key of words.js and its parameters. For the editor, doves that
 * make no board are read too.
 */
export function readBoard(text) {
  const board = unquoted(asciiForms(text).replace(/\r\n?/g, "\n"));
  if (/^[0-9a-f]{16}$/i.test(board.trim())) return readCode(board.trim());
  const rows = board.replace(/[;/]$/, "").split(/[;/]\n?|\n/).map(row => row.replace(/^(.{4})\s+$/u, "$1"));
  if (rows.length > SIZE) return { wrong: ["tooManyRows", { rows: rows.length }] };
  const doves = {};
  for (const [row, text] of rows.entries()) {
    const cells = [...text];
    if (cells.length > SIZE) return { wrong: ["tooManyColumns", { row: row + 1, columns: cells.length }] };
    for (const [column, letter] of cells.entries()) {
      if ("-. ".includes(letter)) continue;
      if (!ORDER.includes(letter)) return { wrong: ["unknownLetter", { letter, row: row + 1, column: column + 1 }] };
      if (doves[letter]) return { wrong: ["twice", { dove: letter }] };
      doves[letter] = [row, column];
    }
  }
  return { doves };
}

function readCode(text) {
  const code = BigInt(`0x${text}`);
  const doves = {};
  if (code >> 60n) return { wrong: ["noCode", {}] };
  for (const [place, letter] of [...ORDER].entries()) {
    const square = Number(code >> BigInt(44 - 4 * place) & 15n);
    if (code >> BigInt(59 - place) & 1n) doves[letter] = [square >> 2, square & 3];
    else if (square) return { wrong: ["noCode", {}] };
  }
  const places = Object.values(doves).map(String);
  return new Set(places).size < places.length ? { wrong: ["noCode", {}] } : { doves };
}
