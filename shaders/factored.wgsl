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

// A row without the kinds that have an action on the slot which does not lose by itself.
fn unsafe_row(row: Row, safe: u32) -> Row {
    return Row(array(
        select(row.kinds[0], 0u, (safe & 1u) != 0u),
        select(row.kinds[1], 0u, (safe & 2u) != 0u),
        select(row.kinds[2], 0u, (safe & 4u) != 0u),
        select(row.kinds[3], 0u, (safe & 8u) != 0u),
        select(row.kinds[4], 0u, (safe & 16u) != 0u),
    ));
}

// Who of the first of the slots left, which is taken away, can act without losing; nobody if no slot is left.
fn next_safe(table: u32, rest: ptr<function, u32>) -> u32 {
    if *rest == 0u {
        return 0u;
    }
    let group = firstTrailingBit(*rest) + 1u;
    *rest &= *rest - 1u;
    return tables[table].groups[group] >> 16u;
}

fn factorial(n: u32) -> u32 {
    // 1, 1, 2, 6, 24, 120
    return select(select(select(select(select(120u, 24u, n == 4u), 6u, n == 3u), 2u, n == 2u), 1u, n < 2u), 1u, n == 0u);
}

fn mates_of_item(slots: u32, table: u32, item: u32) -> u32 {
    let packed = constants.lists[constants.item_starts[slots] + item];
    let opponent = opponent_on(packed & 0x3ffu, packed >> 10u);
    let mine = ~opponent.slots & ((1u << slots) - 1u);
    let has_hand = countOneBits(mine) < KINDS;
    var living = opponent.dealt;

    let boss = tables[table].groups[BOSS_GROUP];
    for (var i = 0u; i < clauses_of(boss); i++) {
        living &= satisfying(opponent, tables[table].clauses[BOSS_GROUP][i]);
    }
    let puts = tables[table].groups[PUT_GROUP];
    if has_hand && living != 0u {
        for (var i = 0u; i < clauses_of(puts); i++) {
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

    rest = mine;
    let s0 = next_safe(table, &rest);
    let s1 = next_safe(table, &rest);
    let s2 = next_safe(table, &rest);
    let s3 = next_safe(table, &rest);
    let s4 = next_safe(table, &rest);
    let is_safe = (boss >> 16u) != 0u
        || (has_hand && ((puts >> 16u) & (mine | BOSS_SLOT)) != 0u)
        || s0 == ALL_KINDS || s1 == ALL_KINDS || s2 == ALL_KINDS || s3 == ALL_KINDS || s4 == ALL_KINDS;
    if !is_safe {
        ways -= permanents(
            unsafe_row(r0, s0), unsafe_row(r1, s1), unsafe_row(r2, s2), unsafe_row(r3, s3), unsafe_row(r4, s4),
        );
    }
    return ways / factorial(KINDS - countOneBits(mine));
}
