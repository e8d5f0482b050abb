// Records what the frame in this page tells.
addEventListener("message", ({ data }) => {
  globalThis.told = data;
  document.body.dataset.ready = data.ready;
});
