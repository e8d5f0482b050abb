//! Blocks of bits: their transposition, and groups of blocks whose equal rows are stored once.

use crate::space::sparse::{BlockForm, MANY_ROWS, SparseGroup};
use crate::space::word::{PADDING, Word, transpose};

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

/// The group of the blocks with these bytes; blocks without a set bit are left out.
fn packed(form: BlockForm, stored: &[u8]) -> SparseGroup {
    let (mut present, mut row_sets, mut rows) =
        (vec![0; stored.len().div_ceil(64 * form.block_bytes())], vec![], vec![]);
    for (number, block) in stored.chunks_exact(form.block_bytes()).enumerate() {
        let is_set = |row: &[u8]| row.iter().any(|&byte| byte != 0);
        if !is_set(block) {
            continue;
        }
        present[number / 64] |= 1 << (number % 64);
        let kept = block.chunks_exact(form.row_bytes).enumerate();
        let kept = kept.filter(|(_, row)| form.rows < MANY_ROWS || is_set(row)).collect::<Vec<_>>();
        row_sets.push(kept.iter().fold(0, |set, (row, _)| set | 1 << row));
        rows.extend(kept.iter().flat_map(|(_, row)| *row));
    }
    SparseGroup::from_parts(form, present, if form.rows < MANY_ROWS { &[] } else { &row_sets }, &rows)
}

/// Blocks of all sizes, with rows that are all equal, of a few kinds, all different, or empty, are read as they were:
/// row by row, whole, and from a snapshot.
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
            let group = packed(form, &stored);
            for (number, block) in stored.chunks_exact(form.block_bytes()).enumerate() {
                let Some(there) = group.get(number) else {
                    assert!(block.iter().all(|&byte| byte == 0));
                    continue;
                };
                assert!((1..=rows).contains(&there.count()));
                assert!(there.kept().len() >= there.count() * row_bytes + PADDING);
                for (row, bytes) in block.chunks_exact(row_bytes).enumerate() {
                    match there.kept_index(row) {
                        Some(place) => {
                            assert_eq!(there.kept()[place * row_bytes..][..row_bytes], *bytes, "{form:?}")
                        }
                        None => assert!(
                            bytes.iter().all(|&byte| byte == 0),
                            "{form:?}, block {number}, row {row}"
                        ),
                    }
                }
                assert_eq!(there.whole(), block);
            }
            let (blocks, content) = (kinds.len(), group.content(form, kinds.len()));
            let read = |blocks, content| SparseGroup::from_content(form, blocks, content);
            assert_eq!(read(blocks, &content).as_ref(), Some(&group));
            assert_eq!(read(blocks + 1, &content), None);
            assert_eq!(read(blocks, &content[..content.len() - 1]), None);
        }
    }
}

/// A group to which the bits of other groups are added equals the group made from the united rows.
#[test]
fn added_bits_are_there() {
    let mut random = random();
    for (rows, row_bytes) in [(1, 1), (6, 3), (20, 8), (60, 8), (120, 15)] {
        let form = BlockForm { rows, row_bytes };
        let mut some = |one_in| -> Vec<u8> {
            let bits =
                (0..70 * rows * row_bytes).map(|_| if random(one_in) == 0 { 1 << random(8) } else { 0 });
            bits.collect()
        };
        // From no bits at all to some in every block.
        let all = [1 << 20, 2, 1000].map(&mut some);
        let sum: Vec<u8> = (0..all[0].len()).map(|byte| all[0][byte] | all[1][byte] | all[2][byte]).collect();
        let [before, first, second] = all.map(|bits| packed(form, &bits));
        assert_eq!(before.with(&[&first, &second]), packed(form, &sum), "{form:?}");
        assert_eq!(first.with(&[]), first);
        assert_eq!(first.with(&[&SparseGroup::default()]), first);
    }
}

/// Bytes that are not a group are refused.
#[test]
fn other_bytes_are_no_group() {
    let form = BlockForm { rows: 3, row_bytes: 1 };
    let read = |content: &[u8]| SparseGroup::from_content(form, 1, content).is_some();
    assert!(read(&[1, 7]) && read(&[2, 0, 1, 0, 7, 8]) && read(&[3, 7, 8, 9]));
    let others: [&[u8]; 5] = [&[], &[0], &[4, 7, 8, 9, 10], &[2, 0, 2, 0, 7, 8], &[2, 0]];
    assert!(!others.into_iter().any(read));
}

/// The bytes of a block in snapshots: equal rows are stored once; if all rows are equal or all different, their numbers
/// are left out.
#[test]
fn equal_rows_are_kept_once() {
    let form = BlockForm { rows: 3, row_bytes: 4 };
    let content = |rows: [u8; 3]| packed(form, &rows.map(|row| [row; 4]).concat()).content(form, 1);
    assert_eq!(content([0; 3]), [1, 0, 0, 0, 0]);
    assert_eq!(content([7; 3]), [1, 7, 7, 7, 7]);
    assert_eq!(content([7, 0, 7]), [2, 0, 1, 0, 7, 7, 7, 7, 0, 0, 0, 0]);
    assert_eq!(content([7, 8, 9]), [3, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9]);
    let large = BlockForm { rows: 120, row_bytes: 15 };
    assert!(packed(large, &[7; 10 * 1800]).bytes() < 2_000);
}
