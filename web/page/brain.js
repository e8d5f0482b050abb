// The library in the page, as WebAssembly: an instance on the page's own thread for questions that take no time, and
// instances in workers for all others.

import init, { Brain, sumOfCounts as sumAsText } from "./dovemate.js";
import { currentLanguage } from "./language.js";

/** What an exported page has in it under this name: a text, or null. */
export const embedded = name => document.getElementById(name)?.textContent ?? null;

/** Whether this page has all that it needs in itself. */
export const isExported = embedded("module") !== null;

export const queryOf = parameters => new URLSearchParams(parameters).toString();

/** The parameters that name a game. */
export const gameKey = ({ red, green, returns, bothSurrounded }) =>
  ({ red, green, returns: returns ? "yes" : "no", both_surrounded: bothSurrounded });

/** The bytes that a base64 text holds, compressed. */
async function unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  // A function for each of two million letters would take a phone a while.
  for (let index = 0; index < bytes.length; index++) bytes[index] = letters.charCodeAt(index);
  // A stream of a Blob cannot be read in WebKit in a page from a file.
  const { body } = new Response(bytes);
  return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());
}

/** The bytes of a file of the server's. */
async function fetched(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** What the page has under a name, compressed, or else the server's file, as bytes. */
const load = (name, file) => (isExported ? unpacked(embedded(name)) : fetched(file));

const [module, script] = await Promise.all([
  load("module", "dovemate.wasm").then(bytes => WebAssembly.compile(bytes)), load("worker", "worker.js"),
]);
await init({ module_or_path: module });
// From its text, a worker begins also when the server has gone.
const workerAddress = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));

const { red, green, returns, bothSurrounded } = document.body.dataset;
/** The game of the page. */
export const PAGE_GAME = Object.freeze({ red, green, returns: returns === "yes", bothSurrounded });
/** The whole game by its usual rules. */
export const FULL_GAME = Object.freeze({ red: "AYMTH", green: "AYMTH", returns: true, bothSurrounded: "mover-loses" });
const gameQuery = queryOf(gameKey(PAGE_GAME));
let brain = new Brain(gameQuery);

/** The answer to a question that takes no time: {error} if it has none. */
export function ask(name, parameters = {}) {
  try {
    return JSON.parse(brain.ask(name, queryOf(parameters), currentLanguage()));
  } catch (error) {
    brain = new Brain(gameQuery);
    return { error: String(error) };
  }
}

/** The version of the page, and the machine's levels, the weakest first. */
export const { version: PAGE_VERSION, levels: LEVELS } = ask("about");

/** The rows of several shares of a count, added up: `rows`, `total`, and the `csv`. */
export const sumOfCounts = (category, rows) => JSON.parse(sumAsText(category, JSON.stringify(rows)));

let openings = null;

/** The openings as bytes; those that cannot be had are left out. */
export function loadOpenings() {
  const file = name => load(`openings-${name}`, `openings/${name}.bin`).catch(() => null);
  openings ??= Promise.all(["returns", "no-returns"].map(file)).then(all => all.filter(Boolean));
  return openings;
}

/** Why a question has no answer: a sentence of the library's. */
export class Refused extends Error {}

/** The library in a worker, which answers one question after the other. */
export class Thinker {
  constructor({ knowsOpenings = true } = {}) {
    this.knowsOpenings = knowsOpenings;
    this.waiting = new Map();
    this.sent = 0;
    this.worker = null;
  }

  /** Begins a worker, if there is none. */
  begin() {
    if (this.worker) return;
    const worker = new Worker(workerAddress);
    this.worker = worker;
    worker.onmessage = ({ data: { id, progress, answer, failed } }) => {
      const waiting = this.waiting.get(id);
      // The instance is dead; the next question begins another one.
      if (failed !== undefined) return this.end(new Error(failed));
      if (!waiting) return;
      if (progress !== undefined) return waiting.onProgress(JSON.parse(progress));
      this.waiting.delete(id);
      waiting.resolve(answer);
    };
    worker.onerror = event => {
      event.preventDefault();
      this.end(new Error(event.message));
    };
    const known = this.knowsOpenings ? loadOpenings() : Promise.resolve([]);
    known.then(openings => worker.postMessage({ begin: { module, game: gameQuery, openings } }));
  }

  /** Ends the worker, with all that it knows. */
  end(why = new DOMException("ended", "AbortError")) {
    this.worker?.terminate();
    this.worker = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    waiting.forEach(({ reject }) => reject(why));
  }

  /** Calls a method of the library's in the worker. After an abort, nobody waits for the answer. */
  call(method, args, signal, onProgress) {
    signal?.throwIfAborted();
    this.begin();
    const id = this.sent++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", () => this.waiting.delete(id) && reject(signal.reason), { once: true });
      this.worker.postMessage({ id, method, args, reports: Boolean(onProgress) });
    });
  }

  /** The answer to a question. */
  async ask(name, parameters, signal, onProgress) {
    const answer = JSON.parse(await this.call("ask", [name, queryOf(parameters), currentLanguage()], signal, onProgress));
    if (answer.error) throw new Refused(answer.error);
    return answer;
  }
}
