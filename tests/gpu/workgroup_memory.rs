//! Stages read only workgroup memory that they have written: drivers do not clear it.

use dovemate::internals::count::{Category, Question};
use dovemate::internals::gpu::{Module, kernel};
use dovemate::internals::shapes::BossPlacement;

use crate::filled::filled;
use crate::{Gpu, compare, mates, placements_for};

/// The filler reaches all workgroup memory before the stage begins.
pub fn memory_is_filled(gpu: &Gpu) -> String {
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
    let (name, source) = ("look".to_owned(), SOURCE.to_owned());
    let module = Module { name, source, entry_point: "look", overrides: Vec::new() };
    let device = gpu.rewriting(filled).device();
    let found =
        kernel::run(&device, module, &[vec![0]], 1, None, 8).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found, [0xdead_beef; 8]);
    String::new()
}

/// Counts agree with the CPU, whatever was in memory.
pub fn counting_relies_on_no_zeros(gpu: &Gpu) -> String {
    let gpu = gpu.rewriting(filled);
    let mut counted = 0;
    for category in Category::ALL {
        // The prune leaves mates, but hardly a win.
        let some = |doves| placements_for(category, doves, Some(30));
        let some: Vec<BossPlacement> = (2..=7).flat_map(some).collect();
        compare(&gpu, &some, Question { category, ..mates() });
        counted += some.len();
    }
    format!(", {counted} boss placements")
}
