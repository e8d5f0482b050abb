// The results of a stage: turned from rows as the actions see them into rows as they are stored, and written for the
// host.

@group(0) @binding(5) var<storage, read_write> ends: array<u32>;

var<workgroup> rows: array<Row, WORKGROUP_SIZE>;
var<workgroup> has_rows: array<atomic<u32>, MAX_TEAMS>;
var<workgroup> found: atomic<u32>;
var<workgroup> decided: atomic<u32>;
var<workgroup> has_found: array<atomic<u32>, MAX_TEAMS>;
var<workgroup> entries: array<u32, MAX_TEAMS>;

// Clears the workgroup memory that is read before it is written: it is not zero at first. All invocations call this
// together.
fn clear_memory(lane: u32) {
    if lane == 0u {
        atomicStore(&found, 0u);
        atomicStore(&decided, 0u);
    }
    if lane < MAX_TEAMS {
        atomicStore(&has_rows[lane], 0u);
        atomicStore(&has_found[lane], 0u);
        atomicStore(&last_wanted[lane], 0u);
        // The counters of the second chunk are cleared in the first.
        atomicStore(&step_counts[lane], 0u);
    }
    workgroupBarrier(); // Guards all that is cleared; atomics only.
}

// The initial row of an invocation: all bits or none, depending on its deal in the block's ends.
fn started(here: Here) -> Row {
    if batch.start == ENDS || !has_row(here) {
        return NO_BITS;
    }
    let word = ends[ends_of(here) + batch.start * batch.own_words + (here.deal >> 5u)];
    // SAFE is inverted: a deal with an action that escapes is no loss, and any other may be lost.
    let is_set = ((word >> (here.deal & 31u)) & 1u) == 1u;
    if is_set == (batch.start == SAFE) {
        return NO_BITS;
    }
    return all_bits();
}

fn column_word(first_row: u32, bit: u32, first: u32, last: u32) -> u32 {
    var word = 0u;
    for (var row = first; row < last; row++) {
        let bits = word_of(rows[first_row + row], bit >> 5u);
        word |= ((bits >> (bit & 31u)) & 1u) << (row & 31u);
    }
    return word;
}

// The invocation's row as the block is stored. All invocations call it together.
fn transposed(here: Here, lane: u32, row: Row) -> Row {
    rows[lane] = row;
    if has_bits(row) {
        atomicOr(&has_rows[here.team], 1u);
    }
    workgroupBarrier(); // Guards rows and has_rows.
    var stored = NO_BITS;
    // Most blocks of most rounds have nothing to transpose.
    if has_stored_row(here) && atomicLoad(&has_rows[here.team]) != 0u {
        stored = column(here.team << batch.team_shift, here.deal);
    }
    return stored;
}

// Writes a row as it is stored for the host; blocks without bits are only counted as decided. All invocations call it
// together.
fn report(here: Here, workgroup: u32, lane: u32, row: Row) {
    if has_stored_row(here) {
        atomicAdd(&decided, 1u);
        if has_bits(row) {
            atomicAdd(&found, bit_count(row));
            atomicOr(&has_found[here.team], 1u);
        }
    }
    workgroupBarrier(); // Guards has_found; atomics only.
    let stride = 1u + batch.rows * batch.own_words;
    let is_found = atomicLoad(&has_found[here.team]) != 0u;
    if here.deal == 0u && is_found {
        let entry = atomicAdd(&results.cursor, 1u);
        entries[here.team] = batch.found_at + entry * stride;
        results.words[entries[here.team]] = here.number;
    }
    workgroupBarrier(); // Guards entries, found and decided.
    if has_stored_row(here) && is_found {
        let at = entries[here.team] + 1u + here.deal * batch.own_words;
        for (var word = 0u; word < batch.own_words; word++) {
            results.words[at + word] = word_of(row, word);
        }
    }
    if lane == 0u {
        results.words[3u * workgroup] = atomicLoad(&found);
        results.words[3u * workgroup + 1u] = atomicLoad(&decided);
        results.words[3u * workgroup + 2u] = batch.serial;
    }
}
