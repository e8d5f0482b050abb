//! The CPU's factored count, and a GPU's exhaustive one that confirms it, for as many numbers of doves as the
//! GPU is forecast to count in time.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::choosing::{Chosen, choose};
use super::job::Count;
use super::on_cpu::count_on_cpu;
use super::on_gpu::{assignments_on, count_on_gpu};
use crate::clock::Instant;
use crate::count::Method;
use crate::count::tally::Workload;
use crate::gpu::{Adapters, GpuError};
use crate::join::join;
use crate::run::backend::NoGpu;
use crate::run::error::RunError;
use crate::run::report::{Confirmation, Report};

/// The longest that a count on a GPU may be forecast to take if it was not requested.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The CPU's count, confirmed by the selected GPU, or by whichever there is.
pub(super) fn count_and_confirm(job: &Count) -> Result<Report, RunError> {
    let Some(selection) = &job.adapter else {
        return count_and_confirm_on(job, PATIENCE, &|| choose(job, None));
    };
    // An unknown adapter name is refused before counting starts.
    let began = Instant::now();
    let adapters = Adapters::find();
    if adapters.failure().is_none() {
        adapters.select(selection)?;
    }
    let finding = began.elapsed();
    count_and_confirm_on(job, PATIENCE, &|| {
        let chosen = choose(job, Some(&adapters))?;
        Ok(Chosen { start_up: finding + chosen.start_up, ..chosen })
    })
}

/// The CPU's count, made while `choose` opens and tests an adapter; then that GPU's count, which may be
/// forecast to take this `patience`.
///
/// # Errors
/// If the threads cannot be started, the adapter that was selected does not exist, or the observer stops it.
pub fn count_and_confirm_on(
    job: &Count,
    patience: Duration,
    choose: &(dyn Fn() -> Result<Chosen, RunError> + Sync),
) -> Result<Report, RunError> {
    let (pool, observer) = (job.pool()?, job.observer);
    let question = job.question(Method::Factored);
    let count = || {
        let began = Instant::now();
        let workload = job.workload();
        let counts = count_on_cpu(&pool, question, &workload, observer)?;
        let report = Report::of(&workload, &counts, question.method, pool.number(), began.elapsed());
        observer.counted(&report.tally);
        Ok::<_, RunError>((workload, counts, report))
    };
    let (chosen, counted) = join(choose, count);
    let (workload, counts, mut report) = counted?;
    let chosen = match chosen {
        // If the GPU fails, keep the CPU's count, even if the user named that GPU.
        Err(RunError::NoGpu(no_gpu)) => {
            observer.warn(&format!("{no_gpu}; the CPU's result stands"));
            Chosen { gpu: None, no_gpu: Some(no_gpu), start_up: Duration::ZERO }
        }
        chosen => chosen?,
    };
    report.start_up = chosen.start_up;
    report.no_gpu = chosen.no_gpu;
    let Some((adapter, mut engine)) = chosen.gpu else {
        return Ok(report);
    };

    let placements = &workload.placements;
    let compare = |index: usize, found: u64| GpuError::unless_equal(&placements[index], found, counts[index]);
    // If this measurement fails, the engine fails again at once, with the same error.
    let too_long = engine.forecast(placements, compare).ok().filter(|&forecast| forecast > patience);
    match doves_in_time(&workload, &job.doves, patience, too_long) {
        Some(doves) => {
            let confirmation = count_on_gpu(&adapter, &mut engine, &workload, doves, &counts, observer)?;
            report.confirmation = Some(Confirmation { forecast: too_long, ..confirmation });
        }
        None => report.no_gpu = too_long.map(|forecast| NoGpu::TooSlow(Box::new(adapter), forecast)),
    }
    Ok(report)
}

/// As many of these numbers of doves, from the least, as a GPU counts within this `patience` if it is
/// forecast to take `too_long` for all of them; `None` if even the least takes longer.
fn doves_in_time(
    workload: &Workload,
    doves: &RangeInclusive<u32>,
    patience: Duration,
    too_long: Option<Duration>,
) -> Option<RangeInclusive<u32>> {
    let Some(forecast) = too_long else { return Some(doves.clone()) };
    let time = |most: u32| {
        let share = assignments_on(workload.up_to(most)) as f64 / workload.assignments().max(1) as f64;
        forecast.mul_f64(share)
    };
    let most = doves.clone().rev().find(|&most| time(most) <= patience)?;
    Some(*doves.start()..=most)
}
