// What the browser keeps across reloads. If it keeps nothing, nothing breaks.

import { attempt } from "./attempt.js";

const textOf = key => attempt("storage", () => localStorage.getItem(`dovemate-${key}`), null);

/** What was kept under a key, if it is one of these values; else null. */
export function recall(key, allowed) {
  const kept = textOf(key);
  return allowed.includes(kept) ? kept : null;
}

/** The list that was kept under a key, without what is no entry: another version of the page may have written it. */
export function recallList(key, isEntry) {
  const text = textOf(key) ?? "[]";
  let entries = [];
  attempt(key, () => {
    const list = JSON.parse(text);
    if (Array.isArray(list)) entries = list.filter(isEntry);
    if (entries.length !== list?.length) throw new TypeError(`dovemate-${key} = ${text.slice(0, 20)}`);
  });
  return entries;
}

/** Without storage, it is forgotten with the page. */
export const keep = (key, value) => attempt("storage", () => localStorage.setItem(`dovemate-${key}`, value));
