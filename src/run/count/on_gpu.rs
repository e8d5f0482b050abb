//! Counting on a GPU, every count compared with the CPU's.

use std::ops::RangeInclusive;

use crate::clock::Instant;
use crate::count::tally::Workload;
use crate::gpu::count::Engine;
use crate::gpu::{AdapterDescription, GpuError};
use crate::run::error::RunError;
use crate::run::observer::Observer;
use crate::run::report::Confirmation;
use crate::shapes::{BossPlacement, assignments};

/// Counts on a GPU the boss placements with these numbers of doves, which come first in the workload, and
/// compares each with the CPU's count.
///
/// # Errors
/// If the observer stops it.
pub(super) fn count_on_gpu(
    adapter: &AdapterDescription,
    engine: &mut Engine,
    workload: &Workload,
    doves: RangeInclusive<u32>,
    expected: &[u64],
    observer: &dyn Observer,
) -> Result<Confirmation, RunError> {
    let (began, device_time) = (Instant::now(), engine.device_time());
    let placements = workload.up_to(*doves.end());
    observer.begin(assignments_on(placements));
    let (mut agreeing, mut tested, mut is_stopped) = (0, 0, false);
    let counted = engine.count(placements, |index, found| {
        GpuError::unless_equal(&placements[index], found, expected[index])?;
        if observer.is_stopped() {
            is_stopped = true;
            return Err(GpuError::Driver("it was stopped".to_owned()));
        }
        let assignments = assignments(placements[index].slots());
        (agreeing, tested) = (index + 1, tested + assignments);
        observer.advance(assignments);
        Ok(())
    });
    if is_stopped {
        return Err(RunError::Stopped);
    }
    let failure = counted.err();
    if let Some(error) = &failure {
        let message = error.describe(&format!("GPU {adapter}"));
        observer.warn(&format!("{message}; the CPU's result does not depend on it and stands"));
    }
    if failure.as_ref().is_some_and(|failure| !failure.is_loss()) {
        // Nothing is kept from a GPU caught miscounting.
        (agreeing, tested) = (0, 0);
    }
    Ok(Confirmation {
        adapter: adapter.clone(),
        doves,
        placements: agreeing,
        assignments: tested,
        forecast: None,
        failure,
        counting: began.elapsed(),
        device_time: engine.device_time().zip(device_time).map(|(after, before)| after - before),
    })
}

/// The number of assignments on these boss placements in Tokyo Doves itself.
pub(super) fn assignments_on(placements: &[BossPlacement]) -> u64 {
    placements.iter().map(|placement| assignments(placement.slots())).sum()
}
