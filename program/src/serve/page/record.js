// A game as text: doc/game-file.md describes the format.

import { COLORS, ENDINGS, START, asciiForms, boardText, isDoveSet, isRepeated, opponent, readBoard, resultOf, typedAction, wrongWith } from "./rules.js";

const TITLE = "Tokyo Doves game, format 1";
const KEYS = ["red", "green", "red doves", "green doves", "returns", "both surrounded", "start", "to move", "result"];
/** The possible values of the keys that have only a few. */
const CHOICES = {
  returns: ["yes", "no"], "both surrounded": ["mover-loses", "mover-wins", "draw"], "to move": ["red", "green"],
};

/** The text of a game: {game, players, positions, ending}. The ending is null or the text of a result. */
export function write({ game, players, positions, ending }) {
  const lines = [
    TITLE,
    `red: ${players.red}`,
    `green: ${players.green}`,
    `red doves: ${game.red}`,
    `green doves: ${game.green}`,
    `returns: ${game.returns ? "yes" : "no"}`,
    `both surrounded: ${game.bothSurrounded}`,
    `start: ${boardText(positions[0].doves)}`,
    `to move: ${positions[0].mover}`,
    `result: ${ending ?? resultText(positions.at(-1), game)}`,
  ];
  const texts = positions.slice(1).map(position => position.action.text);
  if (texts.length) lines.push("");
  for (let index = 0; index < texts.length; index += 2) {
    lines.push(`${index / 2 + 1}. ${texts.slice(index, index + 2).join(" ")}`);
  }
  return `${lines.join("\n")}\n`;
}

function resultText({ doves, mover }, game) {
  const result = resultOf(doves, mover, game);
  if (!result) return "unfinished";
  return result.winner ? `${result.winner} wins` : "draw, both bosses surrounded";
}

/**
 * Reads a game: {game, players, start, to_move, texts, ending}, or {wrong} with a key of words.js and its parameters.
 */
export function read(text) {
  // Names and comments stay as they are.
  const ascii = line => (/^(#|red:|green:)/.test(line) ? line : asciiForms(line));
  const lines = text.split(/\r\n?|\n/).map((line, index) => [index + 1, ascii(line)])
    .filter(([, line]) => line.trim() && !line.startsWith("#"));
  if (lines.shift()?.[1].trimEnd() !== TITLE) return { wrong: ["noGame", { title: TITLE }] };
  const wrong = (line, word) => ({ wrong: ["wrongLine", { line, word }] });
  const header = {};
  const words = [];
  for (const [number, line] of lines) {
    const colon = line.indexOf(":");
    if (colon < 0) {
      words.push(...line.trim().split(/\s+/).map(word => [number, word]));
      continue;
    }
    const [key, text] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    if (words.length || !KEYS.includes(key) || header[key]) return wrong(number, line.slice(0, 40));
    if (COLORS.includes(key) && /\p{Cc}/u.test(text)) return wrong(number, key);
    // Spaces before a board might be meant as empty cells.
    if (key === "start" && /^(\s\s|[^\S ])/.test(line.slice(colon + 1))) return wrong(number, line.slice(0, 40));
    if (CHOICES[key]?.includes(text) === false || key.endsWith(" doves") && !isDoveSet(text)) return wrong(number, text);
    header[key] = [number, text];
  }
  const value = (key, usual) => header[key]?.[1] ?? usual;
  const game = {
    red: value("red doves", "AYMTH").toUpperCase(),
    green: value("green doves", "AYMTH").toUpperCase(),
    returns: value("returns", "yes") === "yes",
    bothSurrounded: value("both surrounded", "mover-loses"),
  };
  const start = header.start ? readBoard(header.start[1]) : { doves: START() };
  if (!start.doves || wrongWith(start.doves, game)) return wrong(header.start[0], header.start[1]);
  const first = value("to move", "red");
  const texts = [];
  let [doves, mover] = [start.doves, first];
  const positions = [{ doves, mover }];
  /** The line and the word of a number that no action has followed yet. */
  let numbered = null;
  for (const [number, word] of words) {
    if (!numbered && word === `${texts.length / 2 + 1}.`) {
      numbered = [number, word];
      continue;
    }
    numbered = null;
    const action = resultOf(doves, mover, game) ? null : typedAction(word, { doves, mover, game });
    if (!action) return wrong(number, word);
    texts.push(action.text);
    [doves, mover] = [action.after, opponent(mover)];
    positions.push({ doves, mover });
  }
  if (numbered) return wrong(...numbered);
  const byRules = resultText({ doves, mover }, game);
  const result = value("result", byRules);
  const isAllowed = result !== "draw by repetition" || isRepeated(positions);
  const isEnded = byRules === "unfinished" && ENDINGS.includes(result) && isAllowed;
  if (!isEnded && result !== byRules) return wrong(header.result[0], result);
  const ending = isEnded ? result : null;
  const players = { red: value("red", "red"), green: value("green", "green") };
  return { game, players, doves: start.doves, mover: first, texts, ending };
}
