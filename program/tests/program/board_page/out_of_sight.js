// What of the message, the board, the buttons beside it and the rules is not wholly in the window, and what of the message
// does not fit into it.
["#turn", "#status", "#notice", "#board", "#beside", "#rules"]
  .map(selector => document.querySelector(selector))
  .filter(element => element.textContent.trim() || element.id === "board")
  .filter(element => {
    const part = element.getBoundingClientRect();
    const room = element.closest(".message")?.getBoundingClientRect() ?? part;
    const bottom = Math.min(innerHeight, room.bottom + 1);
    return part.top < Math.max(0, room.top - 1) || part.bottom > bottom || part.left < 0 || part.right > innerWidth;
  })
  .map(element => element.id)
