// The board and the hands: buttons for cells and doves, walls and arrows over them, and clicks, drags and keys.

/** @import { Action, Cell, Color, Doves, Game, Target } from "./types.d.ts" */
import { closest, html, isPlain, isReachedByKeys, reachByKeys, refill, svg, targetOf } from "./elements.js";
import { COLORS, SIZE, actionsOf, boxOf, cellName, colorOf, doveAt, dovesOf, kindOf, minus, plus, same } from "./position.js";
import { NAMES, colorName, nameOf, say, wayOf, worthSign, worthText } from "./words.js";

/** The minimum number of rows, and of columns, of the view, and their number in the editor. */
const [LEAST_SHOWN, MOST_SHOWN] = [6, 7];
/** The width of a cell in the drawings' user units, as in picture/svg.rs. */
const CELL = 45;
/** The distance at which a press becomes a drag. */
const DRAG_PIXELS = 8;

/** The cell of a button. @type {(button: HTMLElement) => Cell} */
const cellOf = button => /** @type {Cell} */ ((button.dataset.cell ?? "").split(",").map(Number));

/** The name of a dove, and how it moves. @param {string} letter */
const titleOf = letter => `${nameOf(letter)}${say("colon")}${wayOf(letter)}`;

/** The address of a dove's symbol. @param {string} letter */
const symbolOf = letter => `#${colorOf(letter)}-${NAMES[kindOf(letter)]}`;

/** A picture of a dove. @param {string} letter */
export const picture = letter =>
  svg("svg", { class: "picture", viewBox: "-22.5 -22.5 45 45", "aria-hidden": "true" },
    svg("use", { href: symbolOf(letter) }));

/** @typedef {{ x: number, y: number }} Point */

/**
 * An arrow from one point towards another, ending `before` units short of it.
 *
 * @param {string} name
 * @param {Point} from
 * @param {Point} to
 * @param {number} before
 */
function arrow(name, from, to, before) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const end = Math.max(length - before, 8) / length;
  const path = `M${from.x} ${from.y}L${from.x + (to.x - from.x) * end} ${from.y + (to.y - from.y) * end}`;
  return svg("path", { class: name, d: path, "marker-end": "url(#head-last)" });
}

/** The marks of targets, by the effect of the action. @type {Record<string, { sign: string, text: string }>} */
const ENDS = {
  wins: { sign: "★", text: "winsAtOnce" }, loses: { sign: "✕", text: "losesAtOnce" }, risky: { sign: "!", text: "letsWin" },
  plain: { sign: "●", text: "target" },
};

/**
 * The smallest box around all doves, walls and cells that either player can reach.
 *
 * @param {Doves} doves
 * @param {Game} game
 */
function neededBox(doves, game) {
  const { top, bottom, left, right } = boxOf(doves);
  const reached = COLORS.flatMap(mover => actionsOf({ doves, mover, game })).flatMap(({ to }) => (to ? [to] : []));
  return boxOf([...reached, [top - 1, left - 1], [bottom + 1, right + 1]]);
}

/** @typedef {{ choose: (letter: string) => void, place: (cell: Cell | null) => void, letGo: () => void }} Wishes */

/**
 * The content of the board.
 *
 * - `start`: the first position of a game, which is shown in the centre
 * - `chosen`, `hinted`: the letters of the chosen dove, and of the one that a hint names
 * - `last`: the action that led here
 * - `free`: the player whose doves can be chosen, or "both" in the editor
 * - `surrounded`: the players whose bosses are surrounded
 * - `isTurned`: whether the style sheet turns the board
 *
 * @typedef {{
 *   start?: object | null, doves: Doves, mover: Color | null, game: Game, free: string | null, chosen: string | null, hinted?: string | null,
 *   targets: Target[], last: Action | null, surrounded: string[], isTurned: boolean,
 * }} View
 */

/** The board of the page, its hands, and a sentence about its walls for screen readers. */
export class BoardView {
  /** @type {View} */
  view = /** @type {any} */ (null);
  /** The upper left cell of the view; null before the board is shown. @type {Cell | null} */
  origin = null;
  /** The number of rows, and of columns, of the view. */
  shown = LEAST_SHOWN;
  /** The cell that Tab focuses. @type {Cell | null} */
  cursor = null;
  /** The previewed actions. @type {Action[]} */
  previewed = [];
  /** The user's drawings as text: the two cells of an arrow, or the cell of a ring twice. @type {Set<string>} */
  marks = new Set();
  /** Whether every press draws. */
  draws = false;
  wasDragged = false;

  /**
   * @param {HTMLElement} board
   * @param {Record<Color, HTMLElement>} hands
   * @param {HTMLElement} walls
   * @param {Wishes} wishes the callbacks; `place` gets null for the hand
   */
  constructor(board, hands, walls, wishes) {
    this.board = board;
    this.hands = hands;
    this.walls = walls;
    this.wishes = wishes;
    board.addEventListener("contextmenu", event => event.preventDefault());
    board.addEventListener("focusin", event => {
      if (targetOf(event).dataset.cell) this.cursor = cellOf(targetOf(event));
    });
    const field = /** @type {HTMLElement} */ (board.parentElement);
    field.addEventListener("keydown", event => this.key(event));
    field.addEventListener("pointerdown", event => this.press(event));
    field.addEventListener("click", event => this.wasDragged || this.act(targetOf(event)));
  }

  /** Shows a board. @param {View} view */
  show(view) {
    if (view.start && view.start !== this.view?.start) this.recentre();
    const isNew = view.doves !== this.view?.doves || view.free !== this.view.free;
    if (view.doves !== this.view?.doves) this.marks.clear();
    this.view = { ...view, start: view.start ?? this.view?.start };
    if (isNew || !this.origin) this.look(view);
    const focused = /** @type {HTMLElement} */ (document.activeElement ?? this.board);
    const hadFocus = this.board.contains(focused) || focused.closest(".hand");
    this.board.style.setProperty("--shown", String(this.shown));
    const origin = this.origin ?? [0, 0];
    this.cursor = this.inView(this.cursor ?? view.doves.B ?? plus(origin, [3, 3]));
    const places = [...Array(this.shown).keys()];
    const rows = places.map(row => html("div", { role: "row", class: "row" },
      places.map(column => this.cell(plus(origin, [row, column])))));
    refill(this.board, rows, this.drawing());
    refill(this.walls, this.wallsText());
    COLORS.forEach(color => this.showHand(color));
    // The focused dove may have left its hand, or the focused button may now be another cell's.
    const isMoved = this.board.contains(focused) && focused.dataset.cell !== String(this.cursor);
    if (isMoved || hadFocus && !focused.isConnected) this.cursorButton()?.focus({ preventScroll: true });
  }

  /** Redraws lines and signs, after a change of `previewed` or `marks`. */
  redraw() {
    this.board.querySelector(".drawing")?.replaceWith(this.drawing());
  }

  /** Centres the next board. */
  recentre() {
    this.origin = null;
    this.cursor = null;
  }

  /** The nearest cell in the view. @type {(cell: Cell) => Cell} */
  inView(cell) {
    const [top, left] = this.origin ?? [0, 0];
    const last = this.shown - 1;
    return [Math.min(Math.max(cell[0], top), top + last), Math.min(Math.max(cell[1], left), left + last)];
  }

  /** Moves the view as little as necessary to show every reachable cell; in the editor, every dove. @param {View} view */
  look({ doves, game, free }) {
    const isEditor = free === "both";
    const { top, bottom, left, right } = isEditor ? boxOf(doves) : neededBox(doves, game);
    const most = Math.max(bottom - top, right - left) + 1;
    const wanted = isEditor ? MOST_SHOWN : Math.max(most, LEAST_SHOWN);
    // The view never shrinks during a game, because moving cells are hard to hit.
    if (isEditor || !this.origin || wanted > this.shown) this.shown = wanted;
    const fit = (/** @type {number | undefined} */ first, /** @type {number} */ from, /** @type {number} */ to) =>
      Math.min(Math.max(first ?? Math.floor((from + to + 1 - this.shown) / 2), to - this.shown + 1), from);
    this.origin = [fit(this.origin?.[0], top, bottom), fit(this.origin?.[1], left, right)];
  }

  /** The button of a cell. @param {Cell} cell */
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
      type: "button", role: "gridcell", "data-cell": cell.join(","), "data-dove": letter, tabindex: this.cursor && same(cell, this.cursor) ? "0" : "-1",
      class: [
        "place", isInside ? "inside" : "beyond", isChosen && "chosen", letter && letter === hinted && "hinted",
        target && "target", target && (worth ? `worth-${worth.value}` : end), last?.from && same(last.from, cell) && "vacated",
        letter && this.isFree(letter) && "own",
      ],
      "aria-label": say("cell", { cell: name, content: content.filter(Boolean).join(say("comma")) }),
      "aria-selected": isChosen && "true", title: letter && titleOf(letter),
    }, letter && picture(letter), target && html("span", { class: "sign", "aria-hidden": "true" }, worth ? worthSign(worth) : ENDS[end].sign));
  }

  /** Whether the user can choose a dove. @param {string} letter */
  isFree(letter) {
    return this.view.free === "both" || this.view.free === colorOf(letter);
  }

  /** The board in words: the doves with their cells relative to the red boss, the doves in hand, and the walls. */
  text() {
    const { doves, game } = this.view;
    const kind = (/** @type {string} */ letter) => say(NAMES[kindOf(letter)]);
    const ofPlayer = (/** @type {Color} */ color) => {
      const [standing, inHand] = [true, false].map(isStanding => dovesOf(game, color).filter(letter => letter in doves === isStanding));
      const onBoard = standing.map(letter => `${kind(letter)} ${cellName(doves, doves[letter])}`.trim()).join(say("comma"));
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

  /** The middle of a cell in the drawing. @param {number[]} cell */
  middle([row, column]) {
    const [top, left] = this.origin ?? [0, 0];
    return { x: (column - left + 0.5) * CELL, y: (row - top + 0.5) * CELL };
  }

  /** Coordinates, walls, surrounded bosses, the last action, the previewed ones, and the user's drawings. */
  drawing() {
    const side = this.shown * CELL;
    const { doves, last, surrounded = [] } = this.view;
    const parts = () => [
      ...doves.B ? this.coordinates(doves.B) : [], ...this.wallLines(),
      ...surrounded.map(color => this.middle(doves[color === "red" ? "B" : "b"])).map(({ x, y }) =>
        svg("rect", { class: "closed", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL })),
      last && this.lastAction(last), ...this.previewed.flatMap(action => this.preview(action)), ...[...this.marks].map(mark => this.mark(mark)),
    ];
    return svg("svg", { class: "drawing", viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" }, Object.keys(doves).length ? parts() : []);
  }

  wallLines() {
    const { top, left, bottom, right, rows, columns } = boxOf(this.view.doves);
    const [from, to] = [this.middle([top - 0.5, left - 0.5]), this.middle([bottom + 0.5, right + 0.5])];
    const [x1, x2, y1, y2] = [from.x - 3, to.x + 3, from.y - 3, to.y + 3];
    // Walls on all sides meet at the corners.
    const spare = rows === SIZE && columns === SIZE ? 0 : 6;
    const line = (/** @type {number[]} */ ...[x1, y1, x2, y2]) => svg("line", { class: "wall", x1, y1, x2, y2 });
    return [
      ...columns === SIZE ? [x1, x2].map(x => line(x, y1 + spare, x, y2 - spare)) : [],
      ...rows === SIZE ? [y1, y2].map(y => line(x1 + spare, y, x2 - spare, y)) : [],
    ];
  }

  /** The last action: an arrow, or a sign on the cell of a put or a return. @param {Action} action */
  lastAction({ from, to }) {
    if (from && to) return arrow("action last", this.middle(from), this.middle(to), 29);
    return svg("use", { href: to ? "#plus-last" : "#minus-last", ...this.middle(to ?? from ?? []) });
  }

  /**
   * A previewed action: an arrow for a move, an arrow away from the dove for a return, the dove in a ring for a put.
   *
   * @param {Action} action
   * @returns {Element | Element[]}
   */
  preview({ dove, from, to, isBetter }) {
    const name = `action last thought ${colorOf(dove)}${isBetter ? " better" : ""}`;
    if (from && to) return arrow(name, this.middle(from), this.middle(to), 12);
    const { x, y } = this.middle(to ?? from ?? []);
    if (!to) return arrow(name, { x, y }, { x: x + 0.9 * CELL, y: y - 0.9 * CELL }, 0);
    return [svg("use", { class: "ghostly", href: symbolOf(dove), x, y }), svg("circle", { class: name, cx: x, cy: y, r: 19 })];
  }

  /** One of the user's drawings: an arrow, or a ring. @param {string} text */
  mark(text) {
    const [row, column, ...end] = text.split(",").map(Number);
    const { x, y } = this.middle([row, column]);
    return same([row, column], end) ? svg("circle", { class: "drawn", cx: x, cy: y, r: 20 }) : arrow("drawn", { x, y }, this.middle(end), 8);
  }

  /** The labels of columns and rows at the edges, relative to the red boss as in the texts of actions. @param {Cell} boss */
  coordinates([row, column]) {
    const [top, left] = this.origin ?? [0, 0];
    const name = (/** @type {number} */ distance, /** @type {string} */ positive, /** @type {string} */ negative) => (distance ? (distance > 0 ? positive : negative) + Math.abs(distance) : "·");
    return [...Array(this.shown).keys()].flatMap(index => {
      const middle = (index + 0.5) * CELL;
      return [
        svg("text", { class: "coordinate", x: middle, y: 9, "text-anchor": "middle" }, name(left + index - column, "E", "W")),
        svg("text", { class: "coordinate", x: 3, y: middle + 3 }, name(top + index - row, "S", "N")),
      ];
    });
  }

  /** @param {Color} color */
  showHand(color) {
    const { doves, chosen, hinted, targets, game, free } = this.view;
    const letters = dovesOf(game, color).filter(letter => !doves[letter]);
    const back = targets.find(({ to, dove }) => to === null && colorOf(dove) === color);
    const isOwn = free === "both" || free === color;
    const hand = this.hands[color];
    hand.setAttribute("aria-label", say("hand", { color }));
    hand.classList.toggle("target", Boolean(back));
    hand.classList.toggle("moving", this.view.mover === color);
    const dove = (/** @type {string} */ letter) => html("button", {
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

  /** The button of the cell at the cursor. @returns {HTMLElement | null} */
  cursorButton() {
    return this.board.querySelector(`[data-cell="${this.cursor}"]`);
  }

  /** Carries out a click on an element. @param {HTMLElement} element */
  act(element) {
    const cell = closest(element, "[data-cell]");
    if (cell) {
      const cursor = this.cursor = cellOf(cell);
      const { chosen, free } = this.view;
      const { dove } = cell.dataset;
      // In the editor, the chosen dove replaces the one in its way.
      const isReplaced = free === "both" && chosen && chosen !== dove;
      if (dove && !isReplaced && this.isFree(dove)) this.wishes.choose(dove);
      else this.wishes.place(cursor);
      return;
    }
    const hand = closest(element, ".hand");
    if (!hand) return;
    const letter = closest(element, "[data-dove]")?.dataset.dove;
    if (letter) this.wishes.choose(letter);
    else if (this.takesChosen(hand)) this.wishes.place(null);
  }

  /** Whether the chosen dove may go to a hand; in the editor, either hand removes it from the board. @param {HTMLElement} hand */
  takesChosen(hand) {
    const { chosen } = this.view;
    return chosen !== null && (this.view.free === "both" || hand.dataset.color === colorOf(chosen));
  }

  /** Suppresses the click that follows a drag. */
  endDrag() {
    this.wasDragged = true;
    setTimeout(() => { this.wasDragged = false; });
  }

  /**
   * Draws an arrow from a cell to the one where the pointer is released, or a ring if they are the same. Drawing either
   * again removes it.
   *
   * @param {HTMLElement | null} start
   */
  drawFrom(start) {
    if (!start) return;
    addEventListener("pointerup", ({ clientX, clientY }) => {
      const end = closest(document.elementFromPoint(clientX, clientY), "[data-cell]");
      this.endDrag();
      const mark = end && `${start.dataset.cell},${end.dataset.cell}`;
      if (mark && !this.marks.delete(mark)) this.marks.add(mark);
      this.redraw();
    }, { once: true });
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.wasDragged = false;
    if (event.button === 2 || this.draws) return this.drawFrom(closest(targetOf(event), "[data-cell]"));
    const letter = closest(targetOf(event), "[data-dove]")?.dataset.dove;
    if (!letter || event.button !== 0 || !this.isFree(letter)) return;
    const [x, y] = [event.clientX, event.clientY];
    /** @type {HTMLElement | null} */
    let ghost = null;
    const move = (/** @type {PointerEvent} */ event) => {
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
    const end = (/** @type {PointerEvent} */ event) => {
      ended.abort();
      if (!ghost) return;
      ghost.remove();
      this.endDrag();
      if (event.type === "pointercancel") return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const [cell, hand] = ["[data-cell]", ".hand"].map(selector => closest(under, selector));
      if (cell?.dataset.dove === letter) return;
      if (cell) this.wishes.place(this.cursor = cellOf(cell));
      else if (hand && this.takesChosen(hand)) this.wishes.place(null);
      else this.wishes.letGo();
    };
    addEventListener("pointermove", move, { signal: ended.signal });
    addEventListener("pointerup", end, { signal: ended.signal });
    addEventListener("pointercancel", end, { signal: ended.signal });
  }

  /**
   * Moves the cursor on arrow keys, Home and End; clears the drawings and the choice on Escape.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (!isPlain(event)) return;
    const far = this.shown;
    /** @type {Record<string, Cell>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -far], End: [0, far] };
    const step = steps[event.key];
    // After a click on the board, the arrow keys step through the game, unless a dove is chosen.
    const isHere = this.board.contains(targetOf(event)) && (this.view.chosen || isReachedByKeys());
    if (step && isHere && this.cursor) {
      event.preventDefault();
      reachByKeys();
      this.board.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
      this.cursor = this.inView(this.view.isTurned ? minus(this.cursor, step) : plus(this.cursor, step));
      this.cursorButton()?.setAttribute("tabindex", "0");
      this.cursorButton()?.focus();
    } else if (event.key === "Escape") {
      this.marks.clear();
      this.wishes.letGo();
    }
  }
}
