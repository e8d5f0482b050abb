// What a position is worth: searched deeper and deeper while the user looks, and shown with where it comes from.

import { Refused, sentenceOf } from "./brain.js";
import { button, checkbox, faint, html, labelled, select } from "./elements.js";
import { actionOf, endingOf, imageOf, placeAfter, textOf } from "./position.js";
import { RULINGS, session } from "./session.js";
import { source } from "./source.js";
import { state } from "./state.js";
import { currentLanguage } from "./storage.js";
import { ruleText, say, worthSign, worthText } from "./words.js";

/** The plies of the first answer, and the seconds that it may take. */
const FIRST_PLIES = 3;
const FIRST_SECONDS = 0.1;
/** What is first asked about the other positions of a game. */
const SHORT = { depth: FIRST_PLIES + 2, seconds: 0.2 };
/** What is asked about the answers to an action, which are shown only where all are known. */
const GLANCE = { depth: 1, seconds: 0.1 };
/** The most half-second questions about one position, and the milliseconds to wait after a failure, and while nobody looks. */
const MOST_QUESTIONS = 60;
const RETRY_MS = 2000;
const HIDDEN_MS = 200;
/** The questions after which a position of a game waits until the others have been looked at. */
const QUESTIONS_IN_TURN = 4;
/** The seconds for each position of a game, those of one question, and the factor by which the user lengthens the former. */
const GAME_SECONDS = 1;
const QUESTION_SECONDS = 2;
const LONGER_FACTOR = 4;
/** The lines of a position in which nothing is proved. */
const MOST_LINES = 3;
/** Answers that are kept. */
const MOST_ANSWERS = 400;

const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

/** Whether search may find more of an action: its value, or the distance. */
const isUndecided = ({ value, plies, source }) => value === "none" || source === "search" && value !== "draw" && plies === null;
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

/** Whether an answer about a position knows less than an earlier one: another worker may have started over. */
function knowsLess(answer, earlier) {
  const [plies, before] = [answer, earlier].map(({ searched_plies: plies }) => plies ?? Infinity);
  const open = ({ actions }) => actions.filter(isUndecided).length;
  return plies < before || plies === before && open(answer) > open(earlier);
}

export class Analysis {
  answers = new Map();
  /** The seconds that positions have been looked at, as positions of a game, by the keys of answers. */
  spent = new Map();
  /** The seconds that each position of a game is to be looked at. */
  wanted = GAME_SECONDS;
  /** The key of the position that is looked at, and what ends that. */
  key = null;
  controller = null;
  isLooking = false;
  /** A line of best play: the key and the ply of the position it begins in, and its actions once they are known. */
  steps = null;
  /** Why the position is not answered: a key of words.js and its parameters. */
  refused = null;

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
    this.wanted *= LONGER_FACTOR;
    this.rest();
  }

  /** Keeps an answer as the latest unless it knows less, and forgets the oldest one if there are too many. */
  keep(place, answer) {
    const key = textOf(place);
    const earlier = this.answers.get(key);
    if (earlier && knowsLess(answer, earlier)) return;
    this.answers.delete(key);
    this.answers.set(key, answer);
    if (this.answers.size > MOST_ANSWERS) this.answers.delete(this.answers.keys().next().value);
  }

  /**
   * Looks at a position until it is known, or `watch` or `rest` is called; at none for null. `others` get a short look in
   * between, and if the game is `isWhole`, a longer one.
   */
  watch(place, others = [], isWhole = false) {
    const key = place && textOf(place);
    if (this.key === key) return;
    this.rest();
    if (!place) return;
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
    let asked = endingOf(place) ? MOST_QUESTIONS : 0;
    let isFirst = !this.of(place);
    while (asked < MOST_QUESTIONS && !signal.aborted) {
      if (document.hidden) {
        await pause(HIDDEN_MS);
        continue;
      }
      try {
        const answer = await source.position(place, isFirst ? { depth: FIRST_PLIES, seconds: FIRST_SECONDS } : {}, signal);
        this.keep(place, answer);
        state.redraw();
        if (!isOpen(answer) || !isFirst && !answer.out_of_time) break;
        isFirst = false;
        asked++;
        // The other positions of the game get a first answer before this one is looked at for long, and their turn then.
        if (asked === 1) await this.fill(others, SHORT, signal);
        if (asked === QUESTIONS_IN_TURN && isWhole) await this.fillAll(place, others, signal);
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof Refused) {
          this.refused = sentenceOf(error);
          break;
        }
        await pause(RETRY_MS);
      }
    }
    if (signal.aborted) return;
    this.isLooking = false;
    state.redraw();
    const answer = this.of(place);
    const families = answer && isByFamily(answer) ? familiesOf(place, answer.actions) : [];
    await this.fill(families.map(({ next }) => next), GLANCE, signal).catch(() => {});
    await this.fill(others, SHORT, signal).catch(() => {});
    await this.fillAll(place, others, signal).catch(() => {});
  }

  /** Looks at all positions of a game as long as they are to be; the last ones first, as what they prove is carried back. */
  async fillAll(place, others, signal) {
    this.isFilling = true;
    try {
      for (const other of [...others, place].reverse()) {
        while (!this.isLookedAt(other)) {
          const spent = this.spent.get(textOf(other)) ?? 0;
          const seconds = Math.min(QUESTION_SECONDS, this.wanted - spent);
          await this.fill([other], { seconds }, signal);
          this.spent.set(textOf(other), spent + seconds);
        }
      }
    } finally {
      if (!signal.aborted) this.isFilling = false;
      state.redraw();
    }
  }

  /** Asks about each position of which less is known than that effort would say. */
  async fill(places, effort, signal) {
    for (const place of places) {
      const known = this.of(place);
      signal.throwIfAborted();
      if (known && (effort.depth || !isOpen(known)) || endingOf(place)) continue;
      this.keep(place, await source.position(place, effort, signal));
      state.redraw();
    }
  }

  /** Asks for lines of best play from the position at a ply of the game: after each of several actions if nothing is proved. */
  async askLines(place, ply) {
    const steps = { key: textOf(place), ply, lines: null };
    this.steps = steps;
    state.redraw();
    const { actions = [] } = this.of(place) ?? {};
    const open = actions[0]?.value === "none" ? actions.filter(({ value }) => value === "none").slice(0, MOST_LINES) : [null];
    for (const first of open) {
      const effort = { seconds: 1 / open.length, ...(first && { action: first.action }) };
      const { line, result } = await source.line(place, effort, this.controller?.signal).catch(() => ({ line: [] }));
      if (this.steps !== steps) return;
      if (line.length || !steps.lines) steps.lines = [...steps.lines ?? [], { line, order: first && orderOf(first)?.short, isOver: result !== "unfinished" }];
      state.redraw();
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
      answer && faint(this.progress(answer)), answer && this.list(place, answer));
  }

  /** The actions of a position, best first: in groups of equal value, and in families if they are to be. */
  list(place, answer) {
    const groups = [];
    for (const action of answer.actions) {
      const last = groups.at(-1)?.[0];
      if (last && ["value", "plies", "within", "source"].every(key => last[key] === action[key])) groups.at(-1).push(action);
      else groups.push([action]);
    }
    return groups.map(group => html("div", { class: `group worth-${group[0].value}` },
      html("p", { class: "group-name" },
        html("span", { class: "badge" }, worthSign(group[0])), ` ${worthText(group[0])} `,
        group[0].value !== "none" && html("span", { class: "faint" }, say(FROM[group[0].source] ?? "fromSearch"))),
      html("div", { class: "group-actions", role: "group", "aria-label": worthText(group[0]) },
        isByFamily(answer) ? this.familyRows(place, group) : group.map(ranked => actionButton(ranked)))));
  }

  /** Actions of equal value by family, without what orders them where what is known after them stands there. */
  familyRows(place, group) {
    const { positions, ply } = session;
    const images = positions.slice(0, ply + 1).map(imageOf);
    return familiesOf(place, group).flatMap(({ actions, next, image }) => {
      const answer = this.of(next);
      const answers = answer && !isOpen(answer) ? answer.actions : [];
      const earlier = images.indexOf(image);
      if (!answers.length && earlier < 0) return actions.map(ranked => actionButton(ranked));
      const step = earlier > 0 ? `${earlier}. ${positions[earlier].action.text}` : say("start");
      const known = [answers.length > 0 && answersText(answers), earlier >= 0 && say("backTo", { step })];
      const text = html("span", { class: "faint" }, known.filter(Boolean).join(say("semicolon")));
      return html("div", { class: "family" }, actions.map(ranked => actionButton(ranked, null)), text);
    });
  }

  /** The panel for a position; `side` is what is shown beside its actions, as another rule is chosen. */
  panel(place, rule, side) {
    const answer = this.of(place);
    const result = endingOf(place);
    const verdict = html("h2", { class: `verdict worth-${result ? "none" : answer?.worth.value ?? "none"}` }, this.verdict(place, answer, result));
    if (result) return [verdict, ...this.lineOf()];
    // What follows the best action is suggested where its value or its distance is not known.
    const [best] = answer?.actions ?? [];
    const isSuggested = best && (best.value === "none" || best.value !== "draw" && best.plies === null);
    const { action, ground } = answer?.choice ?? {};
    return [
      verdict,
      answer && faint(this.progress(answer)),
      answer?.candidates ? html("p", {}, say("whichOpen", answer)) : null,
      ground === "suggested" && html("p", {}, say("suggestedAction", { action })),
      html("p", { class: "buttons" },
        button("best", { "data-preview": action, class: "main", disabled: !this.bestOf(place) }, say("playBest")),
        button("line", { disabled: !answer }, say(isSuggested ? "goodLines" : "bestLine"))),
      ...this.lineOf(),
      ...answer ? this.actionsPanel(place, answer, rule, side) : [],
    ];
  }

  actionsPanel(place, answer, rule, side) {
    const heading = side ? ruleText(place.game, rule) : say("actions");
    const list = html("section", { class: "side" }, html("h3", {}, heading), this.list(place, answer));
    // Another rule may be chosen, whose values stand beside those of the game.
    const others = Object.entries(otherGames(place.game)).map(([rule, other]) => [rule, ruleText(other, rule)]);
    return [
      isLookedUp(answer) && checkbox("answers", say("byFamily"), session.kept.answers === "yes"),
      html("div", { class: side && "sides" }, list, side),
      html("p", { class: "settings" }, labelled("compare", select("compare", [["", say("noOther")], ...others], side ? rule : ""))),
      faint(say("legend")),
      isByFamily(answer) && faint(say("familyLegend")),
    ];
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
    if (isSettled || !this.said.text && answer?.searched_plies > FIRST_PLIES) this.said.text = this.verdict(place, answer, result);
    return this.said.text;
  }

  progress(answer) {
    const { searched_plies: plies, out_of_time: isStopped } = answer;
    if (!isOpen(answer)) {
      const isByRules = answer.actions.every(({ source }) => source === "rules");
      return say(FROM[answer.source ?? (isByRules ? "rules" : plies === undefined ? "solved" : "search")]);
    }
    const deeper = (isStopped || plies === FIRST_PLIES) && this.isLooking;
    return say(deeper ? "deepening" : "searchedTo", { plies });
  }

  /** The lines that were asked for and that the position that is shown is on. */
  lineOf() {
    if (!this.steps) return [];
    const { key, ply, lines } = this.steps;
    const base = session.positions[ply];
    const done = session.ply - ply;
    if (!base || done < 0 || textOf(base) !== key) return [];
    if (!lines || !lines[0].line.length) return done ? [] : [faint(say(lines ? "lineNone" : "looking"))];
    const isOn = ({ line }) => session.texts.slice(ply, session.ply).every((text, index) => text === line[index]?.action);
    return lines.flatMap(({ line, order, isOver }, index) => (isOn(lines[index]) ? [
      html("p", { class: "line" }, line.map(({ action }, step) => html("button", {
        "data-do": "stepLine", "data-line": index, "data-steps": step + 1, class: ["action", step + 1 === done && "current"],
        "data-preview": line.slice(done, step + 1).map(({ action }) => action).join(" "),
      }, `${step + 1}. ${action}`)), order && html("span", { class: "faint" }, ` ${order}`)),
      !isOver && !order && faint(say("lineEnds")),
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
  return button("act", {
    "data-action": action, "data-preview": action, class: "action", title: order?.long,
    "aria-label": `${action}, ${worthText(ranked)}${order ? say("semicolon") + order.long : ""}`,
  }, [action, order && html("span", { class: "faint" }, ` ${order.short}`)]);
}

/** Actions in families, those that lead to images of one position, with that position: [{actions, next, image}]. */
function familiesOf(place, actions) {
  const images = [...new Set(actions.map(({ code }) => code))];
  return images.map(image => {
    const family = actions.filter(({ code }) => code === image);
    return { actions: family, next: placeAfter(place, actionOf(place, family[0].action)), image };
  });
}

/** How many answers win, draw and lose, and in how many plies. */
function answersText(answers) {
  const parts = ["win", "draw", "lose"].flatMap(value => {
    const distances = answers.filter(answer => answer.value === value).map(({ plies }) => plies);
    if (!distances.length) return [];
    const [least, most] = [Math.min(...distances), Math.max(...distances)];
    const plies = distances.includes(null) ? null : least === most ? least : `${least}–${most}`;
    return [say("answersAlike", { number: distances.length, worth: worthText({ value, plies }) })];
  });
  return say("answers", { answers: parts.join(say("comma")) });
}
