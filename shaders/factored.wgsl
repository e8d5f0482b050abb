// The factored method: an item is one set of slots for the opponent, with a word of 32 of the 120 orders of its doves.
// Twin of src/count/factored.rs, which has the mathematics.
//
// The test that the CPU makes for all opposing sets at once is made here item by item, in a first pass: it eliminates
// five items in six. The live ones are listed in workgroup memory, so that in the second pass all invocations of a
// subgroup have a permanent to work out. Slots that allow every kind get no special treatment here: in nearly every
// subgroup some invocation needs all rows.

// The live items of a slice, which has at most SLICE_ITEMS items.
var<workgroup> living_items: array<u32, SLICE_ITEMS>;
var<workgroup> living_count: atomic<u32>;

// Where the opposing doves stand.
struct Opponent {
    slots: u32,
    word: u32,
    // The orders of the word that deal distinct sequences of kinds to the slots.
    dealt: u32,
    places: u32,
}

fn opponent_on(slots: u32, word: u32) -> Opponent {
    let orders = min(deals(countOneBits(slots)) - 32u * word, 32u);
    return Opponent(slots, word, 0xffffffffu >> (32u - orders), places_of(slots));
}

// The orders whose dove at a place meets a demand by a move.
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

// The orders that meet every demand that the mover makes for any kinds of its doves.
fn living_orders(opponent: Opponent, mine: u32) -> u32 {
    var living = opponent.dealt;
    let count = min(atomicLoad(&demand_count), MAX_DEMANDS);
    for (var i = 0u; i < count && living != 0u; i++) {
        let demand = demands[i];
        if exists_anyway(demand, mine) && !is_refuted_by_a_put(demand, opponent.slots) {
            // A quick test without kinds: does any opposing dove stand where some kind would refute?
            if ((demand.putters >> 16u) & opponent.slots) == 0u {
                return 0u;
            }
            living &= meeting(opponent, demand.refuters);
        }
    }
    return living;
}

// The row with these kinds restricted to these orders.
fn restricted(row: Row, kinds: u32, orders: u32) -> Row {
    return Row(
        row.k0 & select(0xffffffffu, orders, (kinds & 1u) != 0u),
        row.k1 & select(0xffffffffu, orders, (kinds & 2u) != 0u),
        row.k2 & select(0xffffffffu, orders, (kinds & 4u) != 0u),
        row.k3 & select(0xffffffffu, orders, (kinds & 8u) != 0u),
        row.k4 & select(0xffffffffu, orders, (kinds & 16u) != 0u),
    );
}

// How often each way is counted: the number of orders of the kinds that the mover has no slots for.
fn repeats(mine: u32) -> u32 {
    switch KINDS - countOneBits(mine) {
        case 2u: { return 2u; }
        case 3u: { return 6u; }
        case 4u: { return 24u; }
        case 5u: { return 120u; }
        default: { return 1u; }
    }
}

// Whether a mover with these slots has a deciding actor for any kinds of its doves; `pairs` are its deciding pairs by
// place.
fn decided_anyway(table: u32, mine: u32, pairs: u32) -> bool {
    return decides_anyway(table, mine)
        || (pairs & 0x1fu) == 0x1fu
        || (pairs & 0x3e0u) == 0x3e0u
        || (pairs & 0x7c00u) == 0x7c00u
        || (pairs & 0xf8000u) == 0xf8000u
        || (pairs & 0x1f00000u) == 0x1f00000u;
}

// Counts wins or stuck positions: the opposing doves may be dealt in any order.
fn count_by_actors(table: u32, opponent: Opponent, mine: u32) -> u32 {
    if opponent.word != 0u {
        return 0u; // the first word stands for all orders
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

// The mates of a live item.
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
    // All ways, less those without a deciding actor. One loop does both, because compilers inline every call.
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
            // Decided in the second pass.
            living_items[atomicAdd(&living_count, 1u)] = item;
            continue;
        }
        if WHAT != MATES {
            share.found += count_by_actors(slice.table, opponent, mine);
        }
        share.decided++;
    }
    if WHAT != MATES {
        return share; // there is no second pass
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
