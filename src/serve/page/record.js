// A game as text: doc/game-file.md describes the format.

import { ENDINGS, START, attempt, boardText, opponent, readAction, readBoard, resultOf, wrongWith } from "./rules.js";

const TITLE = "Tokyo Doves game, format 1";

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
  const lines = text.split(/\r?\n/).map((line, index) => [index + 1, line])
    .filter(([, line]) => line.trim() && !line.startsWith("#"));
  if (lines.shift()?.[1].trimEnd() !== TITLE) return { wrong: ["noGame", { title: TITLE }] };
  const wrong = (line, word) => ({ wrong: ["wrongLine", { line, word }] });
  const header = {};
  const words = [];
  for (const [number, line] of lines) {
    const colon = line.indexOf(":");
    if (colon < 0) words.push(...line.trim().split(/\s+/).map(word => [number, word]));
    else if (words.length) return wrong(number, line.slice(0, 40));
    else header[line.slice(0, colon).trim()] = [number, line.slice(colon + 1).trim()];
  }
  const value = (key, usual) => header[key]?.[1] ?? usual;
  for (const color of ["red", "green"]) {
    const set = value(`${color} doves`, "AYMTH");
    if (!/^(-|[AYMTH]+)$/i.test(set)) return wrong(header[`${color} doves`][0], set);
  }
  const game = {
    red: value("red doves", "AYMTH").toUpperCase(),
    green: value("green doves", "AYMTH").toUpperCase(),
    returns: value("returns", "yes") !== "no",
    bothSurrounded: value("both surrounded", "mover-loses"),
  };
  if (!["mover-loses", "mover-wins", "draw"].includes(game.bothSurrounded)) {
    return wrong(header["both surrounded"][0], game.bothSurrounded);
  }
  const start = header.start ? readBoard(header.start[1]) : { doves: START() };
  if (!start.doves || wrongWith(start.doves, game)) return wrong(header.start[0], header.start[1]);
  const first = value("to move", "red");
  if (first !== "red" && first !== "green") return wrong(header["to move"][0], first);
  const texts = [];
  let [doves, mover] = [start.doves, first];
  for (const [number, word] of words) {
    if (/^\d+\.$/.test(word)) continue;
    const typed = readAction(word, doves, mover);
    const { action } = typed && !resultOf(doves, mover, game) ? attempt(doves, typed.letter, typed.to, game) : {};
    if (!action) return wrong(number, word);
    texts.push(action.text);
    [doves, mover] = [action.after, opponent(mover)];
  }
  const byRules = resultText({ doves, mover }, game);
  const result = value("result", byRules);
  const isEnded = byRules === "unfinished" && ENDINGS.includes(result);
  if (!isEnded && result !== byRules) return wrong(header.result[0], result);
  const ending = isEnded ? result : null;
  const players = { red: value("red", "red"), green: value("green", "green") };
  return { game, players, doves: start.doves, mover: first, texts, ending };
}
