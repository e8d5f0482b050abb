// The panel of the game: its list with values and review, other lines that were tried, its text, and its graph.

import { html } from "./board.js";
import { chart } from "./chart.js";
import { ask, gameKey } from "./brain.js";
import { boardText, dovesOfText } from "./doves.js";
import { keyOf } from "./position.js";
import { SIGNS, actionWorth, judge, worthsOf } from "./review.js";
import { ENDINGS, session } from "./session.js";
import { resultText, say, worthSign, worthText } from "./words.js";

/** Whether the field for pasting is open. */
let isPasting = false;

export function togglePasting() {
  isPasting = !isPasting;
}

/** The text of the game: doc/game-file.md describes the format. */
export function gameText() {
  const { game, players, positions: [{ doves, mover }], texts, ending } = session;
  const record = {
    start: boardText(doves), to_move: mover, actions: texts.join(" "),
    red_player: players.red, green_player: players.green, ...gameKey(game),
  };
  const written = ask("game", ending ? { ...record, ending } : record);
  // An address may have an ending that the game does not.
  return (written.error ? ask("game", record) : written).text;
}

/** A name for a file of this moment. */
export function fileName(ending) {
  const [date, time] = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().split("T");
  return `tokyo-doves-${date}-${time.slice(0, 5).replace(":", "")}.${ending}`;
}

/** Saves a text as a file. */
export const save = (text, type, name) =>
  html("a", { href: `data:${type};charset=utf-8,${encodeURIComponent(text)}`, download: name }).click();

/** Takes over a game, its actions alone from the position that is shown, or a board. What is wrong, or null. */
export function takeText(text) {
  const read = ask("read", { text, ...keyOf(session.place) });
  const wrong = read.error ?? read.wrong;
  if (wrong) return wrong;
  isPasting = false;
  if (read.kind === "board") session.begin({ doves: read.doves, mover: "red" });
  else if (read.kind === "game") takeGame(read);
  else {
    const { positions: [{ doves, mover }], players, texts: before, ply, lines } = session;
    const texts = [...before.slice(0, ply), ...textsOf(read)];
    session.begin({ players, doves, mover, texts, lines: [before, ...lines] });
  }
  return null;
}

const textsOf = ({ steps }) => steps.slice(1).map(({ action }) => action);

function takeGame(read) {
  const { red, green, returns, both_surrounded: bothSurrounded, players, result, steps: [start] } = read;
  session.begin({
    game: { red, green, returns, bothSurrounded }, players, doves: dovesOfText(start.board), mover: start.to_move,
    texts: textsOf(read), ending: ENDINGS.includes(result) ? result : null,
  });
}

/** What is known of the actions of the game: [{worth, judged}], by ply, and the values of its positions. */
export function reviewed(analysis) {
  const { positions, game } = session;
  const places = positions.map(position => ({ doves: position.doves, mover: position.mover, game }));
  const ask = index => analysis.of(places[index]);
  const worths = worthsOf(positions, ask, index => analysis.worthOf(places[index]));
  const actions = positions.map((_, index) => {
    const worth = actionWorth(worths, positions, index, ask);
    return { worth, judged: index ? judge(worths[index - 1], worth, ask(index - 1), positions[index].action.text) : null };
  });
  return { worths, actions };
}

/** The plies of the actions that gave something away. */
const mistakes = actions => actions.flatMap(({ judged }, ply) => (judged && judged.kind !== "kept" ? [ply] : []));

/** The next ply with a mistake after the one that is shown, or the first one of all. */
export function nextMistake(analysis) {
  const plies = mistakes(reviewed(analysis).actions);
  return plies.find(ply => ply > session.ply) ?? plies[0];
}

/** What the action that is shown missed, in a sentence; empty if nothing is known of it, or it missed nothing. */
export function missedText(analysis) {
  const judged = session.ply ? reviewed(analysis).actions[session.ply].judged : null;
  return judged && judged.kind !== "kept" ? ofPly(judged) : "";
}

/** `analysis` is null where no values are shown; `showsGraph` says whether the graph is, too. */
export function gamePanel(analysis, showsGraph) {
  const { positions, ply, lines } = session;
  const { worths, actions } = analysis ? reviewed(analysis) : { worths: [], actions: [] };
  const isReviewed = analysis && positions.length > 1 && session.isFinished;
  const points = positions.map(({ mover }, index) => ({ ply: index, mover, worth: worths[index] })).filter(({ worth }) => worth);
  return [
    html("h3", {}, say("game")),
    html("ol", { class: "game", id: "game-list" }, positions.map((_, index) => step(index, actions[index], isReviewed))),
    session.isFinished ? html("p", { class: "faint" }, resultText(session.lastResult, session.ending)) : null,
    isReviewed ? reviewPanel(actions) : null,
    lines.length ? html("p", { class: "lines" }, `${say("otherLines")} `, lines.map((line, index) => {
      const from = session.leaves(line);
      return html("button", { "data-do": "takeLine", "data-line": index, class: "action" }, `${from}. ${line.slice(from - 1, from + 3).join(" ")}${line.length > from + 3 ? " …" : ""}`);
    })) : null,
    html("p", { class: "buttons tools" },
      html("button", { "data-do": "copyGame" }, say("copyGame")),
      html("button", { "data-do": "paste", "aria-expanded": String(isPasting) }, say("pasteGame")),
      html("button", { "data-do": "download" }, say("download")),
      html("button", { "data-do": "share" }, say("share")),
      html("button", { "data-do": "savePicture" }, say("savePicture"))),
    isPasting ? html("p", { class: "paste" },
      html("label", {}, say("pasteHere"), html("textarea", { id: "paste-text", rows: 6, spellcheck: "false", autocapitalize: "off", autocorrect: "off" })),
      html("button", { "data-do": "take", class: "main" }, say("take")), " ", html("button", { "data-do": "paste" }, say("close"))) : null,
    showsGraph ? chart(points, positions.length - 1, ply) : null,
  ];
}

/** An action in the list, or the start, with the sign of its value to the player who took it. */
function step(index, { worth, judged } = {}, isReviewed) {
  const isCurrent = index === session.ply;
  const sign = isReviewed && judged ? judged.kind : null;
  return html("li", {}, html("button", {
    "data-do": "go", "data-ply": index, class: `action${isCurrent ? " current" : ""}${worth ? ` worth-${worth.value}` : ""}${sign ? ` judged-${sign}` : ""}`,
    "aria-current": isCurrent ? "step" : null, title: sign ? judgedText(judged) : worth ? worthText(worth) : null,
  }, index ? `${index}. ${session.positions[index].action.text}` : say("start"),
  worth ? html("span", { class: "sign" }, ` ${worthSign(worth)}`) : null,
  sign ? html("span", { class: "judged" }, ` ${SIGNS[sign]}`) : null));
}

const judgedText = ({ kind, missed }) => say(kind, { missed });
const ofPly = judged => `${session.ply}. ${session.positions[session.ply].action.text} ${SIGNS[judged.kind]} ${judgedText(judged)}`;

/** The way to the next mistake of a game that is reviewed. */
export const nextMistakeButton = analysis =>
  (mistakes(reviewed(analysis).actions).length ? html("button", { "data-do": "nextMistake", class: "main" }, say("nextMistake")) : null);

/** What the action that is shown missed. */
function reviewPanel(actions) {
  const judged = actions[session.ply]?.judged;
  const plies = mistakes(actions);
  const open = actions.slice(1).filter(({ judged }) => !judged).length;
  return html("p", { id: "review" }, session.ply && judged ? ofPly(judged) : say(plies.length ? "reviewed" : "noMistakes", { mistakes: plies.length }), open ? html("span", { class: "faint" }, ` ${say("reviewOpen", { open })}`) : null);
}
