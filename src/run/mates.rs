//! Running a count: streams counts into place, and lets the CPU finish what a GPU leaves.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{Backend, Observer, RunError, choose};
use crate::gpu::mates::{Engine, Fault, vet};
use crate::gpu::{AdapterDescription, GpuError, Selection};
use crate::mates::{Counter, Question};
use crate::shapes::{BossPlacement, Shape, assignments};
use crate::tally::{Tally, Workload};

/// What to count, and how.
#[derive(Clone, Debug)]
pub struct Job {
    /// Numbers of doves on the board, within 2 to 12.
    pub doves: RangeInclusive<u32>,
    /// The question that each boss placement is asked.
    pub question: Question,
    /// Where to count.
    pub backend: Backend,
    /// Which adapter; a software adapter is only taken if named.
    pub adapter: Option<Selection>,
    /// CPU threads; all cores if not given.
    pub threads: Option<usize>,
    /// A failure of the GPU to be played.
    pub fault: Option<Fault>,
}

/// What came out, and what ran where.
#[derive(Clone, Debug)]
pub struct Report {
    /// The counts.
    pub tally: Tally,
    /// The same, shape by shape.
    pub by_shape: Vec<(Shape, u64)>,
    /// The adapter that counted, if one did.
    pub adapter: Option<AdapterDescription>,
    /// Why the GPU did not finish, if it did not.
    pub failure: Option<GpuError>,
    /// Boss placements counted on the GPU; the CPU counted the others.
    pub on_gpu: usize,
    /// Boss placements in all.
    pub placements: usize,
    /// CPU threads there were for counting.
    pub threads: usize,
    /// Finding, opening and testing adapters.
    pub start_up: Duration,
    /// Counting.
    pub counting: Duration,
    /// How long of this the GPU itself worked, if one did and can tell.
    pub device_time: Option<Duration>,
}

/// Counts.
///
/// # Errors
/// If there is no way to count as asked. A GPU that fails halfway is no error: the CPU finishes, and the report says so.
pub fn run(job: &Job, observer: &dyn Observer) -> Result<Report, RunError> {
    Ok(Runner::new(job, observer)?.run(observer))
}

/// All that is made ready once before counting: CPU threads, and a GPU that has passed its self-test.
pub struct Runner<'a> {
    job: &'a Job,
    pool: rayon::ThreadPool,
    gpu: Option<(AdapterDescription, Engine)>,
    start_up: Duration,
}

impl<'a> Runner<'a> {
    /// Starts threads; finds, opens and tests adapters.
    ///
    /// # Errors
    /// If there is no way to count as asked.
    pub fn new(job: &'a Job, observer: &dyn Observer) -> Result<Runner<'a>, RunError> {
        let started = Instant::now();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads.unwrap_or(0)).build()?;
        let open = |adapters: &_, index| Ok(vet(adapters, index, job.question)?.engine);
        let gpu = choose(job.backend, job.adapter.as_ref(), observer, open)?;
        Ok(Runner { job, pool, gpu, start_up: started.elapsed() })
    }

    /// How long making ready took.
    pub fn start_up(&self) -> Duration {
        self.start_up
    }

    /// Counts, from enumerating the shapes to the tally. May be done again unless the GPU has failed.
    pub fn run(&mut self, observer: &dyn Observer) -> Report {
        let started = Instant::now();
        let job = self.job;
        let workload = Workload::new(&job.doves, job.question.what);
        observer.begin(workload.assignments());
        let placements = &workload.placements;
        let mut counts = vec![0; placements.len()];
        let (mut on_gpu, mut adapter, mut failure, mut device_time) = (0, None, None, None);
        if let Some((description, engine)) = &mut self.gpu {
            let before = engine.device_time();
            let counted = engine.count(placements, job.fault, |place, count| {
                counts[place] = count;
                on_gpu = place + 1;
                observer.advance(assignments(placements[place].slots()));
            });
            if let Err(error) = counted {
                let (all, left) = (placements.len(), placements.len() - on_gpu);
                observer.warn(&format!(
                    "GPU {description} failed: {error}; {on_gpu} of {all} boss placements are done and kept, the CPU \
                     counts the other {left}"
                ));
                failure = Some(error);
            }
            device_time = engine.device_time().zip(before).map(|(after, before)| after - before);
            adapter = Some(description.clone());
        }
        self.pool.install(|| count_on_cpu(job, &placements[on_gpu..], &mut counts[on_gpu..], observer));
        Report {
            tally: workload.tally(&counts),
            by_shape: workload.by_shape(&counts),
            adapter,
            failure,
            on_gpu,
            placements: placements.len(),
            threads: self.pool.current_num_threads(),
            start_up: self.start_up,
            counting: started.elapsed(),
            device_time,
        }
    }
}

fn count_on_cpu(job: &Job, placements: &[BossPlacement], counts: &mut [u64], observer: &dyn Observer) {
    /// Boss placements that a thread takes at once: a thousandth of the work or less.
    const CHUNK: usize = 16;
    placements.par_chunks(CHUNK).zip(counts.par_chunks_mut(CHUNK)).for_each_init(
        || Counter::new(job.question),
        |counter, (placements, counts)| {
            for (placement, count) in placements.iter().zip(counts) {
                *count = counter.count(placement);
                observer.advance(assignments(placement.slots()));
            }
        },
    );
}
