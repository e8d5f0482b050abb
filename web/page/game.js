// The panel of the game: its actions with values and review, other lines, its text, and its graph.

/** @import { Action, GameAnswer, Place, Review } from "./types.d.ts" */
/** @import { ReviewedStep } from "./documents.d.ts" */
/** @import { Analysis } from "./analysis.js" */
import { ask } from "./brain.js";
import { UNCORRECTED, button, faint, html, labelled, svg } from "./elements.js";
import { actionOf, actionsFrom, dovesOfText, gameOf, keyOf, kindsIn } from "./position.js";
import { ENDINGS, session } from "./session.js";
import { currentLanguage } from "./storage.js";
import { resultText, say, worthSign, worthText } from "./words.js";

/** The width and the height of the graph. */
const [WIDTH, HEIGHT] = [300, 90];

/**
 * The field for pasting: why the text was refused, and the boards found in it; null if it is closed.
 *
 * @type {{ wrong?: string, boards?: string[] } | null}
 */
let pasting = null;

export function togglePasting() {
  pasting = pasting ? null : {};
}

/** The comment in which a game file stores another line. @param {string[]} line */
const commentOf = line => ` line: ${line.join(" ")}`;

/** The text of the game, with other lines: doc/game-file.md describes the format. */
export function gameText() {
  const { players, positions: [start], texts, ending, lines, comments } = session;
  const others = lines.map(line => [texts.length, commentOf(line)]);
  return ask("game", {
    ...gameOf(start, texts), red_player: players.red, green_player: players.green,
    ...(ending && { ending }), comments: JSON.stringify([...comments, ...others]),
  }).text ?? "";
}

/** The local date and time. */
export const localTime = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().split("T");

/** A file name with the local date and time. @param {string} ending */
export function fileName(ending) {
  const [date, time] = localTime();
  return `tokyo-doves-${date}-${time.slice(0, 5).replace(":", "")}.${ending}`;
}

/** Saves a data URL as a file. @param {string} href @param {string} name */
export const saveAddress = (href, name) => html("a", { href, download: name }).click();
/** Saves a text as a file. @param {string} text @param {string} type @param {string} name */
export const save = (text, type, name) => saveAddress(`data:${type};charset=utf-8,${encodeURIComponent(text)}`, name);

/**
 * Reads a pasted text: an address of the page, a game, actions from the current position, a board, or several boards to
 * choose from. The field shows why any other text is refused.
 *
 * @param {string} text
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
  if (read.doves) session.begin({ doves: read.doves, mover: "red" });
  else if (read.kind === "game") takeGame(/** @type {GameAnswer} */ (read));
  else {
    const { positions: [start], players, comments, texts: before, ply, lines } = session;
    const texts = [...before.slice(0, ply), ...textsOf(/** @type {GameAnswer} */ (read))];
    session.begin({ ...start, players, comments, texts, lines: [before, ...lines] });
  }
}

/** Shows one of several boards. @param {string} board */
export const takeBoard = board => session.begin({ doves: dovesOfText(board), mover: "red" });

/** @param {GameAnswer} game */
const textsOf = ({ steps }) => steps.flatMap(({ action }) => action ?? []);

/** @param {GameAnswer} read */
function takeGame(read) {
  const { red, green, returns, both_surrounded: bothSurrounded, players, comments, result, steps: [start] } = read;
  const game = { red: kindsIn(red), green: kindsIn(green), returns, bothSurrounded };
  const mover = /** @type {Place["mover"]} */ (start.to_move);
  const place = { game, doves: dovesOfText(start.board), mover };
  const lines = comments.map(([, text]) => text.match(/^ line: (.*\S)/)?.[1].split(/\s+/) ?? []);
  const isLegal = (/** @type {string[]} */ line) => line.length > 0 && actionsFrom(place, line).length === line.length;
  session.begin({ ...place, players, texts: textsOf(read), ending: ENDINGS.includes(result) ? result : null, lines: lines.filter(isLegal) });
  // Comments that are not legal lines remain comments.
  const kept = session.lines.map(commentOf);
  session.comments = comments.filter((_, index) => !kept.includes(commentOf(lines[index])));
  session.changed();
}

/** The keys of an answer that a review reads. */
const REVIEWED = ["worth", "done", "actions", "action", "value", "plies", "within", "estimate", "per_mille"];
/** The latest review, valid until anything in `made`, its sources, changes. @type {Review} */
let latest = { made: [], steps: [], looked: 0 };

/**
 * The review of the game from the analysis of its positions: its `steps`, and the number of positions analysed.
 *
 * @param {Analysis} analysis
 */
export function reviewed(analysis) {
  const { positions, texts } = session;
  const answers = positions.map(place => analysis.of(place));
  const done = positions.map(place => analysis.isLookedAt(place));
  const made = [currentLanguage(), ...positions, ...answers, ...done];
  if (made.length === latest.made.length && made.every((part, index) => part === latest.made[index])) return latest;
  const known = answers.map((answer, index) => answer && { ...answer, done: done[index] });
  const { steps = positions.map(() => /** @type {ReviewedStep} */ ({})) } = ask("review", { ...gameOf(positions[0], texts), answers: JSON.stringify(known, REVIEWED) });
  latest = { made, steps, looked: done.filter(Boolean).length };
  return latest;
}

/** The plies of the mistakes. @param {ReviewedStep[]} steps */
const mistakes = steps => steps.flatMap(({ verdict }, ply) => (verdict?.mistake ? [ply] : []));

/** The ply of the next mistake after the current position, or of the first one. @param {Review} review */
export function nextMistake({ steps }) {
  const plies = mistakes(steps);
  return plies.find(ply => ply > session.ply) ?? plies[0];
}

/** The verdict on the action that led to the current position, if there is one. @param {Review} review */
export const verdictOf = ({ steps }) => steps[session.ply].verdict;

/** The mistake that led to the current position, in a sentence; empty if there is none. @param {Review} review */
export const missedText = review => (verdictOf(review)?.mistake ? ofPly(review) : "");

/**
 * The better action that was missed, and the refutation of the mistake, for a preview.
 *
 * @param {Review} review
 * @returns {Action[]}
 */
export function missedActions(review) {
  const verdict = verdictOf(review);
  if (!verdict?.mistake) return [];
  const { reply } = review.steps[session.ply];
  const better = verdict.better && actionOf(session.positions[session.ply - 1], verdict.better);
  const refutation = reply && session.legal(reply);
  return [...better ? [{ ...better, isBetter: true }] : [], ...refutation ? [refutation] : []];
}

/**
 * The panel.
 *
 * @param {Review | null} review null while values are hidden
 * @param {{ showsGraph: boolean, isReviewed: boolean, isLooking: boolean, isTurned: boolean, code: Element | null }} parts `code`:
 *   the QR code of the address, if it is shown
 */
export function gamePanel(review, { showsGraph, isReviewed, isLooking, isTurned, code }) {
  const { positions, lines } = session;
  return [
    html("h3", {}, say("game")),
    html("ol", { class: "game", id: "game-list", "aria-label": say("game") }, positions.map((_, index) => step(index, review?.steps[index], isReviewed))),
    session.isFinished && faint(resultText(session.lastResult, session.ending)),
    ...review && isReviewed ? reviewPanel(review, isLooking) : [],
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
    review && showsGraph && chart(review.steps),
  ];
}

/** The buttons that share the address. @param {string} text @param {Element | null} code its QR code, if it is shown */
export const shareButtons = (text, code, disabled = false) => [
  button("share", { disabled }, text), "share" in navigator && button("shareTo", { disabled }),
  button("showCode", { disabled, "aria-expanded": String(Boolean(code)) }, say("qrCode")),
];

/** The other lines as a tree that branches where they leave the game. */
function variations() {
  const { texts } = session;
  const lines = session.lines.map((line, index) => ({ line, index, from: line.findIndex((text, ply) => texts[ply] !== text) }));
  const plies = [...new Set(lines.map(({ from }) => from))].sort((a, b) => a - b);
  return plies.flatMap(ply => branches(lines.filter(({ from }) => from === ply), ply));
}

/**
 * The lines from a ply on, as a tree.
 *
 * @param {{ line: string[], index: number }[]} lines
 * @param {number} from
 * @returns {Element[]}
 */
function branches(lines, from) {
  const longer = lines.filter(({ line }) => line.length > from);
  return [...new Set(longer.map(({ line }) => line[from]))].map(first => {
    const alike = longer.filter(({ line }) => line[from] === first);
    const [{ line, index }] = alike;
    let to = from;
    while (to < line.length && alike.every(other => other.line[to] === line[to])) to++;
    const button = (/** @type {string} */ text, /** @type {number} */ step) => html("button", {
      "data-do": "takeLine", "data-line": index, "data-ply": from + step + 1, class: "action",
    }, `${from + step + 1}. ${text}`);
    const further = branches(alike, to);
    return html("li", {}, line.slice(from, to).map(button), further.length ? html("ul", {}, further) : null);
  });
}

/**
 * An action in the list, or the start, with its value to the player who played it.
 *
 * @param {number} index
 * @param {ReviewedStep | undefined} reviewed
 * @param {boolean} isReviewed
 */
function step(index, reviewed, isReviewed) {
  const { action_worth: worth, verdict } = reviewed ?? {};
  const isCurrent = index === session.ply;
  const sign = isReviewed && verdict?.sign;
  const shown = index > 0 ? worth : null;
  return html("li", {}, button("go", {
    "data-ply": index, class: ["action", isCurrent && "current", shown && `worth-${shown.value}`, sign && `judged-${verdict.kind}`],
    "aria-current": isCurrent && "step", title: sign ? verdict.text : shown && worthText(shown),
  }, [
    index ? `${index}. ${session.positions[index].action?.text}` : say("start"),
    shown && html("span", { class: "sign" }, ` ${worthSign(shown)}`), sign && html("span", { class: "judged" }, ` ${sign}`),
  ]));
}

/** The verdict on the action that led to the current position, with the action. @param {Review} review */
function ofPly(review) {
  const { sign, text } = verdictOf(review) ?? {};
  return [`${session.ply}.`, session.place.action?.text, sign, text].filter(Boolean).join(" ");
}

/** The field for typing an action, and the button that describes the board in words. */
export const typingLine = () => html("p", { class: "settings" },
  labelled("typeAction", html("input", { type: "text", id: "typed-action", size: 9, ...UNCORRECTED })), button("sayBoard"));

/** The buttons of a review. @param {Review} review @param {boolean} isTried whether a mistake was retried */
export const reviewButtons = (review, isTried) => [
  !isTried && mistakes(review.steps).length > 0 && button("nextMistake", { class: "main" }), verdictOf(review)?.mistake && button("tryAgain"),
];

/** The verdict on the current action, and the progress of the review. @param {Review} review @param {boolean} isLooking */
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
 * The graph of all values and estimates from red's point of view: wins above, losses below, quicker ones farther out.
 * It needs no keyboard access, because the buttons in the list of the game go to the same positions.
 *
 * @param {ReviewedStep[]} steps
 */
function chart(steps) {
  const points = steps.flatMap(({ worth, per_mille: share }, ply) => {
    if (!worth || share === null || share === undefined) return [];
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
