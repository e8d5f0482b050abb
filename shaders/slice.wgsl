// Stage 2: one workgroup counts one slice, BLOCKS blocks at a time; exhaustive.wgsl counts a block's rows.
// Twin of src/gpu/count/layout.rs, where the same structs are.

// The category to count: MATES, WINS or STUCK.
override WHAT: u32;

struct Slice {
    // The table, by its index in the batch, and the number of slots of its boss placement.
    table: u32,
    slots: u32,
    first_item: u32,
    items: u32,
}

// The result of a slice. src/gpu/count/engine.rs says when it is valid.
struct Count {
    found: u32,
    // The number of items decided, summed over the invocations.
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
    // The orders: the kind on a player's n-th slot as one of the KINDS bits from KINDS·n.
    orders: array<u32, ORDERS>,
    // set_starts[slots][size]: where in `lists` the opposing sets of that size start.
    set_starts: array<array<u32, KINDS + 2u>, MAX_SLOTS + 1u>,
    lists: array<u32>,
}

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> constants: Constants;
@group(0) @binding(2) var<storage, read> tables: array<Table>;
@group(0) @binding(3) var<storage, read> slices: array<Slice>;
@group(0) @binding(4) var<storage, read_write> counts: array<Count>;

var<workgroup> total: atomic<u32>;
var<workgroup> decided: atomic<u32>;
var<workgroup> overflowed: atomic<u32>;

// Clears the workgroup memory that is read before it is written: it is not zero at first. All invocations call this
// together.
fn clear_memory(lane: u32) {
    if lane == 0u {
        atomicStore(&total, 0u);
        atomicStore(&decided, 0u);
        atomicStore(&overflowed, 0u);
        atomicStore(&demand_count, 0u);
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
fn count_slice(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    clear_memory(lane);
    let slice = slices[workgroup.x];
    gather_demands(slice.table, lane);
    let start = find_item(slice.slots, slice.first_item);
    let block = lane / LANES_PER_BLOCK;
    let lane_of_block = lane % LANES_PER_BLOCK;
    var found = 0u;
    var items = 0u;
    var listed = start.listed;
    var row = start.row;
    var left = slice.items;
    while left > 0u {
        if lane < BLOCKS {
            atomicStore(&block_demand_counts[lane], 0u);
        }
        workgroupBarrier(); // Guards block_demand_counts, cleared before it is added to; atomics only.
        // A block beyond the slice is settled, too, but none of its rows is counted.
        settle(slice, constants.lists[listed + block], block, lane_of_block);
        workgroupBarrier(); // Guards block_demands, block_demand_counts and deciding.
        for (var other = 0u; other < BLOCKS; other++) {
            let rows = min(deals(countOneBits(constants.lists[listed + other])) - row, left);
            if other == block {
                let counted = count_rows(block, row + lane_of_block, row + rows);
                found += counted.x;
                items += counted.y;
            }
            left -= rows;
            row = 0u;
        }
        listed += BLOCKS;
        workgroupBarrier(); // Guards the same, which the next turn overwrites.
    }
    atomicAdd(&total, found);
    atomicAdd(&decided, items);
    if lane < GROUPS && clauses_of(tables[slice.table].groups[lane]) > GROUP_CAPACITY {
        atomicAdd(&overflowed, 1u);
    }
    workgroupBarrier(); // Guards total, decided and overflowed, added to before they are read; atomics only.
    if lane == 0u {
        // A slice whose table did not fit is reported as having decided no item.
        let done = select(0u, atomicLoad(&decided), atomicLoad(&overflowed) == 0u);
        counts[workgroup.x] = Count(atomicLoad(&total), done, batch.serial);
    }
}
