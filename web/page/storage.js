// What the browser keeps across reloads. If it keeps nothing, nothing breaks.

/** What was kept under a key, if it is one of these values; else null. */
export function recall(key, allowed) {
  try {
    const kept = localStorage.getItem(`dovemate-${key}`);
    return allowed.includes(kept) ? kept : null;
  } catch {
    return null; // Storage is switched off.
  }
}

/** What was kept under a key as JSON; null if there is nothing that can be read. */
export function recallJson(key) {
  try {
    return JSON.parse(localStorage.getItem(`dovemate-${key}`));
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(`dovemate-${key}`, value);
  } catch {
    // It is forgotten with the page.
  }
}
