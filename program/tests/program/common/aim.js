// A press reaches the page only if it hits the element that it is aimed at, because an answer that arrives meanwhile
// may move or disable that element.
globalThis.aim = {
  selector: null,
  /** The element that was pressed, and whether it was clicked. */
  pressed: null,
  isClicked: false,

  /** Aims at the first element that the selector finds; its middle in the window, or null if there is none. */
  at(selector) {
    Object.assign(this, { selector, pressed: null, isClicked: false });
    const element = document.querySelector(selector);
    if (!element) return null;
    element.scrollIntoView({ block: "nearest" });
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  },

  /** Lets everything through again. */
  end() {
    this.selector = null;
  },
};

for (const kind of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
  addEventListener(kind, event => {
    if (aim.selector === null) return;
    if (kind === "pointerdown") aim.pressed = /** @type {Element} */ (event.target).closest(aim.selector);
    if (kind === "click") aim.isClicked = Boolean(aim.pressed?.contains(event.target));
    if (aim.pressed && (kind !== "click" || aim.isClicked)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, true);
}
