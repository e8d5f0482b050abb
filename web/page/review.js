// What is known of a whole game, what each action gave away, and what would have been better.

import { say, worthText } from "./words.js";

const NEGATED = { win: "lose", lose: "win", draw: "draw", none: "none" };
const RANK = { lose: 0, draw: 1, win: 2 };
/** The signs of a review, the gravest first, with the points from which an action that gave so many away has them. */
const GRAVE = [["??", 0.3], ["?", 0.1], ["?!", 0]];
/** The sign of an action that gave nothing away. */
export const KEPT = "✓";
export const SIGNS = [KEPT, ...GRAVE.map(([sign]) => sign).reverse()];
/** The points that have to be lost by estimates alone, which differ by less from one depth to the next. */
const DOUBTFUL = 0.15;

const isKnown = worth => Boolean(worth) && worth.value !== "none";
const boundOf = ({ plies, within }) => plies ?? within ?? Infinity;

/** The value of an action to the player who takes it, from that of the position it leads to, or the other way round. */
const negated = ({ value, plies = null, within }, step) =>
  ({ value: NEGATED[value], plies: plies === null ? null : plies + step, within: within && within + step });
export const ofAction = worth => negated(worth, 1);
const afterAction = worth => negated(worth, -1);

/** Of two values of the same position, that of which more is known. */
function sharper(a, b) {
  if (!isKnown(a) || !isKnown(b)) return isKnown(a) ? a : isKnown(b) ? b : null;
  return a.plies === null && (b.plies !== null || boundOf(b) < boundOf(a)) ? b : a;
}

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

const best = worths => worths.reduce((best, worth) => (isBetter(worth, best) ? worth : best));

/**
 * The values of the positions of a game to the players to move, null where nothing is known. `ask` gives the answer
 * about a position by its index, `end` the value of one at which the game is over. A later position proves something
 * of the one before: a loss for the opponent is a win, and a position is worth its best action once all are known. The
 * list of an earlier one has the value of the next, and what is lost in so many plies is lost after any action.
 */
export function worthsOf(positions, ask, end) {
  const worths = [];
  const textTo = index => positions[index].action.text;
  for (let index = positions.length - 1; index >= 0; index--) {
    const answer = ask(index);
    const listed = index && ask(index - 1)?.actions.find(({ action }) => action === textTo(index));
    worths[index] = sharper(answer?.worth ?? end(index), isKnown(listed) ? afterAction(listed) : null);
    const next = worths[index + 1];
    if (!next) continue;
    const played = ofAction(next);
    const text = textTo(index + 1);
    const all = answer?.actions.map(action => (action.action === text ? played : action)) ?? [];
    let carried = null;
    if (played.value === "win") carried = wonBy([played, ...all], all.length > 0);
    else if (all.length && all.every(isKnown)) carried = best(all);
    worths[index] = sharper(worths[index], carried);
  }
  worths.forEach((worth, index) => {
    if (index && worths[index - 1]?.value === "lose" && Number.isFinite(boundOf(worths[index - 1]))) {
      worths[index] = sharper(worth, { value: "win", plies: null, within: boundOf(worths[index - 1]) - 1 });
    }
  });
  return worths;
}

/**
 * What a position of this value is worth to the player to move, from 0 for a loss to 1: quicker wins and losses are
 * nearer to the ends. If the value is not known, it is what the first action of the answer is worth, by an estimate if
 * need be; null if there is none.
 */
export function pointsOf(worth, answer) {
  const [top, ...others] = answer?.actions ?? [];
  // Of undecided actions, some have only bounds.
  const first = top?.value === "none" && !top.estimate ? others.find(({ estimate }) => estimate) : top;
  const { value, plies, within, estimate } = worth ?? first ?? { value: "none" };
  if (value === "draw") return 0.5;
  if (value === "none") return estimate ? estimate.per_mille / 1000 : null;
  const size = 0.35 + 0.65 / (1 + (plies ?? within ?? 30) / 8);
  return 0.5 + (value === "win" ? size : -size) / 2;
}

/**
 * What an action did: {kind, sign, better}, `better` what there was instead, and its value; null as long as that is
 * not known. `before` and `after` are values to the player who took it, `answers` those about both positions; with
 * `isLookedAt`, estimates say what the values do not.
 */
export function judge(before, after, [answer, next], text, isLookedAt = true) {
  const actions = answer?.actions ?? [];
  const first = actions.find(({ value }) => value === before?.value) ?? null;
  // Neither wins within so many plies, so that is longer than a loss in fewer, and no win in fewer.
  const isLongerThan = worth => ({ value, plies }) => value === "none" && plies >= boundOf(worth);
  const points = pointsOf(before, answer);
  const theirs = pointsOf(after && afterAction(after), next);
  const fall = points === null || theirs === null ? 0 : points + theirs - 1;
  const judged = (kind, better, worth = better) =>
    ({ kind, sign: GRAVE.find(([, least]) => fall >= least)?.[0] ?? "?!", better, worth });
  if (before && after) {
    if (RANK[after.value] < RANK[before.value]) return judged(before.value === "win" ? "lostWin" : "lostDraw", first, before);
    if (isBetter(before, after)) return judged("better", first, before);
    const isSure = before.value === "draw" || before.plies !== null && before.plies === after.plies;
    return isSure ? { kind: "kept", sign: KEPT } : null;
  }
  if (!before && after?.value === "lose") {
    const other = actions.find(isLongerThan(after));
    if (other) return judged("allowed", other);
  }
  if (before?.value === "win" && !after) {
    const isSlower = actions.some(action => action.action === text && isLongerThan(before)(action));
    if (isSlower) return judged("better", first, before);
  }
  if (!isLookedAt || points === null || theirs === null || after?.value === "win") return null;
  const isDoubtful = fall >= DOUBTFUL && actions[0].action !== text;
  return isDoubtful ? { ...judged("doubtful", actions[0]), points, left: 1 - theirs } : { kind: "likely", sign: "" };
}

/** What an action did, and what beats it, in words; `reply` is the best answer to it. */
export function judgedText({ kind, better, worth, points, left }, reply) {
  const percent = part => Math.round(100 * part);
  const action = better?.action;
  const missed = kind === "allowed"
    ? say("wasSafe", { action, plies: worth.plies })
    : worth && say(action ? "instead" : "insteadUnknown", { action, worth: worthText(worth) });
  const sentence = say(kind, { missed, action, before: percent(points), after: percent(left) });
  const isBeaten = reply?.value === "win" && kind !== "kept";
  if (!isBeaten) return sentence;
  return say(reply.plies === 1 ? "beatenAtOnce" : reply.plies ? "beaten" : "beatenSome", { ...reply, sentence });
}
