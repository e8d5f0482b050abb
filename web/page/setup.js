// The editor: puts any dove on any cell, and explains why a board is not legal.

/** @import { Cell, Color, Doves, Game, Place } from "./types.d.ts" */
import { ask, gameKey } from "./brain.js";
import { UNCORRECTED, button, checkbox, faint, html, labelled, select } from "./elements.js";
import {
  COLORS, KINDS, START, colorOf, cornerOf, doveAt, dovesOf, minus, moved, opponent, plus, recolored, without,
} from "./position.js";
import { RULINGS, session } from "./session.js";
import { showMessage, state } from "./state.js";
import { colorName, rulingText, say } from "./words.js";

/** @type {Record<string, Cell>} */
const SHIFTS = { shiftUp: [-1, 0], shiftDown: [1, 0], shiftLeft: [0, -1], shiftRight: [0, 1] };

/** The board, the player to move, the rules, and the letter of the chosen dove. @type {Place & { chosen: string | null }} */
export const board = { ...session.place, chosen: null };
/** The boards before each change, the latest last. @type {Place[]} */
let past = [];
/**
 * The last typed text if it was refused, with its field and the reason.
 *
 * @type {{ key: string, text: string, wrong: string } | null}
 */
let typed = null;

/** Starts from the current board of the game. */
export function enter() {
  Object.assign(board, session.place, { chosen: null });
  past = [];
  typed = null;
}

/** The library's answer about the board. */
export function arranged() {
  const corner = cornerOf(board.doves);
  const cells = Object.entries(board.doves).map(([letter, cell]) => letter + minus(cell, corner).join());
  return ask("arrange", { doves: cells.join(" "), ...gameKey(board.game) });
}

/** Why the board is not legal; null if it is. */
const wrong = () => (typed ? typed.wrong : arranged().wrong);

/**
 * Changes the doves, the player or the rules. Deselects the chosen dove, unless `changes` names one.
 *
 * @param {Partial<typeof board>} changes
 */
export function change(changes) {
  const { doves, mover, game } = board;
  past.push({ doves, mover, game });
  update(changes);
}

const undo = () => update(past.pop() ?? {});

/**
 * Changes the board and, if it is legal, begins a game from it.
 *
 * @param {Partial<typeof board>} changes
 * @param {typeof typed} refused
 */
function update(changes, refused = null) {
  Object.assign(board, { chosen: null, ...changes });
  typed = refused;
  if (wrong()) return state.redraw();
  const { game, doves, mover } = board;
  session.begin({ game, doves, mover }, false);
}

/** @param {string} letter */
export function choose(letter) {
  board.chosen = board.chosen === letter ? null : letter;
  state.redraw();
}

/** Puts the chosen dove on a cell, or back in the hand if `cell` is null. @param {Cell | null} cell */
export function place(cell) {
  const letter = board.chosen;
  if (!letter) return showMessage(say("chooseFirst"));
  const there = cell && doveAt(board.doves, cell);
  const doves = { ...without(without(board.doves, there), letter), ...cell && { [letter]: cell } };
  change({ doves, chosen: !cell || board.doves[letter] ? null : nextInHand(doves, colorOf(letter)) });
  if (there && there !== letter) showMessage(say("replaced", { letter, there }), undo);
}

/** The next dove in a player's hand or, if that is empty, in the opponent's. @param {Doves} doves @param {Color} color */
function nextInHand(doves, color) {
  const inHand = (/** @type {Color} */ of) => dovesOf(board.game, of).find(letter => !doves[letter]);
  return inHand(color) ?? inHand(opponent(color)) ?? null;
}

/** Carries out a command on the whole board. @param {string} what */
export function edit(what) {
  if (what === "undoEdit") return undo();
  const { doves, mover, chosen } = board;
  // The plane has no origin, so a shift only makes room on the page.
  if (what in SHIFTS) return change({ chosen, doves: moved(doves, cell => plus(cell, SHIFTS[what])) });
  const back = (/** @type {Doves} */ changed) => {
    const by = minus(cornerOf(doves), cornerOf(changed));
    return moved(changed, cell => plus(cell, by));
  };
  /** @type {Record<string, () => Partial<typeof board>>} */
  const changes = {
    turn: () => ({ doves: back(moved(doves, ([row, column]) => [column, -row])) }),
    mirror: () => ({ doves: back(moved(doves, ([row, column]) => [row, -column])) }),
    swapColors: () => ({ doves: recolored(doves), mover: opponent(mover) }),
    clear: () => ({ doves: Object.fromEntries(Object.entries(doves).filter(([letter]) => "Bb".includes(letter))) }),
    startBoard: () => ({ doves: START(), mover: "red" }),
  };
  change(changes[what]());
}

/**
 * Reads a typed board, and refuses it if it cannot be read or shown. Returns whether it was accepted.
 *
 * @param {string} text
 * @param {string} key the field
 */
export function type(text, key) {
  const { doves, error, wrong, text: shown } = ask("arrange", { text, ...gameKey(board.game) });
  const refused = error ?? (shown === null ? wrong : null);
  if (refused) update({}, { key, text, wrong: refused });
  else if (doves) change({ doves });
  return !refused;
}

/** Says that the board is legal, or why it is not. */
export function statusLine() {
  const [shut] = arranged().surrounded ?? [];
  const sentence = wrong() ?? (shut ? say("bossShut", { color: shut }) : say("ready"));
  return html("span", { class: wrong() ? "warning" : shut ? "" : "good", id: "setup-status" }, sentence);
}

/** The texts in the fields. @returns {Record<string, string>} */
export function texts() {
  const { text, u64 } = arranged();
  return { text: text ?? "", code: u64 ?? "", ...typed && { [typed.key]: typed.text } };
}

export function panel() {
  const edit = (/** @type {string} */ what, /** @type {string} */ sign = "") => button("edit", { "data-what": what, "aria-label": sign ? say(what) : null }, sign || say(what));
  const radio = (/** @type {Color} */ color) => html("label", {},
    html("input", { type: "radio", name: "mover", "data-set": "mover", value: color, checked: board.mover === color }), ` ${say(color)}`);
  const field = (/** @type {string} */ key, value = texts()[key]) => html("label", { class: "field-label" }, `${say(key)} `,
    html("input", { type: "text", "data-set": "board-text", "data-key": key, id: `setup-${key}`, value, ...UNCORRECTED, maxlength: "80" }),
    button("copy", { "data-text": value, disabled: !value, "aria-label": `${say("copy")}${say("colon")}${say(key)}` }));
  return [
    faint(say("setupHelp")),
    html("p", { class: "settings" }, html("span", {}, say("mover")), COLORS.map(radio)),
    html("p", { class: "buttons" }, ["startBoard", "clear", "swapColors", "turn", "mirror"].map(what => edit(what)),
      button("edit", { "data-what": "undoEdit", disabled: !past.length }, say("takeBack"))),
    html("p", { class: "buttons" }, edit("shiftLeft", "←"), edit("shiftUp", "↑"), edit("shiftDown", "↓"), edit("shiftRight", "→")),
    field("text"), field("code"),
    rulesPanel(board.game, "rule"),
    html("p", { class: "buttons" }, button("mode", { "data-mode": "analyse", class: "main", disabled: Boolean(wrong()) }, say("done"))),
  ];
}

/**
 * A game with one rule changed. `key` is `returns`, `bothSurrounded` or, as in `red-A`, a player and the kind that this
 * player gains or loses.
 *
 * @param {Game} game
 * @param {string} key
 * @param {any} value
 * @returns {Game}
 */
export function changedRule(game, key, value) {
  if (key === "returns" || key === "bothSurrounded") return { ...game, [key]: value };
  const [color, kind] = /** @type {[Color, string]} */ (key.split("-"));
  const kinds = KINDS.filter(other => other !== "B" && (other === kind ? value : game[color].includes(other)));
  return { ...game, [color]: kinds.join("") || "-" };
}

/** The controls for the rules of a game; they change the setting `what`. @param {Game} game @param {string} what */
export function rulesPanel(game, what) {
  const row = (/** @type {any[]} */ ...children) => html("p", { class: "settings" }, children.flat());
  const box = (/** @type {string} */ key, /** @type {string} */ text, /** @type {boolean} */ checked) => checkbox(what, text, checked, { "data-key": key });
  const kindBox = (/** @type {Color} */ color, /** @type {string} */ kind) => box(`${color}-${kind}`, color === "red" ? kind : kind.toLowerCase(), game[color].includes(kind));
  return html("details", { class: "rules" },
    html("summary", {}, say("rules")),
    COLORS.map(color => row(html("span", {}, colorName(color)), KINDS.slice(1).map(kind => kindBox(color, kind)))),
    row(box("returns", say("returns"), game.returns)),
    row(labelled("bothRuling", select(what, RULINGS.map(ruling => [ruling, rulingText(ruling)]), game.bothSurrounded, { "data-key": "bothSurrounded" }))));
}
