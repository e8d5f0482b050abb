// An item is one placement of the opposing doves, with all orders of the mover's. Twin of src/count/exhaustive.rs.

const ANYBODY = 0x80000000u;

// The (slot, kind) pairs that arise when an order deals its kinds to a set of slots: x has slots 0 to 4, y slots 5 to
// 9.
fn deal(slots: u32, order: u32) -> vec2<u32> {
    var dealt = vec2(0u);
    var kinds = constants.orders[order];
    for (var rest = slots; rest != 0u; rest &= rest - 1u) {
        dealt |= pairs_at(countTrailingZeros(rest), kinds & ALL_KINDS);
        kinds >>= KINDS;
    }
    return dealt;
}

// The mover's pairs that must be absent, by place, because these opposing doves do not refute their actions.
fn unmet(mine: u32, opposing: u32, opponent: vec2<u32>) -> u32 {
    var actors = vec2(0u);
    var anybody = 0u;
    let count = atomicLoad(&demand_count);
    for (var i = 0u; i < min(count, MAX_DEMANDS); i++) {
        let demand = demands[i];
        let met = demand.refuters & opponent;
        if (met.x | met.y) == 0u && !is_refuted_by_a_put(demand, opposing) {
            actors |= demand.actors;
            anybody |= select(0u, ANYBODY, exists_anyway(demand, mine));
        }
    }
    return by_place(actors, places_of(mine)) | anybody;
}

fn count_item(slots: u32, table: u32, item: u32) -> u32 {
    // Items are ordered by the number of the opponent's slots, its set of slots, and the order of the opposing doves.
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
    let opposing = constants.lists[constants.set_starts[slots][count] + place];
    let mine = ~opposing & ((1u << slots) - 1u);
    let forbidden = unmet(mine, opposing, deal(opposing, rank - place * deals(count)));
    let deciding = by_place(deciding_pairs(table, mine), places_of(mine))
        | select(0u, ANYBODY, decides_anyway(table, mine));

    let orders = deals(slots - count);
    var found = 0u;
    for (var order = 0u; order < orders; order++) {
        // Places beyond the mover's slots have kinds too; no bit of `deciding` or `forbidden` asks about them.
        let mover = constants.orders[order] | ANYBODY;
        let decided = (deciding & mover) != 0u;
        // A mate needs a safe action, a win a winning one, and a stuck position must have no safe action.
        found += u32(decided != (WHAT == STUCK) && (WHAT != MATES || (forbidden & mover) == 0u));
    }
    return found;
}
