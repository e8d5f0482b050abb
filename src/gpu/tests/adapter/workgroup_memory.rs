//! Stages read only workgroup memory that they have written, because drivers do not clear it.

use pollster::block_on;

use crate::count::{Category, Question};
use crate::gpu::Module;
use crate::gpu::count::{DeviceCard, Phase, Protocol, Setup, drive};
use crate::gpu::dispatch::test;
use crate::gpu::module::KnownAnswer;
use crate::shapes::BossPlacement;

use super::filled::filled;
use super::{compare_on, mates, on_gpu, placements_for};

/// The filler reaches all workgroup memory before the stage begins.
#[test]
fn memory_is_filled() {
    on_gpu(|gpu| {
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
        let (name, source) = ("look", SOURCE.to_owned());
        let module =
            filled(Module { name: name.to_owned(), source, entry_point: name, overrides: Vec::new() });
        let (uniforms, answer) = (vec![vec![0]], vec![0xdead_beef; 8]);
        let known = KnownAnswer { name, module, uniforms, workgroups: 1, answer, buffer: None };
        block_on(test(&gpu.device(), &known, None, &|| ())).unwrap_or_else(|error| panic!("{error}"));
    })
}

/// Counts agree with the CPU, whatever was in memory.
#[test]
fn counting_relies_on_no_zeros() {
    on_gpu(|gpu| {
        for category in Category::ALL {
            // The prune leaves mates, but hardly any wins.
            let some = |doves| placements_for(category, doves, Some(30));
            let some: Vec<BossPlacement> = (2..=7).flat_map(some).collect();
            let question = Question { category, ..mates() };
            let mut setup = Setup::new(category, question.rules);
            let known = setup.known.iter_mut().map(|known| &mut known.module);
            for module in known.chain([&mut setup.build_tables, &mut setup.count_placement]) {
                *module = filled(module.clone());
            }
            let card = block_on(DeviceCard::new(gpu.device(), &setup, &|| ()));
            let mut card = card.unwrap_or_else(|error| panic!("{}: {error}", gpu.description));
            let mut protocol = Protocol::new(question);
            let driven = block_on(drive(&mut card, &mut protocol, Phase::Sample, |_| true));
            driven.expect("the known counts are right");
            compare_on(&mut card, &mut protocol, &some, question);
        }
    })
}
