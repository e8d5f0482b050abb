// The library in the page, as WebAssembly: an instance on the page's own thread for questions that take no time, and
// instances in workers for all others.

import init, { Brain, sumOfCounts as sumAsText } from "./dovemate.js";
import { currentLanguage } from "./storage.js";

/** The text that an exported page embeds under this name, or null. */
export const embedded = name => document.getElementById(name)?.textContent ?? null;
export const isExported = embedded("module") !== null;

export const queryOf = parameters => new URLSearchParams(parameters).toString();
export const yesOrNo = value => (value ? "yes" : "no");

/** The parameters that name a game. */
export const gameKey = ({ red, green, returns, bothSurrounded }) =>
  ({ red, green, returns: yesOrNo(returns), both_surrounded: bothSurrounded });

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

/** Bytes: embedded in the page under a name, compressed, or else a file of the server. */
async function load(name, file) {
  if (isExported) return unpacked(embedded(name));
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const [module, script] = await Promise.all([
  load("module", "dovemate.wasm").then(bytes => WebAssembly.compile(bytes)), load("worker", "worker.js"),
]);
await init({ module_or_path: module });
// Started from its text, a worker can begin even when the server has gone.
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

/** The remembered answers by their questions, the oldest first; and the most that are kept. */
const remembered = new Map();
const MOST_REMEMBERED = 2000;

/** As `ask`, for questions that are asked again and again: answers are remembered, so callers must not change them. */
export function askOnce(name, parameters = {}) {
  const question = [name, currentLanguage(), ...Object.values(parameters)].join("|");
  const answer = remembered.get(question) ?? ask(name, parameters);
  if (!answer.error) remembered.set(question, answer);
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value);
  return answer;
}

/** The version of the page, and the machine's levels, the weakest first. */
export const { version: PAGE_VERSION, levels: LEVELS } = ask("about");

/** The rows of several shares of a count, added up: `rows`, `total`, and the `csv`. */
export const sumOfCounts = (category, rows) => JSON.parse(sumAsText(category, JSON.stringify(rows)));

let openings = null;

/** The openings as bytes; those that cannot be loaded are left out. */
export function loadOpenings() {
  const file = name => load(`openings-${name}`, `openings/${name}.bin`).catch(() => null);
  openings ??= Promise.all(["returns", "no-returns"].map(file)).then(all => all.filter(Boolean));
  return openings;
}

/** Why a question has no answer: a sentence of the library's. */
export class Refused extends Error {
  sentence = ["refused", { error: this.message }];
}

/** The message for an error: a key of words.js and its parameters. */
export const sentenceOf = error => error.sentence ?? ["failed"];

/** The library in a worker, which answers one question after the other. */
export class Thinker {
  /** What waits for answers, in the order of the questions: {resolve, reject, signal, onProgress}. */
  waiting = [];
  worker = null;

  constructor({ knowsOpenings = true } = {}) {
    this.knowsOpenings = knowsOpenings;
  }

  /** Begins a worker, if there is none. */
  begin() {
    if (this.worker) return;
    const worker = new Worker(workerAddress);
    this.worker = worker;
    worker.onmessage = ({ data: { progress, answer, failed } }) => {
      if (this.worker !== worker) return;
      // The instance is dead; the next question begins another one.
      if (failed !== undefined) this.end(new Error(failed));
      else if (progress === undefined) this.waiting.shift().resolve(answer);
      else if (!this.waiting[0].signal?.aborted) this.waiting[0].onProgress(JSON.parse(progress));
    };
    worker.onerror = event => {
      event.preventDefault();
      this.end(new Error(event.message));
    };
    Promise.resolve(this.knowsOpenings ? loadOpenings() : []).then(openings =>
      worker.postMessage({ begin: { module, game: gameQuery, openings } }));
  }

  /** Ends the worker, with all that it knows. */
  end(why = new DOMException("ended", "AbortError")) {
    this.worker?.terminate();
    this.worker = null;
    this.waiting.splice(0).forEach(({ reject }) => reject(why));
  }

  /** Calls a method of the library's in the worker. After an abort, nobody waits for the answer. */
  call(method, args, signal, onProgress) {
    signal?.throwIfAborted();
    this.begin();
    this.worker.postMessage({ method, args, reports: Boolean(onProgress) });
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject, signal, onProgress });
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  /** The answer to a question. */
  async ask(name, parameters, signal, onProgress) {
    const answer = JSON.parse(await this.call("ask", [name, queryOf(parameters), currentLanguage()], signal, onProgress));
    if (answer.error) throw new Refused(answer.error);
    return answer;
  }
}
