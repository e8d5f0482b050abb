// needs: layout.wgsl, plane.wgsl
// Stage 1: the refutation tables of a batch of boss placements, with one invocation per group of clauses.
// Twin of src/count/table.rs, which has the mathematics, and of src/count/scene.rs.

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
    // The cells of all slots; slots are numbered in the order of first_cell.
    slot_cells: vec2<u32>,
}

fn scene_of(placement: u32) -> Scene {
    let doves = window_cells(cells_of(placement));
    let mover = window_cells(1u << ((placement >> 16u) & 0xfu));
    let opponent = window_cells(1u << ((placement >> 20u) & 0xfu));
    return Scene(doves, mover, opponent, doves & ~mover & ~opponent);
}

// The kinds that can move from `from_cell` to one of the cells of `targets`.
fn reaching_kinds(from_cell: vec2<u32>, others: vec2<u32>, targets: vec2<u32>) -> u32 {
    return u32(overlap(neighbours(from_cell), targets))
        | (u32(overlap(sides(from_cell), targets)) << 1u)
        | (u32(overlap(diagonals(from_cell), targets)) << 2u)
        | (u32(overlap(slides(from_cell, others), targets)) << 3u)
        | (u32(overlap(knight_jumps(from_cell), targets)) << 4u);
}

fn outcome(own_surrounded: bool, opposing_surrounded: bool) -> u32 {
    if own_surrounded {
        return select(LOST, BOTH_SURROUNDED, opposing_surrounded);
    }
    return select(OPEN, WON, opposing_surrounded);
}

// The slots that touch one of `targets`, except the vacated one, and BOSS_SLOT if `boss` does.
fn touching(scene: Scene, targets: vec2<u32>, boss: vec2<u32>, vacated: u32) -> u32 {
    let around = neighbours(targets);
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

// The refuters of an action that leaves the game open: the opposing boss, if `always` is set; puts beside the slots of
// `putters`; doves on slots, of the kinds in `movers`.
struct Refuters {
    always: bool,
    putters: u32,
    movers: vec2<u32>,
}

// The refuters, by the dove that leaves its cell to surround the mover's boss: the opposing boss, none (for a put),
// then the dove of each slot. src/count/scene.rs has a function for each; here one loop does all, because compilers
// inline every call.
fn refuters(scene: Scene, doves: vec2<u32>, mover: vec2<u32>, vacated: u32) -> Refuters {
    var found = Refuters(false, 0u, vec2(0u));
    var rest = scene.slot_cells;
    for (var turn = 0u; turn < 2u || !is_empty(rest); turn++) {
        let is_boss = turn == 0u;
        let is_put = turn == 1u;
        let slot = turn - 2u;
        var leaving = select(vec2(0u), scene.opponent, is_boss);
        if !is_boss && !is_put {
            leaving = first_cell(rest);
            rest &= ~leaving;
            if slot == vacated {
                continue;
            }
        }
        let others = doves & ~leaving;
        let bounds = bounds_of(others);
        var winning = surrounding_cells(mover, others, bounds);
        if is_boss {
            winning &= neighbours(leaving);
        } else if BOTH_SURROUNDED != WON && !is_empty(winning) {
            winning &= ~surrounding_cells(scene.opponent, others, bounds);
        }
        if is_empty(winning) {
            continue;
        }
        winning &= landings(others, bounds);
        if is_boss {
            found.always = boss_wins(others, winning);
            if found.always {
                return found;
            }
        } else if is_put {
            // A put on any of the winning cells refutes, so the slots that touch them can be combined.
            found.putters = touching(scene, winning & ~sides(mover), scene.opponent, vacated);
        } else {
            let kinds = reaching_kinds(leaving, others, winning);
            if slot < KINDS {
                found.movers.x |= kinds << (KINDS * slot);
            } else {
                found.movers.y |= kinds << (KINDS * (slot - KINDS));
            }
        }
    }
    return found;
}

// Whether the opposing boss wins by moving to one of these cells, from which it surrounds the mover's boss.
fn boss_wins(others: vec2<u32>, targets: vec2<u32>) -> bool {
    var rest = targets;
    while !is_empty(rest) {
        let boss = first_cell(rest);
        if outcome(is_empty(open_sides(boss, others | boss)), true) == WON {
            return true;
        }
        rest &= ~boss;
    }
    return false;
}

// A group as built so far: its number of clauses, the actors that can act without losing, and those that win.
struct Group {
    clauses: u32,
    safe: u32,
    wins: u32,
}

// Judges an action that leaves `doves` on the board and the mover's boss on `mover`, and adds its clause to the group.
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
    var answers = Refuters(false, 0u, vec2(0u));
    if result == OPEN {
        answers = refuters(scene, doves, mover, vacated);
        if answers.always {
            return;
        }
    }
    if (*noted).clauses < GROUP_CAPACITY {
        tables[table].clauses[group][(*noted).clauses] = vec4(actors | (answers.putters << 16u), answers.movers, 0u);
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

    // What leaves its cell: the mover's boss, the dove of a slot, or, for a put, nothing.
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
    // A return is an action without a target. One call judges it and all other actions, because compilers inline every
    // call.
    var returns = false;
    if group == BOSS_GROUP {
        targets &= neighbours(leaving);
    } else if group == PUT_GROUP {
        targets &= ~sides(scene.opponent);
    } else {
        targets &= neighbours(leaving) | slides(leaving, others) | knight_jumps(leaving);
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
                actors = touching(scene, target_cell, scene.mover, NO_SLOT);
            } else {
                actors = reaching_kinds(leaving, others, target_cell);
            }
        }
        note_action(table, group, &noted, scene, actors, others | target_cell, mover, vacated);
    }
    tables[table].groups[group] = noted.clauses | (noted.safe << 16u);
    tables[table].wins[group] = noted.wins;
}
