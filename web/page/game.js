// The panel of the game: its list with values and review, other lines that were tried, its text, and its graph.

import { html } from "./board.js";
import { chart } from "./chart.js";
import { ask, gameKey } from "./brain.js";
import { boardText, dovesOfText } from "./doves.js";
import { actionOf, keyOf } from "./position.js";
import { judge, judgedText, ofAction, pointsOf, worthsOf } from "./review.js";
import { ENDINGS, session } from "./session.js";
import { resultText, say, worthSign, worthText } from "./words.js";

/** The field for pasting: {wrong, boards}, what is wrong with the text, and the boards that are in it; null if it is closed. */
let pasting = null;

export function togglePasting() {
  pasting = pasting ? null : {};
}

/** What begins a comment that has another line of the game. */
const LINE = "# line: ";

/** The text of the game, with other lines: doc/game-file.md describes the format. */
export function gameText() {
  const { game, players, positions: [{ doves, mover }], texts, ending } = session;
  const record = {
    start: boardText(doves), to_move: mover, actions: texts.join(" "),
    red_player: players.red, green_player: players.green, ...gameKey(game),
  };
  const written = ask("game", ending ? { ...record, ending } : record);
  // An address may have an ending that the game does not.
  const { text } = written.error ? ask("game", record) : written;
  return text + session.lines.map(line => `${LINE}${line.join(" ")}\n`).join("");
}

/** A name for a file of this moment. */
export function fileName(ending) {
  const [date, time] = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().split("T");
  return `tokyo-doves-${date}-${time.slice(0, 5).replace(":", "")}.${ending}`;
}

/** Saves what an address holds as a file. */
export const saveAddress = (href, name) => html("a", { href, download: name }).click();
export const save = (text, type, name) => saveAddress(`data:${type};charset=utf-8,${encodeURIComponent(text)}`, name);

/**
 * Takes over an address of the page, a game, its actions alone from the position that is shown, or a board; of several
 * boards the user chooses one. Says in the field what is wrong.
 */
export function takeText(text) {
  const address = text.match(/#(\S*\bboard=\S*)/);
  if (address) {
    pasting = null;
    location.hash = address[1];
    return;
  }
  const read = ask("read", { text, ...keyOf(session.place) });
  const wrong = read.error ?? read.wrong;
  pasting = wrong ? { wrong } : read.kind === "boards" ? { boards: read.boards } : null;
  if (pasting) return;
  if (read.kind === "board") session.begin({ doves: read.doves, mover: "red" });
  else if (read.kind === "game") takeGame(read, text);
  else {
    const { positions: [{ doves, mover }], players, texts: before, ply, lines } = session;
    const texts = [...before.slice(0, ply), ...textsOf(read)];
    session.begin({ players, doves, mover, texts, lines: [before, ...lines] });
  }
}

/** Shows one of several boards; the others stay at hand. */
export const takeBoard = board => session.begin({ doves: dovesOfText(board), mover: "red" });

const textsOf = ({ steps }) => steps.slice(1).map(({ action }) => action);

function takeGame(read, text) {
  const comments = text.split("\n").filter(line => line.startsWith(LINE));
  const { red, green, returns, both_surrounded: bothSurrounded, players, result, steps: [start] } = read;
  session.begin({
    game: { red, green, returns, bothSurrounded }, players, doves: dovesOfText(start.board), mover: start.to_move,
    lines: comments.map(line => line.slice(LINE.length).trim().split(" ")), texts: textsOf(read), ending: ENDINGS.includes(result) ? result : null,
  });
}

/** What is known of the game: the values of its positions, and {worth, judged, reply} of its actions, by ply. */
export function reviewed(analysis) {
  const { positions, game } = session;
  const places = positions.map(position => ({ doves: position.doves, mover: position.mover, game }));
  const ask = index => analysis.of(places[index]);
  const worths = worthsOf(positions, ask, index => analysis.worthOf(places[index]));
  const isLookedAt = places.map(place => analysis.isLookedAt(place));
  const actions = positions.map((position, index) => {
    if (!index) return {};
    const worth = worths[index] && ofAction(worths[index]);
    const answers = [ask(index - 1), ask(index)];
    const judged = judge(worths[index - 1], worth, answers, position.action.text, isLookedAt[index - 1] && isLookedAt[index]);
    return { worth, judged, reply: answers[1]?.actions[0] };
  });
  const points = positions.map(({ mover }, ply) => {
    const part = pointsOf(worths[ply], ask(ply));
    return { ply, mover, worth: worths[ply] ?? ask(ply)?.worth, height: part === null || mover === "red" ? part : 1 - part };
  }).filter(({ worth, height }) => worth && height !== null);
  return { actions, points, looked: isLookedAt.filter(Boolean).length };
}

export const isMistake = judged => Boolean(judged?.better || judged?.worth);
/** The plies of the actions that gave something away. */
const mistakes = actions => actions.flatMap(({ judged }, ply) => (isMistake(judged) ? [ply] : []));

/** The next ply with a mistake after the one that is shown, or the first one of all. */
export function nextMistake({ actions }) {
  const plies = mistakes(actions);
  return plies.find(ply => ply > session.ply) ?? plies[0];
}

/** What the action that led to the position that is shown gave away, in a sentence; empty if nothing is known. */
export function missedText({ actions }) {
  return isMistake(actions[session.ply].judged) ? ofPly(actions[session.ply]) : "";
}

/** What there was instead of that action, and what beats it, to be drawn. */
export function missedActions({ actions }) {
  const { judged, reply } = actions[session.ply];
  if (!isMistake(judged)) return [];
  const { doves, mover } = session.positions[session.ply - 1];
  const better = judged.better && actionOf({ doves, mover, game: session.game }, judged.better.action);
  return [better && { ...better, isBetter: true }, reply && session.legal(reply.action)].filter(Boolean);
}

/**
 * `review` is what is known of the game, null where no values are shown; `showsGraph` says whether the graph is; `code` is
 * the QR code of the address, if it is shown.
 */
export function gamePanel(review, { showsGraph, isReviewed, isLooking, isTurned, code }) {
  const { positions, ply, lines } = session;
  return [
    html("h3", {}, say("game")),
    html("ol", { class: "game", id: "game-list", "aria-label": say("game") }, positions.map((_, index) => step(index, review?.actions[index], isReviewed))),
    session.isFinished ? html("p", { class: "faint" }, resultText(session.lastResult, session.ending)) : null,
    ...(isReviewed ? reviewPanel(review, isLooking) : []),
    lines.length ? html("div", { class: "lines" }, `${say("otherLines")} `, html("ul", {}, variations())) : null,
    html("p", { class: "buttons tools" },
      html("button", { "data-do": "copyGame" }, say("copyGame")),
      html("button", { "data-do": "paste", "aria-expanded": String(Boolean(pasting)) }, say("pasteGame")),
      html("button", { "data-do": "download" }, say("download")),
      html("button", { "data-do": "share" }, say("share")),
      html("button", { "data-do": "showCode", "aria-expanded": String(Boolean(code)) }, say("qrCode")),
      html("button", { "data-do": "savePicture" }, "SVG"),
      html("button", { "data-do": "savePng" }, "PNG"),
      html("button", { "data-do": "turnBoard", "aria-pressed": String(isTurned) }, say("turnBoard"))),
    code,
    pasting ? html("div", { class: "paste" },
      html("label", {}, say("pasteHere"), html("textarea", { id: "paste-text", rows: 6, spellcheck: "false", autocapitalize: "off", autocorrect: "off" })),
      pasting.wrong ? html("p", { id: "paste-wrong", class: "warning", role: "alert" }, pasting.wrong) : null,
      pasting.boards ? html("p", { class: "lines" }, pasting.boards.map((board, index) =>
        html("button", { "data-do": "takeBoard", "data-board": board, class: "action" }, `${index + 1}. ${board}`))) : null,
      html("button", { "data-do": "take", class: "main" }, say("take")), " ", html("button", { "data-do": "paste" }, say("close"))) : null,
    showsGraph ? chart(review.points, positions.length - 1, ply) : null,
  ];
}

/** The other lines as a tree, by the plies at which they leave the game. */
function variations() {
  const lines = session.lines.map((line, index) => ({ line, index, from: session.leaves(line) - 1 }));
  const plies = [...new Set(lines.map(({ from }) => from))].sort((a, b) => a - b);
  return plies.flatMap(ply => branches(lines.filter(({ from }) => from === ply), ply));
}

/** Lines from a ply: those that go on alike share a branch. */
function branches(lines, from) {
  const longer = lines.filter(({ line }) => line.length > from);
  return [...new Set(longer.map(({ line }) => line[from]))].map(first => {
    const alike = longer.filter(({ line }) => line[from] === first);
    const [{ line, index }] = alike;
    let to = from;
    while (to < line.length && alike.every(other => other.line[to] === line[to])) to++;
    const button = (text, step) => html("button", {
      "data-do": "takeLine", "data-line": index, "data-ply": from + step + 1, class: "action",
    }, `${from + step + 1}. ${text}`);
    const further = branches(alike, to);
    return html("li", {}, line.slice(from, to).map(button), further.length ? html("ul", {}, further) : null);
  });
}

/** An action in the list, or the start, with the sign of its value to the player who took it. */
function step(index, action = {}, isReviewed) {
  const { worth, judged } = action;
  const isCurrent = index === session.ply;
  const sign = isReviewed && judged?.sign;
  return html("li", {}, html("button", {
    "data-do": "go", "data-ply": index, class: `action${isCurrent ? " current" : ""}${worth ? ` worth-${worth.value}` : ""}${sign ? ` judged-${judged.kind}` : ""}`,
    "aria-current": isCurrent ? "step" : null, title: sign ? textOf(action) : worth ? worthText(worth) : null,
  }, index ? `${index}. ${session.positions[index].action.text}` : say("start"),
  worth ? html("span", { class: "sign" }, ` ${worthSign(worth)}`) : null,
  sign ? html("span", { class: "judged" }, ` ${sign}`) : null));
}

const textOf = ({ judged, reply }) => judgedText(judged, reply);
const ofPly = action => [`${session.ply}.`, session.positions[session.ply].action.text, action.judged.sign, textOf(action)].filter(Boolean).join(" ");

/** The ways from mistake to mistake of a game that is reviewed, and to a better action. */
export const reviewButtons = ({ actions }) => [
  mistakes(actions).length ? html("button", { "data-do": "nextMistake", class: "main" }, say("nextMistake")) : null,
  isMistake(actions[session.ply].judged) ? html("button", { "data-do": "tryAgain" }, say("tryAgain")) : null,
];

/** What the action that is shown gave away, and how much of the game has been looked at. */
function reviewPanel({ actions, looked }, isLooking) {
  const action = actions[session.ply];
  const plies = mistakes(actions);
  const all = actions.length;
  const sentence = action.judged ? ofPly(action) : say(plies.length ? "reviewed" : "noMistakes", { mistakes: plies.length });
  return [
    html("p", { id: "review" }, sentence, html("span", { class: "faint" }, ` ${say(looked < all ? "reviewOpen" : "reviewDone", { looked, all })}`)),
    isLooking || looked < all ? null : html("p", { class: "buttons" }, html("button", { "data-do": "lookLonger" }, say("lookLonger"))),
  ];
}
