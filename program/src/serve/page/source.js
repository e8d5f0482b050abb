// Where values come from: the server, or what is in an exported page.

import { Offline, PATIENCE, THINKING } from "./offline.js";
import { Openings, inflated } from "./openings.js";
import { boardText, codeOf } from "./rules.js";
import { Solved } from "./solved.js";
import { currentLanguage } from "./words.js";

const key = game => ({
  red: game.red, green: game.green, returns: game.returns ? "yes" : "no", both_surrounded: game.bothSurrounded,
});

/** The most seconds of one question: the more positions are drawn at a time, the sooner it is sure that none is left. */
const LONGEST = 2;
/** The most boards that a machine is told of. */
const MOST_SEEN = 64;

/** Why a question is not answered: a sentence of the server's. */
export class Refused extends Error {}

/** The message for an error: a key of words.js and its parameters. */
export const sentenceOf = error => (error instanceof Refused ? ["refused", { error: error.message }] : ["offline"]);

/** The server's answers. */
class Server {
  isServer = true;

  async ask(path, parameters, signal) {
    const headers = { "Accept-Language": currentLanguage() };
    const response = await fetch(`api/${path}?${new URLSearchParams(parameters)}`, { headers, signal });
    const answer = await response.json();
    if (!response.ok) throw new Refused(answer.error);
    return answer;
  }

  place({ doves, mover, game }) {
    return { board: boardText(doves), to_move: mover, ...key(game) };
  }

  position(place, effort = {}, signal) {
    return this.ask("position", { ...this.place(place), ...effort }, signal);
  }

  line(place, effort = {}, signal) {
    return this.ask("line", { ...this.place(place), ...effort }, signal);
  }

  /** What a machine of this level plays, {action, value}; `seen` are boards that have come up with the opponent to move. */
  async play(place, { level, seed, seen }, signal) {
    const machine = { level, seed, seconds: THINKING };
    if (seen.length) machine.seen = seen.slice(-MOST_SEEN).map(codeOf).join();
    return (await this.ask("play", { ...this.place(place), ...machine }, signal)).choice;
  }

  /** A puzzle; null if there is none, or none is found in a minute. `doves` is a number, or "any". */
  async puzzle(game, { plies, isUnique, doves }, seed, signal) {
    const end = performance.now() + PATIENCE;
    // Another seed goes on at once, whereas `skip` would first repeat the earlier draws.
    for (let drawing = seed; performance.now() < end; drawing++) {
      const wanted = { plies, unique: isUnique ? "yes" : "no", seed: drawing, seconds: LONGEST, ...key(game) };
      if (doves !== "any") wanted.doves = doves;
      const answer = await this.ask("puzzle", wanted, signal);
      if (answer.puzzle || !answer.possible) return answer.puzzle;
    }
    return null;
  }
}

/** What is in an exported page under this name; null in any other. */
const read = name => JSON.parse(document.getElementById(name)?.textContent ?? "null");
const [solved, openings] = [read("solved"), read("openings")];
const values = solved ? new Solved(solved) : openings && new Openings(openings);
export const source = values ? new Offline(values, read("model")) : new Server();

/** What counts all mates in this browser: from the server, or from the page. */
export async function countHost() {
  const packed = read("count");
  return packed ? JSON.parse(new TextDecoder().decode(await inflated(packed))) : source.ask("count", {});
}
