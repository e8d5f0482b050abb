//! Counts on a GPU whose method the run chooses: the CPU counts by the factored method, and a GPU by the exhaustive one
//! if that is forecast to end in time.

use std::time::{Duration, Instant};

use super::runner::{Confirmation, Job, Report, Runner, count_on_cpu};
use crate::count::Method;
use crate::gpu::count::Engine;
use crate::gpu::{Adapters, GpuError};
use crate::join::join;
use crate::run::choosing::Chosen;
use crate::run::{NoGpu, Observer, RunError};
use crate::shapes::assignments;

/// The longest that a count on a GPU may be forecast to take if it was not requested.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Counts on the GPU, by the exhaustive method if that is forecast to end in time, otherwise by the factored one.
pub(super) fn choose_method(job: &Job, observer: &dyn Observer) -> Result<Report, RunError> {
    let (report, start_up) = Runner::start(job, Method::Exhaustive, observer, |runner, workload| {
        let (_, engine) = runner.gpu.as_mut().expect("a GPU was asked for, so there is one or an error");
        let report = match engine.forecast(&workload.placements, |_, _| Ok(())) {
            Ok(forecast) if forecast > PATIENCE => None,
            // Counting will fail in the same way.
            Ok(_) | Err(_) => Some(runner.run_on(workload, observer)),
        };
        (report, runner.start_up())
    })?;
    if let Some(report) = report {
        return Ok(report);
    }
    let run = |runner: &mut Runner, workload: &_| runner.run_on(workload, observer);
    let mut report = Runner::start(job, Method::Factored, observer, run)?;
    report.start_up += start_up;
    Ok(report)
}

/// The CPU's factored count, confirmed by whatever GPU there is.
pub(super) fn confirm_on_any(job: &Job, observer: &dyn Observer) -> Result<Report, RunError> {
    // An unknown adapter name is refused before counting starts.
    if let Some(selection) = &job.adapter {
        Adapters::find().select(selection)?;
    }
    confirm(job, observer, &|method| job.choose(method, observer))
}

/// The CPU's factored count, while an adapter is opened and tested; then the GPU's exhaustive count if its forecast
/// allows, or else its factored one.
pub(crate) fn confirm(
    job: &Job,
    observer: &dyn Observer,
    choose: &(dyn Fn(Method) -> Result<Chosen<Engine>, RunError> + Sync),
) -> Result<Report, RunError> {
    let pool = job.pool()?;
    let question = job.asking(Method::Factored);
    let count = || {
        let began = Instant::now();
        let workload = job.workload();
        observer.begin(workload.assignments());
        let mut counts = vec![0; workload.placements.len()];
        count_on_cpu(&pool, question, &workload.placements, &mut counts, &|_| None, observer);
        let report = Report::of(&workload, &counts, question.method, pool.current_num_threads(), began.elapsed());
        observer.counted(&report.tally);
        (workload, counts, report)
    };
    // Even a GPU that was named must not cost the count.
    let choose = |method| match choose(method) {
        Err(RunError::SelfTest { adapter, error }) => {
            observer.warn(&format!("adapter {adapter} failed its self-test: {error}; the CPU's result stands"));
            Ok(Chosen { gpu: None, no_gpu: Some(NoGpu::Failed(vec![(*adapter, error)])), start_up: Duration::ZERO })
        }
        chosen => chosen,
    };
    let (chosen, (workload, counts, mut report)) = join(|| choose(Method::Exhaustive), count);
    let chosen = chosen?;
    report.start_up = chosen.start_up;
    report.no_gpu = chosen.no_gpu;
    let Some((mut adapter, mut engine)) = chosen.gpu else {
        return Ok(report);
    };

    let placements = &workload.placements;
    let compare = |place: usize, found: u64| GpuError::unless_equal(&placements[place], found, counts[place]);
    // If this measurement fails, the engine fails again at once, with the same error.
    let is_too_slow =
        |engine: &mut Engine| engine.forecast(placements, compare).ok().filter(|&forecast| forecast > PATIENCE);
    if let Some(forecast) = is_too_slow(&mut engine) {
        report.no_gpu = Some(NoGpu::TooSlow(Box::new(adapter.clone()), forecast));
        let chosen = choose(Method::Factored)?;
        report.start_up += chosen.start_up;
        match chosen.gpu {
            Some(factored) => (adapter, engine) = factored,
            None => {
                report.no_gpu = chosen.no_gpu;
                return Ok(report);
            }
        }
        if is_too_slow(&mut engine).is_some() {
            return Ok(report);
        }
        report.no_gpu = None;
    }
    let method = engine.question().method;
    let (began, device_time) = (Instant::now(), engine.device_time());
    let (mut agreeing, mut tested) = (0, 0);
    observer.begin(workload.assignments());
    let counted = engine.count(placements, |place, found| {
        compare(place, found)?;
        let assignments = assignments(placements[place].slots());
        (agreeing, tested) = (place + 1, tested + assignments);
        observer.advance(assignments);
        Ok(())
    });
    let failure = counted.err();
    if let Some(error) = &failure {
        let told = error.told_of(&format!("GPU {adapter}"));
        observer.warn(&format!("{told}; the CPU's result does not depend on it and stands"));
    }
    if failure.as_ref().is_some_and(|failure| !failure.is_loss()) {
        (agreeing, tested) = (0, 0);
    }
    report.confirmation = Some(Confirmation {
        adapter,
        method,
        placements: agreeing,
        assignments: tested,
        failure,
        counting: began.elapsed(),
        device_time: engine.device_time().zip(device_time).map(|(after, before)| after - before),
    });
    Ok(report)
}
