// What a position is worth: searched deeper and deeper while the user looks, and shown with where it comes from.

import { endingOf, keyOf } from "./position.js";
import { html } from "./board.js";
import { Refused } from "./brain.js";
import { familiesOf, familyRows } from "./families.js";
import { sentenceOf, source } from "./source.js";
import { RULINGS, session } from "./session.js";
import { currentLanguage, ruleText, say, worthSign, worthText } from "./words.js";

/** The plies of the first answer, and the seconds that it may take. */
const FIRST = 3;
const SOON = 0.1;
/** What is first asked about the other positions of a game. */
const SHORT = { depth: FIRST + 2, seconds: 0.2 };
/** What is asked about the answers to an action, which are shown only where all are known. */
const GLANCE = { depth: 1, seconds: 0.1 };
/** The most half-second questions about one position, and the milliseconds to wait after a failure. */
const PATIENCE = 60;
const PAUSE = 2000;
/** The questions after which a position of a game waits until the others have been looked at. */
const TURN = 4;
/** The seconds for each of these, those of one question, and how many times more the user may ask for at a time. */
const LATER = 1;
const LONGEST = 2;
const MORE = 4;
/** The lines of a position in which nothing is proved. */
const LINES = 3;
/** Answers that are kept. */
const KEPT = 400;

const textOf = place => Object.values(keyOf(place)).join(" ");
/** Whether search may find more of an action: its value, or the distance. */
const isUndecided = ({ value, plies, source }) => value === "none" || source === "search" && value !== "draw" && plies === null;
/** Whether what follows an action is suggested, as its value or its distance is not known. */
const isSuggested = ({ value, plies }) => value === "none" || value !== "draw" && plies === null;
const isOpen = answer => answer.actions.some(isUndecided);
/** Whether everything is known of a position without a search: then much may be known after its actions, too. */
const isLookedUp = answer => answer.source !== undefined && !isOpen(answer);
/** Whether its actions are shown by family, with the answers to them. */
const isByFamily = answer => session.kept.answers === "yes" && isLookedUp(answer);

/** A game by one other rule each, by what names the rule: returns, or what is ruled when both bosses are surrounded. */
export function otherGames(game) {
  const rulings = RULINGS.filter(ruling => ruling !== game.bothSurrounded);
  const ruled = rulings.map(ruling => [ruling, { ...game, bothSurrounded: ruling }]);
  return { returns: { ...game, returns: !game.returns }, ...Object.fromEntries(ruled) };
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
    /** The seconds that positions have been looked at, as positions of a game, by the keys of answers. */
    this.spent = new Map();
    /** The seconds that each position of a game is to be looked at. */
    this.wanted = LATER;
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

  /** Whether a position of a game has been looked at as long as it is to be, or nothing more can be found. */
  isLookedAt(place) {
    const answer = this.of(place);
    return Boolean(endingOf(place) || answer && (!isOpen(answer) || this.spent.get(textOf(place)) >= this.wanted));
  }

  /** Looks at every position of the game longer. */
  lookLonger() {
    this.wanted *= MORE;
    this.rest();
  }

  /** Keeps an answer as the latest unless it knows less, and forgets the oldest one if there are too many. */
  keep(place, answer) {
    const key = textOf(place);
    const earlier = this.answers.get(key);
    if (earlier && knowsLess(answer, earlier)) return;
    this.answers.delete(key);
    this.answers.set(key, answer);
    if (this.answers.size > KEPT) this.answers.delete(this.answers.keys().next().value);
  }

  /**
   * Looks at a position until it is known, or `watch` or `rest` is called; `others` get a short look in between, and if
   * the game is `isWhole`, a longer one.
   */
  watch(place, others = [], isWhole = false) {
    const key = textOf(place);
    if (this.key === key) return;
    this.rest();
    this.key = key;
    this.controller = new AbortController();
    this.look(place, others, isWhole, this.controller.signal);
  }

  /** Stops looking. */
  rest() {
    this.controller?.abort();
    this.key = null;
    this.isLooking = false;
    this.isFilling = false;
    this.refused = null;
  }

  async look(place, others, isWhole, signal) {
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
        this.keep(place, answer);
        this.changed();
        if (!isOpen(answer) || !isFirst && !answer.out_of_time) break;
        isFirst = false;
        asked++;
        // The other positions of the game get a first answer before this one is looked at for long, and their turn then.
        if (asked === 1) await this.fill(others, SHORT, signal);
        if (asked === TURN && isWhole) await this.fillAll(place, others, signal);
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
      const answer = this.of(place);
      const families = answer && isByFamily(answer) ? familiesOf(place, answer.actions) : [];
      await this.fill(families.map(({ next }) => next), GLANCE, signal).catch(() => {});
      await this.fill(others, SHORT, signal).catch(() => {});
      await this.fillAll(place, others, signal).catch(() => {});
    }
  }

  /** Looks at all positions of a game as long as they are to be; the last ones first, as what they prove is carried back. */
  async fillAll(place, others, signal) {
    this.isFilling = true;
    try {
      for (const other of [...others, place].reverse()) {
        while (!this.isLookedAt(other)) {
          const key = textOf(other);
          const seconds = Math.min(LONGEST, this.wanted - (this.spent.get(key) ?? 0));
          await this.fill([other], { seconds }, signal);
          this.spent.set(key, (this.spent.get(key) ?? 0) + seconds);
        }
      }
    } finally {
      if (!signal.aborted) this.isFilling = false;
      this.changed();
    }
  }

  /** Asks about each position of which less is known than that effort would say. */
  async fill(places, effort, signal) {
    for (const place of places) {
      const known = this.of(place);
      signal.throwIfAborted();
      if (known && (effort.depth || !isOpen(known)) || endingOf(place)) continue;
      this.keep(place, await source.position(place, effort, signal));
      this.changed();
    }
  }

  /** Asks for lines of best play from the position at a ply of the game: after each of several actions if nothing is proved. */
  async askLines(place, ply) {
    const steps = { key: textOf(place), ply, lines: null };
    this.steps = steps;
    this.changed();
    const { actions = [] } = this.of(place) ?? {};
    const open = actions[0]?.value === "none" ? actions.filter(({ value }) => value === "none").slice(0, LINES) : [null];
    for (const first of open) {
      const effort = { seconds: 1 / open.length, ...(first && { action: first.action }) };
      const { line, result } = await source.line(place, effort, this.controller?.signal).catch(() => ({ line: [] }));
      if (this.steps !== steps) return;
      if (line.length || !steps.lines) steps.lines = [...steps.lines ?? [], { line, order: first && orderOf(first)?.short, isOver: result !== "unfinished" }];
      this.changed();
    }
  }

  /** The text of the best action, once it is known or nothing more is searched. */
  bestOf(place) {
    const answer = this.of(place);
    return answer?.candidates && this.isLooking ? null : answer?.choice?.action;
  }

  /** What is known of a position by another rule, to be shown beside the panel. */
  side(place, rule) {
    const answer = this.of(place);
    return html("section", { class: "side" }, html("h3", {}, ruleText(place.game, rule)),
      html("p", { class: "verdict" }, this.verdict(place, answer, endingOf(place))),
      answer ? html("p", { class: "faint" }, this.progress(answer)) : null, answer ? this.list(place, answer) : null);
  }

  /** The actions of a position, best first. */
  list(place, answer) {
    if (!isByFamily(answer)) return groups(answer.actions);
    const answersTo = next => {
      const known = this.of(next);
      return known && !isOpen(known) ? known.actions : [];
    };
    return groups(answer.actions, actions => familyRows(place, actions, actionButton, answersTo));
  }

  /** The panel for a position; `side` is what is shown beside its actions, as another rule is chosen. */
  panel(place, rule, side) {
    const answer = this.of(place);
    const result = endingOf(place);
    const parts = [html("h2", { class: `verdict worth-${result ? "none" : answer?.worth.value ?? "none"}` }, this.verdict(place, answer, result))];
    if (result) return [...parts, ...this.lineOf()];
    if (answer) parts.push(html("p", { class: "faint" }, this.progress(answer)));
    if (answer?.candidates) parts.push(html("p", {}, say("whichOpen", answer)));
    if (answer?.choice?.ground === "suggested") parts.push(html("p", { class: "suggested" }, say("suggestedAction", { action: answer.choice.action })));
    parts.push(html("p", { class: "buttons" },
      html("button", { "data-do": "best", "data-preview": answer?.choice?.action, class: "main", disabled: !this.bestOf(place) }, say("playBest")),
      html("button", { "data-do": "line", disabled: !answer }, say(answer?.actions.slice(0, 1).some(isSuggested) ? "goodLines" : "bestLine"))));
    parts.push(...this.lineOf());
    if (answer) {
      const heading = side ? ruleText(place.game, rule) : say("actions");
      const list = html("section", { class: "side" }, html("h3", {}, heading), this.list(place, answer));
      if (isLookedUp(answer)) {
        parts.push(html("label", {}, html("input", { type: "checkbox", "data-set": "answers", checked: session.kept.answers === "yes" }), ` ${say("byFamily")}`));
      }
      parts.push(html("div", { class: side ? "sides" : null }, list, side), this.comparison(place.game, side ? rule : ""));
      parts.push(...["legend", ...(isByFamily(answer) ? ["familyLegend"] : [])].map(key => html("p", { class: "faint" }, say(key))));
    }
    return parts;
  }

  /** Where another rule is chosen, whose values stand beside those of the game. */
  comparison(game, chosen) {
    const option = (value, text) => html("option", { value, selected: value === chosen }, text);
    const others = Object.entries(otherGames(game)).map(([rule, other]) => option(rule, ruleText(other, rule)));
    return html("p", { class: "settings" }, html("label", {}, `${say("compare")} `,
      html("select", { "data-set": "compare" }, option("", say("noOther")), others)));
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

  /** The verdict to be read aloud: when more is known than at a glance, and when it is settled. */
  spoken(place) {
    const [answer, result] = [this.of(place), endingOf(place)];
    const key = `${currentLanguage()} ${textOf(place)}`;
    if (this.said?.key !== key) this.said = { key, text: "" };
    const isSettled = result || this.refused || answer && (answer.worth.value !== "none" || !this.isLooking);
    if (isSettled || !this.said.text && answer?.searched_plies > FIRST) this.said.text = this.verdict(place, answer, result);
    return this.said.text;
  }

  progress(answer) {
    const { searched_plies: plies, out_of_time: isStopped } = answer;
    if (!isOpen(answer)) {
      const isByRules = answer.actions.every(({ source }) => source === "rules");
      return say(FROM[answer.source ?? (isByRules ? "rules" : plies === undefined ? "solved" : "search")]);
    }
    const deeper = (isStopped || plies === FIRST) && this.isLooking;
    return say(deeper ? "deepening" : "searchedTo", { plies });
  }

  /** The lines that were asked for and that the position that is shown is on. */
  lineOf() {
    if (!this.steps) return [];
    const { key, ply, lines } = this.steps;
    const base = session.positions[ply];
    const done = session.ply - ply;
    if (!base || done < 0 || textOf({ ...base, game: session.game }) !== key) return [];
    if (!lines || !lines[0].line.length) return done ? [] : [html("p", { class: "faint" }, say(lines ? "lineNone" : "looking"))];
    const isOn = ({ line }) => session.texts.slice(ply, session.ply).every((text, index) => text === line[index]?.action);
    return lines.flatMap(({ line, order, isOver }, index) => (isOn(lines[index]) ? [
      html("p", { class: "line" }, line.map(({ action }, step) => html("button", {
        "data-do": "stepLine", "data-line": index, "data-steps": step + 1, class: `action${step + 1 === done ? " current" : ""}`,
        "data-preview": line.slice(done, step + 1).map(({ action }) => action).join(" "),
      }, `${step + 1}. ${action}`)), order ? html("span", { class: "faint" }, ` ${order}`) : null),
      isOver || order ? null : html("p", { class: "faint" }, say("lineEnds")),
    ] : []));
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
  return { short: `${percent} % (${estimate.plies})`, long: say("estimate", { percent, plies: estimate.plies }) };
}

/** The button of an action, with what orders it among actions of equal value. */
function actionButton(ranked, order = orderOf(ranked)) {
  const { action } = ranked;
  return html("button", { "data-do": "act", "data-action": action, "data-preview": action, class: "action", title: order?.long, "aria-label": `${action}, ${worthText(ranked)}${order ? say("semicolon") + order.long : ""}` },
    action, order ? html("span", { class: "faint" }, ` ${order.short}`) : null);
}

/** The actions in groups of equal value, each filled with what is made of its actions. */
function groups(actions, fill = group => group.map(ranked => actionButton(ranked))) {
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
    html("div", { class: "group-actions", role: "group", "aria-label": worthText(group[0]) }, fill(group))));
}

/** The values of a dove's targets. */
export function withWorth(targets, answer) {
  return targets.map(target => ({ ...target, worth: answer?.actions.find(({ action }) => action === target.text) ?? null }));
}

