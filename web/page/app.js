// Starts the page, and dispatches events.

import { PAGE_VERSION } from "./brain.js";
import { DO, SET, playBest, typeAction } from "./commands.js";
import * as counting from "./count.js";
import { closest, html, isPlain, isReachedByKeys, targetOf } from "./elements.js";
import { pngOf } from "./picture.js";
import * as play from "./play.js";
import * as puzzles from "./puzzle.js";
import { MODES, session } from "./session.js";
import * as setup from "./setup.js";
import { source } from "./source.js";
import { showMessage, state } from "./state.js";
import { failures, keep, messageOf, recall } from "./storage.js";
import { at, board, refresh, show, showThoughts } from "./view.js";
import { say } from "./words.js";

/** Carries out a command, and then draws the page once. @param {() => void} command */
function carryOut(command) {
  state.redraw = () => {};
  try {
    command();
  } finally {
    state.redraw = show;
  }
  show();
}

/**
 * The data of the pressed button. An answer that arrives before the release may turn it into another button.
 *
 * @type {DOMStringMap}
 */
let pressed = {};
document.addEventListener("pointerdown", event => {
  pressed = { ...closest(targetOf(event), "[data-do]")?.dataset };
});
document.addEventListener("click", event => {
  const element = closest(targetOf(event), "[data-do], [role=tab]");
  if (!element || element.matches("[data-do][aria-disabled=true]")) return;
  const data = /** @type {Record<string, string>} */ (event.detail > 0 && pressed.do ? pressed : element.dataset);
  carryOut(() => DO[data.do ?? "mode"](data));
});
document.addEventListener("change", event => {
  const { dataset, type, checked, value } = targetOf(event);
  const data = /** @type {Record<string, string>} */ (dataset);
  if (data.set) carryOut(() => SET[data.set](type === "checkbox" ? checked : value, data));
});
/** Joins pasted rows of a board with semicolons; the field, which has only one line, would join them with spaces. */
document.addEventListener("paste", event => {
  const target = targetOf(event);
  if (target.dataset.set !== "board-text") return;
  const rows = (event.clipboardData?.getData("text") ?? "").replace(/^[\r\n]+|[\r\n]+$/g, "").split(/\r\n|\r|\n/);
  if (rows.length < 2) return;
  event.preventDefault();
  target.setRangeText(rows.join(";"), target.selectionStart ?? 0, target.selectionEnd ?? 0, "end");
  const { key = "" } = target.dataset;
  // A redraw does not change a focused field.
  if (setup.type(target.value, key)) target.value = setup.texts()[key];
});
document.addEventListener("keydown", event => {
  const target = targetOf(event);
  if (!isPlain(event)) return;
  if (event.key === "Enter" && target.id === "typed-action") return typeAction(target.value);
  if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
  const tab = closest(target, "[role=tab]");
  const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (tab && isReachedByKeys() && step) {
    // Move only the focus, because entering a mode may begin a game or a puzzle.
    return at(`tab-${MODES.at((MODES.indexOf(tab.dataset.mode ?? "") + step) % MODES.length)}`).focus();
  }
  // The space bar presses a button that was reached by keys; on the board, only Enter does.
  const isButton = target.closest("button, summary, input") && !target.closest("#board");
  if (event.key === " " && !(isReachedByKeys() && isButton)) {
    event.preventDefault();
    if (!event.repeat) playBest();
  }
  if (step && !event.defaultPrevented && !["learn", "setup", "count"].includes(session.mode)) {
    event.preventDefault();
    session.go(session.ply + step);
  }
});
document.addEventListener("keyup", event => {
  // Browsers press a button when the space bar is released.
  if (event.key === " " && isPlain(event) && targetOf(event).matches(isReachedByKeys() ? "#board button" : "button, input")) event.preventDefault();
});

/** Previews the actions that the hovered or focused element names. @param {Element | null} element */
function preview(element) {
  const texts = closest(element, "[data-preview]")?.dataset.preview?.split(" ").filter(Boolean) ?? [];
  if (String(texts) === String(state.pointed)) return;
  state.pointed = texts;
  showThoughts();
  board.redraw();
}
document.addEventListener("pointerover", event => preview(targetOf(event)));
document.addEventListener("focusin", event => preview(targetOf(event)));
document.addEventListener("focusout", () => preview(null));

function load(address = location.hash.slice(1)) {
  play.stop();
  puzzles.stop();
  const read = session.readAddress(address);
  if (!read) session.changed();
  if (session.mode === "setup") setup.enter();
  board.recentre();
  if (session.mode === "puzzles") puzzles.enter(read?.hasBoard);
  if (session.mode === "count") counting.enter();
  const { illegal = null, unread = [], isCut = false } = read ?? {};
  const said = [
    !read && say("badAddress"), isCut && say("addressCut"), illegal && say("illegalAction", illegal), unread.length > 0 && say("notRead", { parts: unread.join(", ") }),
  ];
  showMessage(said.filter(Boolean).join(" "));
}

/** The address of the rules on a first visit without a `#` part; otherwise undefined, for the page's own address. */
function firstAddress() {
  const isFirst = recall("visited", ["yes"]) === null;
  keep("visited", "yes");
  return isFirst && !location.hash ? "mode=learn" : undefined;
}

/** Registers the service worker of an installable page, so that it works offline. */
async function install() {
  if (!document.querySelector("link[rel=manifest]") || location.protocol === "file:") return;
  await navigator.serviceWorker?.register("service.js");
  // iOS needs a PNG as the icon of an installed page, and turns transparency black.
  const icon = atob(/** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]")).href.split(",")[1]);
  const href = await pngOf(icon.replace(">", '><rect x="-20" y="-20" width="40" height="40" fill="#fbf8f1"/>'));
  if (href) document.head.append(html("link", { rel: "apple-touch-icon", href }));
}

// A host's policy may block a picture or a worker without any other error.
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  failures.set("policy", `${effectiveDirective}: ${blockedURI.slice(0, 60)}`);
  show();
});
at("version").textContent = PAGE_VERSION;
state.redraw = show;
source.tell = key => (key ? showMessage(say(key)) : show());
session.onChange = refresh;
addEventListener("popstate", () => load());
load(firstAddress());
document.body.dataset.ready = "yes";
for (const id of ["absent", "forbidden"]) at(id).remove();
install().catch(error => {
  failures.set("service", messageOf(error));
  show();
});
