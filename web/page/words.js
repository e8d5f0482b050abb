// The words of the page. They are the library's, in English and Japanese; {name} stands for a parameter.

import { askOnce } from "./brain.js";
import { closedSides, colorOf, endingOf, kindOf, opponent, surroundedIn } from "./position.js";

const patternOf = key => askOnce("words")[key.replace(/-./g, ([, letter]) => letter.toUpperCase())];

/** The kinds' names, as keys of words and in the ids of their pictures. */
export const NAMES = { B: "boss", A: "aniki", Y: "yaibato", M: "mamedeppo", T: "totsu", H: "hajike" };

const WAYS = { B: "wayAllAround", A: "wayAllAround", Y: "wayOrthogonal", M: "wayDiagonal", T: "wayTotsu", H: "wayHajike" };

/** A word or a sentence. Parameters that are colours, letters of doves or keys of errors are translated. */
export function say(key, parameters = {}) {
  const replaced = (match, name) => {
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
  // A sentence may begin with the name of a dove. The letters of doves stay as they are: b is not B.
  return pattern.startsWith("{dove}") ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The name of a colour at the beginning of a sentence. */
export const colorName = color => say(color === "red" ? "nameRed" : "nameGreen");

/** The name of a dove: red Aniki (A). */
export const nameOf = letter => say("dove", { color: colorOf(letter), kind: say(NAMES[kindOf(letter)]), letter });

/** How a dove moves. */
export const wayOf = letter => say(WAYS[kindOf(letter)]);

/** The doves and the rules of a game in a line. */
export function rulesText({ red, green, returns, bothSurrounded }) {
  const doves = kinds => (kinds === "-" ? say("bossesOnly") : [...kinds].join(" "));
  const parameters = { doves: doves(red), red: doves(red), green: doves(green) };
  return say("rulesLine", {
    doves: say(red === green ? "rulesEach" : "rulesSplit", parameters),
    returns: ruleText({ returns }, "returns"), ruling: ruleText({ bothSurrounded }),
  });
}

/** What is ruled when both bosses are surrounded. */
export const rulingText = ruling => say(ruling === "draw" ? "drawRule" : ruling);

/** A game's choice for one rule, in words: returns, or both bosses surrounded. */
export const ruleText = ({ returns, bothSurrounded }, rule) =>
  (rule === "returns" ? say(returns ? "withReturns" : "withoutReturns") : say("ruling", { both: rulingText(bothSurrounded) }));

/** How a game ended otherwise than by the rules, in words. */
export function endingText(ending) {
  if (ending.endsWith("resigned")) return say("endingResigned", { color: ending.startsWith("red") ? "red" : "green" });
  return say(ending === "draw by agreement" ? "agreedDraw" : "repeatedDraw");
}

/** How a game ended, in words; `result` is by the rules. */
export function resultText(result, ending) {
  if (ending) return endingText(ending);
  if (!result) return "";
  return result.winner ? say("verdictOver", { color: result.winner }) : say("verdictDrawn");
}

/** Why the game is over in a position; an empty text if it goes on. */
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

/** A number of plies. */
export const pliesText = plies => say(Number(plies) === 1 ? "onePly" : "manyPlies", { plies });

/** A value in words. */
export function worthText({ value, plies, within }) {
  if (value === "none") return say("neitherWithin", { plies });
  if (within) return say(`${value}Within`, { plies: within });
  if (value === "draw" || plies === null) return say(value);
  return say(value === "win" ? "winIn" : "loseIn", { plies });
}

/** A value in a few signs, which can be read without colour. */
export function worthSign({ value, plies, within }) {
  const distance = plies ?? (within ? `≤${within}` : "");
  return { win: "▲", lose: "▼", draw: "=", none: "?" }[value] + (value === "win" || value === "lose" ? distance : "");
}
