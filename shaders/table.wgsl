// Stage 1: the refutation tables of a batch of boss placements, one invocation a group of clauses.
// Twin of src/mates/table.rs, which has the mathematics.

override RETURNS: bool;
// The outcome for the player whose action surrounds both bosses.
override BOTH_SURROUNDED: u32;

const NO_SLOT = 0xffffffffu;

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> placements: array<u32>;
@group(0) @binding(2) var<storage, read_write> tables: array<Table>;

struct Scene {
    doves: vec2<u32>,
    mover: vec2<u32>,
    opponent: vec2<u32>,
    // All slots' cells; the slots are numbered in the order of first_cell.
    slot_cells: vec2<u32>,
}

fn scene_of(placement: u32) -> Scene {
    let doves = window_cells(cells_of(placement));
    let mover = window_cells(1u << ((placement >> 16u) & 0xfu));
    let opponent = window_cells(1u << ((placement >> 20u) & 0xfu));
    return Scene(doves, mover, opponent, doves & ~mover & ~opponent);
}

fn reach(kind: u32, from_cell: vec2<u32>, others: vec2<u32>) -> vec2<u32> {
    switch kind {
        case 0u: { return neighbours(from_cell); }
        case 1u: { return sides(from_cell); }
        case 2u: { return diagonals(from_cell); }
        case 3u: { return slides(from_cell, others); }
        default: { return knight_jumps(from_cell); }
    }
}

// The kinds that get from `from_cell` to one of the cells of `targets`.
fn reaching_kinds(from_cell: vec2<u32>, others: vec2<u32>, targets: vec2<u32>) -> u32 {
    return u32(overlap(reach(0u, from_cell, others), targets))
        | u32(overlap(reach(1u, from_cell, others), targets)) << 1u
        | u32(overlap(reach(2u, from_cell, others), targets)) << 2u
        | u32(overlap(reach(3u, from_cell, others), targets)) << 3u
        | u32(overlap(reach(4u, from_cell, others), targets)) << 4u;
}

fn outcome(own_surrounded: bool, opposing_surrounded: bool) -> u32 {
    if own_surrounded {
        return select(LOST, BOTH_SURROUNDED, opposing_surrounded);
    }
    return select(OPEN, WON, opposing_surrounded);
}

fn winning_cells(scene: Scene, doves: vec2<u32>, mover: vec2<u32>, bounds: Bounds) -> vec2<u32> {
    let winning = surrounding_cells(mover, doves, bounds);
    if is_empty(winning) || BOTH_SURROUNDED == WON {
        return winning;
    }
    return winning & ~surrounding_cells(scene.opponent, doves, bounds);
}

fn boss_refutes(scene: Scene, doves: vec2<u32>, mover: vec2<u32>) -> bool {
    let others = doves & ~scene.opponent;
    let bounds = bounds_of(others);
    var targets = surrounding_cells(mover, others, bounds) & neighbours(scene.opponent);
    if is_empty(targets) {
        return false;
    }
    targets &= landings(others, bounds);
    while !is_empty(targets) {
        let boss = first_cell(targets);
        if outcome(is_empty(open_sides(boss, others | boss)), true) == WON {
            return true;
        }
        targets &= ~boss;
    }
    return false;
}

fn refuting_kinds(scene: Scene, doves: vec2<u32>, mover: vec2<u32>, from_cell: vec2<u32>) -> u32 {
    let others = doves & ~from_cell;
    let bounds = bounds_of(others);
    let winning = winning_cells(scene, others, mover, bounds);
    if is_empty(winning) {
        return 0u;
    }
    return reaching_kinds(from_cell, others, winning & landings(others, bounds));
}

fn touching(scene: Scene, around: vec2<u32>, boss: vec2<u32>, vacated: u32) -> u32 {
    var found = select(0u, BOSS_SLOT, overlap(boss, around));
    var rest = scene.slot_cells;
    for (var slot = 0u; !is_empty(rest); slot++) {
        let cell = first_cell(rest);
        rest &= ~cell;
        if slot != vacated && overlap(cell, around) {
            found |= 1u << slot;
        }
    }
    return found;
}

// A put beside any of the winning cells refutes, so the slots that touch them can be taken together.
fn refuting_putters(scene: Scene, doves: vec2<u32>, mover: vec2<u32>, vacated: u32) -> u32 {
    let bounds = bounds_of(doves);
    let winning = winning_cells(scene, doves, mover, bounds) & landings(doves, bounds) & ~sides(mover);
    if is_empty(winning) {
        return 0u;
    }
    return touching(scene, neighbours(winning), scene.opponent, vacated);
}

// The number of clauses so far, who can act without losing, and who wins.
struct Group {
    clauses: u32,
    safe: u32,
    wins: u32,
}

// Judges an action that leaves `doves` on the board and the mover's boss on `mover`, and adds what it comes to.
fn note_action(
    table: u32, group: u32, noted: ptr<function, Group>, scene: Scene, actors: u32,
    doves: vec2<u32>, mover: vec2<u32>, vacated: u32,
) {
    let result = outcome(is_empty(open_sides(mover, doves)), is_empty(open_sides(scene.opponent, doves)));
    if result == LOST || actors == 0u {
        return;
    }
    (*noted).safe |= actors;
    (*noted).wins |= select(0u, actors, result == WON);
    var putters = 0u;
    var movers = vec2(0u);
    if result == OPEN {
        if boss_refutes(scene, doves, mover) {
            return;
        }
        putters = refuting_putters(scene, doves, mover, vacated);
        var rest = scene.slot_cells;
        for (var slot = 0u; !is_empty(rest); slot++) {
            let from_cell = first_cell(rest);
            rest &= ~from_cell;
            if slot != vacated {
                let kinds = refuting_kinds(scene, doves, mover, from_cell);
                if slot < KINDS {
                    movers.x |= kinds << (KINDS * slot);
                } else {
                    movers.y |= kinds << (KINDS * (slot - KINDS));
                }
            }
        }
    }
    if (*noted).clauses < GROUP_CAPACITY {
        tables[table].clauses[group][(*noted).clauses] = vec4(actors | putters << 16u, movers, 0u);
    }
    (*noted).clauses++;
}

@compute @workgroup_size(TABLE_WORKGROUP_SIZE)
fn build_tables(@builtin(global_invocation_id) invocation: vec3<u32>) {
    let table = invocation.x / LANES_PER_TABLE;
    let group = invocation.x % LANES_PER_TABLE;
    if table >= batch.placements || group >= GROUPS {
        return;
    }
    let scene = scene_of(placements[table]);
    var noted = Group(0u, 0u, 0u);

    // What leaves its cell: the mover's boss, the dove of a slot, or nothing for a put.
    var leaving = vec2(0u);
    var vacated = NO_SLOT;
    if group == BOSS_GROUP {
        leaving = scene.mover;
    } else if group < PUT_GROUP {
        vacated = group - 1u;
        var rest = scene.slot_cells;
        for (var slot = 0u; slot < vacated; slot++) {
            rest &= ~first_cell(rest);
        }
        leaving = first_cell(rest);
    }
    if group != PUT_GROUP && is_empty(leaving) {
        tables[table].groups[group] = 0u; // there is no such slot
        tables[table].wins[group] = 0u;
        return;
    }
    let others = scene.doves & ~leaving;
    var targets = landings(others, bounds_of(others));
    // A return is an action without a target. It is judged in the same place as the others: compilers copy what is called.
    var returns = false;
    if group == BOSS_GROUP {
        targets &= neighbours(leaving);
    } else if group == PUT_GROUP {
        targets &= ~sides(scene.opponent);
    } else {
        targets &= reach(0u, leaving, others) | reach(3u, leaving, others) | reach(4u, leaving, others);
        returns = RETURNS && is_empty(isolated(others));
    }
    while returns || !is_empty(targets) {
        var target_cell = vec2(0u);
        var actors = ALL_KINDS;
        var mover = scene.mover;
        if returns {
            returns = false;
        } else {
            target_cell = first_cell(targets);
            targets &= ~target_cell;
            if group == BOSS_GROUP {
                actors = BOSS_SLOT;
                mover = target_cell;
            } else if group == PUT_GROUP {
                actors = touching(scene, neighbours(target_cell), scene.mover, NO_SLOT);
            } else {
                actors = reaching_kinds(leaving, others, target_cell);
            }
        }
        note_action(table, group, &noted, scene, actors, others | target_cell, mover, vacated);
    }
    tables[table].groups[group] = noted.clauses | noted.safe << 16u;
    tables[table].wins[group] = noted.wins;
}
