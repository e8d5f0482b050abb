// Faults of browsers and GPUs, for the scripts that run before those of the page.
Object.assign(tour, {
  /**
   * Runs a function in the workers of the page, which use the GPU, before their own script. What `tell` is given in the
   * page or in a worker becomes global in both.
   */
  inWorkers(work, ...parameters) {
    const share = () => {
      const channel = new BroadcastChannel("tour");
      channel.onmessage = ({ data }) => Object.assign(globalThis, data);
      globalThis.tell = data => channel.postMessage(Object.assign(globalThis, data) && data);
    };
    share();
    const script = `(${share})(); (${work})(...${JSON.stringify(parameters)});\n`;
    globalThis.Blob = class extends Blob {
      constructor(parts, options) { super(options?.type === "text/javascript" ? [script, ...parts] : parts, options); }
    };
  },

  /** Replaces this text in a shader by another one. */
  changeShaders(right, wrong) {
    tour.inWorkers((right, wrong) => {
      const { prototype } = GPUDevice;
      const compile = prototype.createShaderModule;
      prototype.createShaderModule = function ({ code }) { return compile.call(this, { code: code.replace(right, wrong) }); };
    }, right, wrong);
  },

  /** Lets a GPU have these limits, which are lower than its own. */
  lowerLimits(low) {
    tour.inWorkers(low => {
      const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, "limits");
      const lowered = limits => new Proxy(limits, { get: (limits, name) => low[name] ?? limits[name] });
      Object.defineProperty(GPUAdapter.prototype, "limits", { get() { return lowered(get.call(this)); } });
    }, low);
  },

  /** Loses the device after this many batches. */
  loseDevice(batches) {
    tour.inWorkers(batches => {
      const [open, submit] = [GPUAdapter.prototype.requestDevice, GPUQueue.prototype.submit];
      let [device, sent] = [null, 0];
      GPUAdapter.prototype.requestDevice = async function (...asked) { return device = await open.apply(this, asked); };
      GPUQueue.prototype.submit = function (work) {
        if (++sent === batches) device.destroy();
        return submit.call(this, work);
      };
    }, batches);
  },

  /** Once the first rows are finished, nothing comes back until `goesOn` is told. */
  holdBatches() {
    tour.inWorkers(() => {
      const [map, post] = [GPUBuffer.prototype.mapAsync, postMessage];
      let rows = 0;
      globalThis.postMessage = data => {
        if (data.progress) rows = JSON.parse(data.progress).rows?.length ?? 0;
        post(data);
      };
      GPUBuffer.prototype.mapAsync = async function (...asked) {
        await map.apply(this, asked);
        while (!globalThis.goesOn && rows > 3) {
          tell({ isHeld: true });
          await new Promise(resolve => setTimeout(resolve, 10));
        }
      };
    });
  },

  /** A method of WebGPU never gives a result; when it is called, it tells `isAsked`. */
  waitFor(type, method) {
    tour.inWorkers((type, method) => {
      globalThis[type].prototype[method] = () => {
        tell({ isAsked: true });
        return new Promise(() => {});
      };
    }, type, method);
  },

  /** A worker that is asked to solve a game says nothing, and a timeout of a minute takes a second. */
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
