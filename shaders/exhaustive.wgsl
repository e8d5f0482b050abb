// The exhaustive method: an item is one placement of the opposing doves and up to ORDERS_PER_ITEM orders of the mover's.
// Twin of src/mates/exhaustive.rs.

// The (slot, kind) pairs when the slots of a set get the kinds of an order: x holds the slots 0 to 4, y the slots 5 to 9.
fn deal(slots: u32, order: u32) -> vec2<u32> {
    var dealt = vec2(0u);
    var kinds = constants.orders[order];
    for (var rest = slots; rest != 0u; rest &= rest - 1u) {
        let slot = firstTrailingBit(rest);
        let pair = 1u << (kinds & 7u) << (KINDS * (slot % KINDS));
        dealt |= select(vec2(0u, pair), vec2(pair, 0u), slot < KINDS);
        kinds >>= 3u;
    }
    return dealt;
}

fn kinds_at(pairs: vec2<u32>, slot: u32) -> u32 {
    return (select(pairs.y, pairs.x, slot < KINDS) >> (KINDS * (slot % KINDS))) & ALL_KINDS;
}

// Which of the actors of a group the mover may have: all in the boss's group, which is 0 and its own; the kind that stands on the
// slot; for puts the slots held, and the boss.
fn held_actors(group: u32, mover: vec2<u32>, mover_slots: u32) -> u32 {
    if group == BOSS_GROUP || group == PUT_GROUP {
        return mover_slots | BOSS_SLOT;
    }
    return kinds_at(mover, group - 1u);
}

fn is_counted(table: u32, mover: vec2<u32>, mover_slots: u32, opponent: vec2<u32>, opponent_slots: u32) -> bool {
    let groups = select(PUT_GROUP, GROUPS, countOneBits(mover_slots) < KINDS);
    let putting = select(0u, opponent_slots | BOSS_SLOT, countOneBits(opponent_slots) < KINDS);
    var decided = false;
    for (var group = 0u; group < groups; group++) {
        let held = held_actors(group, mover, mover_slots);
        decided |= (deciding_actors(table, group) & held) != 0u;
        if WHAT == MATES && held != 0u {
            let clauses = clauses_of(tables[table].groups[group]);
            for (var i = 0u; i < clauses; i++) {
                let clause = tables[table].clauses[group][i];
                let refuters = (clause.yz & opponent) | vec2((clause.x >> 16u) & putting, 0u);
                if (clause.x & held) != 0u && is_zero(refuters) {
                    return false;
                }
            }
        }
    }
    // A mate needs a safe action, a win a winning one, and being stuck that there is no safe action.
    return decided != (WHAT == STUCK);
}

fn is_zero(words: vec2<u32>) -> bool {
    return (words.x | words.y) == 0u;
}

fn count_item(slots: u32, table: u32, item: u32) -> u32 {
    // Items go by the number of the opponent's slots, then by its set of slots, its order, and the mover's orders.
    var rank = item;
    var count = 0u;
    var items_each = 0u;
    loop {
        let chunks = (deals(slots - count) + ORDERS_PER_ITEM - 1u) / ORDERS_PER_ITEM;
        items_each = deals(count) * chunks;
        let items = items_each * (constants.set_starts[slots][count + 1u] - constants.set_starts[slots][count]);
        if rank < items || count == KINDS {
            break;
        }
        rank -= items;
        count++;
    }
    let opposing = constants.lists[constants.set_starts[slots][count] + rank / items_each];
    let within = rank % items_each;
    let opponent = deal(opposing, within % deals(count));
    let mine = ~opposing & ((1u << slots) - 1u);

    let first = within / deals(count) * ORDERS_PER_ITEM;
    let last = min(first + ORDERS_PER_ITEM, deals(slots - count));
    var found = 0u;
    for (var order = first; order < last; order++) {
        found += u32(is_counted(table, deal(mine, order), mine, opponent, opposing));
    }
    return found;
}
