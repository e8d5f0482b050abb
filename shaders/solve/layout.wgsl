// What the stages of the solver share: the batch, and where it finds what. Twin of src/gpu/solve/layout.rs.
//
// Blocks, rows and bits are those of src/solve/layout.rs; a row takes as many words as its bits need. The numbers that the host shares
// (WORKGROUP_SIZE, MOVE, …) are written above this file by src/gpu/solve/shaders.rs.

struct Batch {
    // The first block, and how many; all in one shard. If `listed` is 1 their numbers are in `list`, else they follow each other.
    first: u32,
    blocks: u32,
    listed: u32,
    // The done mark: another number for every batch.
    serial: u32,
    // A block is the work of 1 << team_shift invocations.
    team_shift: u32,
    // Which of the ends a row begins with.
    start: u32,
    // In how many turns the teams go through the actions of any of their blocks; 0 if what these lead to is not
    // gathered.
    chunks: u32,
    // Where in `results.words` the blocks begin in which something is found.
    found_at: u32,
    // The first block of the class in this shard, and where its rows and its ends are.
    segment: u32,
    own_at: u32,
    ends_at: u32,
    // Where the marks of the class begin.
    marks_at: u32,
    // The first boss placement in `actions`.
    first_placement: u32,
    // The class: see src/solve/layout.rs. Kinds are bits as in `DoveSet::bits`, puts how many kinds the mover can put.
    slots: u32,
    rows: u32,
    width: u32,
    own_words: u32,
    read_words: u32,
    sets: u32,
    own_kinds: u32,
    puts: u32,
    // Where in `tables` things are; of several of a kind the first, and how far the next one is.
    set_list: u32,
    places_same: u32,
    places_more: u32,
    places_less: u32,
    deal_kinds: u32,
    with_kinds: u32,
    permuted: u32,
    map_stride: u32,
    permuted_less: u32,
    less_stride: u32,
    dropped: u32,
    inserted: u32,
    reorders: u32,
    reorder_stride: u32,
    // The classes that actions lead to, as places of their records in `tables`: one for each put.
    after_move: u32,
    after_return: u32,
    after_puts: u32,
    // The row of a block, seen from its actions, in which all bits are set.
    all_x: u32,
    all_y: u32,
    all_z: u32,
    all_w: u32,
}

// What a workgroup has found. Twin of src/gpu/stream.rs.
struct Count {
    found: u32,
    // What the invocations have decided, added up: rows, and in the stage of the ends blocks.
    decided: u32,
    serial: u32,
}

struct Results {
    // How many blocks there are in which something was found.
    cursor: atomic<u32>,
    // First a Count for each workgroup; from found_at on the blocks in which something was found, in whatever order: the number, and the
    // rows.
    words: array<u32>,
}
