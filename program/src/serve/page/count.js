// All mates counted on the visitor's GPU, beside the CPU's counts: the view, and the comparison of both.

import { html, svg } from "./board.js";
import { Card, Failed } from "./card.js";
import { countHost, sentenceOf } from "./source.js";
import { currentLanguage, rulesText, say } from "./words.js";

/** The milliseconds between two pictures of a count. */
const FRAME = 100;
const MOST_DOVES = 12;

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
    /** What the server or the page knows of counting; null until it is there. */
    this.host = null;
    this.most = MOST_DOVES;
    /** The message to show: a key of words.js and its parameters. */
    this.status = ["countLooking"];
    this.isRunning = false;
    /** The line for an issue, when a count has ended. */
    this.line = null;
    this.clear();
  }

  /** Forgets what a GPU has counted. */
  clear() {
    /** By number of doves: the boss placements that agree, and the positions found, in eighths. */
    this.found = Array.from({ length: MOST_DOVES + 1 }, () => ({ placements: 0, eighths: 0 }));
    this.kind = "";
  }

  /** Gets the CPU's counts, when the view is shown for the first time. */
  async enter() {
    if (this.host) return;
    try {
      this.take(await countHost());
      await Card.adapter(this.host);
      this.status = null;
    } catch (error) {
      this.status = error instanceof Failed ? error.sentence : sentenceOf(error);
    }
    this.changed();
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

  /** The rows of the numbers of doves that are counted. */
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
    const { host, status, kind, line } = this;
    const alert = kind === "warning" ? "alert" : "status";
    const sentence = html("p", { id: "count-status", class: kind, role: alert }, status ? this.told(status) : this.isRunning ? this.told(this.running) : "");
    if (!host) return [html("h2", {}, say("countTitle")), sentence];
    return [
      html("h2", {}, say("countTitle")),
      html("p", {}, say("countLead", { assignments: this.text(sum(host.rows, "assignments")) })),
      html("p", { class: "faint" }, rulesText({ red: "AYMTH", green: "AYMTH", returns: host.returns, bothSurrounded: host.both_surrounded })),
      html("div", { class: "settings" },
        html("label", {}, say("countDoves"), " ", html("select", { "data-set": "countMost", disabled: this.isRunning },
          host.rows.map(({ doves }) => html("option", { value: doves, selected: doves === this.most }, `2–${doves}`)))),
        this.isRunning
          ? html("button", { "data-do": "stopCount" }, say("stop"))
          : html("button", { class: "main", "data-do": "count" }, say("countStart"))),
      sentence,
      this.table(),
      line && html("div", { class: "count-line" },
        html("code", { id: "count-line" }, line), html("button", { "data-do": "copy", "data-text": line }, say("countCopy"))),
      html("p", { class: "faint", role: "status" }, notice || say("countPrivate")),
    ];
  }

  /** How far the count is. */
  get running() {
    const { tested, all } = this.progress;
    const left = (performance.now() - this.begun) / 1000 * (all - tested) / Math.max(tested, 1);
    const parameters = { card: this.card.name, percent: Math.floor(100 * tested / all) };
    return tested ? ["countRunningLeft", { ...parameters, seconds: Math.ceil(left) }] : ["countRunning", parameters];
  }

  table() {
    const { rows } = this;
    const largest = Math.max(1, ...rows.map(({ positions }) => positions));
    const bar = (positions, found) => svg("svg", { class: "count-bar", width: "100%", height: 12, "aria-hidden": true },
      svg("rect", { class: "count-expected", width: `${100 * positions / largest}%`, height: 12 }),
      svg("rect", { class: "count-found", y: 3, width: `${100 * found / largest}%`, height: 6 }));
    const total = { placements: sum(this.found, "placements"), eighths: sum(this.found, "eighths") };
    const line = (name, positions, { placements, eighths }, all, hasBar) => {
      // Two doves have no boss placement to count on.
      const isWhole = total.placements > 0 && placements === all;
      const found = Math.floor(eighths / 8);
      return html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, this.text(positions)),
        html("td", {}, placements || isWhole ? this.text(found) : "–", html("span", { class: "good" }, isWhole ? "✓" : "")),
        html("td", {}, hasBar && positions > 0 && bar(positions, found)));
    };
    return html("table", { class: "count-table" },
      html("thead", {}, html("tr", {}, ["countDoves", "countCpu", "countGpu"].map(key => html("th", { scope: "col" }, say(key))), html("th", { "aria-hidden": true }))),
      html("tbody", {}, rows.map(row => line(String(row.doves), row.positions, this.found[row.doves], row.boss_placements, true))),
      html("tfoot", {}, line(say("countTotal"), sum(rows, "positions"), total, sum(rows, "boss_placements"), false)));
  }
}
