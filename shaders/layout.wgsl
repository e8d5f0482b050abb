// What the stages share: the batch, the refutation tables in memory. Twin of src/gpu/count/layout.rs.

// The numbers that the host shares (KINDS, GROUPS, …) and deals() are written above this file by src/gpu/count/shaders.rs.

struct Batch {
    placements: u32,
    slices: u32,
    // The done mark: another number for every batch.
    serial: u32,
}

// One refutation table. groups[g] is the number of clauses of group g, and from bit 16 who can act in it without losing;
// wins[g] is who wins by acting in it. A clause is (actors | putters << 16, movers of slots 0 to 4, movers of slots 5 to 9, unused).
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

fn slots_of(placement: u32) -> u32 {
    return countOneBits(cells_of(placement)) - 2u;
}
