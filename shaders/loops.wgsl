// The self-test's long loop: every invocation mixes its number `rounds` times and counts the rounds it made. The
// count exposes a driver that ends loops early, and the mixed number one that computes wrongly. Twin of
// src/gpu/loops.rs, which writes LANES and MULTIPLIER above this file.

struct Looped {
    rounds: u32,
    mixed: u32,
}

@group(0) @binding(0) var<uniform> rounds: u32;
@group(0) @binding(1) var<storage, read_write> looped: array<Looped>;

@compute @workgroup_size(LANES)
fn run_loop(@builtin(local_invocation_index) lane: u32) {
    var made = 0u;
    var mixed = lane;
    for (var round = 0u; round < rounds; round++) {
        mixed = (mixed ^ (mixed >> 15u)) * MULTIPLIER + round;
        made++;
    }
    looped[lane] = Looped(made, mixed);
}
