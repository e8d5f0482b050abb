// The board and the hands: cells and doves as buttons, walls and arrows drawn over them; click, drag and keys.

import { SIZE, boxOf, cellName, colorOf, doveAt, dovesOf, kindOf } from "./rules.js";
import { NAMES, nameOf, say, worthSign, worthText } from "./words.js";

/** Rows and columns that are shown: from any board, every cell that an action reaches fits into them. */
const SHOWN = 7;
/** The width of a cell in user units of the drawings: see picture/svg.rs. */
const CELL = 45;
/** The distance in pixels from which a press counts as a drag. */
const DRAG = 8;

export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
export const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Gives an element these children. Existing children are changed in place where possible, so that an element that has
 * the focus or is being pressed stays.
 */
export function refill(parent, ...children) {
  const wanted = children.flat().filter(child => child !== null && child !== undefined && child !== false);
  const there = [...parent.childNodes];
  wanted.forEach((child, index) => {
    const node = typeof child === "string" ? document.createTextNode(child) : child;
    if (there[index]) become(there[index], node);
    else parent.append(node);
  });
  there.slice(wanted.length).forEach(node => node.remove());
}

function become(old, node) {
  if (old.nodeName !== node.nodeName) return old.replaceWith(node);
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    // What the user has opened stays open.
    if (!node.hasAttribute(name) && !(name === "open" && old.matches("details"))) old.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  refill(old, ...node.childNodes);
  if (old.matches("input[type=checkbox], input[type=radio]")) old.checked = node.checked;
  // What is typed into a text area stays until it is taken.
  else if (old.matches("input, select") && old !== document.activeElement) old.value = node.value;
}

/** The cell that a button stands for. */
const cellOf = button => button.dataset.cell.split(",").map(Number);

/** A picture of a dove. */
export const picture = letter =>
  svg("svg", { class: "picture", viewBox: "-22.5 -22.5 45 45", "aria-hidden": "true" },
    svg("use", { href: `#${colorOf(letter)}-${NAMES[kindOf(letter)]}` }));

/**
 * The board in the page. `wishes` are its callbacks: choose(letter), place(cell), putInHand(), letGo().
 */
export class BoardView {
  constructor(board, hands, wishes) {
    Object.assign(this, { board, hands, wishes });
    this.origin = null;
    this.cursor = null;
    board.addEventListener("focusin", ({ target }) => {
      if (target.dataset.cell) this.cursor = cellOf(target);
    });
    for (const area of [board, hands.red, hands.green]) {
      area.addEventListener("keydown", event => this.key(event));
      area.addEventListener("pointerdown", event => this.press(event));
      area.addEventListener("click", event => this.click(event));
    }
  }

  /**
   * Shows a board. `chosen` is the letter of the dove that is taken up; `targets` are its actions, each with `worth` if
   * that is known; `last` is the action that led here; `free` is the player whose doves may be taken up, or "both".
   */
  show(view) {
    this.view = view;
    this.look(view.doves);
    const focused = document.activeElement;
    const hadFocus = this.board.contains(focused) || focused?.closest?.(".hand");
    this.cursor ??= view.doves.B ?? [this.origin[0] + 3, this.origin[1] + 3];
    this.cursor = this.cursor.map((place, axis) => this.within(place, axis));
    const rows = [];
    for (let row = 0; row < SHOWN; row++) {
      const cells = [];
      for (let column = 0; column < SHOWN; column++) cells.push(this.cell([this.origin[0] + row, this.origin[1] + column]));
      rows.push(html("div", { role: "row", class: "row" }, cells));
    }
    refill(this.board, rows, this.drawing());
    for (const color of ["red", "green"]) this.showHand(color);
    // The dove that had the focus may have left its hand, and the button that has it may be another cell's now.
    const isMoved = this.board.contains(focused) && focused.dataset.cell !== String(this.cursor);
    // Nobody has asked for the page to scroll there.
    if (isMoved || hadFocus && !focused.isConnected) this.focus({ preventScroll: true });
  }

  /** Centres the board that is shown next. */
  recentre() {
    this.origin = null;
    this.cursor = null;
  }

  within(place, axis) {
    return Math.min(Math.max(place, this.origin[axis]), this.origin[axis] + SHOWN - 1);
  }

  /** Moves the view as little as is needed to show every reachable cell. */
  look(doves) {
    const box = Object.keys(doves).length ? boxOf(doves) : { top: 0, bottom: 0, left: 0, right: 0 };
    const reach = SIZE - 1;
    const fit = (first, from, to) => {
      // One cell on each side of the box, for the walls, and every cell that is within 4×4 together with the box.
      const [least, most] = [Math.min(to - reach, from - 1), Math.max(from + reach, to + 1)];
      if (first === null) return Math.floor((from + to) / 2) - reach;
      return Math.min(Math.max(first, most - SHOWN + 1), least);
    };
    this.origin = [fit(this.origin?.[0] ?? null, box.top, box.bottom), fit(this.origin?.[1] ?? null, box.left, box.right)];
  }

  cell(cell) {
    const { doves, chosen, targets, last, marks } = this.view;
    const letter = doveAt(doves, cell);
    const target = targets.find(({ to }) => to && to[0] === cell[0] && to[1] === cell[1]);
    const box = Object.keys(doves).length ? boxOf(doves) : null;
    const isInside = box && cell[0] >= box.top && cell[0] <= box.bottom && cell[1] >= box.left && cell[1] <= box.right;
    const isCursor = cell[0] === this.cursor[0] && cell[1] === this.cursor[1];
    const name = doves.B ? cellName(doves, cell) || say("redBoss") : `${cell}`;
    const content = [letter ? nameOf(letter) : say("empty")];
    if (letter && letter === chosen) content.push(say("chosen"));
    if (target) content.push(target.worth ? worthText(target.worth) : say("target"));
    const classes = ["place", isInside ? "inside" : "beyond"];
    if (letter && letter === chosen) classes.push("chosen");
    if (target) classes.push("target", target.worth ? `worth-${target.worth.value}` : "plain");
    if (last?.from && last.from[0] === cell[0] && last.from[1] === cell[1]) classes.push("vacated");
    if (letter && marks?.includes(letter)) classes.push("wrong");
    if (letter && this.isFree(letter)) classes.push("own");
    return html("button", {
      type: "button", role: "gridcell", class: classes.join(" "), "data-cell": cell.join(","), "data-dove": letter,
      tabindex: isCursor ? "0" : "-1", "aria-label": say("cell", { cell: name, content: content.join(", ") }),
      "aria-selected": letter && letter === chosen ? "true" : null,
    }, letter ? picture(letter) : null, target ? html("span", { class: "sign", "aria-hidden": "true" }, target.worth ? worthSign(target.worth) : "●") : null);
  }

  isFree(letter) {
    return this.view.free === "both" || this.view.free === colorOf(letter);
  }

  /** Walls, and the last action as an arrow or a sign. */
  drawing() {
    const { doves, last } = this.view;
    const drawing = svg("svg", { class: "drawing", viewBox: `0 0 ${SHOWN * CELL} ${SHOWN * CELL}`, "aria-hidden": "true" });
    if (!Object.keys(doves).length) return drawing;
    const box = boxOf(doves);
    const at = ([row, column]) => [(column - this.origin[1]) * CELL, (row - this.origin[0]) * CELL];
    const [x0, y0] = at([box.top, box.left]);
    const [x1, y1] = at([box.bottom + 1, box.right + 1]);
    const wall = (a, b, c, d) => drawing.append(svg("line", { class: "wall", x1: a, y1: b, x2: c, y2: d }));
    const corner = box.rows === SIZE && box.columns === SIZE ? 3 : -3;
    if (box.columns === SIZE) {
      wall(x0 - 3, y0 - corner, x0 - 3, y1 + corner);
      wall(x1 + 3, y0 - corner, x1 + 3, y1 + corner);
    }
    if (box.rows === SIZE) {
      wall(x0 - corner, y0 - 3, x1 + corner, y0 - 3);
      wall(x0 - corner, y1 + 3, x1 + corner, y1 + 3);
    }
    if (last) {
      const middle = cell => at(cell).map(place => place + CELL / 2);
      if (last.from && last.to) {
        const [[ax, ay], [bx, by]] = [middle(last.from), middle(last.to)];
        const length = Math.hypot(bx - ax, by - ay);
        const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
        const end = Math.max(length - 29, 8);
        drawing.append(svg("path", { class: "action last", d: `M${ax} ${ay}L${ax + ux * end} ${ay + uy * end}`, "marker-end": "url(#head-last)" }));
      } else {
        const [x, y] = middle(last.to ?? last.from);
        drawing.append(svg("use", { href: last.to ? "#plus-last" : "#minus-last", x, y }));
      }
    }
    return drawing;
  }

  showHand(color) {
    const { doves, chosen, targets, game, free } = this.view;
    const letters = dovesOf(game, color).filter(letter => !doves[letter]);
    const back = targets.find(({ to, dove }) => to === null && colorOf(dove) === color);
    const isOwn = free === "both" || free === color;
    const hand = this.hands[color];
    hand.setAttribute("role", "group");
    hand.setAttribute("aria-label", say("hand", { color }));
    hand.classList.toggle("target", Boolean(back));
    hand.classList.toggle("moving", this.view.mover === color);
    const dove = letter => html("button", {
      type: "button", class: `dove-button${letter === chosen ? " chosen" : ""}${isOwn ? " own" : ""}`, "data-dove": letter,
      "aria-label": nameOf(letter), "aria-pressed": letter === chosen ? "true" : "false", "aria-disabled": isOwn ? null : "true",
    }, picture(letter));
    refill(hand,
      html("span", { class: "hand-name" }, say(color === "red" ? "Red" : "Green")),
      ...letters.map(dove),
      letters.length || back ? null : html("span", { class: "nothing" }, say("none")),
      back ? html("button", { type: "button", class: `return worth-${back.worth?.value ?? "plain"}`, "data-return": true, "aria-label": say("returnHere", { dove: back.dove }) },
        `↩ ${back.worth ? worthSign(back.worth) : ""}`) : null,
    );
  }

  focus(how) {
    this.board.querySelector(`[data-cell="${this.cursor.join(",")}"]`)?.focus(how);
  }

  click(event) {
    if (this.wasDragged) return;
    this.act(event.target);
  }

  /** What a click on an element, or a drop on it, asks for. */
  act(element) {
    const cell = element.closest("[data-cell]");
    if (cell) {
      this.cursor = cellOf(cell);
      const { targets } = this.view;
      const isTarget = targets.some(({ to }) => to && String(to) === cell.dataset.cell);
      const { dove } = cell.dataset;
      if (!isTarget && dove && this.isFree(dove)) this.wishes.choose(dove);
      else this.wishes.place(this.cursor);
      return;
    }
    const hand = element.closest(".hand");
    if (!hand) return;
    const button = element.closest("[data-dove]");
    if (button) this.wishes.choose(button.dataset.dove);
    else if (this.takesChosen(hand)) this.wishes.putInHand();
  }

  /** Whether the dove that is taken up may go to a hand; in the editor, either hand takes it off the board. */
  takesChosen(hand) {
    const { chosen } = this.view;
    return Boolean(chosen) && (this.view.free === "both" || hand.dataset.color === colorOf(chosen));
  }

  press(event) {
    this.wasDragged = false;
    const from = event.target.closest("[data-dove]");
    if (!from || event.button !== 0 || !this.isFree(from.dataset.dove)) return;
    const letter = from.dataset.dove;
    const [x, y] = [event.clientX, event.clientY];
    let ghost = null;
    const move = event => {
      if (!ghost && Math.hypot(event.clientX - x, event.clientY - y) < DRAG) return;
      if (!ghost) {
        if (this.view.chosen !== letter) this.wishes.choose(letter);
        const size = this.board.clientWidth / SHOWN;
        ghost = html("div", { class: "ghost" }, picture(letter));
        ghost.style.width = ghost.style.height = `${size}px`;
        document.body.append(ghost);
      }
      ghost.style.left = `${event.clientX}px`;
      ghost.style.top = `${event.clientY}px`;
    };
    const end = event => {
      for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) removeEventListener(name, listener);
      if (!ghost) return;
      ghost.remove();
      this.wasDragged = true;
      setTimeout(() => { this.wasDragged = false; });
      if (event.type === "pointercancel") return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const cell = under?.closest("[data-cell]");
      if (cell && cell.dataset.dove === letter) return;
      if (cell) {
        this.cursor = cellOf(cell);
        this.wishes.place(this.cursor);
        return;
      }
      const hand = under?.closest(".hand");
      if (hand && this.takesChosen(hand)) this.wishes.putInHand();
      else this.wishes.letGo();
    };
    for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) addEventListener(name, listener);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step && this.board.contains(event.target)) {
      event.preventDefault();
      this.board.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
      this.cursor = this.cursor.map((place, axis) => this.within(place + step[axis], axis));
      this.board.querySelector(`[data-cell="${this.cursor.join(",")}"]`)?.setAttribute("tabindex", "0");
      this.focus();
    } else if (event.key === "Escape") {
      this.wishes.letGo();
    }
  }
}
