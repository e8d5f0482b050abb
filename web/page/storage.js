// Values stored across reloads, and failures of optional parts of the page.

/**
 * What is known of failed parts, mostly the browser's messages, by part. The text with the part's name has the key
 * `part-`, followed by the part.
 *
 * @type {Map<string, string>}
 */
export const failures = new Map();

/**
 * The result of `action`. If it fails, the failure is recorded and the result is `otherwise`.
 *
 * @template T
 * @param {string} part
 * @param {() => T} action
 * @param {T} otherwise
 */
export function tryPart(part, action, otherwise) {
  try {
    return action();
  } catch (error) {
    failures.set(part, messageOf(error));
    return otherwise;
  }
}

/** @param {unknown} error */
export const messageOf = error => (error instanceof Error ? error.message : String(error));

/** @param {string} key */
const storedText = key => tryPart("storage", () => localStorage.getItem(`dovemate-${key}`), null);

/** Whether a value is stored under a key. @param {string} key */
export const isStored = key => storedText(key) !== null;

/**
 * The value stored under a key, or null if it is not one of the allowed values.
 *
 * @param {string} key
 * @param {string[]} allowed
 */
export function recall(key, allowed) {
  const stored = storedText(key);
  return stored !== null && allowed.includes(stored) ? stored : null;
}

/**
 * The list stored under a key, without invalid entries, which another version of the page may have written.
 *
 * @template T
 * @param {string} key
 * @param {(entry: any) => entry is T} isEntry
 * @returns {T[]}
 */
export function recallList(key, isEntry) {
  const text = storedText(key) ?? "[]";
  const list = tryPart(key, () => JSON.parse(text), []);
  const entries = Array.isArray(list) ? list.filter(isEntry) : [];
  if (entries.length !== list?.length) failures.set(key, `dovemate-${key} = ${text.slice(0, 20)}`);
  return entries;
}

/**
 * Stores a value. Without storage it is lost when the page closes.
 *
 * @param {string} key
 * @param {string} value
 */
export const keep = (key, value) => tryPart("storage", () => localStorage.setItem(`dovemate-${key}`, value), undefined);

const isJapanese = () => navigator.language.startsWith("ja");
let language = recall("language", ["en", "ja"]) ?? (tryPart("language", isJapanese, false) ? "ja" : "en");

/** The language of the page: the browser's until the user switches. */
export const currentLanguage = () => language;

/** Switches to the other language. */
export function changeLanguage() {
  language = language === "en" ? "ja" : "en";
  keep("language", language);
}
