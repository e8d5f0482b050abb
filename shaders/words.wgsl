// The self-test's probe of a few words of a large buffer, the last one among them: each is read, then written. Twin of
// src/gpu/words.rs, which writes LANES above this file.

struct Probe {
    // 0 to write zeros; otherwise each word gets its index mixed with this.
    serial: u32,
    // The index in `seen` of the first value read.
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
