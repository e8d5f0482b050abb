// The data that the solver's stages share: the batch and its offsets. Twin of src/gpu/solve/layout.rs.
//
// Blocks, rows and bits are those of src/solve/space/layout.rs; a row takes as many words as its bits need.
// src/gpu/solve/shaders.rs writes the shared constants (WORKGROUP_SIZE, MOVE, …) above this file.

struct Batch {
    // The first block, and the number of blocks, all in one shard. They are consecutive unless `listed` is 1: then
    // `list` has their numbers.
    first: u32,
    blocks: u32,
    listed: u32,
    // The serial number for the done marks, different for every batch.
    serial: u32,
    // 1 << team_shift invocations work on a block.
    team_shift: u32,
    // The ends that rows are initialised from.
    start: u32,
    // The number of chunks in which the teams go through the actions of their blocks; 0 if nothing is gathered.
    chunks: u32,
    // Where in `results.words` the found blocks begin.
    found_at: u32,
    // The first block of the segment, and where in this shard its rows and its ends begin.
    segment: u32,
    own_at: u32,
    ends_at: u32,
    // Where the marks of the class begin.
    marks_at: u32,
    // The first boss placement in `actions`.
    first_placement: u32,
    // The class: see src/solve/space/layout.rs. Kinds are bits as in `DoveSet::bits`; `puts` is the number of kinds
    // that the mover can put.
    slots: u32,
    rows: u32,
    width: u32,
    own_words: u32,
    read_words: u32,
    sets: u32,
    own_kinds: u32,
    puts: u32,
    // Offsets in `tables`; for maps, the first one and the stride.
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
    // The classes that actions lead to, by the offsets of their records in `tables`; `after_puts` has one for each put.
    after_move: u32,
    after_return: u32,
    after_puts: u32,
    // A row of a block, seen from its actions, with all bits set.
    all_x: u32,
    all_y: u32,
    all_z: u32,
    all_w: u32,
}

struct Results {
    // The number of found blocks: those in which something was found.
    cursor: atomic<u32>,
    // First three words for each workgroup, as `Count` in src/gpu/count/layout.rs has them: the number of bits found, the
    // number of rows decided (in the stage of the ends, words of the ends), summed over the invocations, and the serial
    // number of the batch. From found_at on, the found blocks in any order, each as its number and its rows.
    words: array<u32>,
}
