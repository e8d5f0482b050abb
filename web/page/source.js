// Sends questions that take time to the server or to a worker of the page.

/** @import { Answers, Effort, Game, Place, PuzzleWishes } from "./types.d.ts" */
/** @import { FoundPuzzle } from "./documents.d.ts" */
import { PAGE_VERSION, Refused, Thinker, gameKey, isAborted, isExported, loadOpenings, queryOf, yesOrNo } from "./brain.js";
import { codeOf, keyOf, kindsIn } from "./position.js";
import { currentLanguage } from "./storage.js";

/** The default time of a search, and the engine's time for an action. */
const SEARCH_SECONDS = 0.5;
const MACHINE_SECONDS = 2;
/** The time of one question to the worker during a search, so that the worker is soon free after an abort. */
const SLICE_SECONDS = 0.1;
/** The time limit for finding a puzzle, and the time of one question to the worker about it. */
const PUZZLE_MS = 60_000;
const PUZZLE_SECONDS = 0.5;
/** Maximum number of earlier boards in a question to the engine. */
const MOST_SEEN = 64;
/** The interval between attempts to reach a lost server. */
const RECONNECT_MS = 3000;
/** The delay before a page with a server starts a worker. */
const WORKER_DELAY_MS = 1000;
/** The time limit for one round of solving a game, because lack of memory may hang the worker. */
const ROUND_MS = 60_000;
/** Maximum number of kinds per player, besides the boss, in a game that the page solves. */
const MOST_SOLVED = 3;
/** Solved games that are kept: the visible one and the one that is compared with it. */
const MOST_SMALL_GAMES = 2;
/** The name of the program in the server's answers and refusals. */
const PROGRAM = "dovemate";

/** A random seed for the engine or for drawing puzzles. */
export const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

/** @param {Game} game */
const isSmall = game => [game.red, game.green].every(kinds => kinds === "-" || kinds.length <= MOST_SOLVED);
/** @param {Game} game */
const textOfGame = game => queryOf(gameKey(game));

/**
 * A small game: the worker that solves it, and answers questions about it; when that is done; how many questions wait for
 * it; and the last finished round.
 *
 * @typedef {{ thinker: Thinker, worker: Worker | null, done: Promise<void>, isDone: boolean, waiting: number, round: number }} SmallGame
 */

/**
 * The result of a promise, unless the signal aborts first.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
const unlessAborted = (promise, signal) => new Promise((resolve, reject) => {
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  promise.then(resolve, reject);
});

class Source {
  isServed = !isExported;
  thinker = new Thinker();
  /** The games for which the server knows values, as texts. @type {Set<string>} */
  served = new Set();
  /** The small games that the page has solved or is solving, each in a worker of its own, the one asked for last at the end. @type {Map<string, SmallGame>} */
  small = new Map();
  /** The games, as texts, that the page failed to solve, and searches instead. @type {Set<string>} */
  unsolved = new Set();
  /** Called with the key of a message, or without a key to redraw the page. @type {(key?: string) => void} */
  tell = () => {};

  constructor() {
    if (this.isServed) this.greet();
    // Prepare for the loss of the server, once the page is shown.
    loadOpenings();
    setTimeout(() => this.thinker.begin(), this.isServed ? WORKER_DELAY_MS : 0);
  }

  /** Asks the server for which games it knows values; returns whether its version is the page's. */
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

  /** Continues without the server until it is back. */
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

  /**
   * The server's answer. A reply in any other form comes from a proxy, so the server is lost.
   *
   * @template {keyof Answers} Q
   * @param {Q} name
   * @param {object} parameters
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answers[Q]>}
   */
  async askServer(name, parameters, signal) {
    const headers = { "Accept-Language": currentLanguage() };
    const response = await fetch(`api/${name}?${queryOf(parameters)}`, { headers, signal });
    const answer = await response.json();
    if (answer?.program !== PROGRAM) throw new TypeError(`${name}: ${response.status}`);
    if (!response.ok) throw new Refused(answer.error);
    return answer;
  }

  /**
   * A worker's answer. If the worker fails, a new one is asked, once.
   *
   * @template {keyof Answers} Q
   * @param {Thinker} thinker
   * @param {Q} name
   * @param {object} parameters
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answers[Q]>}
   */
  async askThinker(thinker, name, parameters, signal) {
    for (let isAgain = false; ; isAgain = true) {
      try {
        return await thinker.ask(name, parameters, signal);
      } catch (error) {
        if (isAgain || signal?.aborted || error instanceof Refused) throw error;
        if (!isAborted(error)) this.tell("failed");
      }
    }
  }

  /** The last finished round of a game that is being solved; null if it is not. @param {Game} game */
  roundOf(game) {
    const small = this.small.get(textOfGame(game));
    return small && !small.isDone ? small.round : null;
  }

  /**
   * Begins to solve a small game.
   *
   * @param {Game} game
   * @returns {SmallGame}
   */
  solve(game) {
    const text = textOfGame(game);
    const thinker = new Thinker();
    thinker.begin();
    /** @type {number | undefined} */
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => thinker.end(new Error("no round")), ROUND_MS);
    };
    const told = (/** @type {{ round: number }} */ { round }) => {
      wait();
      small.round = round;
      this.tell();
    };
    const solved = thinker.ask("solve", gameKey(game), undefined, told).then(() => {}, error => {
      if (this.small.get(text) === small) this.small.delete(text);
      if (isAborted(error)) throw error;
      this.unsolved.add(text);
      this.tell("cannotSolve");
    });
    const done = solved.finally(() => {
      clearTimeout(timer);
      small.isDone = true;
    });
    // If nobody waits any more, an end is no failure.
    done.catch(() => {});
    const small = { thinker, worker: thinker.worker, done, isDone: false, waiting: 0, round: 0 };
    wait();
    return small;
  }

  /**
   * The worker to ask about a small game, once it has solved the game: the common one if the game cannot be solved, for
   * example because memory ran out.
   *
   * @param {Game} game
   * @param {AbortSignal} [signal]
   */
  async solver(game, signal) {
    const text = textOfGame(game);
    if (this.unsolved.has(text)) return this.thinker;
    const earlier = this.small.get(text);
    const small = earlier && earlier.worker === earlier.thinker.worker ? earlier : this.solve(game);
    this.small.delete(text);
    this.small.set(text, small);
    small.waiting++;
    try {
      await unlessAborted(small.done, signal);
    } finally {
      small.waiting--;
    }
    return this.unsolved.has(text) ? this.thinker : small.thinker;
  }

  /** Ends the workers of games that are no longer needed: those of solves for which no question waits, and all but the last two. @param {Game} game */
  endOthers(game) {
    const others = [...this.small].filter(([text, { waiting }]) => text !== textOfGame(game) && !waiting);
    const old = others.length - MOST_SMALL_GAMES + 1;
    others.filter(([, { isDone }], index) => !isDone || index < old).forEach(([text, { thinker }]) => {
      this.small.delete(text);
      thinker.end();
    });
  }

  /**
   * Asks the server or the worker, each by its own function.
   *
   * @template T
   * @param {Game} game
   * @param {() => Promise<T>} fromServer
   * @param {(thinker: Thinker) => Promise<T>} fromThinker
   * @param {AbortSignal} [signal]
   */
  async ask(game, fromServer, fromThinker, signal) {
    this.endOthers(game);
    const isOwn = isSmall(game) && !this.served.has(textOfGame(game));
    if (this.isServed && !isOwn) {
      try {
        return await fromServer();
      } catch (error) {
        if (signal?.aborted || error instanceof Refused) throw error;
        this.lose();
      }
    }
    signal?.throwIfAborted();
    return fromThinker(isSmall(game) ? await this.solver(game, signal) : this.thinker);
  }

  /**
   * Asks about a position, with a limit on the effort. The page searches in slices, so that a search can be aborted quickly.
   *
   * @template {"position" | "line" | "play"} Q
   * @param {Q} name
   * @param {Place} place
   * @param {Effort} effort
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answers[Q]>}
   */
  search(name, place, { seconds = SEARCH_SECONDS, depth, ...others }, signal) {
    const parameters = { ...keyOf(place), ...(depth && { depth }) };
    const asked = { ...parameters, ...others };
    return this.ask(place.game, () => this.askServer(name, { ...asked, seconds }, signal), async thinker => {
      const end = performance.now() + 1000 * seconds;
      let answer;
      do {
        const left = (end - performance.now()) / 1000;
        answer = await this.askThinker(thinker, "position", { ...parameters, seconds: Math.max(0, Math.min(SLICE_SECONDS, left)) }, signal);
      } while (answer.out_of_time && performance.now() < end);
      return name === "position" ? /** @type {Answers[Q]} */ (answer) : this.askThinker(thinker, name, { ...asked, seconds: SLICE_SECONDS }, signal);
    }, signal);
  }

  /**
   * The actions of a position, best first.
   *
   * @param {Place} place
   * @param {Effort} effort
   * @param {AbortSignal} [signal]
   */
  position(place, effort = {}, signal) {
    return this.search("position", place, effort, signal);
  }

  /**
   * The principal variation.
   *
   * @param {Place} place
   * @param {Effort} effort
   * @param {AbortSignal} [signal]
   */
  line(place, effort = {}, signal) {
    return this.search("line", place, effort, signal);
  }

  /**
   * The engine's action at a level; `seen` are earlier positions with the opponent to move.
   *
   * @param {Place} place
   * @param {{ level: string, seed: number, seen: Place[], isDeep: boolean }} machine
   * @param {AbortSignal} [signal]
   */
  machine(place, { isDeep, seen, ...machine }, signal) {
    const earlier = seen.slice(-MOST_SEEN).map(codeOf).join();
    const asked = { ...machine, seconds: MACHINE_SECONDS, ...earlier && { seen: earlier } };
    if (isDeep) return this.search("play", place, asked, signal);
    const parameters = { ...keyOf(place), ...asked };
    return this.ask(
      place.game, () => this.askServer("play", parameters, signal), thinker => this.askThinker(thinker, "play", parameters, signal), signal);
  }

  /**
   * A puzzle; null if there is none, or none is found within the time limit. `doves` is a number, or "any"; `positions`,
   * if given, limits each search instead of the time.
   *
   * @param {Game} game
   * @param {PuzzleWishes} wishes
   * @param {number} seed
   * @param {AbortSignal} signal
   * @returns {Promise<FoundPuzzle | null>}
   */
  async puzzle(game, { plies, isUnique, doves, positions }, seed, signal) {
    const end = performance.now() + PUZZLE_MS;
    // Another seed continues at once, whereas `skip` would first repeat the earlier draws.
    for (let drawing = seed; performance.now() < end; drawing++) {
      const wanted = { plies, unique: yesOrNo(isUnique), seed: drawing, ...gameKey(game), ...doves !== "any" && { doves } };
      const limited = (/** @type {number} */ seconds) => ({ ...wanted, ...(positions ? { positions } : { seconds }) });
      // The more time each question has, the sooner the server finds that there is no such puzzle.
      const answer = await this.ask(game, () => this.askServer("puzzle", limited(2), signal),
        thinker => this.askThinker(thinker, "puzzle", limited(PUZZLE_SECONDS), signal), signal);
      if (answer.puzzle || !answer.possible) return answer.puzzle;
    }
    return null;
  }
}

export const source = new Source();
