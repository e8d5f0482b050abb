// The panel of the game: its list with values and review, other lines that were tried, its text, and its graph.

import { html } from "./board.js";
import { chart } from "./chart.js";
import { ask, gameKey } from "./brain.js";
import { boardText, dovesOfText, kindsIn } from "./doves.js";
import { actionOf, actionsFrom, keyOf } from "./position.js";
import { ENDINGS, session } from "./session.js";
import { currentLanguage, resultText, say, worthSign, worthText } from "./words.js";

/** The field for pasting: {wrong, boards}, what is wrong with the text, and the boards that are in it; null if it is closed. */
let pasting = null;

export function togglePasting() {
  pasting = pasting ? null : {};
}

/** The comment that has another line of the game. */
const commentOf = line => ` line: ${line.join(" ")}`;

/** The text of the game, with other lines: doc/game-file.md describes the format. */
export function gameText() {
  const { game, players, positions: [{ doves, mover }], texts, ending, lines, comments } = session;
  const others = lines.map(line => [texts.length, commentOf(line)]);
  return ask("game", {
    start: boardText(doves), to_move: mover, actions: texts.join(" "), red_player: players.red, green_player: players.green,
    ...(ending && { ending }), comments: JSON.stringify([...comments, ...others]), ...gameKey(game),
  }).text;
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
  else if (read.kind === "game") takeGame(read);
  else {
    const { positions: [{ doves, mover }], players, comments, texts: before, ply, lines } = session;
    const texts = [...before.slice(0, ply), ...textsOf(read)];
    session.begin({ players, comments, doves, mover, texts, lines: [before, ...lines] });
  }
}

/** Shows one of several boards; the others stay at hand. */
export const takeBoard = board => session.begin({ doves: dovesOfText(board), mover: "red" });

const textsOf = ({ steps }) => steps.slice(1).map(({ action }) => action);

function takeGame(read) {
  const { red, green, returns, both_surrounded: bothSurrounded, players, comments, result, steps: [start] } = read;
  const game = { red: kindsIn(red), green: kindsIn(green), returns, bothSurrounded };
  const place = { game, doves: dovesOfText(start.board), mover: start.to_move };
  const lines = comments.map(([, text]) => text.match(/^ line: (.*\S)/)?.[1].split(/\s+/) ?? []);
  const isLegal = line => line.length > 0 && actionsFrom(place, line).length === line.length;
  session.begin({ ...place, players, texts: textsOf(read), ending: ENDINGS.includes(result) ? result : null, lines: lines.filter(isLegal) });
  // What is no line that is kept stays a comment.
  const kept = session.lines.map(commentOf);
  session.comments = comments.filter((_, index) => !kept.includes(commentOf(lines[index])));
  session.changed();
}

/** The latest review: what it was made of, and {steps, points, looked}. */
let latest = { made: [], review: null };

/**
 * The review of the game from what is known of its positions: the steps that /api/review answers, the points of the graph,
 * and how many positions have been looked at.
 */
export function reviewed(analysis) {
  const { positions, places, game, texts } = session;
  const answers = places.map(place => analysis.of(place));
  const done = places.map(place => analysis.isLookedAt(place));
  const made = [currentLanguage(), game, ...positions, ...answers, ...done];
  if (made.length === latest.made.length && made.every((part, index) => part === latest.made[index])) return latest.review;
  const known = ({ worth, actions }, index) => ({
    worth, done: done[index], actions: actions.map(({ action, value, plies, within, estimate }) => ({ action, value, plies, within, estimate })),
  });
  const asked = {
    start: boardText(positions[0].doves), to_move: positions[0].mover, actions: texts.join(" "), ...gameKey(game),
    answers: JSON.stringify(answers.map((answer, index) => answer && known(answer, index))),
  };
  const { steps = positions.map(() => ({})) } = ask("review", asked);
  const points = steps.map(({ worth, per_mille: points }, ply) => {
    const { mover } = positions[ply];
    return { ply, mover, worth, points, height: mover === "red" ? points / 1000 : 1 - points / 1000 };
  }).filter(({ worth, points }) => worth && points !== null);
  latest = { made, review: { steps, points, looked: done.filter(Boolean).length } };
  return latest.review;
}

/** The plies of the actions that gave something away. */
const mistakes = steps => steps.flatMap(({ verdict }, ply) => (verdict?.mistake ? [ply] : []));

/** The next ply with a mistake after the one that is shown, or the first one of all. */
export function nextMistake({ steps }) {
  const plies = mistakes(steps);
  return plies.find(ply => ply > session.ply) ?? plies[0];
}

/** The verdict on the action that led to the position that is shown, if there is one. */
export const verdictOf = ({ steps }) => steps[session.ply].verdict;

/** What that action gave away, in a sentence; empty if nothing is known. */
export const missedText = review => (verdictOf(review)?.mistake ? ofPly(review) : "");

/** What there was instead of that action, and what beats it, to be drawn. */
export function missedActions(review) {
  const verdict = verdictOf(review);
  if (!verdict?.mistake) return [];
  const { reply } = review.steps[session.ply];
  const { doves, mover } = session.positions[session.ply - 1];
  const better = verdict.better && actionOf({ doves, mover, game: session.game }, verdict.better);
  return [better && { ...better, isBetter: true }, reply && session.legal(reply)].filter(Boolean);
}

/**
 * `review` is what is known of the game, null where no values are shown; `showsGraph` says whether the graph is; `code` is
 * the QR code of the address, if it is shown.
 */
export function gamePanel(review, { showsGraph, isReviewed, isLooking, isTurned, code }) {
  const { positions, ply, lines } = session;
  return [
    html("h3", {}, say("game")),
    html("ol", { class: "game", id: "game-list", "aria-label": say("game") }, positions.map((_, index) => step(index, review?.steps[index], isReviewed))),
    session.isFinished ? html("p", { class: "faint" }, resultText(session.lastResult, session.ending)) : null,
    ...(isReviewed ? reviewPanel(review, isLooking) : []),
    lines.length ? html("div", { class: "lines" }, `${say("otherLines")} `, html("ul", {}, variations())) : null,
    typingLine(),
    html("p", { class: "buttons tools" },
      html("button", { "data-do": "copyGame" }, say("copyGame")),
      html("button", { "data-do": "paste", "aria-expanded": String(Boolean(pasting)) }, say("pasteGame")),
      html("button", { "data-do": "download" }, say("download")),
      html("button", { "data-do": "share" }, say("share")),
      navigator.share ? html("button", { "data-do": "shareTo" }, say("shareTo")) : null,
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
function step(index, { action_worth: worth, verdict } = {}, isReviewed) {
  const isCurrent = index === session.ply;
  const sign = isReviewed && verdict?.sign;
  const isShown = index && worth;
  return html("li", {}, html("button", {
    "data-do": "go", "data-ply": index, class: `action${isCurrent ? " current" : ""}${isShown ? ` worth-${worth.value}` : ""}${sign ? ` judged-${verdict.kind}` : ""}`,
    "aria-current": isCurrent ? "step" : null, title: sign ? verdict.text : isShown ? worthText(worth) : null,
  }, index ? `${index}. ${session.positions[index].action.text}` : say("start"),
  isShown ? html("span", { class: "sign" }, ` ${worthSign(worth)}`) : null,
  sign ? html("span", { class: "judged" }, ` ${sign}`) : null));
}

function ofPly(review) {
  const { sign, text } = verdictOf(review);
  return [`${session.ply}.`, session.positions[session.ply].action.text, sign, text].filter(Boolean).join(" ");
}

/** For who types an action, or has the board read aloud. */
export const typingLine = () => html("p", { class: "settings" },
  html("label", {}, `${say("typeAction")} `, html("input", {
    type: "text", id: "typed-action", size: 9, spellcheck: "false", autocomplete: "off", autocapitalize: "off", autocorrect: "off",
  })),
  html("button", { "data-do": "sayBoard" }, say("sayBoard")));

/** The ways from mistake to mistake of a game that is reviewed, unless one is tried again, and to a better action. */
export const reviewButtons = (review, isTried) => [
  !isTried && mistakes(review.steps).length ? html("button", { "data-do": "nextMistake", class: "main" }, say("nextMistake")) : null,
  verdictOf(review)?.mistake ? html("button", { "data-do": "tryAgain" }, say("tryAgain")) : null,
];

/** What the action that is shown gave away, and how much of the game has been looked at. */
function reviewPanel(review, isLooking) {
  const { steps: { length: all }, looked } = review;
  const plies = mistakes(review.steps);
  const sentence = verdictOf(review) ? ofPly(review) : plies.length ? say("reviewed", { mistakes: plies.length }) : say("noMistakes");
  return [
    html("p", { id: "review" }, sentence, html("span", { class: "faint" }, ` ${say(looked < all ? "reviewOpen" : "reviewDone", { looked, all })}`)),
    isLooking || looked < all ? null : html("p", { class: "buttons" }, html("button", { "data-do": "lookLonger" }, say("lookLonger"))),
  ];
}
