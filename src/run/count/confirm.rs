//! Counts whose method the run chooses: the CPU counts by the factored method, and a GPU confirms the result by the
//! exhaustive one, for as many numbers of doves as it is forecast to count in time.

use std::time::{Duration, Instant};

use super::job::Count;
use super::runner::{self, Report, count_on_cpu};
use crate::count::Method;
use crate::count::tally::Workload;
use crate::count::workload::assignments_on;
use crate::gpu::count::Engine;
use crate::gpu::{Adapters, GpuError};
use crate::join::join;
use crate::run::choosing::Chosen;
use crate::run::{NoGpu, RunError};

/// The longest that a count on a GPU may be forecast to take if it was not requested.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The CPU's factored count, confirmed by whatever GPU there is.
pub(super) fn confirm_on_any(asked: &Count) -> Result<Report, RunError> {
    let Some(selection) = &asked.adapter else { return confirm(asked, &|| asked.choose(None)) };
    // An unknown adapter name is refused before counting starts.
    let began = Instant::now();
    let adapters = Adapters::find();
    if adapters.failure().is_none() {
        adapters.select(selection)?;
    }
    let finding = began.elapsed();
    confirm(asked, &|| {
        let chosen = asked.choose(Some(&adapters))?;
        Ok(Chosen { start_up: finding + chosen.start_up, ..chosen })
    })
}

/// The CPU's factored count, while an adapter is opened and tested; then the GPU's exhaustive count.
///
/// # Errors
/// If the threads cannot be started.
pub fn confirm(
    asked: &Count,
    choose: &(dyn Fn() -> Result<Chosen<Engine>, RunError> + Sync),
) -> Result<Report, RunError> {
    let (pool, observer) = (asked.pool()?, asked.observer);
    let question = asked.question(Method::Factored);
    let count = || {
        let began = Instant::now();
        let workload = asked.workload();
        observer.begin(workload.assignments());
        let counts = count_on_cpu(&pool, question, &workload, observer);
        let report = Report::of(&workload, &counts, question.method, pool.current_num_threads(), began.elapsed());
        observer.counted(&report.tally);
        (workload, counts, report)
    };
    let (chosen, (workload, counts, mut report)) = join(choose, count);
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
    let compare = |place: usize, found: u64| GpuError::unless_equal(&placements[place], found, counts[place]);
    // If this measurement fails, the engine fails again at once, with the same error.
    let too_long = engine.forecast(placements, compare).ok().filter(|&forecast| forecast > PATIENCE);
    let doves = asked.doves.clone();
    let most = match too_long {
        None => Some(*doves.end()),
        Some(forecast) => doves.clone().rev().find(|&most| share(&workload, most, forecast) <= PATIENCE),
    };
    match (most, too_long) {
        (Some(most), forecast) => {
            let counted = *doves.start()..=most;
            let confirmation = runner::confirm(&adapter, &mut engine, &workload, counted, &counts, observer);
            report.confirmation = Some(runner::Confirmation { forecast, ..confirmation });
        }
        (None, forecast) => report.no_gpu = forecast.map(|forecast| NoGpu::TooSlow(Box::new(adapter), forecast)),
    }
    Ok(report)
}

/// The share of the time for all boss placements that those with up to `most` doves take.
fn share(workload: &Workload, most: u32, all: Duration) -> Duration {
    let part = assignments_on(workload.up_to(most));
    all.mul_f64(part as f64 / workload.assignments().max(1) as f64)
}
