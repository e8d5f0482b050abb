// The module's JavaScript, which `web/build` makes: see web/src/border.rs.

export class Brain {
  constructor(game: string);
  know(openings: Uint8Array): boolean;
  ask(name: string, query: string, language: string, progress?: (text: string) => void): string;
  look_for_gpu(language: string): Promise<string>;
  open_gpu(query: string, language: string): Promise<string>;
  count_on_gpu(language: string, progress: (text: string) => void): Promise<string>;
  stop_gpu(): void;
}
export function sumOfCounts(category: string, rows: string): string;
export default function init(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
