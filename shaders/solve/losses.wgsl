// The positions lost in n: those not lost already from which all actions that do not lose outright lead to won
// positions. Twin of `losses` in src/solve/rounds/round.rs.
//
// There is no need to check that some action leads to a win of the previous round: a position without one was lost
// already.

@group(0) @binding(6) var<storage, read_write> losses: array<u32>;
@group(0) @binding(7) var<storage, read_write> added: array<u32>;

// Whether an action that leads to a block is needed: all are.
fn is_wanted(marks_at: u32, block: u32) -> bool {
    return true;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn find_losses(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let here = find_here(workgroup.x, lane);
    clear_memory(lane);
    var lost = started(here);
    let open = open_actions(here);
    for (var chunk = 0u; chunk < batch.chunks; chunk++) {
        // Moves of the boss come first: every deal has them, and they include an escape in most blocks.
        if has_bits(lost) {
            want_steps(here, open, chunk);
        }
        let count = prepare_steps(here, open, chunk);
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
