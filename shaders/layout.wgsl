// The data that the stages share: the batch and the refutation tables. Twin of src/gpu/count/layout.rs.

// src/gpu/count/shaders.rs writes the shared constants (KINDS, GROUPS, …) above this file.

struct Batch {
    placements: u32,
    // The serial number of the batch, different for every batch, by which results are marked as done.
    serial: u32,
}

// One refutation table. groups[g] has the number of clauses of group g and, from bit 16, the actors of the group with
// an action that does not lose; wins[g] has the actors with an action that wins. A clause is (actors | putters << 16,
// movers of slots 0 to 4, movers of slots 5 to 9, unused).
struct Table {
    groups: array<u32, GROUPS>,
    wins: array<u32, GROUPS>,
    clauses: array<array<vec4<u32>, GROUP_CAPACITY>, GROUPS>,
}

fn clauses_of(groups: u32) -> u32 {
    return groups & 0xffffu;
}

fn cells_of(placement: u32) -> u32 {
    return placement & 0xffffu;
}
