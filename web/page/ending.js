// Why a game is over, in words.

import { opponent } from "./doves.js";
import { closedSides, endingOf, surroundedIn } from "./position.js";
import { say } from "./words.js";

/** Why the game is over in a position; an empty text if it goes on. */
export function whyOver(place) {
  const ending = endingOf(place);
  if (!ending) return "";
  const { mover } = place;
  if (ending.why === "stuck") return say("stuck", { color: mover });
  return surroundedIn(place).map(color => {
    const [above, left, right, below] = closedSides(place)[color].map(by => (by === "wall" ? say("wall") : by));
    const isOwn = color === opponent(mover);
    return say(isOwn ? "surroundedOwn" : "surroundedBy", { color, sides: say("sides", { above, left, right, below }) });
  }).join(" ");
}
