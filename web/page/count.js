// All positions of a kind counted in the browser: on the CPU, and then on the visitor's GPU, beside each other.

import { html, svg } from "./board.js";
import { PAGE_GAME, PAGE_VERSION, gameKey, sumOfCounts } from "./brain.js";
import { Failed } from "./card.js";
import { SIZE } from "./doves.js";
import { fileName, save } from "./game.js";
import { GpuCount } from "./gpu.js";
import { changed as changedRule, rulesPanel } from "./setup.js";
import { sentenceOf } from "./source.js";
import { Tally } from "./tally.js";
import { currentLanguage, say } from "./words.js";

const MOST_DOVES = 12;
const CATEGORIES = ["mates", "wins", "stuck"];

const saveCsv = text => save(text, "text/csv", fileName("csv"));

/** What a row is for: who is to move, where that matters, and the number of doves. */
const nameOf = ({ mover, doves }) => (mover === "any" ? String(doves) : `${say("toMove", { color: mover })}${say("colon")}${doves}`);

/** A cell of a line of CSV. */
const quoted = value => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);

/** The assignments a second of a run that has tested each. */
const rateOf = ({ method, assignments, seconds }) => (method === "exhaustive" ? Math.round(assignments / seconds) : null);

/** A number of seconds in words. */
function timeText(seconds) {
  const [unit, length] = seconds < 90 ? ["seconds", 1] : seconds < 5400 ? ["minutes", 60] : ["hours", 3600];
  return say(unit, { number: Math.ceil(seconds / length).toLocaleString(currentLanguage()) });
}

export class Counting {
  constructor(changed) {
    this.changed = changed;
    /** What is counted. */
    this.game = { ...PAGE_GAME, red: "AYMTH", green: "AYMTH" };
    this.category = "mates";
    this.most = MOST_DOVES;
    /** The CPU's counts by the factored and then by the exhaustive method; null before they begin. */
    this.tally = null;
    this.second = null;
    /** Why the CPU's count has failed: a key of words.js and its parameters. */
    this.failure = null;
    /** Why there is no GPU, in the same form; null if there is one. */
    this.lacks = ["countLooking"];
    this.renew();
  }

  /** Begins another count on the GPU. */
  renew() {
    const { game, category, most } = this;
    this.gpu?.end();
    this.gpu = new GpuCount({ ...gameKey(game), category, doves: `2..${most}` }, this.changed);
    /** How it has ended, in the same form, and of what kind that is. */
    this.status = null;
    this.kind = "";
  }

  /** Counts on the CPU, when the view is shown for the first time, and looks for a GPU until there is one. */
  async enter() {
    if (!this.tally) await this.countAgain();
    if (!this.lacks || !this.isForGpu) return;
    const { gpu } = this;
    const lacks = await gpu.look().then(() => null, error => (error instanceof Failed ? error.sentence : sentenceOf(error)));
    if (this.gpu !== gpu) return this.enter();
    this.lacks = lacks;
    this.changed();
  }

  /** Counts on the CPU, then once more by the other method, which compares every boss placement. */
  async countAgain() {
    [this.tally, this.second].forEach(tally => tally?.stop());
    const tallies = ["factored", "exhaustive"].map(method => new Tally(this.game, this.category, method, this.changed));
    [this.tally, this.second] = [tallies[0], null];
    this.failure = null;
    this.changed();
    const run = tally => tally.run().catch(error => {
      if (this.tally === tallies[0]) this.failure = sentenceOf(error);
    });
    await run(tallies[0]);
    if (this.tally !== tallies[0] || this.failure) return this.changed();
    this.second = tallies[1];
    // The view goes on meanwhile, and looks for a GPU.
    run(this.second).then(() => this.changed());
  }

  /** Counts something else. */
  async change(key, value) {
    if (key === "category") this.category = value;
    else this.game = changedRule(this.game, key, value);
    this.renew();
    await this.countAgain();
    await this.enter();
  }

  /** Whether a GPU can count the same. */
  get isForGpu() {
    return [this.game.red, this.game.green].every(kinds => kinds.length === 5);
  }

  choose(most) {
    this.most = most;
    this.renew();
    this.changed();
  }

  /** Who counts by the exhaustive method: the GPU, if it counts or has counted, or else the CPU. */
  get witness() {
    const { gpu, second } = this;
    const { placements, rows } = gpu.progress;
    if (gpu.isRunning || placements > 0) return { isGpu: true, rows, sum: sumOfCounts(this.category, rows) };
    return second && { isGpu: false, rows: second.rows, sum: second.sum };
  }

  /** The rows of a witness on numbers of doves that are counted to the end. */
  finished({ rows }) {
    const shapes = new Map(this.tally.rows.map(row => [nameOf(row), row.shapes]));
    return rows.filter(row => row.shapes === shapes.get(nameOf(row)));
  }

  /** Counts on the GPU, and compares every boss placement's count with the CPU's. */
  async start() {
    let { gpu } = this;
    if (gpu.begin) return gpu.begin();
    if (gpu.isRunning) return;
    if (!gpu.isBegun) {
      this.renew();
      ({ gpu } = this);
    }
    this.status = ["countOpening"];
    this.kind = "";
    try {
      const running = gpu.run();
      this.changed();
      await running;
      if (gpu.card) this.end(gpu, gpu.isDone ? "countDone" : "countStopped", gpu.isDone ? "good" : "");
      else this.status = null;
    } catch ({ sentence, isWrong }) {
      if (gpu.card) this.end(gpu, isWrong ? "countWrong" : "countCutShort", "warning", sentence);
      else this.status = sentence;
    }
    this.changed();
  }

  stop() {
    this.gpu.stop();
  }

  /** Notes how a count has ended. */
  end({ card, progress: { placements, rows }, seconds, share }, key, kind, error = null) {
    const { positions } = sumOfCounts(this.category, rows).total;
    const parameters = { what: [`count-${this.category}`], total: positions, placements, time: timeText(seconds), card: card.name, percent: this.percent(share) };
    Object.assign(this, { kind, status: [key, error ? { ...parameters, error } : parameters] });
  }

  /** What an issue has to say, in a line. */
  get line() {
    const { game: { returns, bothSurrounded }, category, most, kind, status: [key, { error } = {}], gpu: { card, progress, seconds } } = this;
    const { placements, assignments, rows } = progress;
    const counted = `${sumOfCounts(category, rows).total.positions} ${category} of 2..${most} doves in ${seconds.toFixed(1)} s`;
    const outcome = kind === "good" ? counted : `${key}${error ? ` ${JSON.stringify(error)}` : ""}`;
    return [
      `dovemate ${PAGE_VERSION} in a browser: ${outcome}`,
      `${placements} boss placements with ${assignments} assignments agree with the CPU's count`,
      card.isSoftware ? `${card.name} (software)` : card.name,
      `${returns ? "returns" : "no returns"}, ${bothSurrounded}`, navigator.userAgent,
    ].join("; ");
  }

  /** What was counted by each method, on the CPU and on the GPU. */
  get runs() {
    const { tally, second, gpu } = this;
    const onCpu = [tally, second].filter(one => one?.seconds).map(({ method, workers, sum: { total }, seconds }) => ({
      processor: "CPU", name: say("countWorkers", { workers: workers.length }), method, doves: `2..${MOST_DOVES}`,
      assignments: total.assignments, positions: total.positions, seconds,
    }));
    const rows = this.finished(gpu.progress);
    if (!rows.length || gpu.isRunning && !gpu.seconds) return onCpu;
    const { assignments, positions } = sumOfCounts(this.category, rows).total;
    return [...onCpu, {
      processor: "GPU", name: gpu.card.name, method: "exhaustive", doves: `2..${rows.at(-1).doves}`, assignments, positions, seconds: gpu.seconds,
    }];
  }

  /** The runs as CSV. */
  get benchmark() {
    const { game: { returns, bothSurrounded }, category } = this;
    const runs = this.runs.map(run => ({
      ...run, seconds: run.seconds.toFixed(3), category, returns, both_surrounded: bothSurrounded,
      assignments_per_second: rateOf(run) ?? "", version: PAGE_VERSION, browser: navigator.userAgent,
    }));
    return `${[Object.keys(runs[0]), ...runs.map(Object.values)].map(cells => cells.map(quoted).join()).join("\n")}\n`;
  }

  /** Saves the CPU's count, or the runs. */
  save(what) {
    saveCsv(what === "runs" ? this.benchmark : this.tally.sum.csv);
  }

  percent(share) {
    return share < 0.1 ? Math.floor(1000 * share) / 10 : Math.floor(100 * share);
  }

  /** How far a count on the GPU is that runs now, in percent; null if none does. */
  get running() {
    return this.gpu.isRunning ? this.percent(this.gpu.share) : null;
  }

  /** A message in words: its numbers with separators, and what it quotes as a sentence of its own. */
  told([key, parameters = {}]) {
    const text = value => (Array.isArray(value) ? this.told(value) : Number.isInteger(value) ? this.text(value) : value);
    return say(key, Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, text(value)])));
  }

  text(number) {
    return number.toLocaleString(currentLanguage());
  }

  panel(notice) {
    const option = (value, text, chosen) => html("option", { value, selected: value === chosen }, text);
    return [
      html("h2", {}, say("countTitle")),
      html("p", {}, say("countLead")),
      html("fieldset", { disabled: this.gpu.isRunning },
        html("p", { class: "settings" }, html("label", {}, say("countWhat"), " ", html("select", { "data-set": "count", "data-key": "category" },
          CATEGORIES.map(name => option(name, say(`count-${name}`), this.category))))),
        rulesPanel(this.game, "count")),
      ...this.cpuPanel(),
      this.tally?.seconds ? this.gpuPanel() : null,
      html("p", { class: "faint", role: "status" }, notice || say("countPrivate")),
    ];
  }

  /** The CPU's counts. */
  cpuPanel() {
    const { tally, second, failure } = this;
    if (!tally) return [];
    const { total: { positions }, seconds, published } = tally;
    const what = say(`count-${this.category}`);
    const done = () => say("countedByCpu", { total: this.text(positions), what, seconds: seconds.toFixed(2) });
    const verdict = published === null ? say("countUnpublished") : say(published === positions ? "countPublished" : "countContradicts", { published: this.text(published) });
    const isWrong = published !== null && seconds !== null && published !== positions;
    const confirmed = () => say(second.seconds ? "countConfirmed" : "countConfirming", {
      assignments: this.text(tally.total.assignments), placements: this.text(tally.total.boss_placements), seconds: second.seconds?.toFixed(2),
    });
    return [
      html("p", { id: "tally-status", class: failure || isWrong ? "warning" : "", role: failure || isWrong ? "alert" : "status" },
        failure ? say(...failure) : seconds === null ? say("countLookingCpu") : `${done()} ${verdict}`),
      second && !failure ? html("p", { id: "second-status", role: "status" }, confirmed()) : null,
      this.table(),
      html("p", { class: "buttons" }, html("button", { "data-do": "saveCount", disabled: seconds === null }, say("countCsv"))),
      tally.shapes.length ? html("details", {}, html("summary", {}, say("countShapes")),
        html("ol", { class: "shapes" }, tally.shapes.map(({ shape, positions }) => html("li", {}, shapePicture(shape), ` ${this.text(positions)}`)))) : null,
    ];
  }

  /** What a GPU can do beside it. */
  gpuPanel() {
    const { lacks, kind, gpu, isForGpu, status, tally: { rows, total } } = this;
    const doves = rows.map(row => row.doves).filter(doves => doves > 2);
    const alert = kind === "warning" ? "alert" : "status";
    const button = (what, key, isMain) => html("button", { "data-do": what, class: isMain && "main" }, say(key));
    const stop = () => button("stopCount", "stop");
    return html("section", {},
      html("h3", {}, say("countGpuTitle")),
      html("p", {}, isForGpu ? say("countGpuLead", { assignments: this.text(total.assignments) }) : say("countGpuOnly")),
      isForGpu && !lacks ? html("div", { class: "settings" },
        html("label", {}, say("countDoves"), " ", html("select", { "data-set": "countMost", disabled: gpu.isRunning },
          doves.map(most => html("option", { value: most, selected: most === this.most }, `2–${most}`)))),
        gpu.begin ? [button("count", "countBegin", true), stop()] : gpu.isRunning ? stop()
          : button("count", gpu.isBegun ? "countGoOn" : "countStart", true)) : null,
      isForGpu ? html("p", { id: "count-status", class: kind, role: alert }, this.statusText()) : null,
      ...this.compared(),
      gpu.card && !gpu.isRunning && status ? html("div", { class: "count-line" },
        html("code", { id: "count-line" }, this.line), html("button", { "data-do": "copy", "data-text": this.line }, say("countCopy"))) : null);
  }

  statusText() {
    const { lacks, status, gpu: { isRunning, begin, card, progress: { seconds_left: left }, all, share } } = this;
    if (lacks) return this.told(lacks);
    if (!isRunning || !card) return status ? this.told(status) : "";
    const parameters = { card: card.name, percent: this.percent(share), time: left === null ? "" : timeText(left), assignments: all.assignments };
    return this.told([begin ? "countForecast" : left === null ? "countOpening" : "countRunning", parameters]);
  }

  /** What was counted by each method and processor, beside each other, once there is more than one. */
  compared() {
    const { runs, category, witness } = this;
    if (runs.length < 2) return [];
    const finished = witness?.isGpu ? this.finished(witness) : [];
    const brief = new Intl.NumberFormat(currentLanguage(), { notation: "compact", maximumSignificantDigits: 3 });
    const row = (key, text) => html("tr", {}, html("th", { scope: "row" }, say(key)), runs.map(run => html("td", {}, text(run))));
    return [
      html("table", { class: "count-runs" },
        html("thead", {}, html("tr", {}, html("th", { "aria-hidden": true }), runs.map(({ processor }) => html("th", { scope: "col" }, processor)))),
        html("tbody", {},
          row("countOn", ({ name }) => name),
          row("countMethod", ({ method }) => say(`count-${method}`)),
          row("countDoves", ({ doves }) => doves.replace("..", "–")),
          row("countAssignments", ({ assignments }) => this.text(assignments)),
          row("countSeconds", ({ seconds }) => this.text(Number(seconds.toPrecision(3)))),
          row("countRate", run => { const rate = rateOf(run); return rate === null ? "–" : brief.format(rate); }))),
      html("p", { class: "buttons" },
        html("button", { "data-do": "saveCount", "data-what": "runs" }, say("countSaveRuns")),
        finished.length ? html("button", { "data-do": "copy", "data-text": sumOfCounts(category, finished).csv }, say("countCopyRows")) : null),
    ];
  }

  /** The rows of the factored method, and beside them those of the exhaustive one. */
  table() {
    const { witness, tally } = this;
    const found = new Map(witness?.rows.map(row => [nameOf(row), row.positions]));
    const whole = new Set(witness && this.finished(witness).map(nameOf));
    const largest = Math.max(1, ...tally.rows.map(({ positions }) => positions));
    const bar = (positions, found) => svg("svg", { class: "count-bar", width: "100%", height: 12, "aria-hidden": true },
      svg("rect", { class: "count-expected", width: `${100 * positions / largest}%`, height: 12 }),
      svg("rect", { class: "count-found", y: 3, width: `${100 * found / largest}%`, height: 6 }));
    const line = (name, positions, found, isWhole, hasBar) => html("tr", {},
      html("th", { scope: "row" }, name), html("td", {}, this.text(positions)),
      witness ? html("td", {}, found || isWhole ? this.text(found) : "–", html("span", { class: "good" }, isWhole ? "✓" : "")) : null,
      html("td", {}, hasBar && positions > 0 && bar(positions, found)));
    const head = (key, method) => html("th", { scope: "col" }, `${say(key)}, ${say(`count-${method}`)}`);
    return html("table", { class: witness ? "count-table" : "count-table alone" },
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, say("countDoves")), head("countCpu", "factored"),
        witness ? head(witness.isGpu ? "countGpu" : "countCpu", "exhaustive") : null, html("th", { "aria-hidden": true }))),
      html("tbody", {}, tally.rows.map(row => line(nameOf(row), row.positions, found.get(nameOf(row)) ?? 0, whole.has(nameOf(row)), true))),
      html("tfoot", {}, line(say("countTotal"), tally.total.positions, witness?.sum.total.positions ?? 0, whole.size === tally.rows.length, false)));
  }
}

/** A picture of a shape, whose text has an x for each cell. */
function shapePicture(shape) {
  const cells = shape.split(";").flatMap((row, r) => [...row].map((sign, c) => sign === "x" && svg("rect", { x: c + 0.05, y: r + 0.05, width: 0.9, height: 0.9 })));
  return svg("svg", { class: "shape", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": shape }, cells);
}
