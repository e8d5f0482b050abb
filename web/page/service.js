// Keeps a page that is installed: what it has comes from here, so that it needs no network. VERSION is the page's own.

const KEPT = "dovemate VERSION";
const FILES = ["./", "icon.svg", "manifest.webmanifest"];

/** Removes the pages of other versions; other sites at this address keep theirs. */
async function tidy() {
  const others = (await caches.keys()).filter(name => name.startsWith("dovemate ") && name !== KEPT);
  await Promise.all(others.map(name => caches.delete(name)));
}

addEventListener("install", event => event.waitUntil(caches.open(KEPT).then(cache => cache.addAll(FILES))));
addEventListener("activate", event => event.waitUntil(tidy()));
addEventListener("fetch", event => event.respondWith(
  caches.match(event.request, { ignoreSearch: true }).then(kept => kept ?? fetch(event.request))));
