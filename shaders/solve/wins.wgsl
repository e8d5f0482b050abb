// The positions won in n: those not won already from which some action leads to a lost position. Twin of `wins` in
// src/solve/rounds/round.rs.
//
// All losses so far may be used in place of the losses in n − 1, since what leads to an earlier one is won already. But
// only marked blocks, which have losses in n − 1, need to be read.

@group(0) @binding(6) var<storage, read_write> wins: array<u32>;
@group(0) @binding(7) var<storage, read> marks: array<u32>;

// Whether an action that leads to a block is needed: if the block is marked.
fn is_wanted(marks_at: u32, block: u32) -> bool {
    return ((marks[marks_at + (block >> 5u)] >> (block & 31u)) & 1u) == 1u;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn find_wins(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let here = find_here(workgroup.x, lane);
    clear_memory(lane);
    var won = started(here);
    let open = open_actions(here);
    for (var chunk = 0u; chunk < batch.chunks; chunk++) {
        if here.deal == 0u {
            want_steps(here, open, chunk);
        }
        let count = prepare_steps(here, open, chunk);
        if has_row(here) {
            for (var place = 0u; place < count; place++) {
                let step = (here.team << batch.team_shift) + place;
                let who = steps[step].who;
                if has_step(here, who) {
                    won |= successor(here, step, who);
                }
            }
        }
    }
    var fresh = transposed(here, lane, won);
    if has_stored_row(here) {
        let at = stored_at(here);
        for (var word = 0u; word < batch.own_words; word++) {
            let before = wins[at + word];
            let more = word_of(fresh, word) & ~before;
            if more != 0u {
                wins[at + word] = before | more;
            }
            set_word(&fresh, word, more);
        }
    }
    report(here, workgroup.x, lane, fresh);
}
