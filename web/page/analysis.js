// What a position is worth: searched deeper and deeper while the user looks, and shown with where it comes from.

import { endingOf, keyOf } from "./position.js";
import { html } from "./board.js";
import { Refused } from "./brain.js";
import { sentenceOf, source } from "./source.js";
import { session } from "./session.js";
import { say, worthSign, worthText } from "./words.js";

/** The plies of the first answer, and the seconds that it may take. */
const FIRST = 3;
const SOON = 0.1;
/** The most half-second questions about one position, and the milliseconds to wait after a failure. */
const PATIENCE = 60;
const PAUSE = 2000;
/** The seconds for every other position of the game, once nothing else is looked at. */
const LATER = 1;
/** Answers that are kept. */
const KEPT = 400;

const textOf = place => Object.values(keyOf(place)).join(" ");
/** Whether search may find more of an action: its value, or the distance. */
const isUndecided = ({ value, plies, source }) => value === "none" || source === "search" && value !== "draw" && plies === null;
const isOpen = answer => answer.actions.some(isUndecided);

/** The value of a position at which the game is over; null if it goes on. */
function endOf(place) {
  const result = endingOf(place);
  if (!result) return null;
  if (result.winner === null) return { value: "draw", plies: null };
  return { value: result.winner === place.mover ? "win" : "lose", plies: 0 };
}

/** Whether an answer about a position knows less than an earlier one: another worker may have begun anew. */
function knowsLess(answer, earlier) {
  const [plies, before] = [answer, earlier].map(({ searched_plies: plies }) => plies ?? Infinity);
  const open = ({ actions }) => actions.filter(isUndecided).length;
  return plies < before || plies === before && open(answer) > open(earlier);
}

export class Analysis {
  /** `changed` is called when there is more to show. */
  constructor(changed) {
    this.changed = changed;
    this.answers = new Map();
    this.key = null;
    this.controller = null;
    /** A line of best play: the key and the ply of the position it begins in, and its actions once they are known. */
    this.steps = null;
    this.isLooking = false;
    /** Why the position is not answered: a key of words.js and its parameters. */
    this.refused = null;
  }

  /** The latest answer about a position; null if there is none yet. */
  of(place) {
    return this.answers.get(textOf(place)) ?? null;
  }

  /** Keeps an answer as the latest, and forgets the oldest one if there are too many. */
  keep(place, answer) {
    const key = textOf(place);
    this.answers.delete(key);
    this.answers.set(key, answer);
    if (this.answers.size > KEPT) this.answers.delete(this.answers.keys().next().value);
  }

  /** The value of a position, also of one at which the game is over. */
  worthOf(place) {
    return this.of(place)?.worth ?? endOf(place);
  }

  /** Looks at a position until it is known, or `watch` or `rest` is called; `others` get a short look in between. */
  watch(place, others = []) {
    const key = textOf(place);
    if (this.key === key) return;
    this.rest();
    this.key = key;
    this.controller = new AbortController();
    this.look(place, others, this.controller.signal);
  }

  /** Stops looking. */
  rest() {
    this.controller?.abort();
    this.key = null;
    this.isLooking = false;
    this.refused = null;
  }

  async look(place, others, signal) {
    this.isLooking = true;
    let asked = 0;
    let isFirst = !this.of(place);
    if (endingOf(place)) asked = PATIENCE;
    while (asked < PATIENCE && !signal.aborted) {
      if (document.hidden) {
        await new Promise(done => setTimeout(done, 200));
        continue;
      }
      try {
        const answer = await source.position(place, isFirst ? { depth: FIRST, seconds: SOON } : {}, signal);
        const earlier = this.of(place);
        if (!earlier || !knowsLess(answer, earlier)) this.keep(place, answer);
        this.changed();
        if (!isOpen(answer) || !isFirst && !answer.out_of_time) break;
        isFirst = false;
        asked++;
        // The other positions of the game get a first answer before this one is looked at for long.
        if (asked === 1) await this.fill(others, { depth: FIRST + 2, seconds: 0.2 }, signal);
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof Refused) {
          this.refused = sentenceOf(error);
          break;
        }
        await new Promise(done => setTimeout(done, PAUSE));
      }
    }
    if (!signal.aborted) {
      this.isLooking = false;
      this.changed();
      await this.fill(others, { depth: FIRST + 2, seconds: 0.2 }, signal).catch(() => {});
      // The last ones first: what they prove is carried back.
      await this.fill([...others].reverse(), { seconds: LATER }, signal).catch(() => {});
      this.changed();
    }
  }

  /** Asks about each position of which less is known than that effort would say. */
  async fill(places, effort, signal) {
    for (const place of places) {
      const known = this.of(place);
      const isEnough = known && (effort.depth || !isOpen(known));
      if (signal.aborted || isEnough || endingOf(place)) continue;
      const answer = await source.position(place, effort, signal);
      if (!known || !knowsLess(answer, known)) this.keep(place, answer);
      this.changed();
    }
  }

  /** Asks for the line of best play from the position at a ply of the game. */
  async askLine(place, ply) {
    const key = textOf(place);
    this.steps = { key, ply, line: null };
    this.changed();
    try {
      const { line, result } = await source.line(place, { seconds: 1 }, this.controller?.signal);
      const isOver = result !== "unfinished";
      if (this.steps?.key === key) this.steps = { key, ply, line, isOver };
    } catch {
      if (this.steps?.key === key) this.steps = null;
    }
    this.changed();
  }

  /** The panel for a position. */
  panel(place) {
    const answer = this.of(place);
    const result = endingOf(place);
    const parts = [html("h2", { class: `verdict worth-${result ? "none" : answer?.worth.value ?? "none"}` }, this.verdict(place, answer, result))];
    if (result) return [...parts, ...this.lineOf()];
    if (answer) parts.push(html("p", { class: "faint" }, this.progress(answer)));
    if (answer?.choice?.ground === "suggested") parts.push(html("p", { class: "suggested" }, say("suggested", { action: answer.choice.action })));
    parts.push(html("p", { class: "buttons" },
      html("button", { "data-do": "best", "data-preview": answer?.actions[0]?.action, class: "main", disabled: !answer }, say("playBest")),
      html("button", { "data-do": "line" }, say("bestLine"))));
    parts.push(...this.lineOf());
    if (answer) {
      parts.push(html("h3", {}, say("actions")), ...groups(answer.actions));
      parts.push(html("p", { class: "faint" }, say("legend")));
    }
    return parts;
  }

  verdict({ mover }, answer, result) {
    if (result) return result.winner ? say("verdictOver", { color: result.winner }) : say("verdictDrawn");
    if (!answer) return say(...this.refused ?? (source.round === null ? ["looking"] : ["solving", { round: source.round }]));
    const { value, plies, within } = answer.worth;
    if (value === "draw") return say(answer.actions.every(action => action.value === "draw") ? "verdictAllDraw" : "verdictDraw");
    if (value === "none") return say("verdictNone", { plies });
    const key = value === "win" ? "verdictWin" : "verdictLose";
    if (within) return say(`${key}Within`, { color: mover, plies: within });
    return plies === null ? say(key, { color: mover }) : say(`${key}In`, { color: mover, plies });
  }

  progress(answer) {
    const { searched_plies: plies, out_of_time: isStopped } = answer;
    if (!isOpen(answer)) {
      const isByRules = answer.actions.every(({ source }) => source === "rules");
      return say(FROM[answer.source ?? (isByRules ? "rules" : plies === undefined ? "solved" : "search")]);
    }
    const deeper = (isStopped || plies === FIRST) && this.isLooking;
    return say(deeper ? "deepening" : "searched", { plies });
  }

  /** The line that was asked for, as long as the position that is shown is on it. */
  lineOf() {
    if (!this.steps) return [];
    const { key, ply, line, isOver } = this.steps;
    const base = session.positions[ply];
    const done = session.ply - ply;
    if (!base || done < 0 || textOf({ ...base, game: session.game }) !== key) return [];
    if (!line) return done ? [] : [html("p", { class: "faint" }, say("looking"))];
    if (!line.length) return done ? [] : [html("p", { class: "faint" }, say("lineNone"))];
    const texts = line.map(({ action }) => action);
    if (session.texts.slice(ply, session.ply).some((text, index) => text !== texts[index])) return [];
    return [html("p", { class: "line" }, texts.map((text, index) => html("button", {
      "data-do": "stepLine", "data-steps": index + 1, class: `action${index + 1 === done ? " current" : ""}`,
      "data-preview": texts.slice(done, index + 1).join(" "),
    }, `${index + 1}. ${text}`))),
    isOver ? null : html("p", { class: "faint" }, say("lineEnds"))];
  }
}

/** The words for where a value comes from. */
const FROM = { rules: "fromRules", solved: "fromSolved", tables: "fromTables", openings: "fromOpenings", search: "fromSearch" };

/**
 * What orders actions of equal value: how many of the opponent's answers keep the value, or the points expected.
 * {short, long}, or null if nothing does.
 */
export function orderOf({ value, ways, answers, estimate }) {
  if (answers) {
    return { short: `${ways}/${answers}`, long: say(value === "draw" ? "waysDraw" : "waysLose", { ways, answers }) };
  }
  if (!estimate || value !== "none") return null;
  const percent = Math.round(estimate.per_mille / 10);
  return { short: `${percent} %`, long: say("estimate", { percent }) };
}

/** The actions in groups of equal value. */
function groups(actions) {
  const groups = [];
  for (const action of actions) {
    const last = groups.at(-1)?.[0];
    if (last && ["value", "plies", "within", "source"].every(key => last[key] === action[key])) groups.at(-1).push(action);
    else groups.push([action]);
  }
  return groups.map(group => html("div", { class: `group worth-${group[0].value}` },
    html("p", { class: "group-name" },
      html("span", { class: "badge" }, worthSign(group[0])), ` ${worthText(group[0])} `,
      group[0].value === "none" ? null : html("span", { class: "faint" }, say(FROM[group[0].source] ?? "fromSearch"))),
    html("p", { class: "group-actions" }, group.map(ranked => {
      const { action } = ranked;
      const order = orderOf(ranked);
      return html("button", { "data-do": "act", "data-action": action, "data-preview": action, class: "action", title: order?.long, "aria-label": `${action}, ${worthText(group[0])}${order ? `; ${order.long}` : ""}` },
        action, order ? html("span", { class: "faint" }, ` ${order.short}`) : null);
    }))));
}

/** The values of a dove's targets. */
export function withWorth(targets, answer) {
  return targets.map(target => ({ ...target, worth: answer?.actions.find(({ action }) => action === target.text) ?? null }));
}

