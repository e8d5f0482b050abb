// The visitor's GPU, by WebGPU. All that is the program's comes from `host`: see /api/count in doc/interface.md.

const WORD = 4;
/** The milliseconds after which a batch is given up, and in which a loss may explain another error. */
const PATIENCE = 120_000;
const GRACE = 500;

/** Why a GPU is of no use: a key of words.js and its parameters. */
export class Failed extends Error {
  /** `isWrong` if the GPU has computed something wrong, and is believed in nothing. */
  constructor(key, parameters = {}, isWrong = false) {
    super(key);
    Object.assign(this, { sentence: [key, parameters], isWrong });
  }
}

/** A driver's message in a line. */
const line = message => String(message).replace(/\s+/g, " ").trim().replace(/\.$/, "");

/** Divides boss placements with these numbers of slots into batches. Twin of src/gpu/count/plan.rs. */
export class Planner {
  constructor({ items, room }, slots) {
    Object.assign(this, { items, room, slots, nextUnit: 0, nextItem: 0 });
  }

  /** The next batch, of about this cost; null when all is planned. `slices` has the words of each slice. */
  next(cost) {
    const { room, slots } = this;
    const plan = { first: this.nextUnit, units: 0, finished: 0, cost: 0, slices: [] };
    const isFull = () => plan.slices.length && (plan.slices.length === 4 * room.slices || plan.cost >= cost);
    while (this.nextUnit < slots.length && plan.units < room.units && !isFull()) {
      const items = this.items[slots[this.nextUnit]];
      plan.cost += room.unit_cost;
      for (plan.units++; this.nextItem < items && !isFull(); ) {
        const taken = Math.min(room.items, items - this.nextItem);
        plan.slices.push(plan.units - 1, slots[this.nextUnit], this.nextItem, taken);
        plan.cost += taken;
        this.nextItem += taken;
      }
      if (this.nextItem < items) break;
      this.nextItem = 0;
      this.nextUnit++;
      plan.finished++;
    }
    return plan.units ? plan : null;
  }
}

/** What is sent with a batch: its own words, those of its boss placements, and those of its slices. */
export const upload = ({ first, units, slices }, placements, serial) =>
  [[units, slices.length / 4, serial], placements.slice(first, first + units), slices].map(words => Uint32Array.from(words));

/** The cost of the next batch. Twin of src/gpu/pace.rs. */
class Pace {
  constructor(numbers) {
    Object.assign(this, { numbers, cost: numbers.first_cost, rates: [] });
  }

  learn(cost, milliseconds) {
    const { growth, memory, target_ms: target } = this.numbers;
    this.rates = [...this.rates, cost / Math.max(milliseconds, 1e-3)].slice(-memory);
    this.cost = Math.max(1, Math.min(Math.floor(Math.min(...this.rates) * target), growth * this.cost));
  }
}

/** A device with everything that counts. */
export class Card {
  /** The best GPU that offers what is needed. */
  static async adapter(host) {
    if (!navigator.gpu) throw new Failed(isSecureContext ? "countNoWebGpu" : "countNotSecure");
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
    if (!adapter) throw new Failed("countNoAdapter");
    for (const [limit, needed] of Object.entries(host.limits)) {
      const offered = adapter.limits[limit];
      if (offered < needed) throw new Failed("countLimit", { limit, needed, offered });
    }
    return adapter;
  }

  /** Opens the best GPU. */
  static async open(host) {
    const adapter = await Card.adapter(host);
    const device = await adapter.requestDevice({ requiredLimits: host.limits }).catch(error => {
      throw new Failed("countNoDevice", { error: line(error.message) });
    });
    return new Card(host, adapter, device);
  }

  constructor(host, adapter, device) {
    const { vendor, architecture, device: model, description } = adapter.info;
    const isSoftware = adapter.info.isFallbackAdapter ?? false;
    Object.assign(this, { host, device, isSoftware, serial: 0, pipelines: new Map() });
    this.forgetPace();
    this.name = [vendor, architecture, model, description].filter(Boolean).join(" ") || "GPU";
    this.broken = new Promise((_, reject) => {
      device.lost.then(({ message, reason }) => reject(new Failed("countLost", { error: line(message || reason) })));
      device.addEventListener("uncapturederror", ({ error }) => reject(new Failed("countDriver", { error: line(error.message) })));
    });
    // Whoever waits for the device hears of it.
    this.broken.catch(() => {});
  }

  close() {
    this.device.destroy();
  }

  /** Forgets the pace: the work so far was not typical. */
  forgetPace() {
    this.pace = new Pace(this.host.pace);
  }

  /** Waits for work of the device, which may be lost, fail, or hang. */
  async within(work) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Failed("countTimeout", { seconds: PATIENCE / 1000 })), PATIENCE);
    });
    const failed = work.catch(async error => {
      await new Promise(resolve => setTimeout(resolve, GRACE));
      throw new Failed("countDriver", { error: line(error.message) });
    });
    return Promise.race([failed, this.broken, late]).finally(() => clearTimeout(timer));
  }

  buffer(bytes, usage) {
    return this.device.createBuffer({ size: bytes, usage });
  }

  filled(words, usage) {
    const buffer = this.buffer(WORD * words.length, usage | GPUBufferUsage.COPY_DST);
    this.device.queue.writeBuffer(buffer, 0, Uint32Array.from(words));
    return buffer;
  }

  async pipeline({ name, source, entry_point: entryPoint, overrides }) {
    if (!this.pipelines.has(name)) {
      const compute = { module: this.device.createShaderModule({ code: source }), entryPoint, constants: Object.fromEntries(overrides) };
      this.pipelines.set(name, await this.within(this.device.createComputePipelineAsync({ layout: "auto", compute })));
    }
    return this.pipelines.get(name);
  }

  /** A dispatch of a pipeline with these buffers as its bindings. */
  stage(pipeline, buffers, workgroups) {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    return { pipeline, group: this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }), workgroups };
  }

  /** Runs these stages one after another; the promise has the first bytes of `results`. */
  run(stages, results, download, bytes) {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const { pipeline, group, workgroups } of stages) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(workgroups);
    }
    pass.end();
    encoder.copyBufferToBuffer(results, 0, download, 0, bytes);
    this.device.queue.submit([encoder.finish()]);
    const words = download.mapAsync(GPUMapMode.READ, 0, bytes).then(() => {
      const words = new Uint32Array(download.getMappedRange(0, bytes).slice());
      download.unmap();
      return words;
    });
    return this.within(words);
  }

  /** Compiles the stages, makes the buffers, and compares what the kernels compute with their known answers. */
  async prepare() {
    const { host } = this;
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    [this.buildTables, this.countSlice] = [await this.pipeline(host.build_tables), await this.pipeline(host.count_slice)];
    const constants = this.filled(host.constants, STORAGE);
    const { units, slices } = host.room;
    this.idle = Array.from({ length: host.max_in_flight }, () => ({
      constants,
      batch: this.buffer(3 * WORD, UNIFORM | COPY_DST),
      placements: this.buffer(units * WORD, STORAGE | COPY_DST),
      slices: this.buffer(slices * 4 * WORD, STORAGE | COPY_DST),
      tables: this.buffer(units * host.table_bytes, STORAGE),
      counts: this.buffer(slices * host.count_bytes, STORAGE | COPY_SRC),
      download: this.buffer(slices * host.count_bytes, MAP_READ | COPY_DST),
    }));
    await this.test(host.barriers);
    for (const { tables, counts } of this.idle) {
      await this.test(host.large_tables, [tables]);
      await this.test(host.large_counts, [counts]);
    }
  }

  /** Fails if a kernel of the self-test does not compute what it must, with these buffers before that of its answer. */
  async test({ module, uniforms, workgroups, answer }, between = []) {
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    const pipeline = await this.pipeline(module);
    const bytes = answer.length * WORD;
    const [results, download] = [this.buffer(bytes, STORAGE | COPY_SRC), this.buffer(bytes, MAP_READ | COPY_DST)];
    const stages = uniforms.map(words => this.stage(pipeline, [this.filled(words, UNIFORM), ...between, results], workgroups));
    const found = await this.run(stages, results, download, bytes);
    if (answer.some((word, index) => word !== found[index])) throw new Failed("countSelfTest", { test: module.name }, true);
  }

  /** Sends a batch; it has its buffers, and the promise of its counts. */
  send(plan, placements) {
    this.serial++;
    const { idle, serial, host, device: { queue } } = this;
    const buffers = idle.pop();
    const [batch, words, slices] = upload(plan, placements, serial);
    queue.writeBuffer(buffers.batch, 0, batch);
    queue.writeBuffer(buffers.placements, 0, words);
    queue.writeBuffer(buffers.slices, 0, slices);
    const bytes = slices.length / 4 * host.count_bytes;
    const stages = [
      this.stage(this.buildTables, [buffers.batch, buffers.placements, buffers.tables], Math.ceil(plan.units / host.tables_per_workgroup)),
      this.stage(this.countSlice, [buffers.batch, buffers.constants, buffers.tables, buffers.slices, buffers.counts], slices.length / 4),
    ];
    const sent = performance.now();
    const counts = this.run(stages, buffers.counts, buffers.download, bytes);
    // An earlier batch may fail first.
    counts.catch(() => {});
    return { plan, serial, buffers, counts, sent };
  }

  /**
   * Counts on boss placements with these words and numbers of slots. `found` gets the index of each and its count, in
   * order; by then each slice is marked as done. Ends early when `isStopped` says so.
   */
  async count(placements, slots, found, isStopped = () => false) {
    const planner = new Planner(this.host, slots);
    const flights = [];
    let [lastDone, unfinished] = [0, 0];
    for (;;) {
      while (this.idle.length && !isStopped()) {
        const plan = planner.next(this.pace.cost);
        if (!plan) break;
        flights.push(this.send(plan, placements));
      }
      const flight = flights.shift();
      if (!flight) return;
      const counts = await flight.counts;
      const done = performance.now();
      this.pace.learn(flight.plan.cost, done - Math.max(lastDone, flight.sent));
      lastDone = done;
      this.idle.push(flight.buffers);
      const { first, finished } = flight.plan;
      const sums = summed(flight, counts);
      sums[0] += unfinished;
      for (let unit = 0; unit < finished; unit++) found(first + unit, sums[unit]);
      unfinished = sums[finished] ?? 0;
    }
  }
}

/** What a batch has found on each of its boss placements. Twin of `summed` in src/gpu/count/engine.rs. */
function summed({ plan: { units, slices }, serial }, counts) {
  const sums = new Array(units).fill(0);
  let undone = 0;
  for (let place = 0; place < slices.length; place += 4) {
    const [found, decided, mark] = counts.subarray(place / 4 * 3);
    const items = slices[place + 3];
    if (mark !== serial) undone++;
    else if (decided !== items) throw new Failed("countUndecided", { items, decided }, true);
    sums[slices[place]] += found;
  }
  if (undone) throw new Failed("countUndone", { undone, slices: slices.length / 4 });
  return sums;
}
