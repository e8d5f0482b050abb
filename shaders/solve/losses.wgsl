// The positions lost in n: all actions that do not lose by themselves lead to positions that are won, and they are not lost already. Twin of
// `losses` in src/solve/rounds.rs.
//
// That some action leads to a win of the round before needs no look: without one they were lost already.

@group(0) @binding(6) var<storage, read_write> losses: array<u32>;
@group(0) @binding(7) var<storage, read_write> added: array<u32>;

// Whether an action that leads to a block is a step to be gone through: all are.
fn is_wanted(marks_at: u32, block: u32) -> bool {
    return true;
}

var<workgroup> alive: atomic<u32>;
var<workgroup> go_on: u32;

// Whether any invocation of the workgroup has a bit left. All invocations call it together.
fn any_left(lane: u32, row: Row) -> bool {
    if has_bits(row) {
        atomicOr(&alive, 1u);
    }
    workgroupBarrier();
    if lane == 0u {
        go_on = atomicExchange(&alive, 0u);
    }
    return workgroupUniformLoad(&go_on) != 0u;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn find_losses(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let here = find_here(workgroup.x, lane);
    var lost = started(here);
    var chunks = 0u;
    if batch.gathers == 1u {
        chunks = count_chunks(here, lane);
    }
    for (var chunk = 0u; chunk < chunks; chunk++) {
        // The boss, which every deal has, finds an escape in most blocks; its moves come first.
        if !any_left(lane, lost) {
            break;
        }
        let count = prepare_steps(here, chunk);
        if has_row(here) {
            for (var place = 0u; place < count && has_bits(lost); place++) {
                let step = (here.team << batch.team_shift) + place;
                let who = steps[step].who;
                if has_step(here, who) {
                    lost &= successor(here, step, who);
                }
            }
        }
    }
    var fresh = transposed(here, lane, lost);
    if has_stored_row(here) {
        let at = stored_at(here);
        for (var word = 0u; word < batch.own_words; word++) {
            let more = word_of(fresh, word) & ~losses[at + word];
            added[at + word] = more;
            set_word(&fresh, word, more);
        }
    }
    report(here, workgroup.x, lane, fresh);
}
