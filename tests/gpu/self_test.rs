//! The self-test finds faulty drivers out. The faults are put into its kernels.

use dovemate::internals::gpu::kernel::{Words, test_barriers};
use dovemate::internals::gpu::{GpuError, Module};
use wgpu::BufferUsages as Usage;

use crate::Gpu;

/// An adapter with a fault in its kernels.
fn faulty(gpu: &Gpu, right: &'static str, wrong: &'static str) -> Gpu {
    gpu.rewriting(move |module| {
        assert!(module.source.contains(right), "{}: {right}", module.name);
        Module { source: module.source.replace(right, wrong), ..module }
    })
}

/// The test catches a driver that loses a turn, leaves the loop early, or lets invocations read before others
/// have written.
pub fn lost_turns_and_barriers_are_found_out(gpu: &Gpu) -> String {
    test_barriers(&gpu.device()).expect("the adapter's barriers hold");
    let faults = [
        ("turn < turns;", "turn < turns - 1u;"),
        ("turn < turns;", "turn < atomicLoad(&last_wanted[team]) + 1u;"),
        // A missing barrier: the invocation reads its own number, since the others have not written yet.
        ("number = handed_on[(lane + LANES / 2u + turn) % LANES];", "number = handed_on[lane];"),
        ("place < min(atomicLoad(&step_counts[counts]), TEAM)", "place < 1u"),
    ];
    for (right, wrong) in faults {
        let found = test_barriers(&faulty(gpu, right, wrong).device());
        assert!(
            matches!(&found, Err(GpuError::Wrong(told)) if told.contains("barriers")),
            "{wrong}: {found:?}"
        );
    }
    String::new()
}

/// The test catches a driver that truncates addresses or reaches only a part of a buffer, and leaves the
/// buffer as it was.
pub fn addresses_that_are_cut_off_are_found_out(gpu: &Gpu) -> String {
    let device = gpu.device();
    let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
    let right = Words::new(&device).expect("the kernel compiles");
    for length in [4, 5, 1 << 12, (1 << 20) + 4] {
        let empty = device.buffer("empty", 4 * length, usage);
        for _ in 0..2 {
            right.test_empty(&device, &empty).unwrap_or_else(|error| panic!("{length} words: {error}"));
        }
    }
    for wrong in ["words[place & 0xfffffu]", "words[min(place, 0xfffu)]"] {
        let device = faulty(gpu, "words[place]", wrong).device();
        let words = Words::new(&device).expect("the kernel compiles");
        let found = words.test_empty(&device, &device.buffer("large", 4 * ((1 << 20) + 4), usage));
        assert!(
            matches!(&found, Err(GpuError::Wrong(told)) if told.starts_with("word ")),
            "{wrong}: {found:?}"
        );
    }
    String::new()
}
