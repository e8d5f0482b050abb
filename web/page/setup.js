// The editor: any dove anywhere, and what is wrong with the board in a sentence.

import { html } from "./board.js";
import { ask, gameKey } from "./brain.js";
import { COLORS, KINDS, START, boxOf, colorOf, cornerOf, doveAt, dovesOf, minus, mirrored, moved, opponent, recolored, turned } from "./doves.js";
import { RULINGS, session } from "./session.js";
import { colorName, rulingText, say } from "./words.js";

const SHIFTS = { shiftUp: [-1, 0], shiftDown: [1, 0], shiftLeft: [0, -1], shiftRight: [0, 1] };

export class Setup {
  constructor(showMessage, changed) {
    Object.assign(this, { showMessage, changed });
    this.enter();
  }

  /** Begins with the board that is shown. */
  enter() {
    Object.assign(this, session.place);
    this.doves = { ...this.doves };
    this.chosen = null;
    /** The boards before each change, the latest last. */
    this.past = [];
    /** A text that was typed and is none of doves: its field, and what is wrong. */
    this.typed = null;
  }

  /** What is wrong with the board; null if it is one. */
  get wrong() {
    return this.typed ? this.typed.wrong : this.arranged.wrong;
  }

  /** What the library says of the doves. */
  get arranged() {
    const { doves, game } = this;
    const letters = Object.keys(doves);
    const corner = letters.length ? cornerOf(doves) : null;
    const cells = letters.map(letter => letter + minus(doves[letter], corner).join());
    return ask("arrange", { doves: cells.join(" "), ...gameKey(game) });
  }

  update() {
    this.typed = null;
    this.keep();
  }

  /** Remembers the board for undo. */
  remember() {
    const { doves, mover, game } = this;
    this.past.push({ doves: { ...doves }, mover, game });
  }

  undo() {
    Object.assign(this, this.past.pop());
    this.chosen = null;
    this.update();
  }

  /** Takes the board and the rules over into the game, if nothing is wrong with them. */
  keep() {
    if (this.wrong) return this.changed();
    session.begin({ game: this.game, doves: { ...this.doves }, mover: this.mover }, {});
  }

  choose(letter) {
    this.chosen = this.chosen === letter ? null : letter;
    this.changed();
  }

  place(cell) {
    const letter = this.chosen;
    if (!letter) return this.showMessage(say("chooseFirst"));
    const wasInHand = !this.doves[letter];
    const there = doveAt(this.doves, cell);
    const isReplaced = there && there !== letter;
    this.remember();
    if (isReplaced) delete this.doves[there];
    this.doves[letter] = cell;
    this.chosen = wasInHand ? this.nextInHand(colorOf(letter)) : null;
    this.update();
    if (isReplaced) this.showMessage(say("replaced", { letter, there }), () => this.undo());
  }

  /** The next dove of a hand, or of the other one. */
  nextInHand(color) {
    const inHand = of => dovesOf(this.game, of).find(letter => !this.doves[letter]);
    return inHand(color) ?? inHand(opponent(color)) ?? null;
  }

  putInHand() {
    if (!this.chosen) return;
    this.remember();
    delete this.doves[this.chosen];
    this.chosen = null;
    this.update();
  }

  /** Changes the whole board, or the player to move. */
  edit(what) {
    if (what === "undoEdit") return this.undo();
    this.remember();
    if (what in SHIFTS) {
      // The plane has no origin: a shift makes room on the page.
      this.doves = moved(this.doves, ([row, column]) => [row + SHIFTS[what][0], column + SHIFTS[what][1]]);
      return this.update();
    }
    const box = Object.keys(this.doves).length ? boxOf(this.doves) : { top: 0, left: 0 };
    const back = doves => {
      if (!Object.keys(doves).length) return doves;
      const { top, left } = boxOf(doves);
      return moved(doves, ([row, column]) => [row - top + box.top, column - left + box.left]);
    };
    if (what === "turn") this.doves = back(turned(this.doves));
    if (what === "mirror") this.doves = back(mirrored(this.doves));
    if (what === "swapColors") [this.doves, this.mover] = [recolored(this.doves), opponent(this.mover)];
    if (what === "clear") this.doves = Object.fromEntries(Object.entries(this.doves).filter(([letter]) => "Bb".includes(letter)));
    if (what === "startBoard") [this.doves, this.mover] = [START(), "red"];
    this.chosen = null;
    this.update();
  }

  move(mover) {
    this.remember();
    this.mover = mover;
    this.update();
  }

  type(text, key) {
    const { doves, error, wrong, text: shown } = ask("arrange", { text, ...gameKey(this.game) });
    // Without a text, the doves can be on no plane.
    const refused = error ?? (shown === null ? wrong : null);
    this.typed = refused ? { key, text, wrong: refused } : null;
    if (!refused) {
      this.remember();
      this.doves = doves;
    }
    this.chosen = null;
    this.keep();
  }

  change(key, value) {
    this.remember();
    this.game = changed(this.game, key, value);
    this.update();
  }

  /** What is wrong with the board, or that it is one. */
  statusLine() {
    const { wrong, arranged: { surrounded: [shut] } } = this;
    const sentence = wrong ?? (shut ? say("bossShut", { color: shut }) : say("ready"));
    return html("span", { class: wrong ? "warning" : shut ? "" : "good", id: "setup-status" }, sentence);
  }

  panel() {
    const button = what => html("button", { "data-do": "edit", "data-what": what }, say(what));
    const shift = (what, sign) => html("button", { "data-do": "edit", "data-what": what, "aria-label": say(what), class: what }, sign);
    const wrong = this.wrong;
    const { text, u64 } = this.arranged;
    const texts = { text: text ?? "", code: u64 ?? "" };
    if (this.typed) texts[this.typed.key] = this.typed.text;
    const radio = color => html("label", {}, html("input", { type: "radio", name: "mover", "data-set": "mover", value: color, checked: this.mover === color }), ` ${say(color)}`);
    const field = (key, value = texts[key]) => html("label", { class: "field-label" }, `${say(key)} `,
      html("input", { type: "text", "data-set": "board-text", "data-key": key, id: `setup-${key}`, value, spellcheck: "false", autocomplete: "off", autocapitalize: "off", autocorrect: "off", maxlength: "80" }),
      html("button", { "data-do": "copy", "data-text": value, disabled: !value, "aria-label": `${say("copy")}${say("colon")}${say(key)}` }, say("copy")));
    return [
      html("p", { class: "faint" }, say("setupHelp")),
      html("p", { class: "settings" }, html("span", {}, say("mover")), COLORS.map(radio)),
      html("p", { class: "buttons" }, ["startBoard", "clear", "swapColors", "turn", "mirror"].map(button), html("button", { "data-do": "edit", "data-what": "undoEdit", disabled: !this.past.length }, say("takeBack"))),
      html("p", { class: "buttons shifts" }, shift("shiftLeft", "←"), shift("shiftUp", "↑"), shift("shiftDown", "↓"), shift("shiftRight", "→")),
      field("text"), field("code"),
      rulesPanel(this.game, "rule"),
      html("p", { class: "buttons" }, html("button", { "data-do": "mode", "data-mode": "analyse", class: "main", disabled: Boolean(wrong) }, say("done"))),
    ];
  }
}

/** A game with a rule changed: `returns`, `bothSurrounded`, or whether a player has a kind, as in `red-A`. */
export function changed(game, key, value) {
  if (key === "returns" || key === "bothSurrounded") return { ...game, [key]: value };
  const [color, kind] = key.split("-");
  const kinds = KINDS.filter(other => other !== "B" && (other === kind ? value : game[color].includes(other)));
  return { ...game, [color]: kinds.join("") || "-" };
}

/** Where the rules of a game are chosen; `what` takes the changes. */
export function rulesPanel(game, what) {
  const box = (color, kind) => html("label", {}, html("input", {
    type: "checkbox", "data-set": what, "data-key": `${color}-${kind}`, checked: game[color].includes(kind),
  }), color === "red" ? kind : kind.toLowerCase());
  return html("details", { class: "rules" },
    html("summary", {}, say("rules")),
    COLORS.map(color => html("p", { class: "settings" }, html("span", {}, colorName(color)), KINDS.slice(1).map(kind => box(color, kind)))),
    html("p", { class: "settings" }, html("label", {}, html("input", { type: "checkbox", "data-set": what, "data-key": "returns", checked: game.returns }), ` ${say("returns")}`)),
    html("p", { class: "settings" }, html("label", {}, `${say("bothRuling")} `, html("select", { "data-set": what, "data-key": "bothSurrounded" },
      RULINGS.map(value => html("option", { value, selected: game.bothSurrounded === value }, rulingText(value)))))));
}
