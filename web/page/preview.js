// Actions that are pointed at or have the focus, anywhere on the page, drawn on the board.

import { opponent } from "./doves.js";
import { actionOf } from "./position.js";

/**
 * The actions of these texts one after the other from a position, up to the first that is not legal there, so that
 * they can be drawn.
 */
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

/** Calls `draw` with the texts of the element with `data-preview` that is pointed at or has the focus, or with none. */
export function watchPreviews(draw) {
  let shown = "";
  const look = element => {
    const texts = element?.closest?.("[data-preview]")?.dataset.preview ?? "";
    if (texts === shown) return;
    shown = texts;
    draw(texts.split(" ").filter(Boolean));
  };
  document.addEventListener("pointerover", ({ target }) => look(target));
  document.addEventListener("focusin", ({ target }) => look(target));
  document.addEventListener("focusout", () => look(null));
}
