// Whether the user reached what has the focus by keys or by a pointer: `:focus-visible` becomes true with the next key.

let isByPointer = false;

export const isReachedByKeys = () => !isByPointer;

/** Keys have moved the focus. */
export function reachByKeys() {
  isByPointer = false;
}

addEventListener("pointerdown", () => { isByPointer = true; }, true);
addEventListener("keydown", ({ key }) => key === "Tab" && reachByKeys(), true);
