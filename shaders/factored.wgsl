// The factored method: an item is one set of slots as the opponent's and a word of 32 of the 120 orders of its doves.
// Twin of src/mates/factored.rs, which has the mathematics.

// Where the opposing doves stand: for its n-th slot, the bit at which the slot's kinds start in the x (or, from 32, y) half of a
// clause's movers, and ALL_KINDS; 0 and 0 if there is no n-th slot.
struct Opponent {
    slots: u32,
    has_hand: bool,
    word: u32,
    // The orders of the word that deal different kinds to the slots.
    dealt: u32,
    shift: array<u32, KINDS>,
    kinds: array<u32, KINDS>,
}

fn opponent_on(slots: u32, word: u32) -> Opponent {
    let count = countOneBits(slots);
    let orders = min(deals(count) - 32u * word, 32u);
    var opponent: Opponent;
    opponent.slots = slots;
    opponent.has_hand = count < KINDS;
    opponent.word = word;
    opponent.dealt = 0xffffffffu >> (32u - orders);
    var rest = slots;
    for (var place = 0u; place < KINDS; place++) {
        if rest != 0u {
            let slot = firstTrailingBit(rest);
            rest &= rest - 1u;
            opponent.shift[place] = select(32u - KINDS * KINDS, 0u, slot < KINDS) + KINDS * slot;
            opponent.kinds[place] = ALL_KINDS;
        }
    }
    return opponent;
}

// The orders of one place that satisfy a clause.
fn satisfying_at(opponent: Opponent, place: u32, movers: vec2<u32>) -> u32 {
    let shift = opponent.shift[place];
    let half = select(movers.y, movers.x, shift < 32u);
    let kinds = (half >> (shift & 31u)) & opponent.kinds[place];
    return constants.by_kinds[place][kinds][opponent.word];
}

// The orders of the opponent's doves that satisfy a clause.
fn satisfying(opponent: Opponent, clause: vec4<u32>) -> u32 {
    if opponent.has_hand && ((clause.x >> 16u) & (opponent.slots | BOSS_SLOT)) != 0u {
        return opponent.dealt;
    }
    let orders = satisfying_at(opponent, 0u, clause.yz)
        | satisfying_at(opponent, 1u, clause.yz)
        | satisfying_at(opponent, 2u, clause.yz)
        | satisfying_at(opponent, 3u, clause.yz)
        | satisfying_at(opponent, 4u, clause.yz);
    return orders & opponent.dealt;
}

// The row of the first of the slots left, which is taken away, and the orders that still live; all allowed if no slot is left.
fn next_row(table: u32, opponent: Opponent, rest: ptr<function, u32>, living: ptr<function, u32>) -> Row {
    var k0 = 0xffffffffu;
    var k1 = k0;
    var k2 = k0;
    var k3 = k0;
    var k4 = k0;
    if *rest != 0u && *living != 0u {
        let group = firstTrailingBit(*rest) + 1u;
        *rest &= *rest - 1u;
        let clauses = clauses_of(tables[table].groups[group]);
        for (var i = 0u; i < clauses; i++) {
            let clause = tables[table].clauses[group][i];
            let orders = satisfying(opponent, clause);
            k0 &= select(0xffffffffu, orders, (clause.x & 1u) != 0u);
            k1 &= select(0xffffffffu, orders, (clause.x & 2u) != 0u);
            k2 &= select(0xffffffffu, orders, (clause.x & 4u) != 0u);
            k3 &= select(0xffffffffu, orders, (clause.x & 8u) != 0u);
            k4 &= select(0xffffffffu, orders, (clause.x & 16u) != 0u);
        }
        *living &= k0 | k1 | k2 | k3 | k4;
    }
    return Row(array(k0, k1, k2, k3, k4));
}

// A row without some kinds.
fn row_without(row: Row, kinds: u32) -> Row {
    return Row(array(
        select(row.kinds[0], 0u, (kinds & 1u) != 0u),
        select(row.kinds[1], 0u, (kinds & 2u) != 0u),
        select(row.kinds[2], 0u, (kinds & 4u) != 0u),
        select(row.kinds[3], 0u, (kinds & 8u) != 0u),
        select(row.kinds[4], 0u, (kinds & 16u) != 0u),
    ));
}

// Who of the mover's slots acts to decide, slot by slot, nobody where there is no slot; and whether somebody does anyway.
struct Deciding {
    slots: array<u32, KINDS>,
    anyway: bool,
}

fn deciding(table: u32, mine: u32) -> Deciding {
    let has_hand = countOneBits(mine) < KINDS;
    var found: Deciding;
    found.anyway = deciding_actors(table, BOSS_GROUP) != 0u
        || (has_hand && (deciding_actors(table, PUT_GROUP) & (mine | BOSS_SLOT)) != 0u);
    var rest = mine;
    for (var place = 0u; place < KINDS; place++) {
        if rest != 0u {
            found.slots[place] = deciding_actors(table, firstTrailingBit(rest) + 1u);
            found.anyway |= found.slots[place] == ALL_KINDS;
            rest &= rest - 1u;
        }
    }
    return found;
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

// The permanents of the rows without the deciding kinds: the ways in which nobody acts to decide.
fn idle_permanents(r0: Row, r1: Row, r2: Row, r3: Row, r4: Row, actors: Deciding) -> u32 {
    return permanents(
        row_without(r0, actors.slots[0]), row_without(r1, actors.slots[1]), row_without(r2, actors.slots[2]),
        row_without(r3, actors.slots[3]), row_without(r4, actors.slots[4]),
    );
}

// Wins and stuck positions: the opponent's doves only have to fit.
fn count_by_actors(table: u32, opponent: Opponent, mine: u32) -> u32 {
    if opponent.word != 0u {
        return 0u; // the first word speaks for all orders
    }
    let actors = deciding(table, mine);
    var idle = 0u;
    if !actors.anyway {
        let all = Row(array(1u, 1u, 1u, 1u, 1u));
        idle = idle_permanents(all, all, all, all, all, actors) / repeats(mine);
    }
    let ways = select(idle, deals(countOneBits(mine)) - idle, WHAT == WINS);
    return ways * deals(countOneBits(opponent.slots));
}

fn count_item(slots: u32, table: u32, item: u32) -> u32 {
    let packed = constants.lists[constants.item_starts[slots] + item];
    let opponent = opponent_on(packed & 0x3ffu, packed >> 10u);
    let mine = ~opponent.slots & ((1u << slots) - 1u);
    if WHAT != MATES {
        return count_by_actors(table, opponent, mine);
    }
    var living = opponent.dealt;
    for (var i = 0u; i < clauses_of(tables[table].groups[BOSS_GROUP]); i++) {
        living &= satisfying(opponent, tables[table].clauses[BOSS_GROUP][i]);
    }
    if countOneBits(mine) < KINDS && living != 0u {
        for (var i = 0u; i < clauses_of(tables[table].groups[PUT_GROUP]); i++) {
            let clause = tables[table].clauses[PUT_GROUP][i];
            if (clause.x & (mine | BOSS_SLOT)) != 0u {
                living &= satisfying(opponent, clause);
            }
        }
    }
    var rest = mine;
    var r0 = next_row(table, opponent, &rest, &living);
    let r1 = next_row(table, opponent, &rest, &living);
    let r2 = next_row(table, opponent, &rest, &living);
    let r3 = next_row(table, opponent, &rest, &living);
    let r4 = next_row(table, opponent, &rest, &living);
    if living == 0u {
        return 0u;
    }
    r0 = Row(array(
        r0.kinds[0] & living, r0.kinds[1] & living, r0.kinds[2] & living, r0.kinds[3] & living, r0.kinds[4] & living,
    ));
    var ways = permanents(r0, r1, r2, r3, r4);
    let actors = deciding(table, mine);
    if !actors.anyway {
        ways -= idle_permanents(r0, r1, r2, r3, r4, actors);
    }
    return ways / repeats(mine);
}
