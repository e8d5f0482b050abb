// The editor: any dove anywhere, and what is wrong with the board in a sentence.

import { ask, gameKey } from "./brain.js";
import { UNCORRECTED, button, checkbox, faint, html, labelled, select } from "./elements.js";
import {
  COLORS, KINDS, START, colorOf, cornerOf, doveAt, dovesOf, minus, moved, opponent, plus, recolored, without,
} from "./position.js";
import { RULINGS, session } from "./session.js";
import { showMessage, state } from "./state.js";
import { colorName, rulingText, say } from "./words.js";

const SHIFTS = { shiftUp: [-1, 0], shiftDown: [1, 0], shiftLeft: [0, -1], shiftRight: [0, 1] };

/** The board, who is to move, the rules, and the letter of the dove that is chosen, if any. */
export const board = { ...session.place, chosen: null };
/** The boards before each change, the latest last. */
let past = [];
/** A typed text that was not taken, {key, text, wrong}: its field, the text, and what is wrong; null if there is none. */
let typed = null;

/** Begins with the board that is shown. */
export function enter() {
  Object.assign(board, session.place, { chosen: null });
  past = [];
  typed = null;
}

/** What the library says of the doves. */
export function arranged() {
  const corner = cornerOf(board.doves);
  const cells = Object.entries(board.doves).map(([letter, cell]) => letter + minus(cell, corner).join());
  return ask("arrange", { doves: cells.join(" "), ...gameKey(board.game) });
}

/** What is wrong with the board; null if it is one. */
const wrong = () => (typed ? typed.wrong : arranged().wrong);

/** Changes doves, player or rules. No dove remains chosen, unless one is among the changes. */
export function change(changes) {
  const { doves, mover, game } = board;
  past.push({ doves, mover, game });
  update(changes);
}

const undo = () => update(past.pop());

/** Takes the board and the rules over into the game, if nothing is wrong with them. */
function update(changes, refused = null) {
  Object.assign(board, { chosen: null, ...changes });
  typed = refused;
  if (wrong()) return state.redraw();
  const { game, doves, mover } = board;
  session.begin({ game, doves, mover }, false);
}

export function choose(letter) {
  board.chosen = board.chosen === letter ? null : letter;
  state.redraw();
}

/** Puts the chosen dove on a cell, or in the hand for null. */
export function place(cell) {
  const letter = board.chosen;
  if (!letter) return showMessage(say("chooseFirst"));
  const there = cell && doveAt(board.doves, cell);
  const doves = { ...without(without(board.doves, there), letter), ...cell && { [letter]: cell } };
  change({ doves, chosen: !cell || board.doves[letter] ? null : nextInHand(doves, colorOf(letter)) });
  if (there && there !== letter) showMessage(say("replaced", { letter, there }), undo);
}

/** The next dove of a hand, or of the other one. */
function nextInHand(doves, color) {
  const inHand = of => dovesOf(board.game, of).find(letter => !doves[letter]);
  return inHand(color) ?? inHand(opponent(color)) ?? null;
}

/** Changes the whole board, or the player to move. */
export function edit(what) {
  if (what === "undoEdit") return undo();
  const { doves, mover, chosen } = board;
  // The plane has no origin: a shift makes room on the page.
  if (what in SHIFTS) return change({ chosen, doves: moved(doves, cell => plus(cell, SHIFTS[what])) });
  const back = changed => {
    const by = minus(cornerOf(doves), cornerOf(changed));
    return moved(changed, cell => plus(cell, by));
  };
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
 * Takes what was typed into a field, unless it cannot be read or its doves cannot stand on one plane. Returns whether it
 * did.
 */
export function type(text, key) {
  const { doves, error, wrong, text: shown } = ask("arrange", { text, ...gameKey(board.game) });
  const refused = error ?? (shown === null ? wrong : null);
  if (refused) update({}, { key, text, wrong: refused });
  else change({ doves });
  return !refused;
}

/** What is wrong with the board, or that it is one. */
export function statusLine() {
  const [shut] = arranged().surrounded;
  const sentence = wrong() ?? (shut ? say("bossShut", { color: shut }) : say("ready"));
  return html("span", { class: wrong() ? "warning" : shut ? "" : "good", id: "setup-status" }, sentence);
}

/** The texts in the fields. */
export function texts() {
  const { text, u64 } = arranged();
  return { text: text ?? "", code: u64 ?? "", ...typed && { [typed.key]: typed.text } };
}

export function panel() {
  const edit = (what, sign) => button("edit", { "data-what": what, "aria-label": sign && say(what) }, sign ?? say(what));
  const radio = color => html("label", {},
    html("input", { type: "radio", name: "mover", "data-set": "mover", value: color, checked: board.mover === color }), ` ${say(color)}`);
  const field = (key, value = texts()[key]) => html("label", { class: "field-label" }, `${say(key)} `,
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

/** A game with a rule changed: `returns`, `bothSurrounded`, or whether a player has a kind, as in `red-A`. */
export function changedRule(game, key, value) {
  if (key === "returns" || key === "bothSurrounded") return { ...game, [key]: value };
  const [color, kind] = key.split("-");
  const kinds = KINDS.filter(other => other !== "B" && (other === kind ? value : game[color].includes(other)));
  return { ...game, [color]: kinds.join("") || "-" };
}

/** Where the rules of a game are chosen; `what` takes the changes. */
export function rulesPanel(game, what) {
  const row = (...children) => html("p", { class: "settings" }, children.flat());
  const box = (key, text, checked) => checkbox(what, text, checked, { "data-key": key });
  const kindBox = (color, kind) => box(`${color}-${kind}`, color === "red" ? kind : kind.toLowerCase(), game[color].includes(kind));
  return html("details", { class: "rules" },
    html("summary", {}, say("rules")),
    COLORS.map(color => row(html("span", {}, colorName(color)), KINDS.slice(1).map(kind => kindBox(color, kind)))),
    row(box("returns", say("returns"), game.returns)),
    row(labelled("bothRuling", select(what, RULINGS.map(ruling => [ruling, rulingText(ruling)]), game.bothSurrounded, { "data-key": "bothSurrounded" }))));
}
