// needs: layout.wgsl
// The data of stage 2, which counts on the boss placements of a batch.
// Twin of src/gpu/count/layout.rs, which lays out the constants.

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
    // deal_sets[slots]: the orders that deal different kinds to this many slots.
    deal_sets: array<OrderSet, KINDS + 1u>,
    // set_starts[slots]: where the sets for this many slots start in `opposing_sets`; they end where the next start.
    set_starts: array<u32, MAX_SLOTS + 2u>,
    opposing_sets: array<u32>,
}

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> constants: Constants;
@group(0) @binding(2) var<storage, read> tables: array<Table>;
@group(0) @binding(3) var<storage, read> placements: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: array<Result>;

// The actors of a group that matter to the category: for wins in one those that win, otherwise those with a safe
// action.
fn deciding_actors(table: u32, group: u32) -> u32 {
    if WHAT == WINS {
        return tables[table].wins[group];
    }
    return tables[table].groups[group] >> 16u;
}
