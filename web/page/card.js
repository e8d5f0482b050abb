// The visitor's GPU, by WebGPU: buffers and dispatches. What is sent there, and whether what comes back is right, the
// library decides: see `gpu` in doc/interface.md, where `host` comes from.

const WORD_BYTES = 4;
/** The bytes of two times by the GPU's clock, which come before the results in a download. */
const CLOCK_BYTES = 16;
/**
 * The seconds after which work on the GPU is given up; those to find or open one; and the milliseconds to wait for a loss
 * that explains another error.
 */
const WORK_SECONDS = 120;
const OPENING_SECONDS = 20;
const GRACE_MS = 500;

/** Why a GPU is of no use: a key of words.js and its parameters. */
export class Failed extends Error {
  /** `isWrong` if the GPU returned a wrong result: everything that it computed is discarded. */
  constructor(key, parameters = {}, isWrong = false) {
    super(key);
    Object.assign(this, { sentence: [key, parameters], isWrong });
  }
}

/** A driver's message in a line. */
const line = message => String(message).replace(/\s+/g, " ").trim().replace(/\.$/, "");

/** The result of `work`, unless it takes longer than `limit` seconds. Time in which the computer slept does not count. */
function within(limit, key, work) {
  let [timer, seconds] = [null, 0];
  const late = new Promise((_, reject) => {
    timer = setInterval(() => ++seconds === limit && reject(new Failed(key, { seconds })), 1000);
  });
  return Promise.race([work, late]).finally(() => clearInterval(timer));
}

/** What WebGL says of a GPU, for browsers whose WebGPU says nothing. */
function nameByWebGl() {
  const gl = document.createElement("canvas").getContext("webgl");
  return gl && gl.getParameter(gl.RENDERER);
}

/** A device with everything that counts. */
export class Card {
  /** The best GPU that offers what is needed. */
  static async find(limits) {
    if (!navigator.gpu) throw new Failed(isSecureContext ? "countNoWebGpu" : "countNotSecure");
    const request = options => within(OPENING_SECONDS, "countNoAnswer",
      navigator.gpu.requestAdapter({ powerPreference: "high-performance", ...options }).catch(() => null));
    const adapter = await request() ?? await request({ featureLevel: "compatibility" });
    if (!adapter) throw new Failed("countNoAdapter");
    const isLow = ([limit, needed]) => adapter.limits[limit] < needed;
    const low = Object.entries(limits).filter(isLow).map(([limit, needed]) => `${limit} = ${adapter.limits[limit]} (${needed})`);
    if (low.length) throw new Failed("countLimits", { limits: low.join(", ") });
    return adapter;
  }

  /** Opens the best GPU. */
  static async open(host) {
    const adapter = await Card.find(host.limits);
    const requiredFeatures = ["timestamp-query"].filter(feature => adapter.features.has(feature));
    const device = adapter.requestDevice({ requiredLimits: host.limits, requiredFeatures }).catch(error => {
      throw new Failed("countNoDevice", { error: line(error.message) });
    });
    const opened = await within(OPENING_SECONDS, "countNoAnswer", device).catch(error => {
      device.then(late => late.destroy(), () => {});
      throw error;
    });
    return new Card(host, adapter, opened);
  }

  constructor(host, adapter, device) {
    const { vendor, architecture, device: model, description, isFallbackAdapter = false } = adapter.info;
    Object.assign(this, { host, device, isSoftware: isFallbackAdapter, downloads: [] });
    this.name = [vendor, architecture, model, description].filter(Boolean).join(" ") || nameByWebGl() || "GPU";
    this.broken = new Promise((_, reject) => {
      device.lost.then(({ message, reason }) => reject(new Failed("countLost", { error: line(message || reason) })));
      device.addEventListener("uncapturederror", ({ error }) => reject(new Failed("countDriver", { error: line(error.message) })));
    });
    // Whoever waits for the device gets this error; here it is only marked as handled.
    this.broken.catch(() => {});
  }

  /** Waits for work of the device, which may be lost, fail, or hang. */
  within(work) {
    const failed = work.catch(async error => {
      await new Promise(resolve => setTimeout(resolve, GRACE_MS));
      throw new Failed("countDriver", { error: line(error.message) });
    });
    return within(WORK_SECONDS, "countTimeout", Promise.race([failed, this.broken]));
  }

  buffer(bytes, usage) {
    return this.device.createBuffer({ size: bytes, usage });
  }

  filled(words, usage) {
    const buffer = this.buffer(WORD_BYTES * words.length, usage | GPUBufferUsage.COPY_DST);
    this.device.queue.writeBuffer(buffer, 0, Uint32Array.from(words));
    return buffer;
  }

  pipeline({ source, entry_point: entryPoint, overrides }) {
    const compute = { module: this.device.createShaderModule({ code: source }), entryPoint, constants: Object.fromEntries(overrides) };
    return this.within(this.device.createComputePipelineAsync({ layout: "auto", compute }));
  }

  /** A pipeline with these buffers as its bindings. */
  stage(pipeline, buffers) {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    return { pipeline, group: this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }) };
  }

  /** A buffer for the results of one batch in flight, with timestamp queries if the GPU has them. */
  download() {
    const { device, host: { placements_in_batch: placements, result_words: words } } = this;
    const { MAP_READ, COPY_DST, COPY_SRC, QUERY_RESOLVE } = GPUBufferUsage;
    const buffer = this.buffer(CLOCK_BYTES + placements * words * WORD_BYTES, MAP_READ | COPY_DST);
    if (!device.features.has("timestamp-query")) return { buffer };
    const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
    const clock = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    return { buffer, clock, times: this.buffer(CLOCK_BYTES, QUERY_RESOLVE | COPY_SRC) };
  }

  /**
   * Dispatches stages, each with its number of workgroups; the promise is of the first bytes of `results`, and of when
   * the GPU began and ended by its own clock, in nanoseconds, if it has one.
   */
  async run(stages, results, bytes) {
    const download = this.downloads.pop() ?? this.download();
    const { buffer, clock, times } = download;
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass(clock && { timestampWrites: clock });
    for (const [{ pipeline, group }, workgroups] of stages) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(workgroups);
    }
    pass.end();
    if (clock) {
      encoder.resolveQuerySet(clock.querySet, 0, 2, times, 0);
      encoder.copyBufferToBuffer(times, 0, buffer, 0, CLOCK_BYTES);
    }
    encoder.copyBufferToBuffer(results, 0, buffer, CLOCK_BYTES, bytes);
    this.device.queue.submit([encoder.finish()]);
    await this.within(buffer.mapAsync(GPUMapMode.READ, 0, CLOCK_BYTES + bytes));
    const mapped = buffer.getMappedRange(0, CLOCK_BYTES + bytes).slice();
    buffer.unmap();
    this.downloads.push(download);
    return { words: new Uint32Array(mapped, CLOCK_BYTES), stamps: new BigUint64Array(mapped, 0, clock ? 2 : 0) };
  }

  /** Compiles the stages, makes the buffers, and compares what the kernels compute with their known answers. */
  async prepare() {
    const { host } = this;
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const placements = host.placements_in_batch;
    const [tables, counts] = [await this.pipeline(host.build_tables), await this.pipeline(host.count_placement)];
    // A queue works on one batch after the other, so batches can share buffers.
    this.buffers = {
      batch: this.buffer(host.head_words * WORD_BYTES, UNIFORM | COPY_DST),
      placements: this.buffer(placements * WORD_BYTES, STORAGE | COPY_DST),
      tables: this.buffer(placements * host.table_bytes, STORAGE),
      results: this.buffer(placements * host.result_words * WORD_BYTES, STORAGE | COPY_SRC),
    };
    const all = { ...this.buffers, constants: this.filled(host.constants, STORAGE) };
    this.buildTables = this.stage(tables, [all.batch, all.placements, all.tables]);
    this.countPlacements = this.stage(counts, [all.batch, all.constants, all.tables, all.placements, all.results]);
    for (const { name, module, uniforms, workgroups, answer, buffer } of host.known) {
      const pipeline = await this.pipeline(module);
      const bytes = answer.length * WORD_BYTES;
      const results = this.buffer(bytes, STORAGE | COPY_SRC);
      const between = buffer ? [all[buffer]] : [];
      const stages = uniforms.map(words => [this.stage(pipeline, [this.filled(words, UNIFORM), ...between, results]), workgroups]);
      const { words } = await this.run(stages, results, bytes);
      if (answer.some((word, index) => word !== words[index])) throw new Failed("countSelfTest", { test: name }, true);
    }
  }

  /** Sends the words of a batch: those that are uniform, and one for each boss placement. */
  send(words) {
    const { buffers, host, device: { queue } } = this;
    const number = words.length - host.head_words;
    queue.writeBuffer(buffers.batch, 0, words, 0, host.head_words);
    queue.writeBuffer(buffers.placements, 0, words, host.head_words);
    const stages = [[this.buildTables, Math.ceil(number / host.tables_per_workgroup)], [this.countPlacements, number]];
    const returned = this.run(stages, buffers.results, number * host.result_words * WORD_BYTES);
    // An earlier batch may fail first.
    returned.catch(() => {});
    return { returned, sent: performance.now() };
  }

  /**
   * Works until `next` has no more batches, or the signal is aborted. `take` gets the results of each batch in turn, the
   * milliseconds that it took, and when the GPU began and ended it.
   */
  async work(next, take, signal) {
    const flights = [];
    for (let last = 0; ; ) {
      let words;
      while (flights.length < this.host.max_in_flight && !signal.aborted && (words = await next())) flights.push(this.send(words));
      if (signal.aborted || !flights.length) return;
      const { returned, sent } = flights.shift();
      const { words: results, stamps } = await returned;
      const now = performance.now();
      const taken = take(results, now - Math.max(last, sent), stamps);
      last = now;
      await taken;
    }
  }
}
