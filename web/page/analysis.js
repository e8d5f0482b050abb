// Incremental analysis of the visible position, shown with the source of each value.

/** @import { Action, Effort, Game, Line, Place, PositionAnswer, Sentence } from "./types.d.ts" */
/** @import { EndingDocument, Ranked } from "./documents.d.ts" */
import { Refused, sentenceOf } from "./brain.js";
import { button, checkbox, faint, html, labelled, select } from "./elements.js";
import { actionOf, endingOf, imageOf, placeAfter, textOf } from "./position.js";
import { RULINGS, session } from "./session.js";
import { source } from "./source.js";
import { state } from "./state.js";
import { currentLanguage } from "./storage.js";
import { ruleText, say, worthSign, worthText } from "./words.js";

/** Depth and time limit of the first answer. */
const FIRST_PLIES = 3;
const FIRST_SECONDS = 0.1;
/** The effort of the first question about the other positions of a game. */
const SHORT = { depth: FIRST_PLIES + 2, seconds: 0.2 };
/** The effort for the replies to an action, which are shown only if no search is needed. */
const GLANCE = { depth: 1, seconds: 0.1 };
/** Maximum number of half-second questions per position; delays after a failure and while the page is hidden. */
const MOST_QUESTIONS = 60;
const RETRY_MS = 2000;
const HIDDEN_MS = 200;
/** How many questions are asked about one position of a finished game before the others get their full time. */
const QUESTIONS_IN_TURN = 4;
/** The time per position of a game, the limit of one question, and the factor by which *Look longer* extends the time. */
const GAME_SECONDS = 1;
const QUESTION_SECONDS = 2;
const LONGER_FACTOR = 4;
/** Maximum number of lines that are suggested when the value of the action ranked first is unknown. */
const MOST_LINES = 3;
/** The size of the cache of answers. */
const MOST_ANSWERS = 400;

const pause = (/** @type {number} */ milliseconds) => new Promise(done => setTimeout(done, milliseconds));

/** Whether a search may still find the value or the distance of an action. @param {Ranked} action */
const isUndecided = ({ value, plies, source }) => value === "none" || source === "search" && value !== "draw" && plies === null;
const isOpen = (/** @type {PositionAnswer} */ answer) => answer.actions.some(isUndecided);
/**
 * Whether all values of a position are known without a search. The replies to its actions may then be known, too.
 *
 * @param {PositionAnswer} answer
 */
const isLookedUp = answer => answer.source !== undefined && !isOpen(answer);
/** Whether a position's actions are listed in families, with the replies. @param {PositionAnswer} answer */
const isByFamily = answer => session.kept.answers === "yes" && isLookedUp(answer);

/**
 * The games that differ from this one in a single rule, keyed by that rule: returns, or the ruling on two surrounded bosses.
 *
 * @param {Game} game
 * @returns {Record<string, Game>}
 */
export function otherGames(game) {
  const rulings = RULINGS.filter(ruling => ruling !== game.bothSurrounded);
  const ruled = rulings.map(ruling => [ruling, { ...game, bothSurrounded: ruling }]);
  return { returns: { ...game, returns: !game.returns }, ...Object.fromEntries(ruled) };
}

/**
 * Whether an answer knows less than an earlier one, as happens when a new worker starts over.
 *
 * @param {PositionAnswer} answer
 * @param {PositionAnswer} earlier
 */
function knowsLess(answer, earlier) {
  const [plies, before] = [answer, earlier].map(({ searched_plies: plies }) => plies ?? Infinity);
  const open = (/** @type {PositionAnswer} */ { actions }) => actions.filter(isUndecided).length;
  return plies < before || plies === before && open(answer) > open(earlier);
}

export class Analysis {
  /** The latest answers by the texts of positions, the oldest first. @type {Map<string, PositionAnswer>} */
  answers = new Map();
  /** The seconds spent on positions of a game, by their texts. @type {Map<string, number>} */
  spent = new Map();
  /** The seconds to spend on each position of a game. */
  wanted = GAME_SECONDS;
  /** The text of the position under analysis. @type {string | null} */
  key = null;
  /** Aborts the analysis. @type {AbortController | null} */
  controller = null;
  isLooking = false;
  /** Whether the analysis of a whole game is running. */
  isFilling = false;
  /**
   * Requested lines (null until the first is computed), and the text and the ply of their first position.
   *
   * @type {{ key: string, ply: number, lines: Line[] | null } | null}
   */
  steps = null;
  /** Why the library refuses the position. @type {Sentence | null} */
  refused = null;
  /** The last verdict that was read aloud, with its position and language. */
  said = { key: "", text: "" };

  /** The latest answer about a position; null if there is none yet. @param {Place} place */
  of(place) {
    return this.answers.get(textOf(place)) ?? null;
  }

  /** Whether a position of a game is decided or has used its time. @param {Place} place */
  isLookedAt(place) {
    const answer = this.of(place);
    return Boolean(endingOf(place) || answer && (!isOpen(answer) || (this.spent.get(textOf(place)) ?? 0) >= this.wanted));
  }

  /** Spends more time on every position of the game. */
  lookLonger() {
    this.wanted *= LONGER_FACTOR;
    this.rest();
  }

  /**
   * Caches an answer, unless it knows less than the cached one. A full cache drops its oldest answer.
   *
   * @param {Place} place
   * @param {PositionAnswer} answer
   */
  keep(place, answer) {
    const key = textOf(place);
    const earlier = this.answers.get(key);
    if (earlier && knowsLess(answer, earlier)) return;
    this.answers.delete(key);
    this.answers.set(key, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > MOST_ANSWERS) this.answers.delete(oldest);
  }

  /**
   * Analyses a position until it is decided, its search has ended, `MOST_QUESTIONS` have been asked, or `rest` or a
   * call with another position stops it. With null, only ends the current analysis.
   *
   * @param {Place | null} place
   * @param {Place[]} others the other positions of the game, which are also analysed
   * @param {boolean} isWhole whether these get their full time before `place` has had all its questions
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

  /** Stops the analysis. */
  rest() {
    this.controller?.abort();
    this.key = null;
    this.isLooking = false;
    this.isFilling = false;
    this.refused = null;
  }

  /** @param {Place} place @param {Place[]} others @param {boolean} isWhole @param {AbortSignal} signal */
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
        // The other positions get a first answer before this one gets more time, and their full time later.
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

  /**
   * Analyses all positions of a game: the visible one, then the others from last to first, because later values help
   * to find earlier ones.
   *
   * @param {Place} place
   * @param {Place[]} others
   * @param {AbortSignal} signal
   */
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

  /**
   * Asks about each position, unless this effort would find nothing new.
   *
   * @param {Place[]} places
   * @param {Effort} effort
   * @param {AbortSignal} signal
   */
  async fill(places, effort, signal) {
    for (const place of places) {
      const known = this.of(place);
      signal.throwIfAborted();
      if (known && (effort.depth || !isOpen(known)) || endingOf(place)) continue;
      this.keep(place, await source.position(place, effort, signal));
      state.redraw();
    }
  }

  /**
   * Asks for the principal variation at a ply of the game or, if the value of the action ranked first is unknown, for a
   * line after each of several such actions.
   *
   * @param {Place} place
   * @param {number} ply
   */
  async askLines(place, ply) {
    /** @type {NonNullable<typeof this.steps>} */
    const steps = { key: textOf(place), ply, lines: null };
    this.steps = steps;
    state.redraw();
    const { actions = [] } = this.of(place) ?? {};
    const open = actions[0]?.value === "none" ? actions.filter(({ value }) => value === "none").slice(0, MOST_LINES) : [null];
    for (const first of open) {
      const effort = { seconds: 1 / open.length, ...(first && { action: first.action }) };
      const { line, result } = await source.line(place, effort, this.controller?.signal).catch(() => ({ line: [], result: "" }));
      if (this.steps !== steps) return;
      const order = first ? orderOf(first)?.short : undefined;
      if (line.length || !steps.lines) steps.lines = [...steps.lines ?? [], { line, order, isOver: result !== "unfinished" }];
      state.redraw();
    }
  }

  /** The text of the best action, once it is known or the search has ended. @param {Place} place */
  bestOf(place) {
    const answer = this.of(place);
    return answer?.candidates && this.isLooking ? null : answer?.choice?.action;
  }

  /** The analysis under another rule, beside the panel. @param {Place} place @param {string} rule */
  side(place, rule) {
    const answer = this.of(place);
    return html("section", { class: "side" }, html("h3", {}, ruleText(place.game, rule)),
      html("p", { class: "verdict" }, this.verdict(place, answer, endingOf(place))),
      answer && faint(this.progress(answer)), answer && this.list(place, answer));
  }

  /** The actions of a position, best first, in groups of equal value. @param {Place} place @param {PositionAnswer} answer */
  list(place, answer) {
    /** @type {Map<string, Ranked[]>} */
    const groups = new Map();
    for (const action of answer.actions) {
      const { value, plies, within, source } = action;
      const key = [value, plies, within, source].join();
      groups.set(key, [...groups.get(key) ?? [], action]);
    }
    return [...groups.values()].map(group => html("div", { class: `group worth-${group[0].value}` },
      html("p", { class: "group-name" },
        html("span", { class: "badge" }, worthSign(group[0])), ` ${worthText(group[0])} `,
        group[0].value !== "none" && html("span", { class: "faint" }, say(FROM[group[0].source] ?? "fromSearch"))),
      html("div", { class: "group-actions", role: "group", "aria-label": worthText(group[0]) },
        isByFamily(answer) ? this.familyRows(place, group) : group.map(ranked => actionButton(ranked)))));
  }

  /** Actions of equal value in families, with the replies if these are known. @param {Place} place @param {Ranked[]} group */
  familyRows(place, group) {
    const { positions, ply } = session;
    const images = positions.slice(0, ply + 1).map(imageOf);
    return familiesOf(place, group).flatMap(/** @returns {Element | Element[]} */ ({ actions, next, image }) => {
      const answer = this.of(next);
      const answers = answer && !isOpen(answer) ? answer.actions : [];
      const earlier = images.indexOf(image);
      if (!answers.length && earlier < 0) return actions.map(ranked => actionButton(ranked));
      const step = earlier > 0 ? `${earlier}. ${positions[earlier].action?.text}` : say("start");
      const known = [answers.length > 0 && answersText(answers), earlier >= 0 && say("backTo", { step })];
      const text = html("span", { class: "faint" }, known.filter(Boolean).join(say("semicolon")));
      return html("div", { class: "family" }, actions.map(ranked => actionButton(ranked, null)), text);
    });
  }

  /**
   * The panel.
   *
   * @param {Place} place
   * @param {string | undefined} rule another rule, for comparison
   * @param {Element | null} side its analysis
   */
  panel(place, rule, side) {
    const answer = this.of(place);
    const result = endingOf(place);
    const verdict = html("h2", { class: `verdict worth-${result ? "none" : answer?.worth.value ?? "none"}` }, this.verdict(place, answer, result));
    if (result) return [verdict, ...this.lineOf()];
    // Without an exact value of the best action, lines are only suggested.
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

  /** @param {Place} place @param {PositionAnswer} answer @param {string | undefined} rule @param {Element | null} side */
  actionsPanel(place, answer, rule, side) {
    const heading = side && rule ? ruleText(place.game, rule) : say("actions");
    const list = html("section", { class: "side" }, html("h3", {}, heading), this.list(place, answer));
    /** @type {[string, string][]} */
    const others = Object.entries(otherGames(place.game)).map(([rule, other]) => [rule, ruleText(other, rule)]);
    return [
      isLookedUp(answer) && checkbox("answers", say("byFamily"), session.kept.answers === "yes"),
      html("div", { class: side && "sides" }, list, side),
      html("p", { class: "settings" }, labelled("compare", select("compare", [["", say("noOther")], ...others], side ? rule : ""))),
      faint([say("legend"), ...legends(answer)].join(say("semicolon"))),
      isByFamily(answer) && faint(say("familyLegend")),
    ];
  }

  /** @param {Place} place @param {PositionAnswer | null} answer @param {EndingDocument | null} result */
  verdict({ mover, game }, answer, result) {
    if (result) return result.winner ? say("verdictOver", { color: result.winner }) : say("verdictDrawn");
    if (!answer && this.refused) return say(...this.refused);
    const round = source.roundOf(game);
    if (!answer) return round === null ? say("looking") : say("solving", { round });
    const { value, plies, within } = answer.worth;
    if (value === "draw") return say(answer.actions.every(action => action.value === "draw") ? "verdictAllDraw" : "verdictDraw");
    if (value === "none") return say("verdictNone", { plies });
    const key = value === "win" ? "verdictWin" : "verdictLose";
    if (within) return say(`${key}Within`, { color: mover, plies: within });
    return plies === null ? say(key, { color: mover }) : say(`${key}In`, { color: mover, plies });
  }

  /**
   * The verdict to be read aloud: a first one when the search exceeds `FIRST_PLIES`, then the final one.
   *
   * @param {Place} place
   */
  spoken(place) {
    const [answer, result] = [this.of(place), endingOf(place)];
    const key = `${currentLanguage()} ${textOf(place)}`;
    if (this.said.key !== key) this.said = { key, text: "" };
    const isFinal = result || this.refused || answer && (answer.worth.value !== "none" || !this.isLooking);
    if (isFinal || !this.said.text && (answer?.searched_plies ?? 0) > FIRST_PLIES) this.said.text = this.verdict(place, answer, result);
    return this.said.text;
  }

  /** The source of the value, or the depth of the search. @param {PositionAnswer} answer */
  progress(answer) {
    const { searched_plies: plies, out_of_time: isStopped } = answer;
    if (!isOpen(answer)) {
      const isByRules = answer.actions.every(({ source }) => source === "rules");
      return say(FROM[answer.source ?? (isByRules ? "rules" : plies === undefined ? "solved" : "search")]);
    }
    const deeper = (isStopped || plies === FIRST_PLIES) && this.isLooking;
    return say(deeper ? "deepening" : "searchedTo", { plies });
  }

  /** The requested lines through the current position. */
  lineOf() {
    if (!this.steps) return [];
    const { key, ply, lines } = this.steps;
    const base = session.positions[ply];
    const done = session.ply - ply;
    if (!base || done < 0 || textOf(base) !== key) return [];
    if (!lines || !lines[0].line.length) return done ? [] : [faint(say(lines ? "lineNone" : "looking"))];
    const isOn = (/** @type {Line} */ { line }) => session.texts.slice(ply, session.ply).every((text, index) => text === line[index]?.action);
    return lines.flatMap(({ line, order, isOver }, index) => (isOn(lines[index]) ? [
      html("p", { class: "line" }, line.map(({ action }, step) => html("button", {
        "data-do": "stepLine", "data-line": index, "data-steps": step + 1, class: ["action", step + 1 === done && "current"],
        "data-preview": line.slice(done, step + 1).map(({ action }) => action).join(" "),
      }, `${step + 1}. ${action}`)), order && html("span", { class: "faint" }, ` ${order}`)),
      !isOver && !order && faint(say("lineEnds")),
    ] : []));
  }
}

/** The keys of texts for the sources of values. @type {Record<string, string>} */
const FROM = { rules: "fromRules", solved: "fromSolved", tables: "fromTables", openings: "fromOpenings", search: "fromSearch" };

/** The legend of the list's sort keys: replies that keep the value, and estimates. @param {PositionAnswer} answer */
function legends({ actions }) {
  const example = actions.find(({ answers }) => answers);
  return [
    example && say("legendWays", { kept: example.ways ?? 0, answers: example.answers ?? 0 }),
    actions.some(action => action.estimate && orderOf(action)) && say("legendEstimate"),
  ].filter(Boolean);
}

/**
 * What orders actions of equal value, in a few characters and in words: how many of the opponent's replies keep the value,
 * or the expected points.
 *
 * @param {Ranked} action
 */
export function orderOf({ value, ways, answers, estimate }) {
  if (answers) {
    return { short: `${ways}/${answers}`, long: say(value === "draw" ? "waysDraw" : "waysLose", { ways, answers }) };
  }
  if (!estimate || value !== "none") return null;
  const percent = Math.round(estimate.per_mille / 10);
  return { short: `${percent} % (${estimate.plies})`, long: say("estimate", { percent, plies: estimate.plies }) };
}

/** The button of an action. @param {Ranked} ranked @param {ReturnType<typeof orderOf>} order */
function actionButton(ranked, order = orderOf(ranked)) {
  const { action } = ranked;
  return button("act", {
    "data-action": action, "data-preview": action, class: "action", title: order?.long,
    "aria-label": `${action}, ${worthText(ranked)}${order ? say("semicolon") + order.long : ""}`,
  }, [action, order && html("span", { class: "faint" }, ` ${order.short}`)]);
}

/**
 * Actions grouped by the position that they lead to, up to symmetry, with that position and its canonical code.
 *
 * @param {Place} place
 * @param {Ranked[]} actions
 */
function familiesOf(place, actions) {
  const images = [...new Set(actions.map(({ code }) => code))];
  return images.map(image => {
    const family = actions.filter(({ code }) => code === image);
    const first = /** @type {Action} */ (actionOf(place, family[0].action));
    return { actions: family, next: placeAfter(place, first), image };
  });
}

/** How many replies win, draw and lose, and in how many plies. @param {Ranked[]} answers */
function answersText(answers) {
  const parts = ["win", "draw", "lose"].flatMap(value => {
    const alike = answers.filter(answer => answer.value === value);
    const distances = alike.flatMap(({ plies }) => plies ?? []);
    if (!alike.length) return [];
    const [least, most] = [Math.min(...distances), Math.max(...distances)];
    const plies = distances.length < alike.length ? null : least === most ? least : `${least}–${most}`;
    return [say("answersAlike", { number: alike.length, worth: worthText({ value, plies }) })];
  });
  return say("answers", { answers: parts.join(say("comma")) });
}
