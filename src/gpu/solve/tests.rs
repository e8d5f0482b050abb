//! Incomplete or falsified answers are refused; runs where there is an adapter.

use super::card::{Answer, Card, Stage};
use super::*;
use crate::gpu::{GpuError, testing};
use crate::rules::{Game, Rules};
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::driver::RoundsInMemory;
use crate::solve::{Bounds, Options};

/// A change to an answer.
type Lie = fn(&Card, &mut Answer);

/// An answer that is short, stale, undecided or has uncounted bits is refused, and so is everything after it.
#[test]
fn answers_that_are_not_whole_are_refused() {
    let Some((adapters, adapter)) = testing::adapter("answers_that_are_not_whole_are_refused") else { return };
    let lies: [(&str, Lie); 9] = [
        ("a workgroup has not decided all", |_, answer| answer.counts[0][1] -= 1),
        ("the mark is an old one", |_, answer| answer.counts[0][2] = answer.counts[0][2].wrapping_sub(1)),
        ("workgroups are missing", |_, answer| answer.counts.truncate(answer.counts.len() - 1)),
        ("a bit is counted more", |_, answer| answer.counts[0][0] += 1),
        // In the first row of the first block.
        ("a bit comes more", |_, answer| answer.found[1] |= answer.found[1] + 1),
        ("a bit is no deal's", |_, answer| answer.found[1] |= 1 << 31),
        ("a block does not come", |_, answer| answer.found.clear()),
        ("a block is none of the batch", |_, answer| answer.found[0] = u32::MAX),
        ("the device is lost", |card, _| card.lose()),
    ];
    let set = |text: &str| text.parse().expect("a dove set");
    let compiled = CompiledGame::shared(Game { red: set("AY"), green: set("T"), rules: Rules::default() });
    let mut engine = open_tested(&adapters, adapter.index, &compiled).unwrap_or_else(|error| panic!("{error}"));
    for (name, lie) in lies {
        let mut lied = false;
        engine = engine.tampered(Box::new(move |card, stage, answer| {
            if stage == Stage::Wins && !lied && !answer.found.is_empty() {
                lie(card, answer);
                lied = true;
            }
        }));
        let rounds = |engine: &mut Engine| {
            let mut rounds = RoundsInMemory::new(compiled.clone(), Options { distances: true }, Bounds::default());
            (0..4).try_for_each(|_| {
                let found = rounds.find(engine)?;
                rounds.enter(found).map(|_| ()).map_err(GpuError::from)
            })
        };
        let error = rounds(&mut engine).expect_err(name);
        let fits = match error {
            GpuError::Undecided { .. } => name.contains("decided"),
            GpuError::Undone { .. } => name.contains("missing") || name.contains("mark"),
            GpuError::Garbled { .. } => name.contains("bit") || name.contains("block"),
            GpuError::Lost(_) => name.contains("lost"),
            _ => false,
        };
        assert!(fits, "{name} is called: {error}");
        let is_loss = ["mark", "missing", "lost"].iter().any(|word| name.contains(word));
        assert_eq!(error.is_loss(), is_loss, "{name}: {error}");
        assert_eq!(rounds(&mut engine), Err(error.clone()), "{name}");
        if matches!(error, GpuError::Lost(_)) {
            break;
        }
        // Batches may still be in flight; the next game must not take them for its own.
        engine = engine.another(&compiled).unwrap_or_else(|error| panic!("{name}: {error}"));
        engine = engine.tampered(Box::new(|_, _, _| ()));
        rounds(&mut engine).unwrap_or_else(|error| panic!("after {name}: {error}"));
        engine = engine.another(&compiled).expect("there was room before");
    }
}
