//! One count: on the CPU, or on a GPU that tests every assignment.
//!
//! The CPU counts by the factored method in a moment, and a GPU's count is compared with that on every boss
//! placement. So a GPU that fails or miscounts costs no result.

use std::time::Duration;

#[cfg(feature = "gpu")]
use super::choosing::{Chosen, choose};
use super::job::Count;
use super::on_cpu::count_on_cpu;
#[cfg(feature = "gpu")]
use super::on_gpu::count_on_gpu;
use crate::clock::Instant;
use crate::count::Method;
use crate::count::tally::Workload;
#[cfg(feature = "gpu")]
use crate::gpu::AdapterDescription;
#[cfg(feature = "gpu")]
use crate::gpu::count::Engine;
use crate::run::backend::{Backend, NoGpu};
use crate::run::error::RunError;
use crate::run::report::Report;
use crate::threads::Threads;

/// Everything that is prepared once before counting: CPU threads, and a GPU that has passed its self-test.
pub struct Runner<'a> {
    count: Count<'a>,
    method: Method,
    pool: Threads,
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
        if !count.game.is_whole() {
            if count.needs_gpu() {
                return Err(RunError::NoGpu(NoGpu::FewerDoves));
            }
            let no_gpu = (count.backend == Backend::Auto).then_some(NoGpu::FewerDoves);
            return Runner::on_cpu(count, method, no_gpu);
        }
        if method == Method::Factored {
            if count.needs_gpu() {
                return Err(RunError::FactoredOnGpu);
            }
            return Runner::on_cpu(count, method, None);
        }
        #[cfg(feature = "gpu")]
        return Runner::with(count, choose(count, None)?);
        #[cfg(not(feature = "gpu"))]
        Runner::on_cpu(count, method, no_gpu(count)?)
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
    pub fn with(count: &Count<'a>, chosen: Chosen) -> Result<Runner<'a>, RunError> {
        let Chosen { gpu, no_gpu, start_up } = chosen;
        let gpu = gpu.map(|(adapter, engine)| Gpu { adapter, engine, expected: Vec::new() });
        Ok(Runner { gpu, start_up, ..Runner::on_cpu(count, Method::Exhaustive, no_gpu)? })
    }

    /// Why no GPU will count, if one might have.
    pub fn no_gpu(&self) -> Option<&NoGpu> {
        self.no_gpu.as_ref()
    }

    /// Counts, from enumerating the shapes to the tally. May be repeated unless the GPU has failed.
    ///
    /// # Errors
    /// If the observer stops it.
    pub fn run(&mut self) -> Result<Report, RunError> {
        let began = Instant::now();
        let workload = self.count.workload();
        let report = self.run_on(&workload, began)?;
        Ok(Report { start_up: self.start_up, no_gpu: self.no_gpu.clone(), ..report })
    }

    fn run_on(&mut self, workload: &Workload, began: Instant) -> Result<Report, RunError> {
        let threads = self.pool.number();
        let (count, method) = (&self.count, self.method);
        #[cfg(feature = "gpu")]
        if let Some(Gpu { adapter, engine, expected }) = &mut self.gpu {
            // This time is not counted as the GPU's.
            let enumerating = began.elapsed();
            if expected.is_empty() {
                *expected = count_on_cpu(&self.pool, count.question(Method::Factored), workload, &())?;
            }
            let confirmation =
                count_on_gpu(adapter, engine, workload, count.doves.clone(), expected, count.observer)?;
            let method = if confirmation.failure.is_none() { Method::Exhaustive } else { Method::Factored };
            let counting = enumerating + confirmation.counting;
            let report = Report::of(workload, expected, method, threads, counting);
            return Ok(Report { confirmation: Some(confirmation), ..report });
        }
        let counts = count_on_cpu(&self.pool, count.question(method), workload, count.observer)?;
        Ok(Report::of(workload, &counts, method, threads, began.elapsed()))
    }
}

/// Why no GPU is used, if one might have been: this build has no code for one.
///
/// # Errors
/// If a GPU was requested.
#[cfg(not(feature = "gpu"))]
fn no_gpu(count: &Count) -> Result<Option<NoGpu>, RunError> {
    match (count.backend, &count.adapter) {
        (Backend::Cpu, _) => Ok(None),
        (_, Some(selection)) => Err(selection.among(&[]).expect_err("no adapter is there").into()),
        (Backend::Gpu, None) => Err(RunError::NoGpu(NoGpu::NoAdapter)),
        (Backend::Auto, None) => Ok(Some(NoGpu::NoAdapter)),
    }
}
