// Counts all positions of a category in the browser, on the CPU and on the user's GPU, and compares the counts.

/** @import { Run, Sentence } from "./types.d.ts" */
/** @import { SumDocument, TallyRow } from "./documents.d.ts" */
import { PAGE_GAME, PAGE_VERSION, gameKey, sentenceOf, sumOfCounts } from "./brain.js";
import { button, html, labelled, select, svg } from "./elements.js";
import { fileName, save } from "./game.js";
import { SIZE } from "./position.js";
import { session } from "./session.js";
import { changedRule, rulesPanel } from "./setup.js";
import { state } from "./state.js";
import { currentLanguage } from "./storage.js";
import { GpuCount, Tally } from "./tallies.js";
import { say } from "./words.js";

const MOST_DOVES = 12;
/** Precedes the range of doves if the count is unfinished. */
const PART = "part of ";
const CATEGORIES = ["mates", "wins", "stuck"];

/** The name of a row: the number of doves, with the player to move if that makes a difference. @type {(row: TallyRow) => string} */
const nameOf = ({ mover, doves }) => (mover === "any" ? String(doves) : `${say("toMove", { color: mover })}${say("colon")}${doves}`);

/** A field of a CSV row. @type {(value: unknown) => unknown} */
const quoted = value => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value);

/** Assignments per second of a run that tested every one; null for other runs. @type {(run: Run) => number | null} */
const rateOf = ({ method, assignments, seconds }) => (method === "exhaustive" ? Math.round(assignments / seconds) : null);

/** A duration in words. @param {number} seconds */
function timeText(seconds) {
  const [unit, length] = /** @type {[string, number]} */ (seconds < 90 ? ["seconds", 1] : seconds < 5400 ? ["minutes", 60] : ["hours", 3600]);
  return say(unit, { number: numberText(Math.ceil(seconds / length)) });
}

/** A share in percent, with one decimal place below ten. @type {(share: number) => number} */
const percentOf = share => (share < 0.1 ? Math.floor(1000 * share) / 10 : Math.floor(100 * share));

/** @type {(number: number) => string} */
const numberText = number => number.toLocaleString(currentLanguage());

/**
 * The text of a message. Its parameters are numbers (printed with separators), texts or messages.
 *
 * @type {(message: Sentence) => string}
 */
function sentence([key, parameters = {}]) {
  const text = (/** @type {any} */ value) => (Array.isArray(value) ? sentence(/** @type {Sentence} */ (value)) : Number.isInteger(value) ? numberText(value) : value);
  return say(key, Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, text(value)])));
}

/** The game and the category of the count, and the maximum number of doves in the GPU's count. */
let game = { ...PAGE_GAME, red: "AYMTH", green: "AYMTH" };
let category = "mates";
let most = MOST_DOVES;
/** The CPU's counts with the factored and then the exhaustive method; null before they begin. @type {Tally | null} */
let tally = null;
/** @type {Tally | null} */
let second = null;
/** Why the CPU's count has failed. @type {Sentence | null} */
let failure = null;
/** Why there is no GPU; null if there is one. @type {Sentence | null} */
let lacks = ["countLooking"];

const newGpuCount = () => new GpuCount({ ...gameKey(game), category, doves: `2..${most}` }, changed);
/** The count on the GPU. */
let gpu = newGpuCount();

/** Prepares a new count on the GPU, and ends the previous one. */
function renew() {
  gpu.end();
  gpu = newGpuCount();
}

/** Redraws the counts or, in other views, only the percentage in the tab. */
function changed() {
  if (session.mode === "count") state.redraw();
  else showShare();
}

/** Shows the share of a running count on the GPU in every view, and in the browser's tab. */
export function showShare() {
  const tab = /** @type {HTMLElement} */ (document.getElementById("tab-count"));
  const share = gpu.isRunning ? `${percentOf(gpu.share)} %` : "";
  if (share) tab.dataset.share = share;
  else delete tab.dataset.share;
  document.title = `${share && `${share} – `}${say("title")} – dovemate`;
}

/** Counts on the CPU when called first. Looks for a GPU if one can count this game, unless one was found. */
export async function enter() {
  if (!tally) await countAgain();
  if (!lacks || !isForGpu()) return;
  const asked = gpu;
  const found = await asked.look().then(() => null, sentenceOf);
  if (gpu !== asked) return enter();
  lacks = found;
  changed();
}

/** Counts on the CPU with both methods; the second compares its count of every boss placement with the first one's. */
async function countAgain() {
  [tally, second].forEach(count => count?.stop());
  const [factored, exhaustive] = ["factored", "exhaustive"].map(method => new Tally(game, category, method, changed));
  [tally, second, failure] = [factored, null, null];
  changed();
  const run = (/** @type {Tally} */ count) => count.run().catch(error => {
    if (tally === factored) failure = sentenceOf(error);
  });
  await run(factored);
  if (tally !== factored || failure) return changed();
  second = exhaustive;
  // Not awaited, because the view looks for a GPU next.
  run(exhaustive).then(changed);
}

/** Changes the category or the game. @param {string} key @param {any} value */
export async function change(key, value) {
  if (key === "category") category = value;
  else game = changedRule(game, key, value);
  renew();
  await countAgain();
  await enter();
}

/** Whether a GPU can count this game. */
const isForGpu = () => [game.red, game.green].every(kinds => kinds.length === 5);

/** Sets the maximum number of doves for the count on the GPU. @param {number} doves */
export function choose(doves) {
  most = doves;
  renew();
  changed();
}

/**
 * The exhaustive count: the GPU's if it has begun, otherwise the CPU's.
 *
 * @returns {{ isGpu: boolean, rows: TallyRow[], sum: SumDocument } | null}
 */
function witness() {
  const { placements, rows } = gpu.progress;
  if (gpu.isRunning || placements > 0) return { isGpu: true, rows, sum: sumOfCounts(category, rows) };
  return second && { isGpu: false, rows: second.sum.rows, sum: second.sum };
}

/** The finished rows of a count: those with as many shapes as the CPU's. @param {{ rows: TallyRow[] }} count */
function finished({ rows }) {
  const shapes = new Map(tally?.sum.rows.map(row => [nameOf(row), row.shapes]));
  return rows.filter(row => row.shapes === shapes.get(nameOf(row)));
}

/** Begins, confirms or resumes a count on the GPU. The library compares every boss placement's count with the CPU's. */
export async function start() {
  if (gpu.begin) return gpu.begin(null);
  if (gpu.isRunning) return;
  if (!gpu.isBegun) renew();
  const count = gpu;
  Object.assign(count, { status: ["countOpening"], kind: "" });
  try {
    const running = count.run();
    changed();
    await running;
    if (!count.card) count.status = null;
    else if (count.isDone) end(count, "countDone", "good");
    else end(count, "countStopped", "");
  } catch (error) {
    const { sentence, isWrong } = /** @type {{ sentence: Sentence, isWrong: boolean }} */ (error);
    if (count.card) end(count, isWrong ? "countWrong" : "countCutShort", "warning", sentence);
    else count.status = sentence;
  }
  changed();
}

export const stop = () => gpu.stop();

/** Sets the message about the end of a count. @type {(count: GpuCount, key: string, kind: string, error?: Sentence) => void} */
function end(count, key, kind, error) {
  const { name, progress: { placements, rows }, seconds, share } = count;
  const { positions: total } = sumOfCounts(category, rows).total;
  const told = { what: [`count-${category}`], total, placements, time: timeText(seconds), card: name, percent: percentOf(share) };
  Object.assign(count, { kind, status: [key, { ...told, ...error && { error } }] });
}

/** The line for a report. */
function reportLine() {
  const { returns, bothSurrounded } = game;
  const { card, kind, status, progress: { placements, assignments, rows }, seconds } = gpu;
  const error = status?.[1]?.error;
  const counted = `${sumOfCounts(category, rows).total.positions} ${category} of 2..${most} doves in ${seconds.toFixed(1)} s`;
  const outcome = kind === "good" ? counted : error ? `failed: ${sentence(error)}` : `stopped after ${seconds.toFixed(1)} s`;
  return [
    `dovemate ${PAGE_VERSION} in a browser: ${outcome}`,
    `${placements} boss placements with ${assignments} assignments agree with the CPU's count`,
    card?.is_software ? `${gpu.name} (software)` : gpu.name,
    `${returns ? "returns" : "no returns"}, ${bothSurrounded}`, navigator.userAgent,
  ].join("; ");
}

/** The runs on the CPU, when they are finished, and the GPU's, with its results so far. @returns {Run[]} */
function runs() {
  const onCpu = [tally, second].flatMap(one => (one?.seconds ? [{
    processor: "CPU", name: say("countWorkers", { workers: one.workers.length }), method: one.method, doves: `2..${MOST_DOVES}`,
    assignments: one.sum.total.assignments, positions: one.sum.total.positions, seconds: one.seconds,
  }] : []));
  const { seconds, name, isDone, progress: { assignments, rows } } = gpu;
  if (!assignments || !seconds) return onCpu;
  const { positions } = sumOfCounts(category, rows).total;
  const doves = isDone ? `2..${most}` : `${PART}2..${most}`;
  return [...onCpu, { processor: "GPU", name, method: "exhaustive", doves, assignments, positions, seconds }];
}

/** The runs, as CSV. */
function benchmark() {
  const rows = runs().map(run => ({
    ...run, seconds: run.seconds.toFixed(3), category, returns: game.returns, both_surrounded: game.bothSurrounded,
    assignments_per_second: rateOf(run) ?? "", version: PAGE_VERSION, browser: navigator.userAgent,
  }));
  return `${[Object.keys(rows[0]), ...rows.map(Object.values)].map(cells => cells.map(quoted).join()).join("\n")}\n`;
}

/** Saves the CPU's count, or the runs. @param {string} what */
export function saveCount(what) {
  save(what === "runs" ? benchmark() : tally?.sum.csv ?? "", "text/csv", fileName("csv"));
}

/** The panel. @param {string} notice a message */
export function panel(notice) {
  /** @type {[string, string][]} */
  const categories = CATEGORIES.map(name => [name, say(`count-${name}`)]);
  return [
    html("h2", {}, say("countTitle")),
    html("p", {}, say("countLead")),
    html("fieldset", { disabled: gpu.isRunning },
      html("p", { class: "settings" }, labelled("countWhat", select("count", categories, category, { "data-key": "category" }))),
      rulesPanel(game, "count")),
    ...tally ? cpuPanel(tally) : [],
    tally?.seconds && gpuPanel(tally),
    html("p", { class: "faint", role: "status" }, notice || say("countPrivate")),
  ];
}

/** The panel of the CPU's counts. @param {Tally} tally */
function cpuPanel(tally) {
  const { sum: { total }, seconds, published, shapes } = tally;
  const { positions, assignments, boss_placements: placements } = total;
  const isPublished = published === positions;
  const verdict = published === null ? say("countUnpublished")
    : say(isPublished ? "countPublished" : "countContradicts", { published: numberText(published) });
  const done = (/** @type {number} */ seconds) =>
    say("countedByCpu", { total: numberText(positions), what: say(`count-${category}`), seconds: seconds.toFixed(2) });
  const isWrong = failure || seconds !== null && published !== null && !isPublished;
  const confirmed = () => say(second?.seconds ? "countConfirmed" : "countConfirming", {
    assignments: numberText(assignments), placements: numberText(placements), seconds: second?.seconds?.toFixed(2),
  });
  return [
    html("p", { id: "tally-status", class: isWrong ? "warning" : "", role: isWrong ? "alert" : "status" },
      failure ? say(...failure) : seconds === null ? say("countLookingCpu") : `${done(seconds)} ${verdict}`),
    second && !failure && html("p", { id: "second-status", role: "status" }, confirmed()),
    table(tally),
    html("p", { class: "buttons" }, button("saveCount", { disabled: seconds === null }, say("countCsv"))),
    shapes.length > 0 && html("details", {}, html("summary", {}, say("countShapes")),
      html("ol", { class: "shapes" }, shapes.map(({ shape, positions }) => html("li", {}, shapePicture(shape), ` ${numberText(positions)}`)))),
  ];
}

/** The panel of the count on the GPU. @param {Tally} tally */
function gpuPanel(tally) {
  const { rows, total } = tally.sum;
  /** @type {[number, string][]} */
  const choices = rows.filter(({ doves }) => doves > 2).map(({ doves }) => [doves, `2–${doves}`]);
  const start = (/** @type {string} */ key) => button("count", { class: "main" }, say(key));
  const stop = button("stopCount", {}, say("stop"));
  return html("section", {},
    html("h3", {}, say("countGpuTitle")),
    html("p", {}, isForGpu() ? say("countGpuLead", { assignments: numberText(total.assignments) }) : say("countGpuOnly")),
    isForGpu() && !lacks && html("div", { class: "settings" },
      labelled("countDoves", select("countMost", choices, most, { disabled: gpu.isRunning })),
      gpu.begin ? [start("countBegin"), stop] : gpu.isRunning ? stop : start(gpu.isBegun ? "countGoOn" : "countStart")),
    isForGpu() && html("p", { id: "count-status", class: gpu.kind, role: gpu.kind === "warning" ? "alert" : "status" }, statusText()),
    ...compared(),
    gpu.card && !gpu.isRunning && gpu.status && html("div", { class: "count-line" },
      html("code", { id: "count-line" }, reportLine()), button("copy", { "data-text": reportLine() }, say("countCopy"))));
}

function statusText() {
  const { status, isRunning, begin, card, progress: { seconds_left: left }, all, share } = gpu;
  if (lacks) return sentence(lacks);
  if (!isRunning || !card) return status ? sentence(status) : "";
  const parameters = { card: card.name, percent: percentOf(share), time: left === null ? "" : timeText(left), assignments: all.assignments };
  return sentence([begin ? "countForecast" : left === null ? "countOpening" : "countRunning", parameters]);
}

/** The table of all runs, if there is more than one. */
function compared() {
  const all = runs();
  if (all.length < 2) return [];
  const seen = witness();
  const whole = seen?.isGpu ? finished(seen) : [];
  /** @type {Intl.NumberFormatOptions} */
  const brief = { notation: "compact", maximumSignificantDigits: 3 };
  const range = (/** @type {string} */ doves) => doves.replace(PART, "").replace("..", "–");
  const row = (/** @type {string} */ key, /** @type {(run: Run) => string} */ text) => html("tr", {}, html("th", { scope: "row" }, say(key)), all.map(run => html("td", {}, text(run))));
  return [
    html("table", { class: "count-runs" },
      html("thead", {}, html("tr", {}, html("th", { "aria-hidden": true }), all.map(({ processor }) => html("th", { scope: "col" }, processor)))),
      html("tbody", {},
        row("countOn", ({ name }) => name),
        row("countMethod", ({ method }) => say(`count-${method}`)),
        row("countDoves", ({ doves }) => doves.startsWith(PART) ? say("countPart", { doves: range(doves) }) : range(doves)),
        row("countAssignments", ({ assignments }) => numberText(assignments)),
        row("countSeconds", ({ seconds }) => numberText(Number(seconds.toPrecision(3)))),
        row("countRate", run => rateOf(run)?.toLocaleString(currentLanguage(), brief) ?? "–"))),
    html("p", { class: "buttons" },
      button("saveCount", { "data-what": "runs" }, say("countSaveRuns")),
      whole.length > 0 && button("copy", { "data-text": sumOfCounts(category, whole).csv }, say("countCopyRows"))),
  ];
}

/** The table of the factored count beside the exhaustive one. @param {Tally} tally */
function table(tally) {
  const { rows, total } = tally.sum;
  const seen = witness();
  const found = new Map(seen?.rows.map(row => [nameOf(row), row.positions]));
  const whole = new Set(seen && finished(seen).map(nameOf));
  const largest = Math.max(1, ...rows.map(({ positions }) => positions));
  /** @type {(positions: number, found: number) => Element} */
  const bar = (positions, found) => svg("svg", { class: "count-bar", width: "100%", height: 12, "aria-hidden": true },
    svg("rect", { class: "count-expected", width: `${100 * positions / largest}%`, height: 12 }),
    svg("rect", { class: "count-found", y: 3, width: `${100 * found / largest}%`, height: 6 }));
  /** @type {(name: string, positions: number, found: number, isWhole: boolean, hasBar: boolean) => Element} */
  const line = (name, positions, found, isWhole, hasBar) => html("tr", {},
    html("th", { scope: "row" }, name), html("td", {}, numberText(positions)),
    seen && html("td", {}, found || isWhole ? numberText(found) : "–", html("span", { class: "good" }, isWhole ? "✓" : "")),
    html("td", {}, hasBar && positions > 0 && bar(positions, found)));
  /** @type {(key: string, method: string) => Element} */
  const head = (key, method) => html("th", { scope: "col" }, `${say(key)}, ${say(`count-${method}`)}`);
  return html("table", { class: seen ? "count-table" : "count-table alone" },
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, say("countDoves")), head("countCpu", "factored"),
      seen && head(seen.isGpu ? "countGpu" : "countCpu", "exhaustive"), html("th", { "aria-hidden": true }))),
    html("tbody", {}, rows.map(row => line(nameOf(row), row.positions, found.get(nameOf(row)) ?? 0, whole.has(nameOf(row)), true))),
    html("tfoot", {}, line(say("countTotal"), total.positions, seen?.sum.total.positions ?? 0, whole.size === rows.length, false)));
}

/** A picture of a shape, given as a text with an x for each cell. @param {string} shape */
function shapePicture(shape) {
  const cells = shape.split(";").flatMap((row, r) => [...row].map((sign, c) => sign === "x" && svg("rect", { x: c + 0.05, y: r + 0.05, width: 0.9, height: 0.9 })));
  return svg("svg", { class: "shape", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": shape }, cells);
}
