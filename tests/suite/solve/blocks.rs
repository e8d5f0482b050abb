//! Blocks of bits: their transposition, and groups of blocks of which equal rows are kept once.

use dovemate::internals::solve::space::changes::{BlockForm, MANY_ROWS, SparseBits};
use dovemate::internals::solve::space::distinct_rows::DistinctRows;
use dovemate::internals::solve::space::source::BlockWins;
use dovemate::internals::solve::space::word::{PADDING, Word, transpose};

/// A fixed sequence of random numbers, each below the argument.
fn random() -> impl FnMut(u32) -> u32 {
    let mut state = 1u32;
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    }
}

fn transposes<W: Word>() {
    let mut random = random();
    for columns in [1, 2, 5, 6, 20, 24, 60, 120].into_iter().filter(|&columns| columns <= W::BITS) {
        for count in [1, 2, 6, 24, 60, 120] {
            for one_in in [1, 2, 3, 500] {
                let row = |_| {
                    let bits = (0..columns).filter(|_| random(one_in) == 0);
                    bits.fold(W::ZERO, |row, bit| row | W::bit(bit))
                };
                let rows: Vec<W> = (0..count).map(row).collect();
                let mut transposed = vec![0xff; columns * rows.len().div_ceil(8)];
                let any = transpose(&rows, columns, &mut transposed);
                assert_eq!(any, rows.iter().any(|row| *row != W::ZERO));
                for (column, bytes) in transposed.chunks(rows.len().div_ceil(8)).enumerate().filter(|_| any) {
                    for bit in 0..8 * bytes.len() {
                        let is_set = rows.get(bit).is_some_and(|row| *row & W::bit(column) != W::ZERO);
                        let found = bytes[bit / 8] >> (bit % 8) & 1 == 1;
                        assert_eq!(found, is_set, "{count} rows of {columns}, row {bit}, bit {column}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_transposed_matrix_has_rows_for_columns() {
    transposes::<u8>();
    transposes::<u32>();
    transposes::<u64>();
    transposes::<u128>();
}

/// Blocks of all shapes, whose rows are all equal, of a few kinds, or all different, come back as they were, row by
/// row and whole.
#[test]
fn rows_are_what_they_were() {
    let mut random = random();
    for rows in [1, 5, 6, 20, 24, 60, 120] {
        for row_bytes in [1, 3, 8, 15] {
            let form = BlockForm { rows, row_bytes };
            let mut stored = Vec::new();
            let kinds = [1, 2, 3, 10, 59, 60, 119, 120, 1 << 15].repeat(10);
            for &kinds in &kinds {
                for _ in 0..rows {
                    let mut row = random(kinds).to_le_bytes().repeat(4);
                    row.truncate(row_bytes);
                    stored.extend(row);
                }
            }
            stored.extend([0xff; PADDING]);
            let group = DistinctRows::new(form, &stored);
            let mut room = Vec::new();
            for (number, block) in stored.chunks_exact(form.block_bytes()).take(kinds.len()).enumerate() {
                let there = group.block(number);
                assert!((1..=rows).contains(&there.count()));
                for (row, bytes) in block.chunks_exact(row_bytes).enumerate() {
                    let place = there.place(row) * row_bytes;
                    assert_eq!(there.kept()[place..][..row_bytes], *bytes, "{form:?}, block {number}, row {row}");
                    assert!(there.kept().len() >= place + PADDING);
                }
                assert_eq!(there.whole(form, &mut room), block);
            }
            let content = group.content();
            let blocks = kinds.len();
            assert_eq!(DistinctRows::from_content(form, blocks, &content).as_ref(), Some(&group));
            assert_eq!(DistinctRows::from_content(form, blocks + 1, &content), None);
            assert_eq!(DistinctRows::from_content(form, blocks, &content[..content.len() - 1]), None);
            let whole = group.stored();
            assert_eq!(whole.len(), stored.len());
            assert_eq!(whole[..whole.len() - PADDING], stored[..stored.len() - PADDING]);
        }
    }
}

/// Bits that rounds add to some rows of some blocks are in the new group, which equals the one made from the rows.
#[test]
fn added_bits_are_there() {
    let mut random = random();
    for (rows, row_bytes) in [(1, 1), (6, 3), (20, 8), (60, 8), (120, 15)] {
        let form = BlockForm { rows, row_bytes };
        let blocks = 70;
        let mut stored: Vec<u8> = (0..blocks * rows).flat_map(|_| vec![1 << random(3); row_bytes]).collect();
        stored.extend([0; PADDING]);
        let before = DistinctRows::new(form, &stored);
        let rounds = [2, 1000].map(|one_in| {
            let (mut marks, mut row_sets, mut bytes) = (vec![0; 2], Vec::new(), Vec::new());
            for block in (0..blocks).filter(|block| block % 3 > 0) {
                let chosen: Vec<usize> = (0..rows).filter(|&row| row == 0 || random(one_in) == 0).collect();
                let new: Vec<u8> = chosen.iter().map(|_| 1 << (3 + random(5))).collect();
                for (&row, &new) in chosen.iter().zip(&new) {
                    stored[block * form.block_bytes() + row * row_bytes] |= new;
                }
                marks[block / 64] |= 1 << (block % 64);
                row_sets.push(chosen.iter().fold(0, |set, row| set | 1 << row));
                let of_row = |row| chosen.iter().position(|&other| other == row).map_or(0, |place| new[place]);
                for row in (0..rows).filter(|row| rows < MANY_ROWS || chosen.contains(row)) {
                    bytes.push(of_row(row));
                    bytes.resize(bytes.len() + row_bytes - 1, 0);
                }
            }
            let row_sets = if rows < MANY_ROWS { &[][..] } else { &row_sets };
            SparseBits::from_parts(form, marks, row_sets, &bytes)
        });
        assert_eq!(before.with(&rounds.each_ref()), DistinctRows::new(form, &stored), "{form:?}");
        assert_eq!(before.with(&[]), before);
    }
}

/// Bytes that are no group are refused, whatever they are.
#[test]
fn other_bytes_are_no_group() {
    let form = BlockForm { rows: 3, row_bytes: 1 };
    let read = |content: &[u8]| DistinctRows::from_content(form, 1, content).is_some();
    assert!(read(&[1, 7]) && read(&[2, 0, 1, 0, 7, 8]) && read(&[3, 7, 8, 9]));
    assert!(!read(&[]) && !read(&[0]) && !read(&[4, 7, 8, 9, 10]) && !read(&[2, 0, 2, 0, 7, 8]) && !read(&[2, 0]));
}

#[test]
fn a_group_without_wins_has_none() {
    for form in [BlockForm { rows: 120, row_bytes: 15 }, BlockForm { rows: 1, row_bytes: 1 }] {
        let none = DistinctRows::new(form, &vec![0; 5 * form.block_bytes() + PADDING]);
        assert_eq!(DistinctRows::none(form, 5), none);
    }
}

/// A block of equal rows takes the room of one.
#[test]
fn equal_rows_are_kept_once() {
    let form = BlockForm { rows: 120, row_bytes: 15 };
    let group = DistinctRows::new(form, &[7; 10 * 1800 + PADDING]);
    assert_eq!(group.bytes(), 10 * (4 + 1 + 15) + PADDING);
}
