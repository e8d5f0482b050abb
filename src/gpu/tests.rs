//! Stages read only workgroup memory that they have written: drivers do not clear it.

use super::count::open_tested;
use super::{kernel, solve, testing};
use crate::count::{Category, Counter, Method, Question};
use crate::rules::{Game, Rules};
use crate::shapes::{BossPlacement, Shape};
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::in_memory::driver::RoundsInMemory;
use crate::solve::{Bounds, CpuEngine, Options};

/// The filler reaches all workgroup memory before the stage begins.
#[test]
fn memory_is_filled() {
    const SOURCE: &str = "
        struct Pair { one: u32, other: vec2<u32> }
        @group(0) @binding(0) var<uniform> number: u32;
        @group(0) @binding(1) var<storage, read_write> results: array<u32>;
        var<workgroup> words: array<u32, 2>;
        var<workgroup> counts: array<array<atomic<u32>, 2>, 2>;
        var<workgroup> pairs: array<Pair, 2>;
        @compute @workgroup_size(2)
        fn look(@builtin(local_invocation_index) lane: u32) {
            results[4u * lane] = words[lane];
            results[4u * lane + 1u] = atomicLoad(&counts[lane][1u - lane]);
            results[4u * lane + 2u] = pairs[lane].one;
            results[4u * lane + 3u] = pairs[lane].other.y + number;
        }";
    let Some(device) = testing::device("memory_is_filled") else { return };
    let found = kernel::run(&device, (SOURCE.to_owned(), "look"), 0, 1, 8).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found, [0xdead_beef; 8]);
}

/// Counts agree with the CPU, whatever was in memory.
#[test]
fn counting_relies_on_no_zeros() {
    let Some((adapters, adapter)) = testing::adapter("counting_relies_on_no_zeros") else { return };
    let all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    for category in [Category::Mates, Category::Wins, Category::Stuck] {
        let question = Question { category, rules: Rules::default(), method: Method::Factored };
        let mut engine =
            open_tested(&adapters, adapter.index, question).unwrap_or_else(|error| panic!("{question:?}: {error}"));
        let some = all.iter().filter(|placement| placement.slots() <= 5 && !placement.is_pruned());
        let some: Vec<BossPlacement> = some.step_by(199).copied().collect();
        let mut counter = Counter::new(question);
        let mut counted = 0;
        let result = engine.count(&some, |place, count| {
            assert_eq!(count, counter.count(&some[place]), "{question:?}: {}", some[place]);
            counted += 1;
            Ok(())
        });
        assert_eq!((result, counted), (Ok(()), some.len()), "{question:?}");
    }
}

/// Every round agrees with the CPU, whatever was in memory, with rows of up to 32 bits and of up to 128.
#[test]
fn solving_relies_on_no_zeros() {
    let Some((adapters, adapter)) = testing::adapter("solving_relies_on_no_zeros") else { return };
    let compiled = |red: &str, green: &str| {
        let set = |text: &str| text.parse().expect("a dove set");
        CompiledGame::shared(Game { red: set(red), green: set(green), rules: Rules::default() })
    };
    let small = compiled("AY", "T");
    for vetted_for in [&small, &compiled("AYMTH", "-")] {
        let engine = solve::open_tested(&adapters, adapter.index, vetted_for).unwrap_or_else(|error| panic!("{error}"));
        let mut engine = engine.another(&small).expect("there is room");
        let begun = || RoundsInMemory::new(small.clone(), Options { distances: true }, Bounds::default());
        let (mut rounds, mut expected_rounds, mut cpu) = (begun(), begun(), CpuEngine::default());
        while !expected_rounds.is_over() {
            let number = rounds.number();
            let found = rounds.find(&mut engine).unwrap_or_else(|error| panic!("round {number}: {error}"));
            let expected = expected_rounds.find(&mut cpu).expect("the CPU does not fail");
            assert_eq!(found, expected, "round {number}");
            rounds.enter(found).expect("whole positions");
            expected_rounds.enter(expected).expect("whole positions");
            assert!(number == 0 || rounds.wins() == expected_rounds.wins(), "round {number}");
        }
    }
}
