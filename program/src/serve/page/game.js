// The panel of the game: its list with values and review, other lines that were tried, its text, and its graph.

import { html } from "./board.js";
import { chart } from "./chart.js";
import { read, write } from "./record.js";
import { readBoard, wrongWith } from "./rules.js";
import { SIGNS, actionWorth, judge, worthsOf } from "./review.js";
import { session } from "./session.js";
import { resultText, say, worthSign, worthText } from "./words.js";

/** Whether the field for pasting is open. */
let isPasting = false;

export function togglePasting() {
  isPasting = !isPasting;
}

export const gameText = () =>
  write({ game: session.game, players: session.players, positions: session.positions, ending: session.ending });

/** A name for a file of this moment. */
export function fileName(ending) {
  const [date, time] = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().split("T");
  return `tokyo-doves-${date}-${time.slice(0, 5).replace(":", "")}.${ending}`;
}

/** Saves a text as a file. */
export const save = (text, type, name) =>
  html("a", { href: `data:${type};charset=utf-8,${encodeURIComponent(text)}`, download: name }).click();

/** Takes a game or a board over from its text. What is wrong with it, as a key of words.js and parameters, or null. */
export function takeText(text) {
  const first = text.trimStart();
  const isGame = first.startsWith("Tokyo Doves");
  const taken = isGame ? read(first) : readBoard(text);
  const wrong = taken.wrong ?? (isGame ? null : wrongWith(taken.doves, session.game));
  if (wrong) return wrong;
  isPasting = false;
  session.begin(isGame ? taken : { doves: taken.doves, mover: "red" });
  return null;
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
      html("label", {}, say("pasteHere"), html("textarea", { id: "paste-text", rows: 6, spellcheck: "false" })),
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
