// What of the message, the board, the buttons beside it and the rules is not wholly in the window, and what of the message
// does not fit into it.
["#turn", "#status", "#notice", "#board", "#beside", "#rules"]
  .map(selector => document.querySelector(selector))
  .filter(element => element.textContent.trim() || element.id === "board")
  .filter(element => {
    const part = element.getBoundingClientRect();
    const room = element.closest(".message")?.getBoundingClientRect() ?? part;
    // A font may be higher than its line, above and below of which nothing is drawn.
    const [font] = element.getClientRects();
    const { display, lineHeight } = getComputedStyle(element);
    const spare = 1 + (display === "inline" ? Math.max(0, font.height - parseFloat(lineHeight)) / 2 : 0);
    const bottom = Math.min(innerHeight, room.bottom + spare);
    return part.top < Math.max(0, room.top - spare) || part.bottom > bottom || part.left < 0 || part.right > innerWidth;
  })
  .map(element => element.id)
