// The graph of what each position of a game was worth to red: wins above, losses below, quicker ones farther out.

import { say, worthText } from "./words.js";
import { html, svg } from "./board.js";

const [WIDTH, HEIGHT] = [300, 90];

/**
 * The graph of a game of this many plies. `points` has {ply, worth, mover, height} for positions of which something is
 * known, the height from 0 for a loss of red to 1. It is a picture only: for the keyboard, the list of the game has the
 * same values as buttons.
 */
export function chart(points, plies, current) {
  if (points.length < 2) return html("p", { class: "faint" }, say("chartNone"));
  const x = ply => 8 + (WIDTH - 16) * (plies ? ply / plies : 0);
  const y = height => 8 + (1 - height) * (HEIGHT - 16);
  const places = points.map(({ ply, height }) => [x(ply), y(height)]);
  // Only the values of successive positions are joined by a line.
  const stroke = index => (points[index].ply - points[index - 1]?.ply === 1 ? "L" : "M");
  const drawing = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("chart") },
    svg("rect", { class: "chart-red", x: 0, y: 0, width: WIDTH, height: HEIGHT / 2 }),
    svg("rect", { class: "chart-green", x: 0, y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }),
    svg("line", { class: "chart-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    svg("path", { class: "chart-line", d: places.map(([px, py], index) => `${stroke(index)}${px} ${py}`).join("") }));
  points.forEach(({ ply, worth, mover }, index) => {
    const shape = worth.value === "none"
      ? svg("circle", { cx: places[index][0], cy: places[index][1], r: 3.5 })
      : svg("rect", { x: places[index][0] - 4, y: places[index][1] - 4, width: 8, height: 8 });
    drawing.append(svg("g", { class: `chart-point worth-${worth.value}${ply === current ? " current" : ""}`, "data-do": "go", "data-ply": ply },
      svg("title", {}, say("ply", { ply, worth: worthText(worth), color: mover })), shape));
  });
  return drawing;
}
