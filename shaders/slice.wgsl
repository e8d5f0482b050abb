// Stage 2, for both methods: one workgroup counts what is asked for in one slice, its invocations taking the items in turn.
// The method's own file has count_items(slice, lane), which all invocations call together.

const MATES = 0u;
const WINS = 1u;
const STUCK = 2u;

// What is counted: one of the three.
override WHAT: u32;

struct Slice {
    // The table, by its place in the batch, and the boss placement's number of slots.
    table: u32,
    slots: u32,
    first_item: u32,
    items: u32,
}

struct Count {
    found: u32,
    // The batch's serial once the slice is done.
    done: u32,
}

// The constants of src/mates/orders.rs, see src/gpu/layout.rs.
struct Constants {
    // by_kinds[place][kinds][word]: the orders whose kind at the place is in the set.
    by_kinds: array<array<array<u32, 4>, 32>, KINDS>,
    // The orders: the kind on a player's n-th slot as one of the five bits from 5n.
    orders: array<u32, 120>,
    // Where in `lists` the opposing sets of a number of slots start that have a number of slots each.
    set_starts: array<array<u32, 7>, 11>,
    // Where in `lists` the items of the factored method start, by number of slots.
    item_starts: array<u32, 11>,
    lists: array<u32>,
}

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> constants: Constants;
@group(0) @binding(2) var<storage, read> tables: array<Table>;
@group(0) @binding(3) var<storage, read> slices: array<Slice>;
@group(0) @binding(4) var<storage, read_write> counts: array<Count>;

var<workgroup> total: atomic<u32>;
var<workgroup> overflowed: atomic<u32>;

// How many orders deal different kinds to a number of slots.
fn deals(slots: u32) -> u32 {
    switch slots {
        case 0u: { return 1u; }
        case 1u: { return 5u; }
        case 2u: { return 20u; }
        case 3u: { return 60u; }
        default: { return 120u; }
    }
}

// Who acts in a group to make a position what is counted: who wins, or who has a safe action and so is not stuck.
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
    let slice = slices[workgroup.x];
    gather_demands(slice.table, lane);
    atomicAdd(&total, count_items(slice, lane));
    if lane < GROUPS && clauses_of(tables[slice.table].groups[lane]) > GROUP_CAPACITY {
        atomicAdd(&overflowed, 1u);
    }
    workgroupBarrier();
    if lane == 0u {
        // A table that did not fit counts for nothing: the slice is not marked as done.
        let done = select(0u, batch.serial, atomicLoad(&overflowed) == 0u);
        counts[workgroup.x] = Count(atomicLoad(&total), done);
    }
}
