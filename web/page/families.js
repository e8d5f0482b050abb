// Actions by family, those that lead to images of one position, with what the opponent's answers are worth.

import { html } from "./board.js";
import { opponent } from "./doves.js";
import { actionOf, imageOf } from "./position.js";
import { session } from "./session.js";
import { say, worthText } from "./words.js";

/** Actions in families, with the position that each family leads to: [{actions, next, image}]. */
export function familiesOf(place, actions) {
  const families = new Map();
  for (const ranked of actions) {
    const { action, code: image } = ranked;
    const next = () => ({ doves: actionOf(place, action).after, mover: opponent(place.mover), game: place.game });
    if (!families.has(image)) families.set(image, { actions: [], next: next(), image });
    families.get(image).actions.push(ranked);
  }
  return [...families.values()];
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

/**
 * These actions, best first: those of a family in a row, with what is known after them. `button` makes the button of an
 * action, with what orders it unless that is null; `answersTo` has the answers in a position, none if not all are known.
 */
export function familyRows(place, actions, button, answersTo) {
  const { game, positions, ply } = session;
  const images = positions.slice(0, ply + 1).map(({ doves, mover }) => imageOf({ doves, mover, game }));
  return familiesOf(place, actions).flatMap(({ actions, next, image }) => {
    const [answers, earlier] = [answersTo(next), images.indexOf(image)];
    if (!answers.length && earlier < 0) return actions.map(ranked => button(ranked));
    const step = earlier > 0 ? `${earlier}. ${positions[earlier].action.text}` : say("start");
    const known = [answers.length ? answersText(answers) : "", earlier < 0 ? "" : say("backTo", { step })];
    const text = html("span", { class: "faint" }, known.filter(Boolean).join(say("semicolon")));
    return html("div", { class: "family" }, actions.map(ranked => button(ranked, null)), text);
  });
}
