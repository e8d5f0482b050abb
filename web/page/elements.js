// Creates the page's elements and usual controls, updates elements in place, and tracks the focus.

import { say } from "./words.js";

/** @typedef {Record<string, any>} Attributes */
/** @typedef {Node | string | false | null | undefined} Child */

/** Whether a child or an attribute is present: false, null and undefined mean that it is not. @param {unknown} part */
const isPresent = part => part !== null && part !== undefined && part !== false;

/**
 * An element with attributes (`class` may be a list) and children: elements, texts, and lists of them.
 *
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Attributes} attributes
 * @param {...any} children
 */
export const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Attributes} attributes
 * @param {...any} children
 */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {any[]} children
 */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    const text = Array.isArray(value) ? value.filter(Boolean).join(" ") : value;
    if (isPresent(text)) element.setAttribute(key, text === true ? "" : text);
  }
  element.append(...children.flat().filter(isPresent));
  return element;
}

/** A secondary sentence. @param {string} text */
export const faint = text => html("p", { class: "faint" }, text);

/**
 * The button of a command. By default, its label is the text whose key is the command.
 *
 * @param {string} command
 * @param {Attributes} attributes
 * @param {any} text
 */
export const button = (command, attributes = {}, text = say(command)) => html("button", { "data-do": command, ...attributes }, text);

/** A field after its label. @param {string} key @param {Element} field */
export const labelled = (key, field) => html("label", {}, `${say(key)} `, field);

/**
 * A list of choices for a setting, each a value and its text.
 *
 * @param {string} setting
 * @param {[value: unknown, text: unknown][]} choices
 * @param {unknown} chosen
 * @param {Attributes} attributes
 */
export const select = (setting, choices, chosen, attributes = {}) => html("select", { "data-set": setting, ...attributes },
  choices.map(([value, text]) => html("option", { value, selected: String(value) === String(chosen) }, text)));

/**
 * A check box for a setting, before its label.
 *
 * @param {string} setting
 * @param {string} text
 * @param {boolean} checked
 * @param {Attributes} attributes
 */
export const checkbox = (setting, text, checked, attributes = {}) =>
  html("label", {}, html("input", { type: "checkbox", "data-set": setting, checked, ...attributes }), ` ${text}`);

/** The attributes of a field for notation, which browsers must not correct. */
export const UNCORRECTED = { spellcheck: "false", autocomplete: "off", autocapitalize: "off", autocorrect: "off" };

/**
 * Replaces the children of an element. Updates existing ones in place where possible, so that the focus and a press in
 * progress survive.
 *
 * @param {Node} parent
 * @param {...any} children
 */
export function refill(parent, ...children) {
  const existing = [...parent.childNodes];
  const wanted = children.flat().filter(isPresent);
  wanted.forEach((child, index) => {
    const node = typeof child === "string" ? document.createTextNode(child) : child;
    if (existing[index]) update(existing[index], node);
    else parent.appendChild(node);
  });
  existing.slice(wanted.length).forEach(node => node.remove());
}

/** @param {any} old @param {any} node */
function update(old, node) {
  if (old.nodeName !== node.nodeName) return old.replaceWith(node);
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return;
  }
  // A disabled button would lose the focus.
  if (node.matches("button:disabled") && old === document.activeElement) disable(node, true, true);
  for (const { name } of [...old.attributes]) {
    // Details that the user has opened stay open.
    if (!node.hasAttribute(name) && !(name === "open" && old.matches("details"))) old.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  refill(old, ...node.childNodes);
  if (old.matches("input[type=checkbox], input[type=radio]")) old.checked = node.checked;
  // Text that is being typed stays.
  else if (old.matches("input, select") && old !== document.activeElement) old.value = node.value;
}

/**
 * Disables or enables a button. A focused one is only marked as disabled, because disabling it would lose the focus.
 *
 * @param {any} button
 * @param {boolean} isDisabled
 */
export function disable(button, isDisabled, hasFocus = button === document.activeElement) {
  button.disabled = isDisabled && !hasFocus;
  if (isDisabled && hasFocus) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

/** Whether the pointer moved the focus last. `:focus-visible` would become true when any key is pressed. */
let isByPointer = false;
addEventListener("pointerdown", () => { isByPointer = true; }, true);
addEventListener("keydown", ({ key }) => key === "Tab" && reachByKeys(), true);

export const isReachedByKeys = () => !isByPointer;

/** Records that keys moved the focus. */
export function reachByKeys() {
  isByPointer = false;
}

/** The target of an event. @type {(event: Event) => HTMLInputElement} */
export const targetOf = event => /** @type {HTMLInputElement} */ (event.target);

/**
 * The nearest element that matches a selector: the element itself or an ancestor. Null for a document, which Firefox
 * may focus.
 *
 * @type {(element: Element | null, selector: string) => HTMLElement | null}
 */
export const closest = (element, selector) => element?.closest?.(selector) ?? null;

const MODIFIERS = ["Alt", "AltGraph", "Control", "Hyper", "Meta", "Shift", "Super", "Symbol"];
/** The key code of keys that an input method consumes. WebKit reports the last one after the composition has ended. */
const CONSUMED = 229;

/**
 * Whether a key is the page's to handle: without modifiers, and not part of a composition.
 *
 * @param {KeyboardEvent} event
 */
export const isPlain = event =>
  !event.isComposing && event.keyCode !== CONSUMED && !MODIFIERS.some(modifier => event.getModifierState(modifier));
