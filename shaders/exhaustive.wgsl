// The exhaustive method. A block is a boss placement with the slots that are the opponent's. An item is a row of
// it: one deal of the opponent's doves, with a bit for each of the mover's orders. A demand that these doves do not
// meet clears the bits of the orders that it forbids. Twin of src/count/exhaustive.rs.

// LANES_PER_BLOCK invocations work on a block: first each settles what one demand asks in it, then each counts some
// of its rows.
const BLOCKS = WORKGROUP_SIZE / LANES_PER_BLOCK;

const ANYBODY = 0x80000000u;

// What a demand asks in a block: the opponent must have one of the pairs `refuters`, by place, or the mover none of
// the orders `forbidden`.
struct BlockDemand {
    forbidden: OrderSet,
    refuters: u32,
}

var<workgroup> block_demands: array<array<BlockDemand, LANES_PER_BLOCK>, BLOCKS>;
var<workgroup> block_demand_counts: array<atomic<u32>, BLOCKS>;
// The mover's orders that decide in each block (see deciding_actors).
var<workgroup> deciding: array<OrderSet, BLOCKS>;

// The orders that have one of these pairs by place.
fn orders_with(pairs: u32) -> OrderSet {
    return select(OrderSet(), OrderSet(0xffffffffu), (pairs & ANYBODY) != 0u)
        | constants.by_kinds[0][pairs & ALL_KINDS]
        | constants.by_kinds[1][(pairs >> KINDS) & ALL_KINDS]
        | constants.by_kinds[2][(pairs >> (2u * KINDS)) & ALL_KINDS]
        | constants.by_kinds[3][(pairs >> (3u * KINDS)) & ALL_KINDS]
        | constants.by_kinds[4][(pairs >> (4u * KINDS)) & ALL_KINDS];
}

// Settles what the lane-th demand asks in a block; the last invocation, for which there is no demand, settles which
// orders decide.
fn settle(slice: Slice, opposing: u32, block: u32, lane: u32) {
    let mine = ~opposing & ((1u << slice.slots) - 1u);
    let my_places = places_of(mine);
    if lane == LANES_PER_BLOCK - 1u {
        let pairs = by_place(deciding_pairs(slice.table, mine), my_places)
            | select(0u, ANYBODY, decides_anyway(slice.table, mine));
        let orders = orders_with(pairs);
        // A stuck position must have no safe action.
        deciding[block] = select(orders, ~orders, WHAT == STUCK) & constants.deal_sets[countOneBits(mine)];
    } else if WHAT == MATES && lane < min(atomicLoad(&demand_count), MAX_DEMANDS) {
        let demand = demands[lane];
        let actors = by_place(demand.actors, my_places) | select(0u, ANYBODY, exists_anyway(demand, mine));
        if actors != 0u && !is_refuted_by_a_put(demand, opposing) {
            let refuters = by_place(demand.refuters, places_of(opposing));
            let i = atomicAdd(&block_demand_counts[block], 1u);
            block_demands[block][i] = BlockDemand(orders_with(actors), refuters);
        }
    }
}

// How many positions are found, and in how many rows: of the row `first` of a block and every LANES_PER_BLOCK-th
// after it, those before the row `end`. There are at most four, and each demand is read once for all of them.
fn count_rows(block: u32, first: u32, end: u32) -> vec2<u32> {
    let rows = first + LANES_PER_BLOCK * vec4(0u, 1u, 2u, 3u);
    let orders = min(rows, vec4(ORDERS - 1u));
    let opponent = vec4(
        constants.orders[orders.x],
        constants.orders[orders.y],
        constants.orders[orders.z],
        constants.orders[orders.w],
    );
    var a = deciding[block];
    var b = a;
    var c = a;
    var d = a;
    if WHAT == MATES {
        let count = min(atomicLoad(&block_demand_counts[block]), LANES_PER_BLOCK);
        for (var i = 0u; i < count; i++) {
            let allowed = ~block_demands[block][i].forbidden;
            let is_met = (vec4(block_demands[block][i].refuters) & opponent) != vec4(0u);
            a = select(a & allowed, a, is_met.x);
            b = select(b & allowed, b, is_met.y);
            c = select(c & allowed, c, is_met.z);
            d = select(d & allowed, d, is_met.w);
        }
    }
    let found = vec4(number(a), number(b), number(c), number(d));
    let is_inside = rows < vec4(end);
    return vec2(sum(select(vec4(0u), found, is_inside)), sum(vec4<u32>(is_inside)));
}

fn number(orders: OrderSet) -> u32 {
    return sum(countOneBits(orders));
}

fn sum(numbers: vec4<u32>) -> u32 {
    return numbers.x + numbers.y + numbers.z + numbers.w;
}

// An item: a row of a block, and the place of the block's opposing set in `lists`.
struct Item {
    listed: u32,
    row: u32,
}

// Items are ordered by the number of the opponent's slots, its set of slots, and the order of the opposing doves.
fn find_item(slots: u32, item: u32) -> Item {
    var rank = item;
    var count = 0u;
    loop {
        let sets = constants.set_starts[slots][count + 1u] - constants.set_starts[slots][count];
        let items = deals(count) * sets;
        if rank < items || count == KINDS {
            break;
        }
        rank -= items;
        count++;
    }
    // Division is expensive, so remainders are computed from quotients.
    let place = rank / deals(count);
    return Item(constants.set_starts[slots][count] + place, rank - place * deals(count));
}
