// card.js drives a GPU by WebGPU. It is typed here, as it is not checked.

import type { Sentence } from "./types.d.ts";

export class Failed extends Error {
  constructor(key: string, parameters?: object, isWrong?: boolean);
  sentence: Sentence;
  isWrong: boolean;
}
export class Card {
  static find(limits: Record<string, number>): Promise<unknown>;
  static open(host: unknown): Promise<Card>;
  name: string;
  isSoftware: boolean;
  device: { destroy(): void };
  prepare(): Promise<void>;
  work(
    next: () => Promise<Uint32Array | undefined>, take: (words: Uint32Array, milliseconds: number, stamps: BigUint64Array) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}
