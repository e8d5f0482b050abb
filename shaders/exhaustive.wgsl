// An item is one placement of the opposing doves, with all orders of the mover's, a bit each: a demand that is not met
// takes away those that it forbids. Twin of src/count/exhaustive.rs.
//
// A *division* is a set of slots that are the opponent's, the others being the mover's. A *team* of invocations takes one
// at a time: first each settles what a demand asks in it, which holds for all of its items, then each counts some items.

const ANYBODY = 0x80000000u;
const TEAM = 32u;
const TEAMS = WORKGROUP_SIZE / TEAM;
const SUBSETS = ALL_KINDS + 1u;

// The mover's orders that have one of a set of kinds at a place.
var<workgroup> having: array<array<vec4<u32>, SUBSETS>, KINDS>;
// A demand in a division: the opponent's pairs by place that meet it, and the mover's orders that are forbidden if none
// of these is there.
var<workgroup> refuting: array<array<u32, TEAM>, TEAMS>;
var<workgroup> forbidden: array<array<vec4<u32>, TEAM>, TEAMS>;
var<workgroup> settled: array<atomic<u32>, TEAMS>;
// The mover's orders that decide in a division.
var<workgroup> deciding: array<vec4<u32>, TEAMS>;

// Makes `having`. All invocations of a workgroup call it together; it ends with a barrier.
fn gather_orders(lane: u32) {
    if lane < KINDS * KINDS {
        var orders = vec4(0u);
        for (var order = 0u; order < ORDERS; order++) {
            let bit = ((constants.orders[order] >> lane) & 1u) << (order & 31u);
            orders |= select(vec4(0u), vec4(bit), vec4(order >> 5u) == vec4(0u, 1u, 2u, 3u));
        }
        having[lane / KINDS][1u << (lane % KINDS)] = orders;
    }
    workgroupBarrier(); // Guards having, of which the sets of one kind are made.
    for (var i = lane; i < KINDS * SUBSETS; i += WORKGROUP_SIZE) {
        let place = i / SUBSETS;
        let kinds = i % SUBSETS;
        // A set of one kind is there, and others read it.
        if countOneBits(kinds) != 1u {
            var orders = vec4(0u);
            for (var rest = kinds; rest != 0u; rest &= rest - 1u) {
                orders |= having[place][rest & (~rest + 1u)];
            }
            having[place][kinds] = orders;
        }
    }
    workgroupBarrier(); // Guards having.
}

// The mover's orders that have one of these pairs by place.
fn having_any(pairs: u32) -> vec4<u32> {
    return vec4(0u - (pairs >> 31u))
        | having[0][pairs & ALL_KINDS]
        | having[1][(pairs >> KINDS) & ALL_KINDS]
        | having[2][(pairs >> (2u * KINDS)) & ALL_KINDS]
        | having[3][(pairs >> (3u * KINDS)) & ALL_KINDS]
        | having[4][(pairs >> (4u * KINDS)) & ALL_KINDS];
}

// The first orders, as many as there are.
fn first_orders(count: u32) -> vec4<u32> {
    let words = vec4(0u, 32u, 64u, 96u);
    let inside = clamp(vec4(count), words, words + vec4(31u)) - words;
    return select((vec4(1u) << inside) - vec4(1u), vec4(0xffffffffu), vec4(count) >= words + vec4(32u));
}

// Settles what a demand, the member-th, asks in a division; the last member of the team settles who decides.
fn settle(slice: Slice, opposing: u32, team: u32, member: u32) {
    let mine = ~opposing & ((1u << slice.slots) - 1u);
    let my_places = places_of(mine);
    if member == TEAM - 1u {
        let pairs = by_place(deciding_pairs(slice.table, mine), my_places)
            | select(0u, ANYBODY, decides_anyway(slice.table, mine));
        // A stuck position must have no safe action.
        let having = having_any(pairs) ^ vec4(select(0u, 0xffffffffu, WHAT == STUCK));
        deciding[team] = having & first_orders(deals(countOneBits(mine)));
    } else if WHAT == MATES && member < min(atomicLoad(&demand_count), MAX_DEMANDS) {
        let demand = demands[member];
        let actors = by_place(demand.actors, my_places) | select(0u, ANYBODY, exists_anyway(demand, mine));
        if actors != 0u && !is_refuted_by_a_put(demand, opposing) {
            let place = atomicAdd(&settled[team], 1u);
            refuting[team][place] = by_place(demand.refuters, places_of(opposing));
            forbidden[team][place] = having_any(actors);
        }
    }
}

// Counts a member's items in a division, which begin with the order `first`, TEAM apart, and end before `end`.
fn count_items(team: u32, first: u32, end: u32) -> u32 {
    let last = ORDERS - 1u;
    let opponent = vec4(
        constants.orders[min(first, last)],
        constants.orders[min(first + TEAM, last)],
        constants.orders[min(first + 2u * TEAM, last)],
        constants.orders[min(first + 3u * TEAM, last)],
    );
    // The mover's orders that are left in each item.
    var a = deciding[team];
    var b = a;
    var c = a;
    var d = a;
    if WHAT == MATES {
        let count = min(atomicLoad(&settled[team]), TEAM);
        for (var i = 0u; i < count; i++) {
            let left = ~forbidden[team][i];
            let is_met = (vec4(refuting[team][i]) & opponent) != vec4(0u);
            a = select(a & left, a, is_met.x);
            b = select(b & left, b, is_met.y);
            c = select(c & left, c, is_met.z);
            d = select(d & left, d, is_met.w);
        }
    }
    return select(0u, number(a), first < end)
        + select(0u, number(b), first + TEAM < end)
        + select(0u, number(c), first + 2u * TEAM < end)
        + select(0u, number(d), first + 3u * TEAM < end);
}

fn number(orders: vec4<u32>) -> u32 {
    let bits = countOneBits(orders);
    return bits.x + bits.y + bits.z + bits.w;
}

// Where a slice begins: a division, by its place in `lists`, and the first order of the opponent's there.
struct Start {
    listed: u32,
    order: u32,
}

// Items are ordered by the number of the opponent's slots, its set of slots, and the order of the opposing doves.
fn start_of(slots: u32, item: u32) -> Start {
    var rank = item;
    var count = 0u;
    loop {
        let items = deals(count) * (constants.set_starts[slots][count + 1u] - constants.set_starts[slots][count]);
        if rank < items || count == KINDS {
            break;
        }
        rank -= items;
        count++;
    }
    // Division is expensive, so remainders are computed from quotients.
    let place = rank / deals(count);
    return Start(constants.set_starts[slots][count] + place, rank - place * deals(count));
}
