//! One count: on the CPU, or on a GPU that tests every assignment.
//!
//! The CPU counts by the factored method in a moment, and a GPU's count is compared with that on every boss placement.
//! So a GPU that fails or miscounts costs no result.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::job::Count;
use crate::count::tally::{Tally, Workload};
#[cfg(feature = "gpu")]
use crate::count::workload::assignments_on;
use crate::count::{Counter, Method, Question};
#[cfg(feature = "gpu")]
use crate::gpu::count::Engine;
use crate::gpu::{AdapterDescription, GpuError};
#[cfg(feature = "gpu")]
use crate::run::choosing::Chosen;
use crate::run::{Backend, NoGpu, Observer, RunError};
use crate::shapes::{BossPlacement, Shape, assignments};

/// The result, and what ran where.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The counts.
    pub tally: Tally,
    /// The same, shape by shape.
    pub by_shape: Vec<(Shape, u64)>,
    /// The counting method.
    pub method: Method,
    /// All boss placements.
    pub placements: usize,
    /// The GPU's count, if there was one.
    pub confirmation: Option<Confirmation>,
    /// Why no GPU was used, if one might have been.
    pub no_gpu: Option<NoGpu>,
    /// The number of CPU threads for counting.
    pub threads: usize,
    /// The time for finding, opening and testing adapters.
    pub start_up: Duration,
    /// The time for counting.
    pub counting: Duration,
}

impl Report {
    /// A report on counts that the CPU has made or confirmed; the caller adds what else ran.
    pub(super) fn of(
        workload: &Workload,
        counts: &[u64],
        method: Method,
        threads: usize,
        counting: Duration,
    ) -> Report {
        Report {
            tally: workload.tally(counts),
            by_shape: workload.by_shape(counts),
            method,
            placements: workload.placements.len(),
            confirmation: None,
            no_gpu: None,
            threads,
            start_up: Duration::ZERO,
            counting,
        }
    }

    /// The GPU's count, if the result is that of the GPU, rather than one of the CPU that the GPU confirms.
    pub fn on_gpu(&self) -> Option<&Confirmation> {
        self.confirmation.as_ref().filter(|_| self.method == Method::Exhaustive)
    }
}

/// A GPU's count by the exhaustive method, which agrees with the CPU's factored count on every boss placement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confirmation {
    /// The adapter.
    pub adapter: AdapterDescription,
    /// The numbers of doves that it was to count.
    pub doves: RangeInclusive<u32>,
    /// The boss placements that agree: all with these numbers of doves, unless it failed.
    pub placements: usize,
    /// The assignments of these, each of which was tested.
    pub assignments: u64,
    /// How long all numbers of doves would have taken, if that is too long to wait for unasked.
    pub forecast: Option<Duration>,
    /// Why the GPU did not finish or is not believed, if that happened; the result does not depend on it.
    pub failure: Option<GpuError>,
    /// The time for counting.
    pub counting: Duration,
    /// How much of it the GPU itself worked, if it can tell.
    pub device_time: Option<Duration>,
}

/// Everything that is prepared once before counting: CPU threads, and a GPU that has passed its self-test.
pub struct Runner<'a> {
    count: Count<'a>,
    method: Method,
    pool: rayon::ThreadPool,
    #[cfg(feature = "gpu")]
    gpu: Option<Gpu>,
    no_gpu: Option<NoGpu>,
    start_up: Duration,
}

/// A GPU, with the counts that it must find.
#[cfg(feature = "gpu")]
struct Gpu {
    adapter: AdapterDescription,
    engine: Engine,
    /// Filled by the first run.
    expected: Vec<u64>,
}

impl<'a> Runner<'a> {
    /// Starts threads; finds, opens and tests adapters.
    ///
    /// # Errors
    /// If there is no way to count as requested.
    pub fn new(count: &Count<'a>) -> Result<Runner<'a>, RunError> {
        let method = count.chosen_method();
        if method == Method::Factored {
            if count.backend == Backend::Gpu || count.adapter.is_some() {
                return Err(RunError::FactoredOnGpu);
            }
            return Runner::on_cpu(count, method, None);
        }
        #[cfg(feature = "gpu")]
        return Runner::with(count, count.choose(None)?);
        #[cfg(not(feature = "gpu"))]
        Runner::on_cpu(count, method, crate::run::no_gpu(count.backend, count.adapter.as_ref())?)
    }

    fn on_cpu(count: &Count<'a>, method: Method, no_gpu: Option<NoGpu>) -> Result<Runner<'a>, RunError> {
        Ok(Runner {
            count: count.clone(),
            method,
            pool: count.pool()?,
            #[cfg(feature = "gpu")]
            gpu: None,
            no_gpu,
            start_up: Duration::ZERO,
        })
    }

    /// A runner with the adapter that was chosen, if one was.
    ///
    /// # Errors
    /// If the threads cannot be started.
    #[cfg(feature = "gpu")]
    pub fn with(count: &Count<'a>, chosen: Chosen<Engine>) -> Result<Runner<'a>, RunError> {
        let Chosen { gpu, no_gpu, start_up } = chosen;
        let gpu = gpu.map(|(adapter, engine)| Gpu { adapter, engine, expected: Vec::new() });
        Ok(Runner { gpu, start_up, ..Runner::on_cpu(count, Method::Exhaustive, no_gpu)? })
    }

    /// Why no GPU will count, if one might have.
    pub fn no_gpu(&self) -> Option<&NoGpu> {
        self.no_gpu.as_ref()
    }

    /// Counts, from enumerating the shapes to the tally. May be repeated unless the GPU has failed.
    pub fn run(&mut self) -> Report {
        let began = Instant::now();
        let workload = self.count.workload();
        let report = self.run_on(&workload, began);
        Report { start_up: self.start_up, no_gpu: self.no_gpu.clone(), ..report }
    }

    fn run_on(&mut self, workload: &Workload, began: Instant) -> Report {
        let threads = self.pool.current_num_threads();
        let (count, method) = (&self.count, self.method);
        #[cfg(feature = "gpu")]
        if let Some(Gpu { adapter, engine, expected }) = &mut self.gpu {
            // The time that this takes is not the GPU's.
            let enumerating = began.elapsed();
            if expected.is_empty() {
                *expected = count_on_cpu(&self.pool, count.question(Method::Factored), workload, &());
            }
            let confirmation = confirm(adapter, engine, workload, count.doves.clone(), expected, count.observer);
            let method = if confirmation.failure.is_none() { Method::Exhaustive } else { Method::Factored };
            let counting = enumerating + confirmation.counting;
            let report = Report::of(workload, expected, method, threads, counting);
            return Report { confirmation: Some(confirmation), ..report };
        }
        count.observer.begin(workload.assignments());
        let counts = count_on_cpu(&self.pool, count.question(method), workload, count.observer);
        Report::of(workload, &counts, method, threads, began.elapsed())
    }
}

/// Counts on the GPU the boss placements with these numbers of doves, which come first in the workload, and compares
/// each with what is expected of it.
#[cfg(feature = "gpu")]
pub(super) fn confirm(
    adapter: &AdapterDescription,
    engine: &mut Engine,
    workload: &Workload,
    doves: RangeInclusive<u32>,
    expected: &[u64],
    observer: &dyn Observer,
) -> Confirmation {
    let (began, device_time) = (Instant::now(), engine.device_time());
    let placements = workload.up_to(*doves.end());
    observer.begin(assignments_on(placements));
    let (mut agreeing, mut tested) = (0, 0);
    let counted = engine.count(placements, |place, found| {
        GpuError::unless_equal(&placements[place], found, expected[place])?;
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
        // One caught miscounting is believed for nothing.
        (agreeing, tested) = (0, 0);
    }
    Confirmation {
        adapter: adapter.clone(),
        doves,
        placements: agreeing,
        assignments: tested,
        forecast: None,
        failure,
        counting: began.elapsed(),
        device_time: engine.device_time().zip(device_time).map(|(after, before)| after - before),
    }
}

/// Counts the boss placements of a workload on the CPU.
pub(super) fn count_on_cpu(
    pool: &rayon::ThreadPool,
    question: Question,
    workload: &Workload,
    observer: &dyn Observer,
) -> Vec<u64> {
    /// Boss placements that a thread takes at once: a thousandth of the work or less.
    const CHUNK: usize = 16;
    let count = |counter: &mut Counter, placement: &BossPlacement| {
        let count = counter.count(placement);
        observer.advance(assignments(placement.slots()));
        count
    };
    let placements = workload.placements.par_iter().with_min_len(CHUNK);
    pool.install(|| placements.map_init(|| Counter::new(question), count).collect())
}
