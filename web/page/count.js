// All mates counted in the browser: on the CPU, and then on the visitor's GPU, whose counts are compared with the CPU's.

import { html, svg } from "./board.js";
import { PAGE_GAME, embedded, unpacked } from "./brain.js";
import { Card, Failed } from "./card.js";
import { SIZE } from "./doves.js";
import { fileName, save } from "./game.js";
import { changed as changedRule, rulesPanel } from "./setup.js";
import { sentenceOf, source } from "./source.js";
import { Tally } from "./tally.js";
import { currentLanguage, say } from "./words.js";

/** The milliseconds between two pictures of a count. */
const FRAME = 100;
const MOST_DOVES = 12;
const CATEGORIES = ["mates", "wins", "stuck"];

/** What a GPU needs to count all mates, and the CPU's counts to compare with. */
async function countHost() {
  const packed = embedded("count");
  return packed ? JSON.parse(new TextDecoder().decode(await unpacked(packed))) : source.askServer("count", {});
}

/** The number of slots of a boss placement: its cells without those of the bosses. */
const slotsOf = word => [...(word & 0xffff).toString(2)].filter(bit => bit === "1").length - 2;

/** A boss placement as text: M is the mover's boss, o the other one, x another dove. */
function placementText(word) {
  const letter = cell => (cell === (word >> 16 & 15) ? "M" : cell === (word >> 20 & 15) ? "o" : word >> cell & 1 ? "x" : "-");
  return [0, 4, 8, 12].map(row => [0, 1, 2, 3].map(column => letter(row + column)).join("")).join(";");
}

const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);

export class Counting {
  constructor(changed) {
    this.changed = changed;
    /** What is counted. */
    this.game = { ...PAGE_GAME, red: "AYMTH", green: "AYMTH" };
    this.category = "mates";
    /** The CPU's count; null before the view is shown. */
    this.tally = null;
    /** Why the CPU's count has failed: a key of words.js and its parameters. */
    this.failure = null;
    /** What a GPU has to know; null until it is there. */
    this.host = null;
    this.most = MOST_DOVES;
    /** The message about the GPU: a key of words.js and its parameters. */
    this.status = ["countLooking"];
    this.isRunning = false;
    /** The line for an issue, when a count on a GPU has ended. */
    this.line = null;
    this.clear();
  }

  /** Forgets what a GPU has counted. */
  clear() {
    /** By number of doves: the boss placements that agree, and the positions found, in eighths. */
    this.found = Array.from({ length: MOST_DOVES + 1 }, () => ({ placements: 0, eighths: 0 }));
    this.kind = "";
  }

  /** Counts on the CPU, when the view is shown for the first time, and looks for a GPU until there is one. */
  async enter() {
    if (!this.tally) await this.countAgain();
    if (this.host) return;
    try {
      this.take(await countHost());
      await Card.adapter(this.host);
      this.status = null;
    } catch (error) {
      // Only the server may be missing.
      this.status = error instanceof Failed ? error.sentence : error instanceof TypeError ? ["countNoHost"] : sentenceOf(error);
    }
    this.changed();
  }

  /** Counts on the CPU. */
  async countAgain() {
    this.tally?.stop();
    const tally = new Tally(this.game, this.category, this.changed);
    this.tally = tally;
    this.failure = null;
    this.changed();
    await tally.run().catch(error => {
      if (this.tally === tally) this.failure = sentenceOf(error);
    });
    this.changed();
  }

  /** Counts something else. */
  change(key, value) {
    if (key === "category") this.category = value;
    else this.game = changedRule(this.game, key, value);
    this.clear();
    this.line = null;
    this.most = MOST_DOVES;
    this.countAgain();
  }

  /** Whether a GPU can count the same. */
  get isForGpu() {
    const { host, game, category } = this;
    return host && category === "mates" && [game.red, game.green].every(kinds => kinds.length === 5) &&
      game.returns === host.returns && game.bothSurrounded === host.both_surrounded;
  }

  take(host) {
    this.host = host;
    let last = 0;
    /** The boss placements as the GPU gets them. */
    this.placements = host.placement_steps.map(step => last += step);
    this.slots = this.placements.map(slotsOf);
    /** The positions that a boss placement's count stands for, in eighths. */
    this.weights = host.shapes.flatMap(([placements, eighths]) => new Array(placements).fill(eighths));
  }

  /** The CPU's rows of the numbers of doves that a GPU counts. */
  get rows() {
    return this.host.rows.filter(({ doves }) => doves <= this.most);
  }

  /** How far a count is: the boss placements that agree with the CPU's, about how many assignments, and of how many. */
  get progress() {
    const share = ({ doves, boss_placements: all }) => (all ? this.found[doves].placements / all : 1);
    return {
      placements: sum(this.found, "placements"),
      tested: this.rows.reduce((tested, row) => tested + Math.round(row.assignments * share(row)), 0),
      all: sum(this.rows, "assignments"),
    };
  }

  choose(most) {
    this.most = most;
    this.line = this.status = null;
    this.clear();
    this.changed();
  }

  stop() {
    this.isStopped = true;
  }

  /** Counts on the GPU, and compares every boss placement's count with the CPU's. */
  async start() {
    if (this.isRunning) return;
    Object.assign(this, { isRunning: true, isStopped: false, line: null, status: ["countOpening"], card: null });
    this.clear();
    this.changed();
    try {
      this.card = await Card.open(this.host);
      await this.card.prepare();
      // Known answers first.
      await this.compare(this.host.known, () => {});
      this.card.forgetPace();
      this.status = null;
      this.begun = performance.now();
      await this.compare([...this.slots.keys()].filter(place => this.slots[place] + 2 <= this.most), (place, found) => this.agree(place, found));
      if (this.isStopped) this.status = ["countStopped"];
      else this.end("countDone", {}, "good");
    } catch (error) {
      this.fail(error instanceof Failed ? error : new Failed("countDriver", { error: String(error.message) }));
    } finally {
      this.card?.close();
      this.isRunning = false;
      this.changed();
    }
  }

  /** Counts on the boss placements with these indices, and fails at the first whose count is not the CPU's. */
  async compare(places, agrees) {
    const { placements, host: { counts } } = this;
    let shown = 0;
    const pick = all => places.map(place => all[place]);
    const compare = (index, found) => {
      const place = places[index];
      const [word, expected] = [placements[place], counts[place]];
      if (found !== expected) throw new Failed("countDiffers", { placement: placementText(word), found, expected }, true);
      agrees(place, found);
      if (performance.now() < shown + FRAME) return;
      shown = performance.now();
      this.changed();
    };
    await this.card.count(pick(placements), pick(this.slots), compare, () => this.isStopped);
  }

  /** Adds up what the GPU has found on a boss placement, where the CPU has found the same. */
  agree(place, found) {
    const row = this.found[this.slots[place] + 2];
    row.placements++;
    row.eighths += this.weights[place] * found;
  }

  fail({ sentence, isWrong }) {
    // What a GPU that is lost has counted agrees with the CPU's; one that was wrong is believed in nothing.
    if (isWrong) this.clear();
    if (this.card) this.end(isWrong ? "countWrong" : "countCutShort", { error: sentence }, "warning");
    else this.status = sentence;
  }

  /** Says how a count has ended, in the view and in a line for an issue. */
  end(key, parameters, kind) {
    const { host: { program, version, returns, both_surrounded: both }, card: { name, isSoftware }, most } = this;
    const { placements, tested } = this.progress;
    const seconds = ((performance.now() - this.begun) / 1000).toFixed(1);
    const total = sum(this.found, "eighths") / 8;
    Object.assign(this, { kind, status: [key, { total, placements, seconds, card: name, ...parameters }] });
    const counted = `${total} mates of 2..${most} doves in ${seconds} s`;
    const outcome = kind === "good" ? counted : `${key} ${JSON.stringify(parameters.error)}`;
    const compared = `${placements} boss placements with ${tested} assignments agree with the CPU's count`;
    this.line = [
      `${program} ${version} in a browser: ${outcome}`, compared, isSoftware ? `${name} (software)` : name,
      `${returns ? "returns" : "no returns"}, ${both}`, navigator.userAgent,
    ].join("; ");
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
    const { host, category } = this;
    const option = (value, text, chosen) => html("option", { value, selected: value === chosen }, text);
    return [
      html("h2", {}, say("countTitle")),
      html("p", {}, say("countLead")),
      html("p", { class: "settings" }, html("label", {}, say("countWhat"), " ", html("select", { "data-set": "count", "data-key": "category", disabled: this.isRunning },
        CATEGORIES.map(name => option(name, say(`count-${name}`), category))))),
      rulesPanel(this.game, "count"),
      ...this.cpuPanel(),
      host || this.status ? this.gpuPanel() : null,
      html("p", { class: "faint", role: "status" }, notice || say("countPrivate")),
    ];
  }

  /** The CPU's count. */
  cpuPanel() {
    const { tally, failure } = this;
    if (!tally) return [];
    const { total, seconds, published, workers } = tally;
    const done = () => say("countedByCpu", { total: this.text(total), what: say(`count-${this.category}`), seconds: seconds.toFixed(2), workers: workers.length });
    const verdict = published === null ? say("countUnpublished") : say(published === total ? "countPublished" : "countContradicts", { published: this.text(published) });
    const isWrong = published !== null && seconds !== null && published !== total;
    return [
      html("p", { id: "tally-status", class: failure || isWrong ? "warning" : "", role: failure || isWrong ? "alert" : "status" },
        failure ? say(...failure) : seconds === null ? say("countLookingCpu") : `${done()} ${verdict}`),
      this.table(),
      html("p", { class: "buttons" }, html("button", { "data-do": "saveTally", disabled: seconds === null }, say("countCsv"))),
      tally.shapes.length ? html("details", {}, html("summary", {}, say("countShapes")),
        html("ol", { class: "shapes" }, tally.shapes.map(({ shape, positions }) => html("li", {}, shapePicture(shape), ` ${this.text(positions)}`)))) : null,
    ];
  }

  /** What a GPU can do beside it. */
  gpuPanel() {
    const { host, status, kind, line } = this;
    const alert = kind === "warning" ? "alert" : "status";
    return html("section", {},
      html("h3", {}, say("countGpuTitle")),
      host && html("p", {}, this.isForGpu ? say("countGpuLead", { assignments: this.text(sum(host.rows, "assignments")) }) : say("countGpuOnly")),
      this.isForGpu ? html("div", { class: "settings" },
        html("label", {}, say("countDoves"), " ", html("select", { "data-set": "countMost", disabled: this.isRunning },
          host.rows.map(({ doves }) => html("option", { value: doves, selected: doves === this.most }, `2–${doves}`)))),
        this.isRunning
          ? html("button", { "data-do": "stopCount" }, say("stop"))
          : html("button", { class: "main", "data-do": "count" }, say("countStart"))) : null,
      html("p", { id: "count-status", class: kind, role: alert }, status ? this.told(status) : this.isRunning ? this.told(this.running) : ""),
      line && html("div", { class: "count-line" },
        html("code", { id: "count-line" }, line), html("button", { "data-do": "copy", "data-text": line }, say("countCopy"))));
  }

  /** Saves the CPU's count. */
  save() {
    save(this.tally.csv, "text/csv", fileName("csv"));
  }

  /** How far the count is. */
  get running() {
    const { tested, all } = this.progress;
    const left = (performance.now() - this.begun) / 1000 * (all - tested) / Math.max(tested, 1);
    const parameters = { card: this.card.name, percent: Math.floor(100 * tested / all) };
    return tested ? ["countRunningLeft", { ...parameters, seconds: Math.ceil(left) }] : ["countRunning", parameters];
  }

  /** The CPU's rows, and what a GPU has found of the same. */
  table() {
    const { tally: { rows, seconds }, isForGpu } = this;
    const shown = rows.filter(({ doves }) => doves <= this.most);
    const largest = Math.max(1, ...shown.map(({ positions }) => positions));
    const bar = (positions, found) => svg("svg", { class: "count-bar", width: "100%", height: 12, "aria-hidden": true },
      svg("rect", { class: "count-expected", width: `${100 * positions / largest}%`, height: 12 }),
      svg("rect", { class: "count-found", y: 3, width: `${100 * found / largest}%`, height: 6 }));
    const none = { placements: 0, eighths: 0 };
    const total = { placements: sum(this.found, "placements"), eighths: sum(this.found, "eighths") };
    const line = (name, positions, { placements, eighths }, all, hasBar) => {
      // Two doves have no boss placement to count on.
      const isWhole = seconds !== null && total.placements > 0 && placements === all;
      const found = Math.floor(eighths / 8);
      return html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, this.text(positions)),
        isForGpu ? html("td", {}, placements || isWhole ? this.text(found) : "–", html("span", { class: "good" }, isWhole ? "✓" : "")) : null,
        html("td", {}, hasBar && positions > 0 && bar(positions, found)));
    };
    const heads = ["countDoves", "countCpu", ...(isForGpu ? ["countGpu"] : [])];
    const nameOf = ({ mover, doves }) => (mover === "any" ? String(doves) : `${say("toMove", { color: mover })}${say("colon")}${doves}`);
    return html("table", { class: isForGpu ? "count-table" : "count-table alone" },
      html("thead", {}, html("tr", {}, heads.map(key => html("th", { scope: "col" }, say(key))), html("th", { "aria-hidden": true }))),
      html("tbody", {}, shown.map(row => line(nameOf(row), row.positions, isForGpu ? this.found[row.doves] : none, row.boss_placements, true))),
      html("tfoot", {}, line(say("countTotal"), sum(shown, "positions"), total, sum(shown, "boss_placements"), false)));
  }
}

/** A picture of a shape, whose text has an x for each cell. */
function shapePicture(shape) {
  const cells = shape.split(";").flatMap((row, r) => [...row].map((sign, c) => sign === "x" && svg("rect", { x: c + 0.05, y: r + 0.05, width: 0.9, height: 0.9 })));
  return svg("svg", { class: "shape", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": shape }, cells);
}
