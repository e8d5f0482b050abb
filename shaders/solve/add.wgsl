// Adds the losses that a round has found to the earlier ones, which the round needed unchanged, and sets the mark of
// each block that has new losses.

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: Results;
@group(0) @binding(3) var<storage, read_write> losses: array<u32>;
@group(0) @binding(4) var<storage, read> added: array<u32>;
@group(0) @binding(5) var<storage, read_write> marks: array<atomic<u32>>;

var<workgroup> decided: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn add_losses(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if lane == 0u {
        atomicStore(&decided, 0u);
    }
    workgroupBarrier(); // Guards decided, cleared before it is added to; atomics only.
    let place = workgroup.x * (WORKGROUP_SIZE >> batch.team_shift) + (lane >> batch.team_shift);
    let row = lane & ((1u << batch.team_shift) - 1u);
    if place < batch.blocks && row < batch.rows {
        var number = batch.first + place;
        if batch.listed == 1u {
            number = list[place];
        }
        let at = batch.own_at + ((number - batch.segment) * batch.rows + row) * batch.own_words;
        for (var word = 0u; word < batch.own_words; word++) {
            let more = added[at + word];
            if more != 0u {
                losses[at + word] |= more;
                atomicOr(&marks[batch.marks_at + (number >> 5u)], 1u << (number & 31u));
            }
        }
        atomicAdd(&decided, 1u);
    }
    workgroupBarrier(); // Guards decided, added to before it is read; atomics only.
    if lane == 0u {
        results.words[3u * workgroup.x] = 0u;
        results.words[3u * workgroup.x + 1u] = atomicLoad(&decided);
        results.words[3u * workgroup.x + 2u] = batch.serial;
    }
}
