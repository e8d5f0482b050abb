// The board and the hands: cells and doves as buttons, walls and arrows drawn over them; click, drag and keys.

import { html, isReachedByKeys, reachByKeys, refill, svg } from "./elements.js";
import { COLORS, SIZE, actionsOf, boxOf, cellName, colorOf, doveAt, dovesOf, kindOf, plus, same } from "./position.js";
import { NAMES, colorName, nameOf, say, wayOf, worthSign, worthText } from "./words.js";

/** The least and the most rows and columns that are shown: from any board, every action fits into the most. */
const [LEAST_SHOWN, MOST_SHOWN] = [6, 7];
/** The width of a cell in user units of the drawings: see picture/svg.rs. */
const CELL = 45;
/** The distance in pixels from which a press counts as a drag. */
const DRAG_PIXELS = 8;

/** The cell that a button stands for. */
const cellOf = button => button.dataset.cell.split(",").map(Number);

/** A dove in a sentence: its name, and how it moves. */
const titleOf = letter => `${nameOf(letter)}${say("colon")}${wayOf(letter)}`;

/** The symbol of a dove, which the page and all its drawings share. */
const symbolOf = letter => `#${colorOf(letter)}-${NAMES[kindOf(letter)]}`;

/** A picture of a dove. */
export const picture = letter =>
  svg("svg", { class: "picture", viewBox: "-22.5 -22.5 45 45", "aria-hidden": "true" },
    svg("use", { href: symbolOf(letter) }));

/** An arrow between two places of a drawing, which ends this long before the second one. */
function arrow(name, from, to, before) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const end = Math.max(length - before, 8) / length;
  const path = `M${from.x} ${from.y}L${from.x + (to.x - from.x) * end} ${from.y + (to.y - from.y) * end}`;
  return svg("path", { class: name, d: path, "marker-end": "url(#head-last)" });
}

/** How a target is marked by what an action there does. */
const ENDS = {
  wins: { sign: "★", text: "winsAtOnce" }, loses: { sign: "✕", text: "losesAtOnce" }, risky: { sign: "!", text: "letsWin" },
  plain: { sign: "●", text: "target" },
};

/** The boxes that were found, by boards. */
const NEEDED = new WeakMap();

/** The box of all doves and walls, and of all cells that an action of either player leads to. */
function neededBox(doves, game) {
  if (!NEEDED.has(doves)) {
    const { top, bottom, left, right } = boxOf(doves);
    const reached = COLORS.flatMap(mover => actionsOf({ doves, mover, game })).map(({ to }) => to).filter(Boolean);
    NEEDED.set(doves, boxOf([...reached, [top - 1, left - 1], [bottom + 1, right + 1]]));
  }
  return NEEDED.get(doves);
}

/**
 * The board in the page, its hands, and a sentence about its walls for those who do not see them. `wishes` are its
 * callbacks: choose(letter); place(cell), where null is the hand; letGo().
 */
export class BoardView {
  constructor(board, hands, walls, wishes) {
    Object.assign(this, { board, hands, walls, wishes });
    this.origin = null;
    this.shown = LEAST_SHOWN;
    this.cursor = null;
    this.previewed = [];
    /** What was drawn by hand, as texts: an arrow's two cells, or a ring's cell twice. */
    this.marks = new Set();
    /** Whether every press draws. */
    this.draws = false;
    board.addEventListener("contextmenu", event => event.preventDefault());
    board.addEventListener("focusin", ({ target }) => {
      if (target.dataset.cell) this.cursor = cellOf(target);
    });
    const field = board.parentElement;
    field.addEventListener("keydown", event => this.key(event));
    field.addEventListener("pointerdown", event => this.press(event));
    field.addEventListener("click", ({ target }) => this.wasDragged || this.act(target));
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
    const places = [...Array(this.shown).keys()];
    const rows = places.map(row => html("div", { role: "row", class: "row" },
      places.map(column => this.cell(plus(this.origin, [row, column])))));
    refill(this.board, rows, this.drawing());
    refill(this.walls, this.wallsText());
    COLORS.forEach(color => this.showHand(color));
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
    const { top, bottom, left, right } = isEditor ? boxOf(doves) : neededBox(doves, game);
    const spans = [[top, bottom], [left, right]];
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
    const isChosen = letter !== undefined && letter === chosen;
    const target = targets.find(({ to }) => to && same(to, cell));
    const { worth, end = "plain" } = target ?? {};
    const { top, left, rows, columns } = boxOf(doves);
    const isInside = cell[0] >= top && cell[0] < top + rows && cell[1] >= left && cell[1] < left + columns;
    const name = doves.B ? cellName(doves, cell) || say("redBoss") : `${cell}`;
    const content = [
      letter ? nameOf(letter) : say("empty"), isChosen && say("chosen"), target && (worth ? worthText(worth) : say(ENDS[end].text)),
    ];
    return html("button", {
      type: "button", role: "gridcell", "data-cell": cell.join(","), "data-dove": letter, tabindex: same(cell, this.cursor) ? "0" : "-1",
      class: [
        "place", isInside ? "inside" : "beyond", isChosen && "chosen", letter && letter === hinted && "hinted",
        target && "target", target && (worth ? `worth-${worth.value}` : end), last?.from && same(last.from, cell) && "vacated",
        letter && this.isFree(letter) && "own",
      ],
      "aria-label": say("cell", { cell: name, content: content.filter(Boolean).join(say("comma")) }),
      "aria-selected": isChosen && "true", title: letter && titleOf(letter),
    }, letter && picture(letter), target && html("span", { class: "sign", "aria-hidden": "true" }, worth ? worthSign(worth) : ENDS[end].sign));
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
    const { rows, columns } = boxOf(doves);
    if (!rows) return "";
    const walls = [rows === SIZE && say("wallsEnds"), columns === SIZE && say("wallsSides")].filter(Boolean);
    return walls.join(" ") || say("wallsNone");
  }

  /** The middle of a cell in the drawing, as {x, y}. */
  middle([row, column]) {
    return { x: (column - this.origin[1] + 0.5) * CELL, y: (row - this.origin[0] + 0.5) * CELL };
  }

  /** Coordinates, walls, surrounded bosses, the last action, those that are only thought of, and what was drawn by hand. */
  drawing() {
    const side = this.shown * CELL;
    const { doves, last, surrounded = [] } = this.view;
    const parts = () => [
      ...doves.B ? this.coordinates(doves.B) : [], ...this.wallLines(),
      ...surrounded.map(color => this.middle(doves[color === "red" ? "B" : "b"])).map(({ x, y }) =>
        svg("rect", { class: "closed", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL })),
      last && this.lastAction(last), ...this.previewed.flatMap(action => this.thought(action)), ...[...this.marks].map(mark => this.mark(mark)),
    ];
    return svg("svg", { class: "drawing", viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" }, Object.keys(doves).length ? parts() : []);
  }

  wallLines() {
    const { top, left, bottom, right, rows, columns } = boxOf(this.view.doves);
    const [from, to] = [this.middle([top - 0.5, left - 0.5]), this.middle([bottom + 0.5, right + 0.5])];
    const [x1, x2, y1, y2] = [from.x - 3, to.x + 3, from.y - 3, to.y + 3];
    // Walls meet at a corner; one that is alone ends before it.
    const spare = rows === SIZE && columns === SIZE ? 0 : 6;
    const line = (x1, y1, x2, y2) => svg("line", { class: "wall", x1, y1, x2, y2 });
    return [
      ...columns === SIZE ? [x1, x2].map(x => line(x, y1 + spare, x, y2 - spare)) : [],
      ...rows === SIZE ? [y1, y2].map(y => line(x1 + spare, y, x2 - spare, y)) : [],
    ];
  }

  /** The action that led here: an arrow, or a sign where a dove was put or taken. */
  lastAction({ from, to }) {
    if (from && to) return arrow("action last", this.middle(from), this.middle(to), 29);
    return svg("use", { href: to ? "#plus-last" : "#minus-last", ...this.middle(to ?? from) });
  }

  /** An action that is only thought of: an arrow, one that leads away, or the dove in a ring. */
  thought({ dove, from, to, isBetter }) {
    const name = `action last thought ${colorOf(dove)}${isBetter ? " better" : ""}`;
    if (from && to) return arrow(name, this.middle(from), this.middle(to), 12);
    const { x, y } = this.middle(to ?? from);
    if (!to) return arrow(name, { x, y }, { x: x + 0.9 * CELL, y: y - 0.9 * CELL }, 0);
    return [svg("use", { class: "ghostly", href: symbolOf(dove), x, y }), svg("circle", { class: name, cx: x, cy: y, r: 19 })];
  }

  mark(mark) {
    const [row, column, ...end] = mark.split(",").map(Number);
    const { x, y } = this.middle([row, column]);
    return same([row, column], end) ? svg("circle", { class: "drawn", cx: x, cy: y, r: 20 }) : arrow("drawn", { x, y }, this.middle(end), 8);
  }

  /** The names of columns and rows at the edges, from the red boss as in the texts of actions. */
  coordinates([row, column]) {
    const name = (distance, positive, negative) => (distance ? (distance > 0 ? positive : negative) + Math.abs(distance) : "·");
    return [...Array(this.shown).keys()].flatMap(index => {
      const middle = (index + 0.5) * CELL;
      return [
        svg("text", { class: "coordinate", x: middle, y: 9, "text-anchor": "middle" }, name(this.origin[1] + index - column, "E", "W")),
        svg("text", { class: "coordinate", x: 3, y: middle + 3 }, name(this.origin[0] + index - row, "S", "N")),
      ];
    });
  }

  showHand(color) {
    const { doves, chosen, hinted, targets, game, free } = this.view;
    const letters = dovesOf(game, color).filter(letter => !doves[letter]);
    const back = targets.find(({ to, dove }) => to === null && colorOf(dove) === color);
    const isOwn = free === "both" || free === color;
    const hand = this.hands[color];
    hand.setAttribute("aria-label", say("hand", { color }));
    hand.classList.toggle("target", Boolean(back));
    hand.classList.toggle("moving", this.view.mover === color);
    const dove = letter => html("button", {
      type: "button", class: ["dove-button", letter === chosen && "chosen", letter === hinted && "hinted", isOwn && "own"], "data-dove": letter,
      title: titleOf(letter), "aria-label": nameOf(letter), "aria-pressed": String(letter === chosen), "aria-disabled": !isOwn && "true",
    }, picture(letter));
    refill(hand,
      html("span", { class: "hand-name" }, colorName(color)),
      ...letters.map(dove),
      !letters.length && !back && html("span", { class: "nothing" }, say("none")),
      back && html("button", {
        type: "button", class: `return worth-${back.worth?.value ?? "plain"}`, "data-return": true, "aria-label": say("returnHere", { dove: back.dove }),
      }, `↩ ${back.worth ? worthSign(back.worth) : ""}`));
  }

  focus(how) {
    this.board.querySelector(`[data-cell="${this.cursor.join(",")}"]`)?.focus(how);
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
    else if (this.takesChosen(hand)) this.wishes.place(null);
  }

  /** Whether the dove that is taken up may go to a hand; in the editor, either hand takes it off the board. */
  takesChosen(hand) {
    const { chosen } = this.view;
    return Boolean(chosen) && (this.view.free === "both" || hand.dataset.color === colorOf(chosen));
  }

  /** Ignores the click that follows a drag. */
  endDrag() {
    this.wasDragged = true;
    setTimeout(() => { this.wasDragged = false; });
  }

  /** Draws an arrow from a cell to where the pointer is let go, or a ring; what was drawn is removed. */
  drawFrom(start) {
    if (!start) return;
    addEventListener("pointerup", ({ clientX, clientY }) => {
      const end = document.elementFromPoint(clientX, clientY)?.closest("[data-cell]");
      this.endDrag();
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
      if (!ghost && Math.hypot(event.clientX - x, event.clientY - y) < DRAG_PIXELS) return;
      if (!ghost) {
        if (this.view.chosen !== letter) this.wishes.choose(letter);
        const size = `${this.board.clientWidth / this.shown}px`;
        ghost = html("div", { class: "ghost" }, picture(letter));
        Object.assign(ghost.style, { width: size, height: size });
        document.body.append(ghost);
      }
      Object.assign(ghost.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
    };
    const ended = new AbortController();
    const end = event => {
      ended.abort();
      if (!ghost) return;
      ghost.remove();
      this.endDrag();
      if (event.type === "pointercancel") return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const cell = under?.closest("[data-cell]");
      const hand = under?.closest(".hand");
      if (cell?.dataset.dove === letter) return;
      if (cell) this.wishes.place(this.cursor = cellOf(cell));
      else if (hand && this.takesChosen(hand)) this.wishes.place(null);
      else this.wishes.letGo();
    };
    for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) {
      addEventListener(name, listener, { signal: ended.signal });
    }
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
