// The state of the page besides the game.

/** @import { Message, Review } from "./types.d.ts" */
import { recall } from "./storage.js";
import { say } from "./words.js";

/** No message. @type {Message} */
export const SILENCE = { text: "", back: null, actions: [] };

export const state = {
  /** The letter of the chosen dove. @type {string | null} */
  chosen: null,
  /** The message, its button, and the actions that it mentions, which the board previews. */
  message: SILENCE,
  /** The hovered or focused actions, which the board previews. @type {string[]} */
  pointed: [],
  /** Whether the user has turned the board to green's side; null for the default. @type {boolean | null} */
  turned: null,
  /** Whether the board turns to the player to move, in a game between two people. */
  turnsForEach: recall("turns", ["yes"]) !== null,
  /** Whether the board marks actions that win or lose at once, or let the opponent win. */
  warns: recall("warn", ["no"]) === null,
  /** Whether text is large, for a projector. */
  isLarge: recall("size", ["large"]) !== null,
  /** Whether the QR code of the address is shown. */
  showsCode: false,
  /** The review of the game; null while values are hidden. @type {Review | null} */
  review: null,
  /**
   * A mistake that the user retries: its ply, the actions up to it, the first position as text, and a snapshot of the game.
   *
   * @type {{ ply: number, texts: string[], start: string, before: object } | null}
   */
  retry: null,
  /** Redraws the page. */
  redraw: () => {},
};

/**
 * Shows a message, with a button that calls `back` if given, and previews actions on the board.
 *
 * @param {string} text
 * @param {(() => void) | null} back
 * @param {(string | undefined)[]} actions
 */
export function showMessage(text, back = null, actions = [], label = say("takeBack")) {
  state.message = { text, back: back && { do: back, text: label }, actions };
  state.redraw();
}
