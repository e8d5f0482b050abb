// The rules in pictures, and the legend of all marks.

import { picture } from "./board.js";
import { embedded } from "./brain.js";
import { button, html, svg } from "./elements.js";
import { KINDS } from "./position.js";
import { NAMES, say, wayOf } from "./words.js";

/** The embedded pictures of an exported page, by name. @type {Record<string, string>} */
const pictures = JSON.parse(embedded("pictures") ?? "{}");
/** @param {string} name @param {string} alt */
const rulePicture = (name, alt) => html("img", { src: pictures[name] ?? `rules/${name}.svg`, alt });
/** The keys of the alternative texts of the pictures. @type {Record<string, string>} */
const ALTS = { put: "altPut", isolated: "altIsolated", walls: "altWalls", surrounded: "altSurrounded" };

/** @type {[sign: string, key: string][]} */
const MARKS = [
  ["●", "markTarget"], ["✕", "markLoses"], ["!", "markRisky"], ["★", "markWins"], ["▲5", "markWin"], ["=", "markDraw"], ["▼4", "markLoss"], ["▲≤9", "markWithin"], ["?", "markNone"], ["%", "markEstimate"], ["+ − →", "markLast"],
];
/** The classes of the arrows of previewed actions. */
const ARROWS = [["thought", "markThought"], ["thought better", "markBetter"]];

/** The signs of a review. @type {[sign: string, key: string][]} */
const SIGNS = [["✓", "kept"], ["?!", "markLittle"], ["?", "markSome"], ["??", "markMuch"]];

export function learnPanel() {
  const section = (/** @type {string} */ key, /** @type {string} */ name = "") => html("section", { class: "rule" },
    html("div", {}, html("h3", {}, say(`${key}Title`)), html("p", {}, say(`${key}Text`))), name ? rulePicture(name, say(ALTS[name])) : null);
  const mark = (/** @type {Element | string} */ sign, /** @type {string} */ text) => [html("dt", {}, sign), html("dd", {}, text)];
  return [
    html("h2", {}, say("learnTitle")),
    html("p", { class: "lead" }, say("learnGoal")),
    html("p", { class: "buttons" },
      button("mode", { "data-mode": "play", class: "main" }, say("learnPlay")),
      button("mode", { "data-mode": "puzzles" }, say("learnPuzzle"))),
    html("h3", {}, say("learnDoves")),
    html("div", { class: "kinds" }, KINDS.map(kind => html("figure", {}, rulePicture(NAMES[kind], `${say(NAMES[kind])}${say("colon")}${wayOf(kind)}`),
      html("figcaption", {}, picture(kind), picture(kind.toLowerCase()), html("b", {}, `${say(NAMES[kind])} (${kind} ${kind.toLowerCase()})`), html("span", {}, wayOf(kind)))))),
    section("learnPut", "put"), section("learnMove"), section("learnReturn"), section("learnIsolated", "isolated"),
    section("learnWalls", "walls"), section("learnSurround", "surrounded"), section("learnDraw"), section("learnAct"), section("learnCells"),
    document.querySelector("link[rel=manifest]") ? section("learnInstall") : null,
    html("h3", {}, say("learnMarks")),
    html("dl", { class: "marks" }, MARKS.flatMap(([sign, key]) => mark(sign, say(key))),
      ARROWS.flatMap(([name, key]) => mark(svg("svg", { class: "mark-arrow", viewBox: "0 0 50 12", "aria-hidden": "true" },
        svg("path", { class: `action last ${name}`, d: "M2 6L38 6", "marker-end": "url(#head-last)" })), say(key))),
      mark(html("span", { class: "mark-closed" }), say("markClosed"))),
    html("h3", {}, say("learnReview")),
    html("dl", { class: "marks" }, SIGNS.flatMap(([sign, key]) => mark(sign, say(key))),
      mark(html("span", { class: "judged-doubtful" }, html("span", { class: "judged" }, "?!")), say("markDoubtful"))),
  ];
}
