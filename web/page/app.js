// Begins the page, and passes on what the user does.

import { PAGE_VERSION } from "./brain.js";
import { DO, SET, playBest, typeAction } from "./commands.js";
import * as counting from "./count.js";
import { html, isReachedByKeys } from "./elements.js";
import { pngOf } from "./picture.js";
import * as play from "./play.js";
import * as puzzles from "./puzzle.js";
import { MODES, session } from "./session.js";
import * as setup from "./setup.js";
import { source } from "./source.js";
import { showMessage, state } from "./state.js";
import { failures, keep, recall } from "./storage.js";
import { at, board, refresh, show, showThoughts } from "./view.js";
import { say } from "./words.js";

/** Carries out a command. Whatever it changes, the page is drawn once, afterwards. */
function carryOut(command) {
  state.redraw = () => {};
  try {
    command();
  } finally {
    state.redraw = show;
  }
  show();
}

/** The data of a button when it was pressed: an answer that arrives may turn it into another button before it is released. */
let pressed = {};
document.addEventListener("pointerdown", event => {
  pressed = { ...event.target.closest("[data-do]")?.dataset };
});
document.addEventListener("click", event => {
  const element = event.target.closest("[data-do], [role=tab]");
  if (!element || element.matches("[data-do][aria-disabled=true]")) return;
  const asked = event.detail > 0 && pressed.do ? pressed : element.dataset;
  carryOut(() => DO[asked.do ?? "mode"](asked));
});
document.addEventListener("change", ({ target: { dataset, type, checked, value } }) => {
  if (!dataset.set) return;
  carryOut(() => SET[dataset.set](type === "checkbox" ? checked : value, dataset));
});
/** A one-line field would turn line breaks into blanks, and so the rows of a board into one. */
document.addEventListener("paste", event => {
  const { target } = event;
  if (target.dataset?.set !== "board-text") return;
  const rows = event.clipboardData.getData("text").replace(/^[\r\n]+|[\r\n]+$/g, "").split(/\r\n|\r|\n/);
  if (rows.length < 2) return;
  event.preventDefault();
  target.setRangeText(rows.join(";"), target.selectionStart, target.selectionEnd, "end");
  const { key } = target.dataset;
  // A field that has the focus keeps what is typed. This was pasted, so show it as it was read.
  if (setup.type(target.value, key)) target.value = setup.texts()[key];
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Enter" && event.target.id === "typed-action") return typeAction(event.target.value);
  if (event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
  const tab = event.target.closest("[role=tab]");
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (tab && isReachedByKeys() && step) {
    // Only the focus goes there: a mode that is passed through may begin a game or a puzzle of its own.
    return at(`tab-${MODES.at((MODES.indexOf(tab.dataset.mode) + step) % MODES.length)}`).focus();
  }
  // The space bar presses a button that was reached by keys; on the board, only Enter does.
  const isButton = event.target.closest("button, summary, input") && !event.target.closest("#board");
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
  // A button is pressed when the space bar is released.
  if (event.key === " " && event.target.matches(isReachedByKeys() ? "#board button" : "button, input")) event.preventDefault();
});

/** Draws on the board the actions that the pointed-at or focused element names. */
function preview(element) {
  const texts = element?.closest?.("[data-preview]")?.dataset.preview.split(" ").filter(Boolean) ?? [];
  if (String(texts) === String(state.pointed)) return;
  state.pointed = texts;
  showThoughts();
  board.redraw();
}
document.addEventListener("pointerover", ({ target }) => preview(target));
document.addEventListener("focusin", ({ target }) => preview(target));
document.addEventListener("focusout", () => preview(null));

function load(address = location.hash.slice(1)) {
  play.stop();
  puzzles.stop();
  const read = session.readAddress(address);
  if (!read) session.changed();
  if (session.mode === "setup") setup.enter();
  // The board that was shown until now may have been another one.
  board.recentre();
  if (session.mode === "puzzles") puzzles.enter(read?.hasBoard);
  if (session.mode === "count") counting.enter();
  const { illegal = null, unread = [] } = read ?? {};
  const said = [
    !read && say("badAddress"), illegal && say("illegalAction", illegal), unread.length > 0 && say("notRead", { parts: unread.join(", ") }),
  ];
  showMessage(said.filter(Boolean).join(" "));
}

/** What the address says, or the rules for those who have never been here. */
function firstAddress() {
  const isFirst = recall("visited", ["yes"]) === null;
  keep("visited", "yes");
  return isFirst && !location.hash ? "mode=learn" : undefined;
}

/** Registers the service worker, if the page can be installed, so that it needs no network. */
async function install() {
  if (!document.querySelector("link[rel=manifest]") || location.protocol === "file:") return;
  await navigator.serviceWorker?.register("service.js");
  // An iPhone takes no SVG as the icon of an installed page, and turns transparency black.
  const icon = atob(document.querySelector("link[rel=icon]").href.split(",")[1]);
  const href = await pngOf(icon.replace(">", '><rect x="-20" y="-20" width="40" height="40" fill="#fbf8f1"/>'));
  if (href) document.head.append(html("link", { rel: "apple-touch-icon", href }));
}

at("version").textContent = PAGE_VERSION;
state.redraw = show;
source.tell = key => (key ? showMessage(say(key)) : show());
session.onChange = refresh;
addEventListener("popstate", () => load());
load(firstAddress());
document.body.dataset.ready = "yes";
at("absent").remove();
install().catch(({ message }) => {
  failures.set("service", message);
  show();
});
