// What the page can do without: each part is tried by itself, so that one that fails stops nothing else.

/** Why parts have failed, in the browser's words, by part: `part-` and its name are a key of words.js. */
export const failures = new Map();

/** The result of `action`; if it fails, that is noted of the part, and the result is `otherwise`. */
export function attempt(part, action, otherwise) {
  try {
    return action();
  } catch (error) {
    failures.set(part, error.message);
    return otherwise;
  }
}
