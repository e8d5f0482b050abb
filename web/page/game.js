// The panel of the game: its list with values and review, other lines that were tried, its text, and its graph.

import { ask } from "./brain.js";
import { UNCORRECTED, button, faint, html, labelled, svg } from "./elements.js";
import { actionOf, actionsFrom, dovesOfText, gameOf, keyOf, kindsIn } from "./position.js";
import { ENDINGS, session } from "./session.js";
import { currentLanguage } from "./storage.js";
import { resultText, say, worthSign, worthText } from "./words.js";

/** The width and the height of the graph. */
const [WIDTH, HEIGHT] = [300, 90];

/** The field for pasting: {wrong, boards}, what is wrong with the text, and the boards that are in it; null if it is closed. */
let pasting = null;

export function togglePasting() {
  pasting = pasting ? null : {};
}

/** The comment that has another line of the game. */
const commentOf = line => ` line: ${line.join(" ")}`;

/** The text of the game, with other lines: doc/game-file.md describes the format. */
export function gameText() {
  const { players, positions: [start], texts, ending, lines, comments } = session;
  const others = lines.map(line => [texts.length, commentOf(line)]);
  return ask("game", {
    ...gameOf(start, texts), red_player: players.red, green_player: players.green,
    ...(ending && { ending }), comments: JSON.stringify([...comments, ...others]),
  }).text;
}

/** This moment here, as its date and its time. */
export const localTime = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().split("T");

/** A name for a file of this moment. */
export function fileName(ending) {
  const [date, time] = localTime();
  return `tokyo-doves-${date}-${time.slice(0, 5).replace(":", "")}.${ending}`;
}

/** Saves what an address holds as a file. */
export const saveAddress = (href, name) => html("a", { href, download: name }).click();
export const save = (text, type, name) => saveAddress(`data:${type};charset=utf-8,${encodeURIComponent(text)}`, name);

/**
 * Takes over a pasted text: an address of the page, a game, actions from the position that is shown, or a board; of several
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
    const { positions: [start], players, comments, texts: before, ply, lines } = session;
    const texts = [...before.slice(0, ply), ...textsOf(read)];
    session.begin({ ...start, players, comments, texts, lines: [before, ...lines] });
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
  // Comments that have not become lines stay comments.
  const kept = session.lines.map(commentOf);
  session.comments = comments.filter((_, index) => !kept.includes(commentOf(lines[index])));
  session.changed();
}

/** The keys of an answer that a review needs. */
const REVIEWED = ["worth", "done", "actions", "action", "value", "plies", "within", "estimate", "per_mille"];
/** The latest review, and what it was `made` of. */
let latest = { made: [] };

/** The review of the game from what is known of its positions: its `steps`, and how many positions have been looked at. */
export function reviewed(analysis) {
  const { positions, texts } = session;
  const answers = positions.map(place => analysis.of(place));
  const done = positions.map(place => analysis.isLookedAt(place));
  const made = [currentLanguage(), ...positions, ...answers, ...done];
  if (made.length === latest.made.length && made.every((part, index) => part === latest.made[index])) return latest;
  const known = answers.map((answer, index) => answer && { ...answer, done: done[index] });
  const { steps = positions.map(() => ({})) } = ask("review", { ...gameOf(positions[0], texts), answers: JSON.stringify(known, REVIEWED) });
  latest = { made, steps, looked: done.filter(Boolean).length };
  return latest;
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
  const better = verdict.better && actionOf(session.positions[session.ply - 1], verdict.better);
  return [better && { ...better, isBetter: true }, reply && session.legal(reply)].filter(Boolean);
}

/**
 * `review` is what is known of the game, null where no values are shown; `showsGraph` says whether the graph is; `code` is
 * the QR code of the address, if it is shown.
 */
export function gamePanel(review, { showsGraph, isReviewed, isLooking, isTurned, code }) {
  const { positions, lines } = session;
  return [
    html("h3", {}, say("game")),
    html("ol", { class: "game", id: "game-list", "aria-label": say("game") }, positions.map((_, index) => step(index, review?.steps[index], isReviewed))),
    session.isFinished && faint(resultText(session.lastResult, session.ending)),
    ...isReviewed ? reviewPanel(review, isLooking) : [],
    lines.length > 0 && html("div", { class: "lines" }, `${say("otherLines")} `, html("ul", {}, variations())),
    typingLine(),
    html("p", { class: "buttons" },
      button("copyGame"), button("paste", { "aria-expanded": String(pasting !== null) }, say("pasteGame")), button("download"),
      shareButtons(say("share"), code), button("savePicture", {}, "SVG"), button("savePng", {}, "PNG"),
      button("turnBoard", { "aria-pressed": String(isTurned) })),
    code,
    pasting && html("div", { class: "paste" },
      html("label", {}, say("pasteHere"), html("textarea", { id: "paste-text", rows: 6, ...UNCORRECTED })),
      pasting.wrong && html("p", { id: "paste-wrong", class: "warning", role: "alert" }, pasting.wrong),
      pasting.boards && html("p", { class: "lines" }, pasting.boards.map((board, index) =>
        button("takeBoard", { "data-board": board, class: "action" }, `${index + 1}. ${board}`))),
      button("take", { class: "main" }), " ", button("paste", {}, say("close"))),
    showsGraph && chart(review.steps),
  ];
}

/** The ways to pass the address on; `code` is its QR code, if it is shown. */
export const shareButtons = (text, code, disabled = false) => [
  button("share", { disabled }, text), navigator.share && button("shareTo", { disabled }),
  button("showCode", { disabled, "aria-expanded": String(Boolean(code)) }, say("qrCode")),
];

/** The other lines as a tree, by the plies at which they leave the game. */
function variations() {
  const { texts } = session;
  const lines = session.lines.map((line, index) => ({ line, index, from: line.findIndex((text, ply) => texts[ply] !== text) }));
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
  const isShown = index > 0 && worth;
  return html("li", {}, button("go", {
    "data-ply": index, class: ["action", isCurrent && "current", isShown && `worth-${worth.value}`, sign && `judged-${verdict.kind}`],
    "aria-current": isCurrent && "step", title: sign ? verdict.text : isShown && worthText(worth),
  }, [
    index ? `${index}. ${session.positions[index].action.text}` : say("start"),
    isShown && html("span", { class: "sign" }, ` ${worthSign(worth)}`), sign && html("span", { class: "judged" }, ` ${sign}`),
  ]));
}

function ofPly(review) {
  const { sign, text } = verdictOf(review);
  return [`${session.ply}.`, session.positions[session.ply].action.text, sign, text].filter(Boolean).join(" ");
}

/** The line for typing an action, or for having the board read aloud. */
export const typingLine = () => html("p", { class: "settings" },
  labelled("typeAction", html("input", { type: "text", id: "typed-action", size: 9, ...UNCORRECTED })), button("sayBoard"));

/** The buttons of a review: to the next mistake, unless one is being tried again, and to try a better action. */
export const reviewButtons = (review, isTried) => [
  !isTried && mistakes(review.steps).length > 0 && button("nextMistake", { class: "main" }), verdictOf(review)?.mistake && button("tryAgain"),
];

/** What the action that is shown gave away, and how much of the game has been looked at. */
function reviewPanel(review, isLooking) {
  const { steps: { length: all }, looked } = review;
  const plies = mistakes(review.steps);
  const sentence = verdictOf(review) ? ofPly(review) : plies.length ? say("reviewed", { mistakes: plies.length }) : say("noMistakes");
  return [
    html("p", { id: "review" }, sentence, html("span", { class: "faint" }, ` ${say(looked < all ? "reviewOpen" : "reviewDone", { looked, all })}`)),
    !isLooking && looked === all && html("p", { class: "buttons" }, button("lookLonger")),
  ];
}

/**
 * The graph of what each position of the game was worth to red, as far as it is known: wins above, losses below, quicker
 * ones farther out. It is a picture only: for the keyboard, the list of the game has the same values as buttons.
 */
function chart(steps) {
  const points = steps.flatMap(({ worth, per_mille: share }, ply) => {
    if (!worth || share === null) return [];
    const { mover } = session.positions[ply];
    const height = mover === "red" ? share / 1000 : 1 - share / 1000;
    const x = 8 + (WIDTH - 16) * ply / Math.max(steps.length - 1, 1);
    return [{ ply, mover, worth, x, y: 8 + (HEIGHT - 16) * (1 - height) }];
  });
  if (points.length < 2) return faint(say("chartNone"));
  // Only the values of successive positions are joined by a line.
  const line = points.map(({ ply, x, y }, index) => `${ply - points[index - 1]?.ply === 1 ? "L" : "M"}${x} ${y}`);
  const half = { width: WIDTH, height: HEIGHT / 2 };
  return svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("chart") },
    svg("rect", { class: "chart-red", x: 0, y: 0, ...half }), svg("rect", { class: "chart-green", x: 0, y: HEIGHT / 2, ...half }),
    svg("line", { class: "chart-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    svg("path", { class: "chart-line", d: line.join("") }),
    points.map(({ ply, worth, mover, x, y }) => svg("g", {
      class: ["chart-point", `worth-${worth.value}`, ply === session.ply && "current"], "data-do": "go", "data-ply": ply,
    },
    svg("title", {}, say("ply", { ply, worth: worthText(worth), color: mover })),
    worth.value === "none" ? svg("circle", { cx: x, cy: y, r: 3.5 }) : svg("rect", { x: x - 4, y: y - 4, width: 8, height: 8 }))));
}
