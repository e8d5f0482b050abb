// The library in a worker: it gets its module and what it is to know, then a question at a time.

import init, { Brain } from "./dovemate.js";

let take;
/** The brain, once it is there: questions that come before are answered then, in their order. */
const brain = new Promise(resolve => (take = resolve));

async function begin({ module, game, openings }) {
  await init({ module_or_path: module });
  const brain = new Brain(game);
  openings.forEach(bytes => brain.know(bytes));
  return brain;
}

onmessage = async ({ data }) => {
  if (data.begin) return take(begin(data.begin));
  const { method, args, reports } = data;
  try {
    const progress = reports ? [text => postMessage({ progress: text })] : [];
    postMessage({ answer: (await brain)[method](...args, ...progress) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
