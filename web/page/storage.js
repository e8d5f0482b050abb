// What the browser keeps across reloads, and what else the page can do without: what fails stops nothing.

/** Why parts of the page have failed, in the browser's words, by part: `part-` and its name are a key of words.js. */
export const failures = new Map();

/** The result of `action`; if it fails, that is noted of the part, and the result is `otherwise`. */
export function tryPart(part, action, otherwise) {
  try {
    return action();
  } catch (error) {
    failures.set(part, error.message);
    return otherwise;
  }
}

const storedText = key => tryPart("storage", () => localStorage.getItem(`dovemate-${key}`), null);

/** What was kept under a key, if it is one of these values; else null. */
export function recall(key, allowed) {
  const kept = storedText(key);
  return allowed.includes(kept) ? kept : null;
}

/** The list that was kept under a key, without what is no entry: another version of the page may have written it. */
export function recallList(key, isEntry) {
  const text = storedText(key) ?? "[]";
  let entries = [];
  tryPart(key, () => {
    const list = JSON.parse(text);
    if (Array.isArray(list)) entries = list.filter(isEntry);
    if (entries.length !== list?.length) throw new TypeError(`dovemate-${key} = ${text.slice(0, 20)}`);
  });
  return entries;
}

/** Without storage, it is forgotten with the page. */
export const keep = (key, value) => tryPart("storage", () => localStorage.setItem(`dovemate-${key}`, value));

const isJapanese = () => navigator.language.startsWith("ja");
let language = recall("language", ["en", "ja"]) ?? (tryPart("language", isJapanese, false) ? "ja" : "en");

/** The language of the page: the browser's, or as the button says. */
export const currentLanguage = () => language;

/** Changes to the other language. */
export function changeLanguage() {
  language = language === "en" ? "ja" : "en";
  keep("language", language);
}
