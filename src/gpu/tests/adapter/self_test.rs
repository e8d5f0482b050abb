//! The self-test detects faulty drivers, which faults in its kernels simulate.

use crate::Category;
use crate::gpu::count::Setup;
use crate::gpu::count::batches::MAX_PLACEMENTS;
use crate::gpu::count::batches::RESULT_WORDS;
use crate::gpu::count::layout::TABLE_SIZE;
use crate::gpu::{Device, GpuError, dispatch};
use crate::rules::Rules;
use pollster::block_on;
use wgpu::BufferUsages as Usage;

use super::on_gpu;

/// Runs the tests of this name, each with a buffer of zeros if it needs one, and with a fault in its kernel: `wrong` in
/// place of `right`.
fn test(device: &Device, name: &str, (right, wrong): (&str, &str)) -> Result<(), GpuError> {
    let mut setup = Setup::new(Category::Mates, Rules::default());
    setup.known.retain(|known| known.name == name);
    setup.known.iter_mut().try_for_each(|known| {
        assert!(known.module.source.contains(right), "{name}: {right}");
        known.module.source = known.module.source.replace(right, wrong);
        let size = match known.buffer {
            Some("tables") => TABLE_SIZE * MAX_PLACEMENTS as u64,
            _ => 4 * (RESULT_WORDS * MAX_PLACEMENTS) as u64,
        };
        let buffer = device.buffer("zeros", size, Usage::STORAGE | Usage::COPY_SRC);
        // The test clears what it has written.
        let between = known.buffer.map(|_| &buffer);
        (0..2).try_for_each(|_| block_on(dispatch::test(device, known, between, &|| ())))
    })
}

/// The test catches a driver that drops an iteration, leaves the loop early, or lets invocations read before others
/// have written.
#[test]
fn lost_turns_and_barriers_are_found_out() {
    on_gpu(|gpu| {
        test(&gpu.device(), "barriers", ("", "")).expect("the adapter's barriers hold");
        let faults = [
            ("turn < turns;", "turn < turns - 1u;"),
            ("turn < turns;", "turn < atomicLoad(&last_wanted[team]) + 1u;"),
            // A missing barrier: the invocation reads its own number, since the others have not written yet.
            ("number = handed_on[(lane + LANES / 2u + turn) % LANES];", "number = handed_on[lane];"),
            ("place < min(atomicLoad(&step_counts[counts]), TEAM)", "place < 1u"),
        ];
        for (right, wrong) in faults {
            let found = test(&gpu.device(), "barriers", (right, wrong));
            assert!(
                matches!(&found, Err(GpuError::SelfTest { test, .. }) if test == "barriers"),
                "{wrong}: {found:?}"
            );
        }
    })
}

/// The test catches a driver that truncates addresses or reaches only a part of a buffer, and leaves the
/// buffer as it was.
#[test]
fn addresses_that_are_cut_off_are_found_out() {
    on_gpu(|gpu| {
        test(&gpu.device(), "words", ("", "")).expect("the adapter reaches all of a buffer");
        for wrong in ["words[place & 0xfffffu]", "words[min(place, 0xfffu)]"] {
            let found = test(&gpu.device(), "words", ("words[place]", wrong));
            assert!(
                matches!(&found, Err(GpuError::SelfTest { test, .. }) if test == "words"),
                "{wrong}: {found:?}"
            );
        }
    })
}
