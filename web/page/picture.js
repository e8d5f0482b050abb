// The board that is shown as an SVG picture of its own.

import { colorOf, dovesOf, kindOf } from "./doves.js";
import { CELL, svg } from "./board.js";
import { NAMES } from "./words.js";

/** The height of the rows of doves in hand. */
const HAND = 50;

/** The picture of a board view. */
export function pictureOf({ board, view, shown, origin }) {
  const { doves, game } = view;
  const side = shown * CELL;
  const dove = (letter, x, y) => svg("use", { href: `#${colorOf(letter)}-${NAMES[kindOf(letter)]}`, x, y });
  const cells = [...board.querySelectorAll(".inside")].map(button => button.dataset.cell.split(",").map(Number)).map(([row, column]) =>
    svg("rect", { class: "cell", x: (column - origin[1]) * CELL, y: (row - origin[0]) * CELL, width: CELL, height: CELL }));
  const onBoard = Object.entries(doves).map(([letter, [row, column]]) =>
    dove(letter, (column - origin[1] + 0.5) * CELL, (row - origin[0] + 0.5) * CELL));
  const hand = (color, y) => dovesOf(game, color).filter(letter => !doves[letter]).map((letter, index) => dove(letter, (index + 1) * CELL, y));
  const drawing = board.querySelector(".drawing").cloneNode(true);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).map(rule => rule.cssText).join("\n");
  const picture = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 ${-HAND} ${side} ${side + 2 * HAND}`, width: 2 * side, height: 2 * (side + 2 * HAND) },
    style, document.querySelector(".definitions defs").cloneNode(true),
    svg("rect", { class: "paper", y: -HAND, width: side, height: side + 2 * HAND }),
    cells, onBoard, svg("g", {}, [...drawing.childNodes]), hand("green", -HAND / 2), hand("red", side + HAND / 2));
  return new XMLSerializer().serializeToString(picture);
}
