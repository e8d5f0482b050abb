// What the library says of a position: its actions, how it stands, what closes the bosses' sides. A position is
// {doves, mover, game}; the library counts cells from the corner of the box around all doves.

import { ask, gameKey } from "./brain.js";
import { COLORS, boardText, colorOf, cornerOf, minus, opponent, plus } from "./doves.js";

/** The most positions that are remembered. */
const KEPT = 2000;
const known = new Map();

/** The parameters of a question about a position. */
export const keyOf = ({ doves, mover, game }) => ({ board: boardText(doves), to_move: mover, ...gameKey(game) });

/** The answer about a position, whose cells are still the library's. */
function answerOf(place) {
  const parameters = keyOf(place);
  const key = Object.values(parameters).join(" ");
  if (!known.has(key)) {
    if (known.size >= KEPT) known.delete(known.keys().next().value);
    const answer = ask("legal", parameters);
    if (answer.error) throw new Error(answer.error);
    known.set(key, answer);
  }
  return known.get(key);
}

/** An action on the plane: {text, kind, dove, from, to, outcome, after}. */
function onPlane(doves, { action: text, kind, dove, from, to, outcome }) {
  const corner = cornerOf(doves);
  const after = { ...doves };
  delete after[dove];
  const cell = to && plus(corner, to);
  if (cell) after[dove] = cell;
  return { text, kind, dove, from: from && plus(corner, from), to: cell, outcome, after };
}

/** The legal actions of the player to move; none if the game is over. */
export const actionsOf = place => answerOf(place).actions.map(action => onPlane(place.doves, action));

/** The action of this text; null if it is not legal. */
export function actionOf(place, text) {
  const found = answerOf(place).actions.find(({ action }) => action === text);
  return found ? onPlane(place.doves, found) : null;
}

/** The actions of these texts one after the other, up to the first that is not legal there. */
export function actionsFrom({ doves, mover, game }, texts) {
  const actions = [];
  for (const text of texts) {
    const action = actionOf({ doves, mover, game }, text);
    if (!action) break;
    actions.push(action);
    [doves, mover] = [action.after, opponent(mover)];
  }
  return actions;
}

/**
 * A dove put or moved to a cell, or returned for null: {action}, or {refused}, a sentence that says why there is no
 * such action.
 */
export function attempt({ doves, game }, dove, to) {
  const parameters = keyOf({ doves, mover: colorOf(dove), game });
  const cell = to ? { to: minus(to, cornerOf(doves)).join() } : {};
  const { action, refused, error } = ask("try", { ...parameters, dove, ...cell });
  return action ? { action: onPlane(doves, action) } : { refused: refused ?? error };
}

/** The text of an action by which the opponent wins at once after this action; undefined if there is none. */
export const answerThatWins = ({ mover, game }, { after }) =>
  actionsOf({ doves: after, mover: opponent(mover), game }).find(({ outcome }) => outcome === "won")?.text;

/** How a game stands: null if it goes on, or {winner, why}; the winner is null for a draw. */
export const endingOf = place => answerOf(place).ending;

/** What closes the sides of both bosses – above, left, right, below: the letter of a dove, "wall", or null. */
export const closedSides = place => answerOf(place).closed;

/** The players whose bosses are surrounded. */
export const surroundedIn = place => COLORS.filter(color => closedSides(place)[color].every(Boolean));

/** The code of a board, 16 hexadecimal digits. */
export const codeOf = place => answerOf(place).u64;

/** What all images of a position share. */
export const imageOf = place => answerOf(place).code;

/** What was asked last of a game: the question, and its answer. */
let asked = {};

/** Whether a draw by repetition may be claimed after these actions of a game from a place. */
export function mayClaimDraw({ doves, mover, game }, texts) {
  const parameters = { start: boardText(doves), to_move: mover, actions: texts.join(" "), ...gameKey(game) };
  const question = Object.values(parameters).join("|");
  if (asked.question !== question) {
    asked = { question, mayClaim: ask("game", parameters).may_claim_draw };
  }
  return asked.mayClaim;
}
