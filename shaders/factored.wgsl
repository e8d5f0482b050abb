// The factored method: an item is one set of slots as the opponent's and a word of 32 of the 120 orders of its doves.
// Twin of src/count/factored.rs, which has the mathematics.
//
// What the CPU asks of all opposing sets at once is asked here item by item, first and alone: five items in six die of it. Those
// that live are listed in workgroup memory, so that the permanents are worked out by invocations in step, all of them with
// something to do. Slots that allow everything are rows like others here: of invocations in step one nearly always needs them all.

// The items of a slice that live. A slice has at most SLICE_ITEMS.
var<workgroup> living_items: array<u32, SLICE_ITEMS>;
var<workgroup> living_count: atomic<u32>;

// Where the opposing doves stand.
struct Opponent {
    slots: u32,
    word: u32,
    // The orders of the word that deal different kinds to the slots.
    dealt: u32,
    places: u32,
}

fn opponent_on(slots: u32, word: u32) -> Opponent {
    let orders = min(deals(countOneBits(slots)) - 32u * word, 32u);
    return Opponent(slots, word, 0xffffffffu >> (32u - orders), places_of(slots));
}

// The orders of one place that meet a demand by a move.
fn meeting_at(opponent: Opponent, place: u32, refuters: vec2<u32>) -> u32 {
    return constants.by_kinds[place][kinds_at_place(refuters, opponent.places, place)][opponent.word];
}

// The orders of the opponent's doves that meet a demand by a move.
fn meeting(opponent: Opponent, refuters: vec2<u32>) -> u32 {
    return meeting_at(opponent, 0u, refuters)
        | meeting_at(opponent, 1u, refuters)
        | meeting_at(opponent, 2u, refuters)
        | meeting_at(opponent, 3u, refuters)
        | meeting_at(opponent, 4u, refuters);
}

// The orders under which all demands are met that the mover makes whatever its kinds are.
fn living_orders(opponent: Opponent, mine: u32) -> u32 {
    var living = opponent.dealt;
    let count = min(atomicLoad(&demand_count), MAX_DEMANDS);
    for (var i = 0u; i < count && living != 0u; i++) {
        let demand = demands[i];
        if exists_anyway(demand, mine) && !is_refuted_by_a_put(demand, opponent.slots) {
            // Without looking at kinds: does any opposing dove stand where some kind refutes?
            if ((demand.putters >> 16u) & opponent.slots) == 0u {
                return 0u;
            }
            living &= meeting(opponent, demand.refuters);
        }
    }
    return living;
}

// A row of which these kinds keep only these orders.
fn restricted(row: Row, kinds: u32, orders: u32) -> Row {
    return Row(
        row.k0 & select(0xffffffffu, orders, (kinds & 1u) != 0u),
        row.k1 & select(0xffffffffu, orders, (kinds & 2u) != 0u),
        row.k2 & select(0xffffffffu, orders, (kinds & 4u) != 0u),
        row.k3 & select(0xffffffffu, orders, (kinds & 8u) != 0u),
        row.k4 & select(0xffffffffu, orders, (kinds & 16u) != 0u),
    );
}

// How often the orders of the kinds that the mover has no slots for are counted.
fn repeats(mine: u32) -> u32 {
    switch KINDS - countOneBits(mine) {
        case 2u: { return 2u; }
        case 3u: { return 6u; }
        case 4u: { return 24u; }
        case 5u: { return 120u; }
        default: { return 1u; }
    }
}

// Whether a mover with these slots has somebody who acts to decide, whatever kinds its doves are; `pairs` are the deciding ones.
fn decided_anyway(table: u32, mine: u32, pairs: u32) -> bool {
    return decides_anyway(table, mine)
        || (pairs & 0x1fu) == 0x1fu
        || (pairs & 0x3e0u) == 0x3e0u
        || (pairs & 0x7c00u) == 0x7c00u
        || (pairs & 0xf8000u) == 0xf8000u
        || (pairs & 0x1f00000u) == 0x1f00000u;
}

// Wins and stuck positions: the opponent's doves only have to fit.
fn count_by_actors(table: u32, opponent: Opponent, mine: u32) -> u32 {
    if opponent.word != 0u {
        return 0u; // the first word speaks for all orders
    }
    let pairs = by_place(deciding_pairs(table, mine), places_of(mine));
    var idle = 0u;
    if !decided_anyway(table, mine, pairs) {
        let all = Row(1u, 1u, 1u, 1u, 1u);
        idle = permanents(
            restricted(all, pairs, 0u),
            restricted(all, pairs >> 5u, 0u),
            restricted(all, pairs >> 10u, 0u),
            restricted(all, pairs >> 15u, 0u),
            restricted(all, pairs >> 20u, 0u),
        ) / repeats(mine);
    }
    let ways = select(idle, deals(countOneBits(mine)) - idle, WHAT == WINS);
    return ways * deals(countOneBits(opponent.slots));
}

// The mates of an item that lives.
fn count_mates(table: u32, opponent: Opponent, mine: u32) -> u32 {
    let living = living_orders(opponent, mine);
    var r0 = Row(living, living, living, living, living);
    var r1 = r0;
    var r2 = r0;
    var r3 = r0;
    var r4 = r0;
    var is_bounded = false;
    let places = places_of(mine);
    let count = min(atomicLoad(&demand_count), MAX_DEMANDS);
    for (var i = 0u; i < count; i++) {
        let demand = demands[i];
        let pairs = by_place(demand.actors, places);
        if pairs != 0u && !is_refuted_by_a_put(demand, opponent.slots) {
            let orders = meeting(opponent, demand.refuters);
            if (living & ~orders) != 0u {
                is_bounded = true;
                r0 = restricted(r0, pairs, orders);
                r1 = restricted(r1, pairs >> 5u, orders);
                r2 = restricted(r2, pairs >> 10u, orders);
                r3 = restricted(r3, pairs >> 15u, orders);
                r4 = restricted(r4, pairs >> 20u, orders);
            }
        }
    }
    let pairs = by_place(deciding_pairs(table, mine), places);
    let is_decided = decided_anyway(table, mine, pairs);
    if !is_bounded && is_decided {
        return countOneBits(living) * deals(countOneBits(mine));
    }
    // All ways, less those in which nobody acts to decide. One loop for both, as compilers copy what is called.
    var ways = 0u;
    for (var turn = 0u; turn < select(2u, 1u, is_decided); turn++) {
        if turn == 1u {
            r0 = restricted(r0, pairs, 0u);
            r1 = restricted(r1, pairs >> 5u, 0u);
            r2 = restricted(r2, pairs >> 10u, 0u);
            r3 = restricted(r3, pairs >> 15u, 0u);
            r4 = restricted(r4, pairs >> 20u, 0u);
        }
        let found = permanents(r0, r1, r2, r3, r4);
        ways = select(ways - found, found, turn == 0u);
    }
    return ways / repeats(mine);
}

fn opponent_of(slots: u32, item: u32) -> Opponent {
    let packed = constants.lists[constants.item_starts[slots] + item];
    return opponent_on(packed & ((1u << SET_BITS) - 1u), packed >> SET_BITS);
}

fn clear_items() {
    atomicStore(&living_count, 0u);
}

fn count_items(slice: Slice, lane: u32) -> Share {
    let all_slots = (1u << slice.slots) - 1u;
    var share = Share(0u, 0u);
    for (var i = lane; i < slice.items; i += WORKGROUP_SIZE) {
        let item = slice.first_item + i;
        let opponent = opponent_of(slice.slots, item);
        let mine = ~opponent.slots & all_slots;
        if WHAT == MATES && living_orders(opponent, mine) != 0u {
            // Decided below.
            living_items[atomicAdd(&living_count, 1u)] = item;
            continue;
        }
        if WHAT != MATES {
            share.found += count_by_actors(slice.table, opponent, mine);
        }
        share.decided++;
    }
    if WHAT != MATES {
        return share; // nothing is left to be done
    }
    workgroupBarrier();
    let living = min(atomicLoad(&living_count), SLICE_ITEMS);
    for (var i = lane; i < living; i += WORKGROUP_SIZE) {
        let opponent = opponent_of(slice.slots, living_items[i]);
        share.found += count_mates(slice.table, opponent, ~opponent.slots & all_slots);
        share.decided++;
    }
    return share;
}
