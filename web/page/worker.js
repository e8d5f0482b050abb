// The library in a worker: one message starts it; each later one calls a method, or stops the work on a GPU.

import init, { Brain } from "./dovemate.js";

/** @type {(brain: Promise<any>) => void} */
let take;
/** The library. Calls that arrive before it has started wait here, in order. @type {Promise<any>} */
const brain = new Promise(resolve => (take = resolve));

/** @param {{ module: WebAssembly.Module, game: string, openings: Uint8Array[] }} start */
async function begin({ module, game, openings }) {
  await init({ module_or_path: module });
  const brain = new Brain(game);
  openings.forEach(bytes => brain.know(bytes));
  return brain;
}

/** Falls back to a GPU that supports only part of WebGPU, because wgpu cannot request one. */
if (navigator.gpu) {
  const request = navigator.gpu.requestAdapter.bind(navigator.gpu);
  const compatible = /** @type {GPURequestAdapterOptions} */ ({ featureLevel: "compatibility" });
  navigator.gpu.requestAdapter = async options => await request(options) ?? request({ ...options, ...compatible });
}

onmessage = async ({ data }) => {
  if (data.begin) return take(begin(data.begin));
  if (data.stop) return (await brain).stop_gpu();
  const { method, args, reports } = data;
  try {
    const progress = reports ? [(/** @type {string} */ text) => postMessage({ progress: text })] : [];
    postMessage({ answer: await (await brain)[method](...args, ...progress) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
