// What the page shows besides the game.

import { recall } from "./storage.js";
import { say } from "./words.js";

/** No message. */
export const SILENCE = { text: "", back: null, actions: [] };

export const state = {
  /** The letter of the dove that is taken up, if any. */
  chosen: null,
  /**
   * The message: its `text`; `back`, what its button does and says, or null; and the texts of the `actions` that it is about,
   * which are drawn on the board.
   */
  message: SILENCE,
  /** The texts of the actions that are pointed at, which are drawn on the board. */
  pointed: [],
  /** Whether the board is seen from green's side, as the user chose; null for the usual side. */
  turned: null,
  /** Whether it is seen from the side of each of two players in turn. */
  turnsForEach: recall("turns", ["yes"]) !== null,
  /** Whether cells at which an action ends the game are marked. */
  warns: recall("warn", ["no"]) === null,
  /** Whether text is large, for a projector. */
  isLarge: recall("size", ["large"]) !== null,
  /** Whether the QR code of the address is shown. */
  showsCode: false,
  /** The review of the game; null where no values are shown. */
  review: null,
  /**
   * A mistake that is tried again, {ply, texts, start, before}: its ply, the actions up to it, the first position as a text,
   * and a snapshot of the whole game.
   */
  retry: null,
  /** Brings the page up to date. */
  redraw: () => {},
};

/** Shows a message, with a button that calls `back` if that is given, and with actions to draw on the board. */
export function showMessage(text, back = null, actions = [], label = say("takeBack")) {
  state.message = { text, back: back && { do: back, text: label }, actions };
  state.redraw();
}
