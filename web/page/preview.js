// Actions that are pointed at or have the focus, anywhere on the page, drawn on the board.

/** Calls `draw` with the texts of the element with `data-preview` that is pointed at or has the focus, or with none. */
export function watchPreviews(draw) {
  let shown = "";
  const look = element => {
    const texts = element?.closest?.("[data-preview]")?.dataset.preview ?? "";
    if (texts === shown) return;
    shown = texts;
    draw(texts.split(" ").filter(Boolean));
  };
  document.addEventListener("pointerover", ({ target }) => look(target));
  document.addEventListener("focusin", ({ target }) => look(target));
  document.addEventListener("focusout", () => look(null));
}
