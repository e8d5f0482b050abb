// The page's texts in English and Japanese, which come from the library; `{name}` stands for a parameter.

/** @import { Game, Place, Value } from "./types.d.ts" */
/** @import { EndingDocument } from "./documents.d.ts" */
import { askOnce } from "./brain.js";
import { closedSides, colorOf, endingOf, kindOf, opponent, surroundedIn } from "./position.js";

/** @type {(key: string) => string | undefined} */
const patternOf = key => askOnce("words")[key.replace(/-./g, ([, letter]) => letter.toUpperCase())];

/** The names of the kinds, which are keys of texts and parts of the ids of their pictures. @type {Record<string, string>} */
export const NAMES = { B: "boss", A: "aniki", Y: "yaibato", M: "mamedeppo", T: "totsu", H: "hajike" };

/** @type {Record<string, string>} */
const WAYS = { B: "wayAllAround", A: "wayAllAround", Y: "wayOrthogonal", M: "wayDiagonal", T: "wayTotsu", H: "wayHajike" };

/**
 * A text. Parameters that are colours, letters of doves or keys of errors are translated.
 *
 * @param {string} key
 * @param {Record<string, any>} parameters
 * @returns {string}
 */
export function say(key, parameters = {}) {
  const replaced = (/** @type {string} */ match, /** @type {string} */ name) => {
    if (name === "distance") return pliesText(parameters.plies);
    if (name === "Color") return colorName(parameters.color);
    if (name === "color" || name === "player") return say(parameters.color);
    if (name === "dove") return name in parameters ? nameOf(parameters[name]) : match;
    if (name === "error") return say(parameters.error);
    if (name === "way") return wayOf(parameters.dove);
    return parameters[name] ?? match;
  };
  const pattern = patternOf(key) ?? key;
  const text = pattern.replace(/\{(\w+)\}/g, replaced);
  // Only a dove's name is capitalised here, not a dove's letter, because b and B are different doves.
  return pattern.startsWith("{dove}") ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The name of a colour at the beginning of a sentence. @param {string} color */
export const colorName = color => say(color === "red" ? "nameRed" : "nameGreen");

/** The name of a dove: red Aniki (A). @param {string} letter */
export const nameOf = letter => say("dove", { color: colorOf(letter), kind: say(NAMES[kindOf(letter)]), letter });

/** How a dove moves. @param {string} letter */
export const wayOf = letter => say(WAYS[kindOf(letter)]);

/** The doves and the rules of a game, on one line. @param {Game} game */
export function rulesText(game) {
  const [red, green] = [game.red, game.green].map(kinds => (kinds === "-" ? say("bossesOnly") : [...kinds].join(" ")));
  return say("rulesLine", {
    doves: say(red === green ? "rulesEach" : "rulesSplit", { doves: red, red, green }),
    returns: ruleText(game, "returns"), ruling: ruleText(game),
  });
}

/** The ruling on an action that surrounds both bosses. @param {string} ruling */
export const rulingText = ruling => say(ruling === "draw" ? "drawRule" : ruling);

/** One rule of a game: on returns, or on two surrounded bosses. @param {Game} game @param {string} [rule] */
export const ruleText = ({ returns, bothSurrounded }, rule) =>
  (rule === "returns" ? say(returns ? "withReturns" : "withoutReturns") : say("ruling", { both: rulingText(bothSurrounded) }));

/** An ending that the players declared. @param {string} ending */
export function endingText(ending) {
  if (ending.endsWith("resigned")) return say("endingResigned", { color: ending.startsWith("red") ? "red" : "green" });
  return say(ending === "draw by agreement" ? "agreedDraw" : "repeatedDraw");
}

/** How a game ended; `result` is what the rules say. @param {EndingDocument | null} result @param {string | null} ending */
export function resultText(result, ending) {
  if (ending) return endingText(ending);
  if (!result) return "";
  return result.winner ? say("verdictOver", { color: result.winner }) : say("verdictDrawn");
}

/** Why the game is over in a position; empty if it is not. @param {Place} place */
export function whyOver(place) {
  const ending = endingOf(place);
  if (!ending) return "";
  const { mover } = place;
  if (ending.why === "stuck") return say("stuck", { color: mover });
  return surroundedIn(place).map(color => {
    const [above, left, right, below] = closedSides(place)[color].map(by => (by === "wall" ? say("wall") : by));
    const isOwn = color === opponent(mover);
    return say(isOwn ? "surroundedOwn" : "surroundedBy", { color, sides: say("sides", { above, left, right, below }) });
  }).join(" ");
}

/** A number of plies. @param {number | string | null | undefined} plies */
export const pliesText = plies => say(Number(plies) === 1 ? "onePly" : "manyPlies", { plies });

/** A value in words. @param {Omit<Value, "plies"> & { plies: number | string | null }} value */
export function worthText({ value, plies, within }) {
  if (value === "none") return say("neitherWithin", { plies });
  if (within) return say(`${value}Within`, { plies: within });
  if (value === "draw" || plies === null) return say(value);
  return say(value === "win" ? "winIn" : "loseIn", { plies });
}

/** @type {Record<string, string>} */
const SIGNS = { win: "▲", lose: "▼", draw: "=", none: "?" };

/** A short symbol for a value, which does not rely on colour. @param {Value} value */
export function worthSign({ value, plies, within }) {
  const distance = plies ?? (within ? `≤${within}` : "");
  return SIGNS[value] + (value === "win" || value === "lose" ? distance : "");
}
