// Caches an installed page, so that it works offline. The cache is read only if the network fails or is too slow, or the
// server reports an error.

/** @type {any} */
const worker = self;

/** The name of this page's cache; one host may serve several pages. */
const CACHE = `dovemate ${worker.registration.scope}`;
const PAGE = "./";
const FILES = [PAGE, "icon.svg", "manifest.webmanifest", "manifest.ja.webmanifest"];
/** The mark of an installable page. Any other page at this address, such as a hotel's login page, is shown but not cached. */
const MARK = '<link rel="manifest" href="manifest.webmanifest">';
/** The time limit for the network. */
const NETWORK_MS = 4000;

/** The page's file at an address, if there is one. @param {string} address */
function fileOf(address) {
  const { origin, pathname } = new URL(address);
  const path = origin + pathname;
  if (!path.startsWith(worker.registration.scope)) return undefined;
  const name = path.slice(worker.registration.scope.length);
  return FILES.find(file => file === (name === "" || name === "index.html" ? PAGE : name));
}

/**
 * Loads a file, making the browser check with the server that its own cached copy is current.
 *
 * @param {Request | string} request
 */
const renew = request => fetch(request, { cache: "no-cache" });

/** Caches a response if it is the page's file; otherwise returns false. @param {string} file @param {Response} response */
async function keep(file, response) {
  if (!response.ok || response.redirected) return false;
  const text = await response.clone().text();
  if (file === PAGE && !text.includes(MARK)) return false;
  await (await caches.open(CACHE)).put(file, response);
  return true;
}

/** @param {string} file @param {Promise<Response>} renewed @returns {Promise<Response>} */
async function answer(file, renewed) {
  /** @type {Promise<null>} */
  const late = new Promise(resolve => setTimeout(() => resolve(null), NETWORK_MS));
  const found = await Promise.race([renewed.catch(() => null), late]);
  // The page of a server error is not the page asked for.
  if (found && found.status < 500) return found;
  return await (await caches.open(CACHE)).match(file) ?? renewed;
}

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  const begin = async (/** @type {string} */ file) => {
    if (!await keep(file, await renew(file))) throw new Error(file);
  };
  event.waitUntil(Promise.all(FILES.map(begin)));
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const file = event.request.method === "GET" && fileOf(event.request.url);
  if (!file) return;
  const renewed = renew(event.request);
  // Clone the response before the browser reads it.
  event.waitUntil(renewed.then(response => keep(file, response.clone())).catch(() => {}));
  event.respondWith(answer(file, renewed));
});
