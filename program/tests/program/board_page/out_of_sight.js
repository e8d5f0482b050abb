// What of the message and the board is not wholly in the window, and what of the message does not fit into it.
["#turn", "#status", "#notice", "#board"]
  .map(selector => document.querySelector(selector))
  .filter(element => element.textContent.trim() || element.id === "board")
  .filter(element => {
    const part = element.getBoundingClientRect();
    const room = element.id === "board" ? part : element.closest(".message").getBoundingClientRect();
    const bottom = Math.min(innerHeight, room.bottom + 1);
    return part.top < Math.max(0, room.top - 1) || part.bottom > bottom || part.left < 0 || part.right > innerWidth;
  })
  .map(element => element.id)
