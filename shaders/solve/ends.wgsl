// The ends of a block: ENDS sets of deals of the mover's doves that are decided without any other position. Twin of
// `ends` in src/solve/rounds/round.rs.

@group(0) @binding(5) var<storage, read_write> ends: array<u32>;

// For each team and outcome, the deals with an action of that outcome: OPEN if it does not end the game.
var<workgroup> acting: array<array<array<atomic<u32>, ROW_WORDS>, 4>, MAX_TEAMS>;
var<workgroup> found: atomic<u32>;
var<workgroup> decided: atomic<u32>;

// Clears the workgroup memory that is read before it is written: it is not zero at first. All invocations call this
// together.
fn clear_memory(here: Here, lane: u32) {
    if lane == 0u {
        atomicStore(&found, 0u);
        atomicStore(&decided, 0u);
    }
    // A team has at least as many invocations as a row has words.
    if here.deal < ROW_WORDS {
        atomicStore(&acting[here.team][OPEN][here.deal], 0u);
        atomicStore(&acting[here.team][WON][here.deal], 0u);
        atomicStore(&acting[here.team][LOST][here.deal], 0u);
        atomicStore(&acting[here.team][DRAWN][here.deal], 0u);
    }
    workgroupBarrier(); // Guards all that is cleared; atomics only.
}

// One word of the set of deals that have an action.
fn deals_with(here: Here, action: vec4<u32>, word: u32) -> u32 {
    if act_of(action) != MOVE {
        return select(0xffffffffu, (1u << (batch.width & 31u)) - 1u, 32u * (word + 1u) > batch.width);
    }
    let place = below(here.own, slot_of(action));
    return tables[batch.with_kinds + (32u * place + kinds_of(action)) * batch.own_words + word];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn find_ends(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let here = find_here(workgroup.x, lane);
    clear_memory(here, lane);
    if here.exists {
        let end = actions[here.placement + 1u].x;
        for (var next = actions[here.placement].z + here.deal; next < end; next += 1u << batch.team_shift) {
            let action = actions[next];
            if has_action(here, action) {
                for (var word = 0u; word < batch.own_words; word++) {
                    atomicOr(&acting[here.team][outcome_of(action)][word], deals_with(here, action, word));
                }
            }
        }
    }
    workgroupBarrier(); // Guards acting; atomics only.
    if here.exists && here.deal < batch.own_words {
        let word = here.deal;
        let won = atomicLoad(&acting[here.team][WON][word]);
        let drawn = atomicLoad(&acting[here.team][DRAWN][word]);
        let lost = atomicLoad(&acting[here.team][LOST][word]);
        let open = atomicLoad(&acting[here.team][OPEN][word]);
        let all = select(0xffffffffu, (1u << (batch.width & 31u)) - 1u, 32u * (word + 1u) > batch.width);
        let harmless = won | drawn | open;
        let stuck = all & ~(harmless | lost);
        let at = ends_of(here) + word;
        ends[at + AT_ONCE * batch.own_words] = won;
        ends[at + SAFE * batch.own_words] = won | drawn;
        ends[at + STUCK * batch.own_words] = stuck;
        ends[at + SELF_LOST * batch.own_words] = lost & ~harmless;
        atomicAdd(&found, countOneBits(stuck) + countOneBits(lost & ~harmless));
        atomicAdd(&decided, 1u);
    }
    workgroupBarrier(); // Guards found and decided; atomics only.
    if lane == 0u {
        results.words[3u * workgroup.x] = atomicLoad(&found);
        results.words[3u * workgroup.x + 1u] = atomicLoad(&decided);
        results.words[3u * workgroup.x + 2u] = batch.serial;
    }
}
