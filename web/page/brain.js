// The library as WebAssembly: one instance on the page's own thread for instant questions, others in workers.

/** @import { Asked, Answers, Game, Question, Sentence } from "./types.d.ts" */
/** @import { SumDocument, TallyRow } from "./documents.d.ts" */
import init, { Brain, sumOfCounts as sumAsText } from "./dovemate.js";
import { currentLanguage } from "./storage.js";

/** The text that an exported page embeds under this name, or null. @param {string} name */
export const embedded = name => document.getElementById(name)?.textContent ?? null;
export const isExported = embedded("module") !== null;

/** @param {object} parameters */
export const queryOf = parameters => new URLSearchParams(Object.entries(parameters)).toString();
/** @param {unknown} value */
export const yesOrNo = value => (value ? "yes" : "no");

/** The parameters that identify a game. @param {Game} game */
export const gameKey = ({ red, green, returns, bothSurrounded }) =>
  ({ red, green, returns: yesOrNo(returns), both_surrounded: bothSurrounded });

/** Decompresses a base64 text. @param {string} text */
async function unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  // On a phone, a callback for each of a million letters is slow.
  for (let index = 0; index < bytes.length; index++) bytes[index] = letters.charCodeAt(index);
  // In a page opened from a file, WebKit cannot read a Blob's stream.
  const body = /** @type {ReadableStream<BufferSource>} */ (new Response(bytes).body);
  return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());
}

/**
 * The bytes that an exported page embeds under a name; otherwise those of a file from the server.
 *
 * @param {string} name
 * @param {string} file
 */
async function load(name, file) {
  if (isExported) return unpacked(embedded(name) ?? "");
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const [module, script] = await Promise.all([
  load("module", "dovemate.wasm").then(bytes => WebAssembly.compile(bytes)), load("worker", "worker.js"),
]);
await init({ module_or_path: module });
// A worker from a blob can start even when the server is gone.
const workerAddress = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));

const { red = "", green = "", returns, bothSurrounded = "" } = document.body.dataset;
/** The page's game. */
export const PAGE_GAME = Object.freeze({ red, green, returns: returns === "yes", bothSurrounded });
/** The whole game under the default rules. */
export const FULL_GAME = Object.freeze({ red: "AYMTH", green: "AYMTH", returns: true, bothSurrounded: "mover-loses" });
const gameQuery = queryOf(gameKey(PAGE_GAME));
let brain = new Brain(gameQuery);

/**
 * The answer to an instant question, or an `error`.
 *
 * @template {Question} Q
 * @param {Q} name
 * @returns {Asked<Q>}
 */
export function ask(name, parameters = {}) {
  try {
    return JSON.parse(brain.ask(name, queryOf(parameters), currentLanguage()));
  } catch (error) {
    brain = new Brain(gameQuery);
    return /** @type {any} */ ({ error: String(error) });
  }
}

/** Cached answers by question, the oldest first. @type {Map<string, any>} */
const cached = new Map();
const MOST_CACHED = 2000;

/**
 * Like `ask`, but cached, so callers must not modify the answers.
 *
 * @template {Question} Q
 * @param {Q} name
 * @returns {Asked<Q>}
 */
export function askOnce(name, parameters = {}) {
  const question = [name, currentLanguage(), ...Object.values(parameters)].join("|");
  const answer = cached.get(question) ?? ask(name, parameters);
  if (!answer.error) cached.set(question, answer);
  const [oldest] = cached.keys();
  if (cached.size > MOST_CACHED) cached.delete(oldest);
  return answer;
}

/** The version of the page, and the engine's levels, weakest first. */
export const { version: PAGE_VERSION, levels: LEVELS } = /** @type {Answers["about"]} */ (ask("about"));

/** The sum of the shares of a count. @type {(category: string, rows: TallyRow[]) => SumDocument} */
export const sumOfCounts = (category, rows) => JSON.parse(sumAsText(category, JSON.stringify(rows)));

/** @type {Promise<Uint8Array[]> | null} */
let openings = null;

/** The openings as bytes, without files that failed to load. */
export function loadOpenings() {
  const file = (/** @type {string} */ name) => load(`openings-${name}`, `openings/${name}.bin`).catch(() => null);
  openings ??= Promise.all(["returns", "no-returns"].map(file)).then(all => all.filter(bytes => bytes !== null));
  return openings;
}

/** The library's refusal of a question, in a sentence. */
export class Refused extends Error {
  /** @type {Sentence} */
  sentence = ["refused", { error: this.message }];
}

/** The message for an error. @param {any} error @returns {Sentence} */
export const sentenceOf = error => error.sentence ?? ["failed"];

/** Whether an error means that a question was aborted. @param {unknown} error */
export const isAborted = error => error instanceof Error && error.name === "AbortError";

/** The library in a worker, which answers questions in order. */
export class Thinker {
  /**
   * Pending questions, the oldest first.
   *
   * @type {{ resolve: (answer: any) => void, reject: (error: Error) => void, signal?: AbortSignal, onProgress?: (progress: any) => void }[]}
   */
  waiting = [];
  /** @type {Worker | null} */
  worker = null;

  constructor({ knowsOpenings = true } = {}) {
    this.knowsOpenings = knowsOpenings;
  }

  /** Starts a worker if there is none. */
  begin() {
    if (this.worker) return;
    const worker = new Worker(workerAddress);
    this.worker = worker;
    worker.onmessage = ({ data: { progress, answer, failed } }) => {
      if (this.worker !== worker) return;
      // The instance is dead; the next question starts another one.
      if (failed !== undefined) this.end(new Error(failed));
      else if (progress === undefined) this.waiting.shift()?.resolve(answer);
      else if (!this.waiting[0].signal?.aborted) this.waiting[0].onProgress?.(JSON.parse(progress));
    };
    worker.onerror = event => {
      event.preventDefault();
      this.end(new Error(event.message));
    };
    Promise.resolve(this.knowsOpenings ? loadOpenings() : []).then(openings =>
      worker.postMessage({ begin: { module, game: gameQuery, openings } }));
  }

  /** Ends the worker, and frees its memory. @param {Error} why */
  end(why = new DOMException("ended", "AbortError")) {
    this.worker?.terminate();
    this.worker = null;
    this.waiting.splice(0).forEach(({ reject }) => reject(why));
  }

  /**
   * Calls a method of the library in the worker. After an abort its answer is discarded.
   *
   * @param {string} method
   * @param {unknown[]} args
   * @param {AbortSignal} [signal]
   * @param {(progress: any) => void} [onProgress]
   * @returns {Promise<any>}
   */
  call(method, args, signal, onProgress) {
    signal?.throwIfAborted();
    this.begin();
    this.worker?.postMessage({ method, args, reports: Boolean(onProgress) });
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject, signal, onProgress });
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  /** Stops the library's work on a GPU. */
  stop() {
    this.worker?.postMessage({ stop: true });
  }

  /**
   * The answer to a question.
   *
   * @template {Question} Q
   * @param {Q} name
   * @param {object} parameters
   * @param {AbortSignal} [signal]
   * @param {(progress: any) => void} [onProgress]
   * @returns {Promise<Answers[Q]>}
   */
  async ask(name, parameters, signal, onProgress) {
    const answer = JSON.parse(await this.call("ask", [name, queryOf(parameters), currentLanguage()], signal, onProgress));
    if (answer.error) throw new Refused(answer.error);
    return answer;
  }
}
