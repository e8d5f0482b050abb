//! Running a count: streams counts into place, and lets the CPU finish what a GPU leaves.
//!
//! A GPU's exhaustive count is compared with the CPU's factored count on every boss placement; its factored count on as
//! many as the idle CPU can do in the meantime, and at least one in `SAMPLE`. Nothing of a GPU that is caught
//! miscounting is believed. A GPU that is lost, or whose work is ended early or never ends, has not lied: what it has
//! counted is kept.

mod check;
pub mod game;

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{Backend, Chosen, NoGpu, Observer, RunError, choose};
use crate::count::tally::{ALL_DOVES, Tally, Workload};
use crate::count::{Counter, Method, Question};
use crate::gpu::count::{Engine, open_tested};
use crate::gpu::{AdapterDescription, Adapters, GpuError, Selection};
use crate::shapes::{BossPlacement, Shape, assignments};
use check::Check;

/// At least one boss placement in this many is counted on the CPU as well.
const SAMPLE: usize = 64;
/// The longest that a GPU may take for a count that was not requested.
pub const PATIENCE: Duration = Duration::from_secs(30);

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

    fn asking(&self, method: Method) -> Question {
        Question { method, ..self.question }
    }

    fn pool(&self) -> Result<rayon::ThreadPool, RunError> {
        Ok(rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build()?)
    }

    fn choose(&self, method: Method, observer: &dyn Observer) -> Result<Chosen<Engine>, RunError> {
        let open = |adapters: &_, index| Ok(open_tested(adapters, index, self.asking(method))?.engine);
        choose(self.backend, self.adapter.as_ref(), observer, open)
    }

    fn workload(&self) -> Workload {
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

/// Counts.
///
/// # Errors
/// If there is no way to count as requested. A GPU that fails halfway is not an error: the CPU finishes, and the report
/// says so.
pub fn count(job: &Job, observer: &dyn Observer) -> Result<Report, RunError> {
    match (job.chooses_method, job.backend) {
        (false, _) => {
            Runner::start(job, job.question.method, observer, |runner, workload| runner.run_on(workload, observer))
        }
        (true, Backend::Cpu) => {
            Runner::start(job, Method::Factored, observer, |runner, workload| runner.run_on(workload, observer))
        }
        (true, Backend::Gpu) => run_on_gpu(job, observer),
        (true, Backend::Auto) => {
            // An unknown adapter name is refused before counting starts.
            if let Some(selection) = &job.adapter {
                Adapters::find().select(selection)?;
            }
            confirm(job, observer, &|method| job.choose(method, observer))
        }
    }
}

/// Counts on the GPU, by the exhaustive method if that is forecast to end in time, otherwise by the factored one.
fn run_on_gpu(job: &Job, observer: &dyn Observer) -> Result<Report, RunError> {
    let report = Runner::start(job, Method::Exhaustive, observer, |runner, workload| {
        let (_, engine) = runner.gpu.as_mut().expect("a GPU was asked for, so there is one or an error");
        match engine.forecast(&workload.placements, |_, _| Ok(())) {
            Ok(forecast) if forecast > PATIENCE => None,
            // Counting will fail in the same way.
            Ok(_) | Err(_) => Some(runner.run_on(workload, observer)),
        }
    })?;
    match report {
        Some(report) => Ok(report),
        None => Runner::start(job, Method::Factored, observer, |runner, workload| runner.run_on(workload, observer)),
    }
}

/// The CPU's factored count, while an adapter is opened and tested; then the GPU's exhaustive count if its forecast
/// allows, or else its factored one.
pub(super) fn confirm(
    job: &Job,
    observer: &dyn Observer,
    choose: &(dyn Fn(Method) -> Result<Chosen<Engine>, RunError> + Sync),
) -> Result<Report, RunError> {
    let pool = job.pool()?;
    let question = job.asking(Method::Factored);
    let (chosen, workload, counts, mut report) = thread::scope(|scope| {
        let opening = scope.spawn(|| choose(Method::Exhaustive));
        let began = Instant::now();
        let workload = job.workload();
        observer.begin(workload.assignments());
        let mut counts = vec![0; workload.placements.len()];
        count_on_cpu(&pool, question, &workload.placements, &mut counts, &|_| None, observer);
        let report = Report::of(&workload, &counts, question.method, pool.current_num_threads(), began.elapsed());
        observer.counted(&report.tally);
        (opening.join().expect("opening an adapter does not panic"), workload, counts, report)
    });
    let chosen = chosen?;
    report.start_up = chosen.start_up;
    report.no_gpu = chosen.no_gpu;
    let Some((adapter, mut engine)) = chosen.gpu else {
        return Ok(report);
    };

    let placements = &workload.placements;
    let compare = |place: usize, found: u64| {
        let expected = counts[place];
        if found == expected {
            return Ok(());
        }
        Err(GpuError::Differs { placement: placements[place].to_string(), found, expected })
    };
    // If this measurement fails, the engine fails again at once, with the same error.
    let is_too_slow =
        |engine: &mut Engine| engine.forecast(placements, compare).ok().filter(|&forecast| forecast > PATIENCE);
    if let Some(forecast) = is_too_slow(&mut engine) {
        report.no_gpu = Some(NoGpu::TooSlow(Box::new(adapter.clone()), forecast));
        let chosen = choose(Method::Factored)?;
        report.start_up += chosen.start_up;
        match chosen.gpu {
            Some((_, factored)) => engine = factored,
            None => return Ok(report),
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

/// Everything that is prepared once before counting: CPU threads, and a GPU that has passed its self-test.
pub struct Runner<'a> {
    job: &'a Job,
    question: Question,
    pool: rayon::ThreadPool,
    gpu: Option<(AdapterDescription, Engine)>,
    no_gpu: Option<NoGpu>,
    start_up: Duration,
}

impl<'a> Runner<'a> {
    /// Starts threads; finds, opens and tests adapters. The method is the question's.
    ///
    /// # Errors
    /// If there is no way to count as requested.
    pub fn new(job: &'a Job, observer: &dyn Observer) -> Result<Runner<'a>, RunError> {
        let chosen = job.choose(job.question.method, observer)?;
        Runner::with(job, job.question.method, chosen)
    }

    pub(super) fn with(job: &'a Job, method: Method, chosen: Chosen<Engine>) -> Result<Runner<'a>, RunError> {
        let Chosen { gpu, no_gpu, start_up } = chosen;
        Ok(Runner { job, question: job.asking(method), pool: job.pool()?, gpu, no_gpu, start_up })
    }

    /// Prepares a runner while the workload is enumerated, and passes both to `go_on`.
    fn start<R>(
        job: &Job,
        method: Method,
        observer: &dyn Observer,
        go_on: impl FnOnce(&mut Runner, &Workload) -> R,
    ) -> Result<R, RunError> {
        let (chosen, workload) = thread::scope(|scope| {
            let workload = scope.spawn(|| job.workload());
            (job.choose(method, observer), workload.join().expect("enumerating does not panic"))
        });
        Ok(go_on(&mut Runner::with(job, method, chosen?)?, &workload))
    }

    /// The time that preparation took.
    pub fn start_up(&self) -> Duration {
        self.start_up
    }

    /// The adapter that will count, if any.
    pub fn adapter(&self) -> Option<&AdapterDescription> {
        self.gpu.as_ref().map(|(adapter, _)| adapter)
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

    pub(super) fn run_on(&mut self, workload: &Workload, observer: &dyn Observer) -> Report {
        let began = Instant::now();
        observer.begin(workload.assignments());
        let placements = &workload.placements;
        let mut counts = vec![0; placements.len()];
        let Runner { question, pool, gpu, .. } = self;
        let Some((adapter, engine)) = gpu else {
            count_on_cpu(pool, *question, placements, &mut counts, &|_| None, observer);
            let threads = pool.current_num_threads();
            let mut report = Report::of(workload, &counts, question.method, threads, began.elapsed());
            report.start_up = self.start_up;
            report.no_gpu = self.no_gpu.clone();
            return report;
        };

        let device_time = engine.device_time();
        let mut check = Check::new(placements);
        let Streamed { on_gpu, failure } = stream(engine, pool, &mut check, adapter.is_software, &mut counts, observer);
        let compared = check.counts().compared(on_gpu);
        if let Some(error) = &failure {
            let (all, left) = (placements.len(), placements.len() - on_gpu);
            observer.warn(&if error.is_loss() {
                let told = error.told_of(&format!("GPU {adapter}"));
                format!("{told}; {on_gpu} of {all} boss placements are done and kept, the CPU counts the other {left}")
            } else {
                observer.begin(workload.assignments());
                let told = error.told_of(&format!("GPU {adapter}"));
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
struct Streamed {
    on_gpu: usize,
    failure: Option<GpuError>,
}

/// Streams a GPU's counts into place, comparing them with the CPU's as both come in.
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
    let counted = thread::scope(|scope| {
        scope.spawn(|| both.count_on_cpu(pool, question, least, &stop));
        let counted = engine.count(both.placements(), |place, count| {
            gpu_side.found(place, count)?;
            counts[place] = count;
            on_gpu = place + 1;
            observer.advance(assignments(both.placements()[place].slots()));
            Ok(())
        });
        stop.store(true, Ordering::Relaxed);
        counted
    });
    // A miscount is worse than a loss.
    let failure = both.verdict().and(counted).err();
    if failure.as_ref().is_some_and(|failure| !failure.is_loss()) {
        on_gpu = 0;
    }
    Streamed { on_gpu, failure }
}

impl Report {
    /// A report on counts that the CPU has made or confirmed; the caller adds what else ran.
    fn of(workload: &Workload, counts: &[u64], method: Method, threads: usize, counting: Duration) -> Report {
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
fn count_on_cpu(
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
