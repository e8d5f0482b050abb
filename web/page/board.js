// The board and the hands: cells and doves as buttons, walls and arrows drawn over them; click, drag and keys.

import { COLORS, SIZE, boxOf, cellName, colorOf, doveAt, dovesOf, kindOf } from "./doves.js";
import { isReachedByKeys, reachByKeys } from "./focus.js";
import { actionsOf } from "./position.js";
import { NAMES, colorName, nameOf, say, wayOf, worthSign, worthText } from "./words.js";

/** The least and the most rows and columns that are shown: from any board, every action fits into the most. */
const [LEAST_SHOWN, MOST_SHOWN] = [6, 7];
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
  // A button that is disabled would lose the focus.
  if (node.matches("button:disabled") && old === document.activeElement) disable(node, true, true);
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

/** Disables a button, or enables it; one that has the focus keeps it. */
export function disable(button, isDisabled, hasFocus = button === document.activeElement) {
  button.disabled = isDisabled && !hasFocus;
  if (isDisabled && hasFocus) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

/** The cell that a button stands for. */
const cellOf = button => button.dataset.cell.split(",").map(Number);

/** A picture of a dove. */
export const picture = letter =>
  svg("svg", { class: "picture", viewBox: "-22.5 -22.5 45 45", "aria-hidden": "true" },
    svg("use", { href: `#${colorOf(letter)}-${NAMES[kindOf(letter)]}` }));

/** How a target is marked that ends the game. */
const ENDS = { wins: { sign: "★", text: "winsAtOnce" }, loses: { sign: "✕", text: "losesAtOnce" }, risky: { sign: "!", text: "letsWin" } };
/** The corners of a boss's cell that its sides lie between, from the middle: above, left, right, below. */
const SIDE_LINES = [[-1, -1, 1, -1], [-1, -1, -1, 1], [1, -1, 1, 1], [-1, 1, 1, 1]];

/** What has been found for `needed`, by boards. */
const NEEDED = new WeakMap();

/** The first and last row and column that have a dove, a wall, or a cell that an action of either player leads to. */
function needed(doves, game) {
  if (!NEEDED.has(doves)) {
    const box = boxOf(doves);
    const reached = COLORS.flatMap(mover => actionsOf({ doves, mover, game })).map(({ to }) => to).filter(Boolean);
    const span = (first, last, axis) => {
      const places = reached.map(cell => cell[axis]);
      return [Math.min(first - 1, ...places), Math.max(last + 1, ...places)];
    };
    NEEDED.set(doves, [span(box.top, box.bottom, 0), span(box.left, box.right, 1)]);
  }
  return NEEDED.get(doves);
}

/**
 * The board in the page, its hands, and a sentence about its walls for those who do not see them. `wishes` are its callbacks: choose(letter), place(cell), putInHand(), letGo().
 */
export class BoardView {
  constructor(board, hands, walls, wishes) {
    Object.assign(this, { board, hands, walls, wishes });
    this.origin = null;
    this.shown = LEAST_SHOWN;
    this.cursor = null;
    this.previewed = [];
    /** What was drawn by hand: the cells of an arrow, or twice that of a ring, as texts. */
    this.marks = new Set();
    /** Whether every press draws. */
    this.draws = false;
    board.addEventListener("contextmenu", event => event.preventDefault());
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
   * Shows a board. `chosen` is the letter of the dove that is taken up, `hinted` that of a hint; `targets` are its actions, each with `worth` if
   * that is known, and `end`: whether it wins or loses at once; `last` is the action that led here; `free` is the player
   * whose doves may be taken up, or "both", in the editor; `surrounded` are the players whose bosses are; `isTurned` says
   * whether the style sheet turns the board; `start` is the first position of a game, which is shown in the centre.
   */
  show(view) {
    if (view.start && view.start !== this.view?.start) this.recentre();
    if (view.doves !== this.view?.doves) this.marks.clear();
    this.view = { ...view, start: view.start ?? this.view?.start };
    this.look(view);
    const focused = document.activeElement;
    const hadFocus = this.board.contains(focused) || focused?.closest?.(".hand");
    this.board.style.setProperty("--shown", this.shown);
    this.cursor ??= view.doves.B ?? [this.origin[0] + 3, this.origin[1] + 3];
    this.cursor = this.cursor.map((place, axis) => this.within(place, axis));
    const rows = [];
    for (let row = 0; row < this.shown; row++) {
      const cells = [];
      for (let column = 0; column < this.shown; column++) cells.push(this.cell([this.origin[0] + row, this.origin[1] + column]));
      rows.push(html("div", { role: "row", class: "row" }, cells));
    }
    refill(this.board, rows, this.drawing());
    refill(this.walls, this.wallsText());
    for (const color of ["red", "green"]) this.showHand(color);
    // The dove that had the focus may have left its hand, and the button that has it may be another cell's now.
    const isMoved = this.board.contains(focused) && focused.dataset.cell !== String(this.cursor);
    // Nobody has asked for the page to scroll there.
    if (isMoved || hadFocus && !focused.isConnected) this.focus({ preventScroll: true });
  }

  /** Draws lines and signs again, after a change of `previewed`: the actions that are only thought of. */
  redraw() {
    this.board.querySelector(".drawing").replaceWith(this.drawing());
  }

  /** Centres the board that is shown next. */
  recentre() {
    this.origin = null;
    this.cursor = null;
  }

  within(place, axis) {
    return Math.min(Math.max(place, this.origin[axis]), this.origin[axis] + this.shown - 1);
  }

  /** Moves the view as little as is needed to show every reachable cell; in the editor, every dove. */
  look({ doves, game, free }) {
    const isEditor = free === "both";
    const box = Object.keys(doves).length ? boxOf(doves) : { top: 0, bottom: 0, left: 0, right: 0 };
    const spans = isEditor ? [[box.top, box.bottom], [box.left, box.right]] : needed(doves, game);
    const most = Math.max(...spans.map(([from, to]) => to - from + 1));
    const wanted = isEditor ? MOST_SHOWN : Math.max(most, LEAST_SHOWN);
    // A view that grew does not shrink again in the same game: cells that jump about are hard to hit.
    if (isEditor || !this.origin || wanted > this.shown) this.shown = wanted;
    const fit = (axis, from, to) => {
      const first = this.origin?.[axis] ?? Math.floor((from + to + 1 - this.shown) / 2);
      return Math.min(Math.max(first, to - this.shown + 1), from);
    };
    this.origin = spans.map(([from, to], axis) => fit(axis, from, to));
  }

  cell(cell) {
    const { doves, chosen, hinted, targets, last } = this.view;
    const letter = doveAt(doves, cell);
    const target = targets.find(({ to }) => to && to[0] === cell[0] && to[1] === cell[1]);
    const box = Object.keys(doves).length ? boxOf(doves) : null;
    const isInside = box && cell[0] >= box.top && cell[0] <= box.bottom && cell[1] >= box.left && cell[1] <= box.right;
    const isCursor = cell[0] === this.cursor[0] && cell[1] === this.cursor[1];
    const name = doves.B ? cellName(doves, cell) || say("redBoss") : `${cell}`;
    const content = [letter ? nameOf(letter) : say("empty")];
    if (letter && letter === chosen) content.push(say("chosen"));
    if (target) content.push(target.worth ? worthText(target.worth) : say(ENDS[target.end]?.text ?? "target"));
    const classes = ["place", isInside ? "inside" : "beyond"];
    if (letter && letter === chosen) classes.push("chosen");
    if (letter && letter === hinted) classes.push("hinted");
    if (target) classes.push("target", target.worth ? `worth-${target.worth.value}` : target.end ?? "plain");
    if (last?.from && last.from[0] === cell[0] && last.from[1] === cell[1]) classes.push("vacated");
    if (letter && this.isFree(letter)) classes.push("own");
    return html("button", {
      type: "button", role: "gridcell", class: classes.join(" "), "data-cell": cell.join(","), "data-dove": letter,
      tabindex: isCursor ? "0" : "-1", "aria-label": say("cell", { cell: name, content: content.join(say("comma")) }),
      "aria-selected": letter && letter === chosen ? "true" : null, title: letter ? `${nameOf(letter)}${say("colon")}${wayOf(letter)}` : null,
    }, letter ? picture(letter) : null, target ? html("span", { class: "sign", "aria-hidden": "true" }, target.worth ? worthSign(target.worth) : ENDS[target.end]?.sign ?? "●") : null);
  }

  isFree(letter) {
    return this.view.free === "both" || this.view.free === colorOf(letter);
  }

  /** The board in words: which doves stand where, from the red boss, and which are in hand. */
  text() {
    const { doves, game } = this.view;
    const kind = letter => say(NAMES[kindOf(letter)]);
    const ofPlayer = color => {
      const [there, inHand] = [true, false].map(isThere => dovesOf(game, color).filter(letter => letter in doves === isThere));
      const onBoard = there.map(letter => `${kind(letter)} ${cellName(doves, doves[letter])}`.trim()).join(say("comma"));
      return say("boardOf", { color, doves: onBoard, hand: inHand.map(kind).join(say("comma")) || say("none") });
    };
    return [...COLORS.map(ofPlayer), this.wallsText()].join(" ");
  }

  /** The walls in words. */
  wallsText() {
    const { doves } = this.view;
    if (!Object.keys(doves).length) return "";
    const { rows, columns } = boxOf(doves);
    const walls = [rows === SIZE ? say("wallsEnds") : null, columns === SIZE ? say("wallsSides") : null].filter(Boolean);
    return walls.join(" ") || say("wallsNone");
  }

  /** Coordinates, walls, closed sides of surrounded bosses, the last action, and those that are only thought of. */
  drawing() {
    const { doves, last, surrounded = [] } = this.view;
    const side = this.shown * CELL;
    const drawing = svg("svg", { class: "drawing", viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" });
    if (!Object.keys(doves).length) return drawing;
    const box = boxOf(doves);
    const at = ([row, column]) => [(column - this.origin[1]) * CELL, (row - this.origin[0]) * CELL];
    const middle = cell => at(cell).map(place => place + CELL / 2);
    if (doves.B) drawing.append(...this.coordinates(doves.B));
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
    for (const color of surrounded) {
      const [x, y] = middle(doves[color === "red" ? "B" : "b"]);
      const half = CELL / 2;
      SIDE_LINES.forEach(line => {
        const [x1, y1, x2, y2] = line.map(part => part * half);
        drawing.append(svg("line", { class: "closed", x1: x + x1, y1: y + y1, x2: x + x2, y2: y + y2 }));
      });
    }
    const arrow = (name, [ax, ay], [bx, by], before) => {
      const length = Math.hypot(bx - ax, by - ay);
      const end = Math.max(length - before, 8) / length;
      const path = `M${ax} ${ay}L${ax + (bx - ax) * end} ${ay + (by - ay) * end}`;
      return svg("path", { class: name, d: path, "marker-end": "url(#head-last)" });
    };
    const isMove = ({ from, to }) => from && to;
    if (last && isMove(last)) drawing.append(arrow("action last", middle(last.from), middle(last.to), 29));
    else if (last) {
      const [x, y] = middle(last.to ?? last.from);
      drawing.append(svg("use", { href: last.to ? "#plus-last" : "#minus-last", x, y }));
    }
    for (const action of this.previewed) {
      const { dove, from, to } = action;
      const name = `action last thought ${colorOf(dove)}${action.isBetter ? " better" : ""}`;
      if (isMove(action)) drawing.append(arrow(name, middle(from), middle(to), 12));
      else if (to) {
        const [x, y] = middle(to);
        drawing.append(svg("use", { class: "ghostly", href: `#${colorOf(dove)}-${NAMES[kindOf(dove)]}`, x, y }), svg("circle", { class: name, cx: x, cy: y, r: 19 }));
      } else {
        const [x, y] = middle(from);
        drawing.append(arrow(name, [x, y], [x + 0.9 * CELL, y - 0.9 * CELL], 0));
      }
    }
    for (const mark of this.marks) {
      const [row, column, ...end] = mark.split(",").map(Number);
      const [x, y] = middle([row, column]);
      const isRing = String([row, column]) === String(end);
      drawing.append(isRing ? svg("circle", { class: "drawn", cx: x, cy: y, r: 20 }) : arrow("drawn", [x, y], middle(end), 8));
    }
    return drawing;
  }

  /** The names of columns and rows at the edges, from the red boss as in the texts of actions. */
  coordinates([row, column]) {
    const name = (distance, positive, negative) => (distance ? (distance > 0 ? positive : negative) + Math.abs(distance) : "·");
    return Array.from({ length: this.shown }, (_, index) => {
      const middle = (index + 0.5) * CELL;
      return [
        svg("text", { class: "coordinate", x: middle, y: 9, "text-anchor": "middle" }, name(this.origin[1] + index - column, "E", "W")),
        svg("text", { class: "coordinate", x: 3, y: middle + 3 }, name(this.origin[0] + index - row, "S", "N")),
      ];
    }).flat();
  }

  showHand(color) {
    const { doves, chosen, hinted, targets, game, free } = this.view;
    const letters = dovesOf(game, color).filter(letter => !doves[letter]);
    const back = targets.find(({ to, dove }) => to === null && colorOf(dove) === color);
    const isOwn = free === "both" || free === color;
    const hand = this.hands[color];
    hand.setAttribute("role", "group");
    hand.setAttribute("aria-label", say("hand", { color }));
    hand.classList.toggle("target", Boolean(back));
    hand.classList.toggle("moving", this.view.mover === color);
    const dove = letter => html("button", {
      type: "button", class: `dove-button${letter === chosen ? " chosen" : ""}${letter === hinted ? " hinted" : ""}${isOwn ? " own" : ""}`, "data-dove": letter,
      title: `${nameOf(letter)}${say("colon")}${wayOf(letter)}`, "aria-label": nameOf(letter), "aria-pressed": letter === chosen ? "true" : "false", "aria-disabled": isOwn ? null : "true",
    }, picture(letter));
    refill(hand,
      html("span", { class: "hand-name" }, colorName(color)),
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
      const { chosen, free } = this.view;
      const { dove } = cell.dataset;
      // In the editor, a dove that is chosen replaces the one in its way.
      const isReplaced = free === "both" && chosen && chosen !== dove;
      if (dove && !isReplaced && this.isFree(dove)) this.wishes.choose(dove);
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

  /** Draws an arrow from a cell to where the pointer is let go, or a ring; what was drawn is removed. */
  drawFrom(start) {
    if (!start) return;
    addEventListener("pointerup", ({ clientX, clientY }) => {
      const end = document.elementFromPoint(clientX, clientY)?.closest("[data-cell]");
      this.wasDragged = true;
      setTimeout(() => { this.wasDragged = false; });
      const mark = end && `${start.dataset.cell},${end.dataset.cell}`;
      if (mark && !this.marks.delete(mark)) this.marks.add(mark);
      this.redraw();
    }, { once: true });
  }

  press(event) {
    this.wasDragged = false;
    if (event.button === 2 || this.draws) return this.drawFrom(event.target.closest("[data-cell]"));
    const from = event.target.closest("[data-dove]");
    if (!from || event.button !== 0 || !this.isFree(from.dataset.dove)) return;
    const letter = from.dataset.dove;
    const [x, y] = [event.clientX, event.clientY];
    let ghost = null;
    const move = event => {
      if (!ghost && Math.hypot(event.clientX - x, event.clientY - y) < DRAG) return;
      if (!ghost) {
        if (this.view.chosen !== letter) this.wishes.choose(letter);
        const size = this.board.clientWidth / this.shown;
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
    // After a click on the board, the arrow keys step through the game, unless a dove is taken up.
    const isHere = this.board.contains(event.target) && (this.view.chosen || isReachedByKeys());
    // The ends of a row.
    const side = this.view.isTurned ? -1 : 1;
    const far = { Home: -side, End: side }[event.key];
    if ((step || far) && isHere) {
      event.preventDefault();
      reachByKeys();
      this.board.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
      const by = step?.map(part => side * part) ?? [0, far * this.shown];
      this.cursor = this.cursor.map((place, axis) => this.within(place + by[axis], axis));
      this.board.querySelector(`[data-cell="${this.cursor.join(",")}"]`)?.setAttribute("tabindex", "0");
      this.focus();
    } else if (event.key === "Escape") {
      this.marks.clear();
      this.wishes.letGo();
    }
  }
}
