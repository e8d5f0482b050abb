// Rows of up to 32 bits, for dove sets of up to four kinds. Twin of src/solve/space/word.rs.

alias Row = u32;

const NO_BITS: Row = 0u;

fn has_bits(row: Row) -> bool {
    return row != 0u;
}

fn bit_count(row: Row) -> u32 {
    return countOneBits(row);
}

fn all_bits() -> Row {
    return batch.all_x;
}

fn word_of(row: Row, word: u32) -> u32 {
    return row;
}

fn set_word(row: ptr<function, Row>, word: u32, bits: u32) {
    *row = bits;
}

fn gathered_row(shard: u32, at: u32) -> Row {
    return gathered_word(shard, at);
}

// The row with its bits reordered, by a table for each byte; zero stays zero.
fn reordered(row: Row, table: u32) -> Row {
    var found = 0u;
    var at = table;
    for (var bytes = row; bytes != 0u; bytes >>= 8u) {
        found |= tables[at + (bytes & 0xffu)];
        at += 256u;
    }
    return found;
}

// The bits at one place of all rows of a team, that of the first row lowest.
fn column(first_row: u32, bit: u32) -> Row {
    return column_word(first_row, bit, 0u, batch.width);
}
