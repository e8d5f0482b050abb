//! Answers of batches that are incomplete or falsified are refused.

use dovemate::internals::gpu::GpuError;
use dovemate::internals::gpu::solve::{BatchAnswer, Blocks, SolveBatch, SolveStage, believed};
use dovemate::internals::solve::space::layout::ClassId;

/// The serial number of the batch.
const SERIAL: u32 = 7;

/// A change to an answer.
type Garbling = fn(&mut BatchAnswer);

/// The answer to a batch of five blocks from block 10 on, two to a workgroup, each of three rows with six deals.
fn answer() -> BatchAnswer {
    let counts = vec![[4, 6, SERIAL], [4, 6, SERIAL], [0, 3, SERIAL]];
    BatchAnswer { counts, found: vec![12, 1, 2, 3, 10, 0, 0, 7, 11, 1, 0, 0] }
}

#[test]
fn answers_that_are_not_whole_are_refused() {
    let class = SolveBatch { rows: 3, own_words: 1, width: 6, ..SolveBatch::default() };
    let listed = [10, 11, 12, 13, 15];
    for blocks in [Blocks::From(10..15), Blocks::Listed(&listed)] {
        let check = |fault: Garbling| {
            let mut answer = answer();
            fault(&mut answer);
            believed(SolveStage::Wins, ClassId(0), &class, 2, &blocks, SERIAL, answer)
        };
        let new = check(|_| ()).expect("it is whole");
        assert_eq!((new.blocks, new.words), (vec![10, 11, 12], vec![0, 0, 7, 1, 0, 0, 1, 2, 3]));

        let undone: [Garbling; 2] = [|answer| answer.counts[0][2] -= 1, |answer| answer.counts.truncate(2)];
        for fault in undone {
            let error = check(fault).expect_err("work was ended early");
            assert!(matches!(error, GpuError::Undone { undone: 1, slices: 3 }) && error.is_loss(), "{error}");
        }
        let error = check(|answer| answer.counts[2][1] -= 1).expect_err("a row is undecided");
        assert_eq!(error, GpuError::Wrong("a slice with 3 items is marked as done with 2 decided".to_owned()));
        let garbled: [(&str, Garbling); 7] = [
            ("a bit is counted more", |answer| answer.counts[2][0] += 1),
            ("a bit comes more", |answer| answer.found[5] = 1),
            ("a bit is no deal's", |answer| answer.found[7] = 7 << 4),
            ("no block comes", |answer| answer.found.clear()),
            ("a block is none of the batch", |answer| answer.found[0] = 16),
            ("a block comes twice", |answer| answer.found[8] = 10),
            ("a block comes empty", |answer| answer.found.extend([13, 0, 0, 0])),
        ];
        for (name, fault) in garbled {
            let error = check(fault).expect_err(name);
            assert!(error.to_string().contains("what came back for block") && !error.is_loss(), "{name}: {error}");
        }
    }
}
