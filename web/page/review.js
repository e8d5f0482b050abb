// What is known of a whole game: values that later positions prove of earlier ones, and what each action missed.

import { say, worthText } from "./words.js";

const NEGATED = { win: "lose", lose: "win", draw: "draw", none: "none" };
const RANK = { lose: 0, draw: 1, win: 2 };

const isKnown = worth => Boolean(worth) && worth.value !== "none";

/** The value of an action to the player who takes it, from that of the position it leads to. */
const ofAction = ({ value, plies = null, within }) =>
  ({ value: NEGATED[value], plies: plies === null ? null : plies + 1, within: within && within + 1 });

const boundOf = ({ plies, within }) => plies ?? within ?? Infinity;

/** Whether one known value is better than another to the same player. */
function isBetter(a, b) {
  if (a.value !== b.value) return RANK[a.value] > RANK[b.value];
  if (a.plies === null || b.plies === null || a.value === "draw") return false;
  return a.value === "win" ? a.plies < b.plies : a.plies > b.plies;
}

/**
 * The value of a position that is won by some of these actions. Its distance is known if none of the others can be a
 * quicker win; otherwise it is a bound.
 */
function wonBy(actions, isWhole) {
  const least = Math.min(...actions.filter(({ value }) => value === "win").map(boundOf));
  const isNoQuicker = ({ value, plies }) =>
    value === "win" ? (plies ?? 0) >= least : value !== "none" || plies >= least - 1;
  if (isWhole && actions.every(isNoQuicker)) return { value: "win", plies: least };
  return { value: "win", plies: null, within: Number.isFinite(least) ? least : undefined };
}

/** A value and the action that has it; what a lost draw was is said already. */
const missedBy = (worth, action) => (worth.value === "draw" ? action : worthText(worth) + say("colon") + action);

const best = worths => worths.reduce((best, worth) => (isBetter(worth, best) ? worth : best));

/**
 * The values of the positions of a game to the players to move, null where nothing is known. `ask` gives the answer
 * about a position by its index, `end` the value of one at which the game is over. A later position proves something
 * of the one before: a loss for the opponent is a win, and a position is worth its best action once all are known.
 */
export function worthsOf(positions, ask, end) {
  const worths = [];
  for (let index = positions.length - 1; index >= 0; index--) {
    const answer = ask(index);
    const own = answer?.worth ?? end(index) ?? null;
    const next = worths[index + 1];
    worths[index] = isKnown(own) ? own : null;
    if (worths[index] || !isKnown(next)) continue;
    const played = ofAction(next);
    const { text } = positions[index + 1].action;
    const all = answer?.actions.map(action => (action.action === text ? played : action)) ?? [];
    if (played.value === "win") worths[index] = wonBy([played, ...all], all.length > 0);
    else if (all.length && all.every(isKnown)) worths[index] = best(all);
  }
  return worths;
}

/** The value of the action that led to a position, to the player who took it; null if nothing is known. */
export function actionWorth(worths, positions, index, ask) {
  if (index === 0) return null;
  if (worths[index]) return ofAction(worths[index]);
  return ask(index - 1)?.actions.find(({ action, value }) => action === positions[index].action.text && value !== "none") ?? null;
}

/** The signs of the review, and the keys of their words. */
export const SIGNS = { kept: "✓", better: "?!", allowed: "▼?", lostDraw: "?", lostWin: "??" };

/**
 * What the action of this text did: {kind, missed}, the kind one of SIGNS, and missed the text of what there was
 * instead; null as long as that is not known.
 */
export function judge(before, after, answer, text) {
  const actions = answer?.actions ?? [];
  // Neither wins within so many plies, so that is longer than a loss in fewer, and no win in fewer.
  const isLongerThan = worth => ({ value, plies }) => value === "none" && plies >= boundOf(worth);
  if (!before && after?.value === "lose") {
    const other = actions.find(isLongerThan(after));
    return other ? { kind: "allowed", missed: missedBy(other, other.action) } : null;
  }
  if (!before) return null;
  const first = actions.find(({ value }) => value === before.value);
  const missed = first ? missedBy(before, first.action) : worthText(before);
  if (!after) {
    const isSlower = before.value === "win" && actions.some(action => action.action === text && isLongerThan(before)(action));
    return isSlower ? { kind: "better", missed } : null;
  }
  if (after.value !== before.value && RANK[after.value] < RANK[before.value]) {
    return { kind: before.value === "win" ? "lostWin" : "lostDraw", missed };
  }
  return isBetter(before, after) ? { kind: "better", missed } : { kind: "kept", missed: "" };
}
