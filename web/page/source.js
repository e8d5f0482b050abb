// Who answers the questions that take time: the server, if there is one, and otherwise the page itself, in a worker.

import { PAGE_VERSION, Refused, Thinker, gameKey, isExported, loadOpenings, queryOf, yesOrNo } from "./brain.js";
import { codeOf, keyOf, kindsIn } from "./position.js";
import { currentLanguage } from "./storage.js";

/** The usual seconds of a search, and those that a machine thinks. */
const SEARCH_SECONDS = 0.5;
const MACHINE_SECONDS = 2;
/** The seconds of one question to the worker, which is free again this soon after an abort. */
const SLICE_SECONDS = 0.1;
/** The milliseconds spent looking for a puzzle, and the seconds of one question about it. */
const PUZZLE_MS = 60_000;
const PUZZLE_SECONDS = 0.5;
/** The most boards that a machine is told of. */
const MOST_SEEN = 64;
/** The milliseconds after which a server that has gone is looked for again. */
const RECONNECT_MS = 3000;
/** The milliseconds after which a page with a server begins a worker. */
const WORKER_DELAY_MS = 1000;
/** The milliseconds without a round after which solving a game is given up, for example for lack of memory. */
const ROUND_MS = 60_000;
/** The most kinds of a player, besides the boss, in a game that the page solves. */
const MOST_SOLVED = 3;

/** A seed by which a machine plays, or puzzles are drawn. */
export const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

const isSmall = game => [game.red, game.green].every(kinds => kinds === "-" || kinds.length <= MOST_SOLVED);
const textOfGame = game => queryOf(gameKey(game));

class Source {
  isServed = !isExported;
  thinker = new Thinker();
  /** The games that the server knows without a search, as texts. */
  served = new Set();
  /** The game that is being solved in the page or is solved: {text, worker, done}. */
  solved = null;
  /** The games, as texts, that could not be solved here: their positions are searched. */
  unsolved = new Set();
  /** The round of solving that is finished; null if nothing is being solved. */
  round = null;
  /** Called with a key of words.js if there is something to say, or without one if the page has something new to show. */
  tell = () => {};

  constructor() {
    if (this.isServed) this.greet();
    // The page must be able to go on when its server ends, so it loads the openings and begins a worker; but its first view
    // comes first.
    loadOpenings();
    setTimeout(() => this.thinker.begin(), this.isServed ? WORKER_DELAY_MS : 0);
  }

  /** Asks the server what it knows; returns whether it is there. */
  async greet() {
    try {
      const { version, known } = await this.askServer("about", {});
      this.served = new Set(known.map(({ red, green, returns, both_surrounded: bothSurrounded }) =>
        textOfGame({ red: kindsIn(red), green: kindsIn(green), returns, bothSurrounded })));
      return version === PAGE_VERSION;
    } catch {
      return false;
    }
  }

  /** Goes on without the server until it is back. */
  lose() {
    if (!this.isServed) return;
    this.isServed = false;
    this.tell("serverGone");
    const look = async () => {
      if (!await this.greet()) return setTimeout(look, RECONNECT_MS);
      this.isServed = true;
      this.tell("serverBack");
    };
    setTimeout(look, RECONNECT_MS);
  }

  async askServer(name, parameters, signal) {
    const headers = { "Accept-Language": currentLanguage() };
    const response = await fetch(`api/${name}?${queryOf(parameters)}`, { headers, signal });
    const answer = await response.json();
    if (!response.ok) throw new Refused(answer.error);
    return answer;
  }

  /** The worker's answer. A worker that fails is replaced, and asked once more. */
  async askThinker(name, parameters, signal) {
    for (let isAgain = false; ; isAgain = true) {
      try {
        return await this.thinker.ask(name, parameters, signal);
      } catch (error) {
        if (isAgain || signal?.aborted || error instanceof Refused) throw error;
        if (error.name !== "AbortError") this.tell("failed");
      }
    }
  }

  /** Waits until a small game is solved in the worker, or cannot be, for example for lack of memory. */
  async solve(game) {
    const text = textOfGame(game);
    if (this.unsolved.has(text)) return;
    if (this.solved?.text !== text || this.solved.worker !== this.thinker.worker) {
      // Memory that a game took is free only when its worker ends.
      if (this.solved) this.thinker.end();
      this.thinker.begin();
      let timer;
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.solved === solved && this.thinker.end(new Error("no round")), ROUND_MS);
      };
      const told = ({ round }) => {
        wait();
        this.round = round;
        this.tell();
      };
      const done = this.thinker.ask("solve", gameKey(game), undefined, told).catch(error => {
        if (this.solved === solved) this.solved = null;
        if (error.name === "AbortError") throw error;
        this.unsolved.add(text);
        this.tell("cannotSolve");
      }).finally(() => {
        clearTimeout(timer);
        this.round = null;
      });
      const solved = { text, worker: this.thinker.worker, done };
      this.solved = solved;
      this.round = 0;
      wait();
    }
    await this.solved.done;
  }

  /** Asks the server by one function, or the page by another one. */
  async ask(game, fromServer, fromThinker, signal) {
    const isOwn = isSmall(game) && !this.served.has(textOfGame(game));
    if (this.isServed && !isOwn) {
      try {
        return await fromServer();
      } catch (error) {
        if (signal?.aborted || error instanceof Refused) throw error;
        this.lose();
      }
    }
    if (isSmall(game)) await this.solve(game);
    signal?.throwIfAborted();
    return fromThinker();
  }

  /** Asks about a position, with an effort. The page searches in slices first, so that an abort is soon done. */
  search(name, place, { seconds = SEARCH_SECONDS, depth, ...others }, signal) {
    const parameters = { ...keyOf(place), ...(depth && { depth }) };
    const asked = { ...parameters, ...others };
    return this.ask(place.game, () => this.askServer(name, { ...asked, seconds }, signal), async () => {
      const end = performance.now() + 1000 * seconds;
      let answer;
      do {
        const left = (end - performance.now()) / 1000;
        answer = await this.askThinker("position", { ...parameters, seconds: Math.max(0, Math.min(SLICE_SECONDS, left)) }, signal);
      } while (answer.out_of_time && performance.now() < end);
      return name === "position" ? answer : this.askThinker(name, { ...asked, seconds: SLICE_SECONDS }, signal);
    }, signal);
  }

  /** The actions of a position, best first. */
  position(place, effort = {}, signal) {
    return this.search("position", place, effort, signal);
  }

  /** The line of best play. */
  line(place, effort = {}, signal) {
    return this.search("line", place, effort, signal);
  }

  /** What a machine of this level plays; `seen` are positions that have come up with the opponent to move. */
  machine(place, { isDeep, seen, ...machine }, signal) {
    const asked = { ...machine, seconds: MACHINE_SECONDS };
    if (seen.length) asked.seen = seen.slice(-MOST_SEEN).map(codeOf).join();
    if (isDeep) return this.search("play", place, asked, signal);
    const parameters = { ...keyOf(place), ...asked };
    const ask = who => () => this[who]("play", parameters, signal);
    return this.ask(place.game, ask("askServer"), ask("askThinker"), signal);
  }

  /** A puzzle; null if there is none, or none is found in a minute. `doves` is a number, or "any"; `positions` limits each search in place of time. */
  async puzzle(game, { plies, isUnique, doves, positions }, seed, signal) {
    const end = performance.now() + PUZZLE_MS;
    // Another seed goes on at once, whereas `skip` would first repeat the earlier draws.
    for (let drawing = seed; performance.now() < end; drawing++) {
      const wanted = { plies, unique: yesOrNo(isUnique), seed: drawing, ...gameKey(game) };
      if (doves !== "any") wanted.doves = doves;
      const ask = (who, seconds) => () => this[who]("puzzle", { ...wanted, ...(positions ? { positions } : { seconds }) }, signal);
      // The more positions are drawn at a time, the sooner it is sure that none is left.
      const answer = await this.ask(game, ask("askServer", 2), ask("askThinker", PUZZLE_SECONDS), signal);
      if (answer.puzzle || !answer.possible) return answer.puzzle;
    }
    return null;
  }
}

export const source = new Source();
