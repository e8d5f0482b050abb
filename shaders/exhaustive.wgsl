// needs: demands.wgsl
// Stage 2: one workgroup counts on one boss placement, and its invocations take the blocks in turn.
//
// The exhaustive method: every assignment is tested, those of a row at once. A block is a boss placement with a
// choice of the opponent's slots; it has a row for each order of the opponent's doves, and in the row a bit for each
// order of the mover's. Twin of src/count/exhaustive.rs, which has a drawing of a block; functions that both have bear
// the same name.

// A demand in a block: a row either meets it or has none of the orders that it forbids.
struct BlockDemand {
    // The mover's deciding orders that have one of its actions.
    forbidden: OrderSet,
    // The opponent's orders that have one of its refuters.
    met: OrderSet,
}

// The block of an invocation: its rows, which are the opponent's orders that meet every demand that forbids all
// deciding orders; and the demands that forbid only some.
var<private> block_rows: OrderSet;
var<private> block_demands: array<BlockDemand, MAX_DEMANDS>;
var<private> block_demand_count: u32;

// The mover's deciding orders in a block: for mates, those with an action that does not lose outright, except those
// forbidden by a demand that no row can meet; for wins in one, those with a winning action; for stuck positions, those
// with which every action loses outright.
fn deciding(table: u32, slots: u32, opposing: u32) -> OrderSet {
    let mine = ~opposing & ((1u << slots) - 1u);
    let orders = acting(table, mine);
    var left = select(orders, ~orders, WHAT == STUCK) & constants.deal_sets[countOneBits(mine)];
    if WHAT == MATES {
        let count = min(atomicLoad(&demand_count), MAX_DEMANDS);
        for (var i = 0u; i < count && any(left != OrderSet()); i++) {
            if !is_refutable(demands[i], opposing) {
                left &= ~forbidden(demands[i], mine);
            }
        }
    }
    return left;
}

// Sets up the invocation's block: these slots are the opponent's, and these orders decide.
fn settle(slots: u32, opposing: u32, deciding: OrderSet) {
    let mine = ~opposing & ((1u << slots) - 1u);
    block_rows = constants.deal_sets[countOneBits(opposing)];
    block_demand_count = 0u;
    if WHAT != MATES {
        return;
    }
    let count = min(atomicLoad(&demand_count), MAX_DEMANDS);
    for (var i = 0u; i < count; i++) {
        let demand = demands[i];
        // Either a put meets the demand in every row, or no row can meet it and its orders are not in `deciding`.
        if is_refuted_by_a_put(demand, opposing) || !may_refute(demand, opposing) {
            continue;
        }
        let orders = forbidden(demand, mine) & deciding;
        let met = orders_with(demand.refuters, opposing);
        if all(orders == deciding) {
            block_rows &= met;
        } else if any(orders != OrderSet()) {
            block_demands[block_demand_count] = BlockDemand(orders, met);
            block_demand_count++;
        }
    }
}

// The mover's orders that are in the category in one row of `block_rows`: the one at this bit of this word.
fn row(deciding: OrderSet, word: u32, bit: u32) -> OrderSet {
    var orders = deciding;
    for (var i = 0u; i < block_demand_count; i++) {
        if ((block_demands[i].met[word] >> bit) & 1u) == 0u {
            orders &= ~block_demands[i].forbidden;
        }
    }
    return orders;
}

// The number of assignments of the block that are in the category.
fn count_rows(deciding: OrderSet) -> u32 {
    var found = 0u;
    for (var word = 0u; word < 4u; word++) {
        for (var rows = block_rows[word]; rows != 0u; rows &= rows - 1u) {
            found += sum(countOneBits(row(deciding, word, countTrailingZeros(rows))));
        }
    }
    return found;
}

fn sum(numbers: vec4<u32>) -> u32 {
    return numbers.x + numbers.y + numbers.z + numbers.w;
}

// The mover's orders that have a deciding action.
fn acting(table: u32, mine: u32) -> OrderSet {
    if decides_anyway(table, mine) {
        return OrderSet(0xffffffffu);
    }
    return orders_with(deciding_pairs(table, mine), mine);
}

// The mover's orders that have one of the actions of a demand.
fn forbidden(demand: Demand, mine: u32) -> OrderSet {
    if exists_anyway(demand, mine) {
        return OrderSet(0xffffffffu);
    }
    return orders_with(demand.actors, mine);
}

// The orders of doves on these slots that have one of these pairs.
fn orders_with(pairs: vec2<u32>, slots: u32) -> OrderSet {
    var orders = OrderSet();
    var place = 0u;
    for (var rest = slots; rest != 0u; rest &= rest - 1u) {
        orders |= constants.by_kinds[place][kinds_at(pairs, countTrailingZeros(rest))];
        place++;
    }
    return orders;
}

var<workgroup> total: atomic<u32>;
var<workgroup> decided: atomic<u32>;
var<workgroup> overflowed: atomic<u32>;
// The opposing sets of the blocks that have deciding orders.
var<workgroup> open_blocks: array<u32, MAX_BLOCKS>;
var<workgroup> open_count: atomic<u32>;

// Clears the workgroup memory that is read before it is written, because it need not be zero at first. All invocations
// call this together.
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
    // Two loops, because FXC rejects a barrier in a loop of two iterations (X4026).
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
        let reported = select(0u, atomicLoad(&decided), atomicLoad(&overflowed) == 0u);
        results[table] = Result(atomicLoad(&total), reported, batch.serial);
    }
}
