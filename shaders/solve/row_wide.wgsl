// Rows of up to 128 bits. Twin of src/solve/space/word.rs.

alias Row = vec4<u32>;

const NO_BITS: Row = vec4(0u);

fn has_bits(row: Row) -> bool {
    return any(row != NO_BITS);
}

fn bit_count(row: Row) -> u32 {
    let counts = countOneBits(row);
    return counts.x + counts.y + counts.z + counts.w;
}

fn all_bits() -> Row {
    return vec4(batch.all_x, batch.all_y, batch.all_z, batch.all_w);
}

fn word_of(row: Row, word: u32) -> u32 {
    return row[word];
}

fn set_word(row: ptr<function, Row>, word: u32, bits: u32) {
    // FXC cannot assign to a vector element with an index that is not constant.
    *row = select(*row, vec4(bits), vec4(0u, 1u, 2u, 3u) == vec4(word));
}

fn gathered_row(shard: u32, at: u32) -> Row {
    var row = vec4(gathered_word(shard, at), 0u, 0u, 0u);
    if batch.read_words > 1u {
        row.y = gathered_word(shard, at + 1u);
    }
    if batch.read_words > 2u {
        row.z = gathered_word(shard, at + 2u);
    }
    if batch.read_words > 3u {
        row.w = gathered_word(shard, at + 3u);
    }
    return row;
}

// The bits of one word reordered, by the four consecutive tables of its bytes.
fn reordered_word(word: u32, table: u32) -> Row {
    var found = NO_BITS;
    var at = table;
    for (var bytes = word; bytes != 0u; bytes >>= 8u) {
        let entry = at + (bytes & 0xffu) * batch.read_words;
        found.x |= tables[entry];
        if batch.read_words > 1u {
            found.y |= tables[entry + 1u];
        }
        if batch.read_words > 2u {
            found.z |= tables[entry + 2u];
        }
        if batch.read_words > 3u {
            found.w |= tables[entry + 3u];
        }
        at += 256u * batch.read_words;
    }
    return found;
}

// The row with its bits reordered, by a table for each byte; zero stays zero.
fn reordered(row: Row, table: u32) -> Row {
    let far = 1024u * batch.read_words;
    return reordered_word(row.x, table)
        | reordered_word(row.y, table + far)
        | reordered_word(row.z, table + 2u * far)
        | reordered_word(row.w, table + 3u * far);
}

// The bits at one place of all rows of a team, that of the first row lowest.
fn column(first_row: u32, bit: u32) -> Row {
    return vec4(
        column_word(first_row, bit, 0u, min(batch.width, 32u)),
        column_word(first_row, bit, 32u, min(batch.width, 64u)),
        column_word(first_row, bit, 64u, min(batch.width, 96u)),
        column_word(first_row, bit, 96u, min(batch.width, 128u)),
    );
}
