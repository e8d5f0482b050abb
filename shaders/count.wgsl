// Stage 2: one workgroup counts on one boss placement, and its invocations take the blocks in turn.
// Twin of src/gpu/count/layout.rs, where the same structs are.

// The category to count: MATES, WINS or STUCK.
override WHAT: u32;

// The result of a boss placement. src/gpu/count/batches.rs says when it is valid.
struct Result {
    found: u32,
    // The number of blocks decided, summed over the invocations.
    decided: u32,
    serial: u32,
}

// A set of orders, bit i % 32 of word i / 32 for the order with index i.
alias OrderSet = vec4<u32>;

// The constants of src/shapes/deals.rs.
struct Constants {
    // by_kinds[place][kinds]: the orders that have one of these kinds at this place.
    by_kinds: array<array<OrderSet, ALL_KINDS + 1u>, KINDS>,
    // deal_sets[slots]: the orders that deal different kinds to so many slots.
    deal_sets: array<OrderSet, KINDS + 1u>,
    // set_starts[slots]: where in `opposing_sets` those of this many slots start; they end where the next ones start.
    set_starts: array<u32, MAX_SLOTS + 2u>,
    opposing_sets: array<u32>,
}

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> constants: Constants;
@group(0) @binding(2) var<storage, read> tables: array<Table>;
@group(0) @binding(3) var<storage, read> placements: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: array<Result>;

var<workgroup> total: atomic<u32>;
var<workgroup> decided: atomic<u32>;
var<workgroup> overflowed: atomic<u32>;
// The opposing sets of the blocks that have deciding orders.
var<workgroup> open_blocks: array<u32, MAX_BLOCKS>;
var<workgroup> open_count: atomic<u32>;

// Clears the workgroup memory that is read before it is written: it is not zero at first. All invocations call this
// together.
fn clear_memory(lane: u32) {
    if lane == 0u {
        atomicStore(&total, 0u);
        atomicStore(&decided, 0u);
        atomicStore(&overflowed, 0u);
        atomicStore(&demand_count, 0u);
        atomicStore(&open_count, 0u);
    }
    workgroupBarrier(); // Guards the counters, cleared before they are added to; atomics only.
}

// The actors of a group that decide a position: those who win, or those with a safe action, who are not stuck.
fn deciding_actors(table: u32, group: u32) -> u32 {
    if WHAT == WINS {
        return tables[table].wins[group];
    }
    return tables[table].groups[group] >> 16u;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn count_placement(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let table = workgroup.x;
    clear_memory(lane);
    gather_demands(table, lane);
    let slots = countOneBits(cells_of(placements[table])) - 2u;
    let start = constants.set_starts[slots];
    let blocks = constants.set_starts[slots + 1u] - start;
    var found = 0u;
    var done = 0u;
    // Most blocks have no deciding orders. They are left out first, so that all invocations then have rows to count.
    // Two loops, as FXC rejects a barrier in a loop of two turns (X4026).
    for (var i = lane; i < blocks; i += WORKGROUP_SIZE) {
        let opposing = constants.opposing_sets[start + i];
        if any(deciding(table, slots, opposing) != OrderSet()) {
            open_blocks[atomicAdd(&open_count, 1u)] = opposing;
        } else {
            done++;
        }
    }
    workgroupBarrier(); // Guards open_blocks and open_count.
    let open = min(atomicLoad(&open_count), MAX_BLOCKS);
    for (var i = lane; i < open; i += WORKGROUP_SIZE) {
        let opposing = open_blocks[i];
        let orders = deciding(table, slots, opposing);
        settle(slots, opposing, orders);
        found += count_rows(orders);
        done++;
    }
    atomicAdd(&total, found);
    atomicAdd(&decided, done);
    if lane < GROUPS && clauses_of(tables[table].groups[lane]) > GROUP_CAPACITY {
        atomicAdd(&overflowed, 1u);
    }
    workgroupBarrier(); // Guards total, decided and overflowed, added to before they are read; atomics only.
    if lane == 0u {
        // A boss placement whose table did not fit is reported as one on which nothing was decided.
        let sound = select(0u, atomicLoad(&decided), atomicLoad(&overflowed) == 0u);
        results[table] = Result(atomicLoad(&total), sound, batch.serial);
    }
}
