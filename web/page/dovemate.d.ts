// The module's JavaScript, which `web/build` makes: see web/src/border.rs.

export class Brain {
  constructor(game: string);
  know(openings: Uint8Array): boolean;
  ask(name: string, query: string, language: string, progress?: (text: string) => void): string;
  next_batch(): Uint32Array | undefined;
  take_counts(results: Uint32Array, milliseconds: number, stamps: BigUint64Array): string;
}
export function sumOfCounts(category: string, rows: string): string;
export default function init(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
