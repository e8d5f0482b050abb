//! The GPU against the CPU, and its parts, on the first hardware adapter or else a software one. These tests run if
//! `DOVEMATE_TEST_WITH` asks for `gpu`, and then fail without an adapter.

mod blocks;
mod filled;
mod self_test;
mod tables;
mod workgroup_memory;

use std::sync::{LazyLock, Mutex, PoisonError};

use pollster::block_on;
use rayon::prelude::*;

use crate::count::{Category, Counter, Method, Question, Workload};
use crate::gpu::count::{Card, Phase, Protocol, drive};
use crate::gpu::{AdapterDescription, Adapters, Device};
use crate::rules::{BothSurrounded, Rules};
use crate::shapes::BossPlacement;
use crate::testing::asked::is_asked_for;

/// The adapter under test.
struct Gpu {
    adapters: Adapters,
    description: AdapterDescription,
}

/// Runs a check on the adapter, one at a time. The check panics if it fails.
fn on_gpu(check: fn(&Gpu)) {
    static GPU: LazyLock<Mutex<Option<Gpu>>> = LazyLock::new(|| Mutex::new(Gpu::find()));
    if is_asked_for("gpu") {
        let gpu = GPU.lock().unwrap_or_else(PoisonError::into_inner);
        let gpu = gpu.as_ref().expect("a GPU is asked for, and there is no adapter");
        println!("{}", gpu.description);
        check(gpu)
    }
}

impl Gpu {
    fn find() -> Option<Gpu> {
        let adapters = Adapters::find();
        let description = adapters.hardware().into_iter().chain(adapters.descriptions()).next()?;
        Some(Gpu { adapters, description })
    }

    /// A device with nothing on it.
    fn device(&self) -> Device {
        self.adapters.open(self.description.index).expect("the device opens")
    }

    /// An adapter that has passed its self-test, and its protocol.
    fn opened(&self, question: Question) -> (Box<dyn Card + Send>, Protocol) {
        let opened = self.adapters.open_card(self.description.index, question, &|| ());
        opened
            .unwrap_or_else(|error| panic!("{} fails its self-test, {question:?}: {error}", self.description))
    }
}

/// Mates under the default rules.
fn mates() -> Question {
    Question { category: Category::Mates, rules: Rules::default(), method: Method::Exhaustive }
}

/// The unpruned boss placements with this many doves: all, or about `sample`, evenly spread.
fn placements(doves: u32, sample: Option<usize>) -> Vec<BossPlacement> {
    placements_for(Category::Mates, doves, sample)
}

/// Like [`placements`], for any category; the prune applies only to mates.
fn placements_for(category: Category, doves: u32, sample: Option<usize>) -> Vec<BossPlacement> {
    let all = Workload::new(&(doves..=doves), category).placements;
    let step = sample.map_or(1, |sample| all.len().div_ceil(sample));
    all.into_iter().step_by(step.max(1)).collect()
}

/// The counts by the CPU, always with the factored method.
fn count_on_cpu(placements: &[BossPlacement], question: Question) -> Vec<u64> {
    let counter = || Counter::new(Question { method: Method::Factored, ..question });
    placements.par_iter().map_init(counter, |counter, placement| counter.count(placement)).collect()
}

/// Counts these boss placements on the GPU, and compares each count with the CPU's.
fn compare(gpu: &Gpu, placements: &[BossPlacement], question: Question) {
    let (mut card, mut protocol) = gpu.opened(question);
    compare_on(card.as_mut(), &mut protocol, placements, question);
}

/// Like [`compare`], on a card that has passed its self-test.
fn compare_on(
    card: &mut dyn Card,
    protocol: &mut Protocol,
    placements: &[BossPlacement],
    question: Question,
) {
    let expected = count_on_cpu(placements, question);
    protocol.ask(placements.to_vec(), Some(expected.clone()));
    protocol.skip_sample();
    let result = block_on(drive(card, protocol, Phase::Done, |_| true));
    if let Err(error) = result {
        let confirmed = protocol.confirmed().len();
        panic!("{question:?}: {error} after {confirmed} of {} boss placements", placements.len());
    }
    assert_eq!(protocol.confirmed(), expected, "{question:?}");
    let sum: u64 = expected.iter().sum();
    // No position is stuck; see `count/tests/methods.rs`.
    assert_eq!(
        sum > 0,
        question.category != Category::Stuck && !placements.is_empty(),
        "{question:?}: only zeros were compared, or positions are stuck"
    );
}

/// All boss placements for the numbers of doves in `all`, and samples of the given sizes for others.
fn mixture(all: std::ops::RangeInclusive<u32>, samples: &[(u32, usize)]) -> Vec<BossPlacement> {
    let whole = all.flat_map(|doves| placements(doves, None));
    whole.chain(samples.iter().flat_map(|&(doves, sample)| placements(doves, Some(sample)))).collect()
}

/// A part of the full count, small enough for slow drivers.
#[test]
fn counts_equal_cpu() {
    on_gpu(|gpu| {
        let placements = mixture(2..=7, &[(8, 40), (9, 20), (10, 6), (11, 3), (12, 3)]);
        assert!(
            placements.iter().any(|placement| placement.slots() == 10),
            "no boss placement with 12 doves"
        );
        compare(gpu, &placements, mates());
    })
}

#[test]
fn rule_variants_equal_cpu() {
    on_gpu(|gpu| {
        let placements = mixture(2..=6, &[(7, 200), (8, 20), (9, 4)]);
        for rules in Rules::variants() {
            compare(gpu, &placements, Question { rules, ..mates() });
        }
    })
}

#[test]
fn wins_and_stuck_positions_equal_cpu() {
    on_gpu(|gpu| {
        let sizes = [(2, 100), (3, 100), (4, 300), (5, 300), (6, 300), (7, 100), (8, 10), (9, 2)];
        let sample = |(doves, size)| placements_for(Category::Wins, doves, Some(size));
        let placements: Vec<BossPlacement> = sizes.into_iter().flat_map(sample).collect();
        for both_surrounded in BothSurrounded::ALL {
            for category in [Category::Wins, Category::Stuck] {
                let rules = Rules { both_surrounded, ..Rules::default() };
                compare(gpu, &placements, Question { category, rules, ..mates() });
            }
        }
    })
}

/// The whole count up to eight doves, boss placement by boss placement.
#[test]
fn all_with_up_to_eight_doves() {
    on_gpu(|gpu| {
        let workload = Workload::new(&(2..=8), Category::Mates);
        compare(gpu, &workload.placements, mates());
    })
}

/// An empty list of boss placements gives no counts.
#[test]
fn no_boss_placements() {
    on_gpu(|gpu| {
        compare(gpu, &[], mates());
    })
}
