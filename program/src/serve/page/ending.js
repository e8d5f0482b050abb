// Why a game is over, in words.

import { COLORS, closedSides, isSurrounded, opponent } from "./rules.js";
import { say } from "./words.js";

/** The players whose bosses are surrounded. */
export const surroundedIn = doves => COLORS.filter(color => doves[color === "red" ? "B" : "b"] && isSurrounded(doves, color));

/** Why the game is over in a position; an empty text if it goes on. */
export function whyOver(result, { doves, mover }) {
  if (!result) return "";
  if (result.why === "stuck") return say("stuck", { color: mover });
  return surroundedIn(doves).map(color => {
    const [above, left, right, below] = closedSides(doves, color).map(by => (by === "wall" ? say("wall") : by));
    const isOwn = color === opponent(mover);
    return say(isOwn ? "surroundedOwn" : "surroundedBy", { color, sides: say("sides", { above, left, right, below }) });
  }).join(" ");
}
