// The self-test's probe of a few words of a large buffer, the last one first: they are read, then written. Twin of
// src/gpu/words.rs, which writes LANES above this file.

struct Probe {
    // What is written to a word: 0 if this is 0, else the index of the word mixed with it.
    serial: u32,
    // Where in `seen` the values read begin.
    seen_at: u32,
}

@group(0) @binding(0) var<uniform> probe: Probe;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> seen: array<u32>;

@compute @workgroup_size(LANES)
fn probe_words(@builtin(local_invocation_index) lane: u32) {
    let last = arrayLength(&words) - 1u;
    // The last word, the first one, and those at powers of two between them.
    var place = last;
    if lane > 0u {
        place = (1u << (lane - 1u)) >> 1u;
        if place >= last {
            return;
        }
    }
    seen[probe.seen_at + lane] = words[place];
    words[place] = select(place ^ probe.serial, 0u, probe.serial == 0u);
}
