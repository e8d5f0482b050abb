// The elements of the page: how they are made and changed in place, the usual controls, and what has the focus.

import { say } from "./words.js";

/** Whether a child or an attribute is there: conditions may stand in their place. */
const isThere = part => part !== null && part !== undefined && part !== false;

/** An element with attributes, of which `class` may be a list, and with children: elements, texts, and lists of them. */
export const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    const text = Array.isArray(value) ? value.filter(Boolean).join(" ") : value;
    if (isThere(text)) element.setAttribute(key, text === true ? "" : text);
  }
  element.append(...children.flat().filter(isThere));
  return element;
}

/** A sentence that is no more than a note. */
export const faint = text => html("p", { class: "faint" }, text);

/** A button for a command, which has its name unless another text is given. */
export const button = (command, attributes = {}, text = say(command)) => html("button", { "data-do": command, ...attributes }, text);

/** A field with its label before it. */
export const labelled = (key, field) => html("label", {}, `${say(key)} `, field);

/** A list for a setting, of which each choice is a value and its text. */
export const select = (setting, choices, chosen, attributes = {}) => html("select", { "data-set": setting, ...attributes },
  choices.map(([value, text]) => html("option", { value, selected: String(value) === String(chosen) }, text)));

/** A box for a setting, with its label after it. */
export const checkbox = (setting, text, checked, attributes = {}) =>
  html("label", {}, html("input", { type: "checkbox", "data-set": setting, checked, ...attributes }), ` ${text}`);

/** The attributes of a field for signs, in which no browser corrects anything. */
export const UNCORRECTED = { spellcheck: "false", autocomplete: "off", autocapitalize: "off", autocorrect: "off" };

/**
 * Gives an element these children. Existing children are changed in place where possible, so that an element that has
 * the focus or is being pressed stays.
 */
export function refill(parent, ...children) {
  const there = [...parent.childNodes];
  const wanted = children.flat().filter(isThere);
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

/** Whether a pointer and no key moved the focus: `:focus-visible` becomes true with the next key. */
let isByPointer = false;
addEventListener("pointerdown", () => { isByPointer = true; }, true);
addEventListener("keydown", ({ key }) => key === "Tab" && reachByKeys(), true);

export const isReachedByKeys = () => !isByPointer;

/** Keys have moved the focus. */
export function reachByKeys() {
  isByPointer = false;
}
