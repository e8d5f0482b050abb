// needs: count.wgsl
// The clauses of a table, grouped by their refuters into demands, in workgroup memory. Twin of src/count/demands.rs.

// The capacities are MAX_CLAUSES and MAX_DEMANDS. If a table exceeds them, the boss placement is reported as not
// counted: see `overflowed`.

struct Demand {
    // The opposing pairs that refute by a move: those of slots 0 to 4, and of slots 5 to 9.
    refuters: vec2<u32>,
    // The mover's pairs that each have one of the actions, in the same layout.
    actors: vec2<u32>,
    // Bits 0–15: a put refutes if the opponent holds any of these slots (with BOSS_SLOT) and has a dove in hand. Bits
    // 16–31: the slots of `refuters`.
    putters: u32,
    // Bits 0–15: the slots beside which the mover puts (with BOSS_SLOT). Bits 16–31: the slots from which any kind
    // acts. BOSS_ACTS stands for a move of the boss, which is always available.
    anyway: u32,
}

const BOSS_ACTS = 0x4000u;

// All clauses, each with its group in w.
var<workgroup> clauses: array<vec4<u32>, MAX_CLAUSES>;
var<workgroup> demands: array<Demand, MAX_DEMANDS>;
var<workgroup> demand_count: atomic<u32>;

// The slots of a set of pairs.
fn slots_with_pairs(pairs: vec2<u32>) -> u32 {
    return five_slots(pairs.x) | (five_slots(pairs.y) << KINDS);
}

fn five_slots(pairs: u32) -> u32 {
    return u32((pairs & 0x1fu) != 0u)
        | (u32((pairs & 0x3e0u) != 0u) << 1u)
        | (u32((pairs & 0x7c00u) != 0u) << 2u)
        | (u32((pairs & 0xf8000u) != 0u) << 3u)
        | (u32((pairs & 0x1f00000u) != 0u) << 4u);
}

fn pairs_at(slot: u32, kinds: u32) -> vec2<u32> {
    let pair = kinds << (KINDS * (slot % KINDS));
    return select(vec2(0u, pair), vec2(pair, 0u), slot < KINDS);
}

fn kinds_at(pairs: vec2<u32>, slot: u32) -> u32 {
    return (select(pairs.y, pairs.x, slot < KINDS) >> (KINDS * (slot % KINDS))) & ALL_KINDS;
}

fn same_refuters(a: vec4<u32>, b: vec4<u32>) -> bool {
    return all(a.yz == b.yz) && (a.x >> 16u) == (b.x >> 16u);
}

// Gathers the demands of a table. All invocations of a workgroup call it together; it ends with a barrier.
fn gather_demands(table: u32, lane: u32) {
    var start = 0u;
    var all_clauses = 0u;
    for (var group = 0u; group < GROUPS; group++) {
        start = select(start, all_clauses, group == lane);
        all_clauses += min(clauses_of(tables[table].groups[group]), GROUP_CAPACITY);
    }
    if all_clauses > MAX_CLAUSES {
        atomicAdd(&overflowed, 1u);
        all_clauses = MAX_CLAUSES;
    }
    if lane < GROUPS {
        let end = min(start + min(clauses_of(tables[table].groups[lane]), GROUP_CAPACITY), all_clauses);
        for (var i = start; i < end; i++) {
            clauses[i] = vec4(tables[table].clauses[lane][i - start].xyz, lane);
        }
    }
    workgroupBarrier(); // Guards clauses.
    // The first of the clauses with the same refuters makes the demand for all of them.
    for (var first = lane; first < all_clauses; first += WORKGROUP_SIZE) {
        let clause = clauses[first];
        var is_first = true;
        for (var i = 0u; i < first; i++) {
            is_first = is_first && !same_refuters(clause, clauses[i]);
        }
        if is_first {
            let place = atomicAdd(&demand_count, 1u);
            let demand = demand_from(first, all_clauses);
            if place < MAX_DEMANDS {
                demands[place] = demand;
            } else {
                atomicAdd(&overflowed, 1u);
            }
        }
    }
    workgroupBarrier(); // Guards demands and demand_count.
}

fn demand_from(first: u32, all_clauses: u32) -> Demand {
    let clause = clauses[first];
    var actors = vec2(0u);
    var anyway = 0u;
    for (var i = first; i < all_clauses; i++) {
        let other = clauses[i];
        if same_refuters(clause, other) {
            let held = other.x & 0xffffu;
            if other.w == BOSS_GROUP {
                anyway |= BOSS_ACTS;
            } else if other.w == PUT_GROUP {
                anyway |= held;
            } else {
                let slot = other.w - 1u;
                actors |= pairs_at(slot, held);
                anyway |= u32(kinds_at(actors, slot) == ALL_KINDS) << (16u + slot);
            }
        }
    }
    let putters = (clause.x >> 16u) | (slots_with_pairs(clause.yz) << 16u);
    return Demand(clause.yz, actors, putters, anyway);
}

// Whether one of the actions of a demand is available whichever kinds the mover's doves are, if these stand on the
// slots of `mine`.
fn exists_anyway(demand: Demand, mine: u32) -> bool {
    let puts = select(0u, mine | BOSS_SLOT, countOneBits(mine) < KINDS);
    return (demand.anyway & (BOSS_ACTS | puts | (mine << 16u))) != 0u;
}

// Whether the opponent can meet a demand by a put, if its doves stand on the slots of `opposing`.
fn is_refuted_by_a_put(demand: Demand, opposing: u32) -> bool {
    return countOneBits(opposing) < KINDS && (demand.putters & (opposing | BOSS_SLOT)) != 0u;
}

// Whether one of the opponent's doves on the slots of `opposing` may meet a demand by a move.
fn may_refute(demand: Demand, opposing: u32) -> bool {
    return ((demand.putters >> 16u) & opposing) != 0u;
}

// Whether one of the opponent's doves on the slots of `opposing` may meet a demand by a move, or a put can meet it.
fn is_refutable(demand: Demand, opposing: u32) -> bool {
    return may_refute(demand, opposing) || is_refuted_by_a_put(demand, opposing);
}

// The mover's deciding pairs (see deciding_actors) on the slots of `mine`.
fn deciding_pairs(table: u32, mine: u32) -> vec2<u32> {
    var pairs = vec2(0u);
    for (var rest = mine; rest != 0u; rest &= rest - 1u) {
        let slot = countTrailingZeros(rest);
        pairs |= pairs_at(slot, deciding_actors(table, slot + 1u) & ALL_KINDS);
    }
    return pairs;
}

// Whether the mover's boss or a put decides, whatever the kinds of the mover's doves.
fn decides_anyway(table: u32, mine: u32) -> bool {
    return deciding_actors(table, BOSS_GROUP) != 0u
        || (countOneBits(mine) < KINDS && (deciding_actors(table, PUT_GROUP) & (mine | BOSS_SLOT)) != 0u);
}
