// Keeps a page that is installed, so that it needs no network: what stands at its address comes first, and what was kept
// comes where nothing does.

/** The cache of this page alone, as one host may have several. */
const KEPT = `dovemate ${registration.scope}`;
const PAGE = "./";
const FILES = [PAGE, "icon.svg", "manifest.webmanifest", "manifest.ja.webmanifest"];
/** What only an installed page has: another page at the address, such as a hotel's, is passed on and not kept. */
const MARK = '<link rel="manifest" href="manifest.webmanifest">';
/** The milliseconds after which a slow network counts as none. */
const PATIENCE_MS = 4000;

/** The file that an address means, if it is one of the page's. */
function fileOf(address) {
  const { origin, pathname } = new URL(address);
  const path = origin + pathname;
  if (!path.startsWith(registration.scope)) return undefined;
  const name = path.slice(registration.scope.length);
  return FILES.find(file => file === (name === "" || name === "index.html" ? PAGE : name));
}

/** What stands at the address now, whatever the browser's own cache has. */
const renew = request => fetch(request, { cache: "no-cache" });

/** Keeps a file when it has come whole; false if it is another one. */
async function keep(file, response) {
  if (!response.ok || response.redirected) return false;
  const text = await response.clone().text();
  if (file === PAGE && !text.includes(MARK)) return false;
  await (await caches.open(KEPT)).put(file, response);
  return true;
}

async function answer(file, renewed) {
  const late = new Promise(resolve => setTimeout(resolve, PATIENCE_MS));
  const found = await Promise.race([renewed.catch(() => null), late]);
  // An error of a host is no page.
  if (found?.status < 500) return found;
  return await (await caches.open(KEPT)).match(file) ?? renewed;
}

addEventListener("install", event => {
  skipWaiting();
  const begin = async file => {
    if (!await keep(file, await renew(file))) throw new Error(file);
  };
  event.waitUntil(Promise.all(FILES.map(begin)));
});
addEventListener("fetch", event => {
  const file = event.request.method === "GET" && fileOf(event.request.url);
  if (!file) return;
  const renewed = renew(event.request);
  // Its copy is made before the browser reads it.
  event.waitUntil(renewed.then(response => keep(file, response.clone())).catch(() => {}));
  event.respondWith(answer(file, renewed));
});
