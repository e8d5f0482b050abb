// Faults of browsers and GPUs, for the scripts that run before those of the page.
Object.assign(tour, {
  /** This text in a shader is another one. */
  changeShaders(right, wrong) {
    const { prototype } = GPUDevice;
    const compile = prototype.createShaderModule;
    prototype.createShaderModule = function ({ code }) { return compile.call(this, { code: code.replace(right, wrong) }); };
  },

  /** Loses the device after this many batches. */
  loseDevice(batches) {
    const [open, submit] = [GPUAdapter.prototype.requestDevice, GPUQueue.prototype.submit];
    let [device, sent] = [null, 0];
    GPUAdapter.prototype.requestDevice = async function (...asked) { return device = await open.apply(this, asked); };
    GPUQueue.prototype.submit = function (work) {
      if (++sent === batches) device.destroy();
      return submit.call(this, work);
    };
  },

  /** From the first row that is finished nothing comes back until `goesOn`. */
  holdBatches() {
    const isFinished = () => document.querySelector("tr:nth-child(3) .good:not(:empty)") !== null;
    const map = GPUBuffer.prototype.mapAsync;
    GPUBuffer.prototype.mapAsync = async function (...asked) {
      await map.apply(this, asked);
      while (!globalThis.goesOn && (globalThis.isHeld || isFinished())) {
        globalThis.isHeld = true;
        await new Promise(resolve => setTimeout(resolve, 10));
      }
    };
  },

  /** A worker that is asked to solve a game says nothing, and a minute takes a second. */
  muteSolver() {
    const [post, set] = [Worker.prototype.postMessage, setTimeout];
    Worker.prototype.postMessage = function (data) { if (data.args?.[0] !== "solve") post.call(this, data); };
    globalThis.setTimeout = (work, time) => set(work, time === 60000 ? 1000 : time);
  },

  /** Shortens all intervals by this factor. */
  hasten(times) {
    const set = setInterval;
    globalThis.setInterval = (work, time) => set(work, time / times);
  },
});
