//! One count: on the CPU, or on a GPU, whose counts are streamed into place and checked; the CPU counts what it leaves.
//!
//! A GPU's exhaustive count is compared with the CPU's factored count on every boss placement; its factored count on as
//! many as the idle CPU can do in the meantime, and at least one in `SAMPLE`. Nothing of a GPU that is caught
//! miscounting is believed. A GPU that is lost, or whose work is ended early or never ends, has not lied: what it has
//! counted is kept.

use std::ops::RangeInclusive;
#[cfg(feature = "gpu")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

#[cfg(feature = "gpu")]
use super::check::Check;
use crate::count::tally::{ALL_DOVES, Tally, Workload};
use crate::count::{Counter, Method, Question};
#[cfg(feature = "gpu")]
use crate::gpu::count::{Engine, open_tested};
use crate::gpu::{AdapterDescription, GpuError, Selection};
use crate::join::join;
#[cfg(feature = "gpu")]
use crate::run::choosing::{Chosen, choose};
use crate::run::{Backend, NoGpu, Observer, RunError};
use crate::shapes::{BossPlacement, Shape, assignments};

/// At least one boss placement in this many is counted on the CPU as well.
#[cfg(feature = "gpu")]
const SAMPLE: usize = 64;

/// What to count, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// The numbers of doves on the board, within 2 to 12.
    pub doves: RangeInclusive<u32>,
    /// The question asked of each boss placement.
    pub question: Question,
    /// Whether the run chooses the method, whatever the question says: the factored one on the CPU; and to confirm it
    /// on a GPU the exhaustive one or else the factored one, whichever is forecast to take less than half a minute.
    pub chooses_method: bool,
    /// Where to count.
    pub backend: Backend,
    /// Which adapter; a software adapter is used only if named.
    pub adapter: Option<Selection>,
    /// CPU threads; all cores if not given.
    pub threads: Option<usize>,
}

impl Job {
    /// A job for all numbers of doves, on whatever backend there is.
    pub fn new(question: Question) -> Job {
        Job { doves: ALL_DOVES, question, chooses_method: false, backend: Backend::Auto, adapter: None, threads: None }
    }

    pub(super) fn asking(&self, method: Method) -> Question {
        Question { method, ..self.question }
    }

    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, RunError> {
        Ok(rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build()?)
    }

    #[cfg(feature = "gpu")]
    pub(super) fn choose(&self, method: Method, observer: &dyn Observer) -> Result<Chosen<Engine>, RunError> {
        let open = |adapters: &_, index| Ok(open_tested(adapters, index, self.asking(method))?.engine);
        choose(self.backend, self.adapter.as_ref(), observer, open)
    }

    pub(super) fn workload(&self) -> Workload {
        Workload::new(&self.doves, self.question.category)
    }
}

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
    /// The adapter that counted, if one did.
    pub adapter: Option<AdapterDescription>,
    /// Why the GPU did not finish or is not believed, if that happened.
    pub failure: Option<GpuError>,
    /// Boss placements counted on the GPU and believed; the CPU counted the others.
    pub on_gpu: usize,
    /// Of these, the boss placements that the CPU has counted as well, by the factored method.
    pub compared: usize,
    /// All boss placements.
    pub placements: usize,
    /// The second count, by another method on another processor, if there was one.
    pub confirmation: Option<Confirmation>,
    /// Why no GPU was used, if one might have been.
    pub no_gpu: Option<NoGpu>,
    /// The number of CPU threads for counting.
    pub threads: usize,
    /// The time for finding, opening and testing adapters.
    pub start_up: Duration,
    /// The time for counting.
    pub counting: Duration,
    /// How much of it the GPU itself worked, if one did and can tell.
    pub device_time: Option<Duration>,
}

/// A GPU's count, compared with the CPU's factored count on each boss placement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confirmation {
    /// The adapter.
    pub adapter: AdapterDescription,
    /// Its counting method.
    pub method: Method,
    /// The boss placements that agree: all, unless it failed.
    pub placements: usize,
    /// The assignments of these; the exhaustive method tests each of them.
    pub assignments: u64,
    /// Why the GPU did not finish or is not believed, if that happened; the CPU's result does not depend on it.
    pub failure: Option<GpuError>,
    /// The time for counting.
    pub counting: Duration,
    /// How much of it the GPU itself worked, if it can tell.
    pub device_time: Option<Duration>,
}

/// Everything that is prepared once before counting: CPU threads, and a GPU that has passed its self-test.
pub struct Runner<'a> {
    job: &'a Job,
    question: Question,
    pool: rayon::ThreadPool,
    #[cfg(feature = "gpu")]
    pub(super) gpu: Option<(AdapterDescription, Engine)>,
    no_gpu: Option<NoGpu>,
    start_up: Duration,
}

impl<'a> Runner<'a> {
    /// Starts threads; finds, opens and tests adapters. The method is the question's.
    ///
    /// # Errors
    /// If there is no way to count as requested.
    pub fn new(job: &'a Job, observer: &dyn Observer) -> Result<Runner<'a>, RunError> {
        Runner::prepare(job, job.question.method, observer)
    }

    #[cfg(feature = "gpu")]
    fn prepare(job: &'a Job, method: Method, observer: &dyn Observer) -> Result<Runner<'a>, RunError> {
        Runner::with(job, method, job.choose(method, observer)?)
    }

    #[cfg(not(feature = "gpu"))]
    fn prepare(job: &'a Job, method: Method, observer: &dyn Observer) -> Result<Runner<'a>, RunError> {
        let no_gpu = crate::run::no_gpu(job.backend, job.adapter.as_ref(), observer)?;
        Ok(Runner { job, question: job.asking(method), pool: job.pool()?, no_gpu, start_up: Duration::ZERO })
    }

    #[cfg(feature = "gpu")]
    pub(in crate::run) fn with(job: &'a Job, method: Method, chosen: Chosen<Engine>) -> Result<Runner<'a>, RunError> {
        let Chosen { gpu, no_gpu, start_up } = chosen;
        Ok(Runner { job, question: job.asking(method), pool: job.pool()?, gpu, no_gpu, start_up })
    }

    /// Prepares a runner while the workload is enumerated, and passes both to `go_on`.
    pub(super) fn start<R>(
        job: &Job,
        method: Method,
        observer: &dyn Observer,
        go_on: impl FnOnce(&mut Runner, &Workload) -> R,
    ) -> Result<R, RunError> {
        let (workload, runner) = join(|| job.workload(), || Runner::prepare(job, method, observer));
        Ok(go_on(&mut runner?, &workload))
    }

    /// The time that preparation took.
    pub fn start_up(&self) -> Duration {
        self.start_up
    }

    /// Why no GPU will count, if one might have.
    pub fn no_gpu(&self) -> Option<&NoGpu> {
        self.no_gpu.as_ref()
    }

    /// Counts, from enumerating the shapes to the tally. May be repeated unless the GPU has failed.
    pub fn run(&mut self, observer: &dyn Observer) -> Report {
        let began = Instant::now();
        let workload = self.job.workload();
        let report = self.run_on(&workload, observer);
        Report { counting: began.elapsed(), ..report }
    }

    pub(in crate::run) fn run_on(&mut self, workload: &Workload, observer: &dyn Observer) -> Report {
        let began = Instant::now();
        observer.begin(workload.assignments());
        let placements = &workload.placements;
        let mut counts = vec![0; placements.len()];
        #[cfg(feature = "gpu")]
        if self.gpu.is_some() {
            return self.run_on_gpu(workload, counts, began, observer);
        }
        count_on_cpu(&self.pool, self.question, placements, &mut counts, &|_| None, observer);
        let threads = self.pool.current_num_threads();
        let mut report = Report::of(workload, &counts, self.question.method, threads, began.elapsed());
        report.start_up = self.start_up;
        report.no_gpu = self.no_gpu.clone();
        report
    }

    /// Counts on the GPU into `counts`, which are all 0; the CPU finishes what it leaves.
    #[cfg(feature = "gpu")]
    fn run_on_gpu(
        &mut self,
        workload: &Workload,
        mut counts: Vec<u64>,
        began: Instant,
        observer: &dyn Observer,
    ) -> Report {
        let placements = &workload.placements;
        let Runner { question, pool, gpu, .. } = self;
        let (adapter, engine) = gpu.as_mut().expect("there is a GPU");
        let device_time = engine.device_time();
        let mut check = Check::new(placements);
        let Streamed { on_gpu, failure } = stream(engine, pool, &mut check, adapter.is_software, &mut counts, observer);
        let compared = check.counts().compared(on_gpu);
        if let Some(error) = &failure {
            let (all, left) = (placements.len(), placements.len() - on_gpu);
            let told = error.told_of(&format!("GPU {adapter}"));
            observer.warn(&if error.is_loss() {
                format!("{told}; {on_gpu} of {all} boss placements are done and kept, the CPU counts the other {left}")
            } else {
                observer.begin(workload.assignments());
                format!("{told}; nothing it counted is kept, the CPU counts all {all} boss placements")
            });
            // The CPU's own counts, if they are by the requested method.
            let known =
                |place: usize| check.counts().on_cpu(on_gpu + place).filter(|_| question.method == Method::Factored);
            count_on_cpu(pool, *question, &placements[on_gpu..], &mut counts[on_gpu..], &known, observer);
        }
        let threads = pool.current_num_threads();
        let mut report = Report::of(workload, &counts, question.method, threads, began.elapsed());
        report.adapter = Some(adapter.clone());
        report.failure = failure;
        report.on_gpu = on_gpu;
        report.compared = compared;
        report.start_up = self.start_up;
        report.device_time = engine.device_time().zip(device_time).map(|(after, before)| after - before);
        report
    }
}

/// The believed part of a GPU's count, and why it is not all.
#[cfg(feature = "gpu")]
struct Streamed {
    on_gpu: usize,
    failure: Option<GpuError>,
}

/// Streams a GPU's counts into place, comparing them with the CPU's as both come in.
#[cfg(feature = "gpu")]
fn stream(
    engine: &mut Engine,
    pool: &rayon::ThreadPool,
    check: &mut Check,
    is_software: bool,
    counts: &mut [u64],
    observer: &dyn Observer,
) -> Streamed {
    let question = engine.question();
    let (mut gpu_side, both) = check.sides();
    let least = match question.method {
        Method::Exhaustive => both.len(),
        Method::Factored => both.len().div_ceil(SAMPLE),
    };
    // Beside a software adapter the CPU is not idle.
    let stop = AtomicBool::new(is_software);
    let mut on_gpu = 0;
    let count_on_gpu = || {
        let counted = engine.count(both.placements(), |place, count| {
            let done = gpu_side.found(place, count)?;
            counts[place] = count;
            observer.advance(both.placements()[on_gpu..done].iter().map(|done| assignments(done.slots())).sum());
            on_gpu = done;
            Ok(())
        });
        stop.store(true, Ordering::Relaxed);
        counted
    };
    let ((), counted) = join(|| both.count_on_cpu(pool, question, least, &stop), count_on_gpu);
    // A miscount is worse than a loss.
    let failure = both.verdict().and(counted).err();
    if failure.as_ref().is_some_and(|failure| !failure.is_loss()) {
        on_gpu = 0;
    }
    Streamed { on_gpu, failure }
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
            adapter: None,
            failure: None,
            on_gpu: 0,
            compared: 0,
            placements: workload.placements.len(),
            confirmation: None,
            no_gpu: None,
            threads,
            start_up: Duration::ZERO,
            counting,
            device_time: None,
        }
    }
}

/// Counts boss placements on the CPU, except those whose count is `known` by their index.
pub(super) fn count_on_cpu(
    pool: &rayon::ThreadPool,
    question: Question,
    placements: &[BossPlacement],
    counts: &mut [u64],
    known: &(dyn Fn(usize) -> Option<u64> + Sync),
    observer: &dyn Observer,
) {
    /// Boss placements that a thread takes at once: a thousandth of the work or less.
    const CHUNK: usize = 16;
    let chunks = placements.par_chunks(CHUNK).zip(counts.par_chunks_mut(CHUNK)).enumerate();
    pool.install(|| {
        chunks.for_each_init(
            || Counter::new(question),
            |counter, (chunk, (placements, counts))| {
                for (place, (placement, count)) in placements.iter().zip(counts).enumerate() {
                    *count = known(CHUNK * chunk + place).unwrap_or_else(|| counter.count(placement));
                    observer.advance(assignments(placement.slots()));
                }
            },
        );
    });
}
