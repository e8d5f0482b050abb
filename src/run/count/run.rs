//! Running a count as planned. The CPU's count by the factored method takes only a moment. So a GPU's count, and every
//! confirming count, is compared with it on each boss placement that both counted. A GPU that fails or miscounts
//! therefore never costs the result.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use pollster::block_on;
use rayon::prelude::*;

use super::job::Count;
use super::plan::Plan;
use super::report::{Confirmation, Counted, Processor, Report};
use crate::clock::Instant;
use crate::count::{Counter, Method, Question, Turn, Workload};
use crate::gpu::count::{Phase, Protocol, drive};
use crate::gpu::opening::{self, Gpu, Opened};
use crate::gpu::{NoGpu, Selection, SelectionError};
use crate::join::join;
use crate::run::error::RunError;
use crate::run::observer::Observer;
use crate::shapes::BossPlacement;
use crate::threads::Threads;

/// Opens a GPU for a question: the selected one, if there is a selection. Calls the given function if compiling shaders
/// takes long.
pub(crate) type Opener<'a> =
    dyn Fn(Question, Option<&Selection>, &(dyn Fn() + Sync)) -> Result<Opened, SelectionError> + Sync + 'a;

/// A count that may be run repeatedly, with its threads and, once one is open, a GPU.
pub struct Runner<'a> {
    count: Count<'a>,
    plan: Plan,
    pool: Threads,
    opener: &'a Opener<'a>,
    gpu: Option<Gpu>,
    no_gpu: Option<NoGpu>,
    start_up: Duration,
}

/// A count by the CPU.
struct Found {
    workload: Workload,
    /// One count per boss placement, turn by turn.
    counts: Vec<u64>,
    counted: Counted,
}

impl fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'a> Runner<'a> {
    /// The longest forecast at which a GPU still confirms the CPU's count.
    pub const LONGEST_CONFIRMATION: Duration = Duration::from_secs(30);

    /// Plans a count and starts its threads.
    ///
    /// # Errors
    /// If there is no way to count as requested, or the threads cannot be started.
    pub fn new(count: &Count<'a>) -> Result<Runner<'a>, RunError> {
        Runner::with(count, &opening::open)
    }

    /// Like [`Runner::new`], with `opener` in place of the usual way to open a GPU.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub(crate) fn with(count: &Count<'a>, opener: &'a Opener<'a>) -> Result<Runner<'a>, RunError> {
        let (plan, no_gpu) = Plan::of(count)?;
        let (mut count, pool) = (count.clone(), Threads::start(count.threads)?);
        count.doves = *count.doves.start()..=*count.doves.end().min(&count.game.most_doves());
        Ok(Runner { count, plan, pool, opener, gpu: None, no_gpu, start_up: Duration::ZERO })
    }

    /// Counts other numbers of doves from now on.
    pub fn set_doves(&mut self, doves: RangeInclusive<u32>) {
        self.count.doves = doves;
    }

    /// Runs the whole count, from enumerating the shapes to the tally. The first run also opens a GPU, if the plan has
    /// one. May be repeated unless the GPU has failed.
    ///
    /// # Errors
    /// If the selection names no adapter, a GPU is required and none can be used, a limit is reached, or two counts of
    /// the CPU contradict each other.
    pub fn run(&mut self) -> Result<Report, RunError> {
        let mut first = None;
        if matches!(self.plan, Plan::CpuConfirmedByGpu | Plan::Gpu) && self.gpu.is_none() {
            let (began, count, opener) = (Instant::now(), &self.count, self.opener);
            let open = || {
                let slow = || count.observer.say("compiling shaders");
                let opened = opener(count.question(Method::Exhaustive), count.adapter.as_ref(), &slow);
                (opened, began.elapsed())
            };
            let ((opened, start_up), found) = join(open, || self.count_factored());
            self.start_up = start_up;
            self.store_opened(opened?)?;
            let found = found?;
            if self.count.adapter.is_some() && self.plan != Plan::Gpu {
                self.count.observer.counted(&found.workload.tally(&found.counts));
            }
            first = Some(found);
        }
        let factored = |runner: &Runner| first.map_or_else(|| runner.count_factored(), Ok);
        let report = match self.plan {
            Plan::Cpu(method) => report(self.count_on_cpu(method, self.count.observer)?),
            Plan::CpuConfirmedByItself => self.confirm_by_cpu(factored(self)?)?,
            Plan::CpuConfirmedByGpu => self.confirm_by_gpu(factored(self)?)?,
            Plan::Gpu => self.count_on_gpu(factored(self)?)?,
        };
        Ok(Report { no_gpu: report.no_gpu.or(self.no_gpu.clone()), start_up: self.start_up, ..report })
    }

    /// Stores the opened GPU, or changes to the plan without one.
    fn store_opened(&mut self, opened: Opened) -> Result<(), RunError> {
        let (observer, needs_gpu) = (self.count.observer, self.count.needs_gpu());
        match opened {
            Err(no_gpu) if needs_gpu && self.plan == Plan::Gpu => return Err(RunError::NoGpu(no_gpu)),
            Err(ref no_gpu) if needs_gpu => observer.warn(&format!("{no_gpu}; the CPU's result stands")),
            Ok(Gpu { ref failed, .. }) | Err(NoGpu::Failed(ref failed)) => {
                for (adapter, error) in failed {
                    observer.warn(&format!("{}; it is not used", error.at_opening(adapter)));
                }
            }
            Err(_) => {}
        }
        match opened {
            Ok(gpu) => self.gpu = Some(gpu),
            Err(no_gpu) => (self.no_gpu, self.plan) = (Some(no_gpu), self.plan.without_gpu()),
        }
        Ok(())
    }

    /// The CPU's count by the factored method: the result, or what a GPU's result is compared with.
    fn count_factored(&self) -> Result<Found, RunError> {
        if self.plan == Plan::Gpu {
            return self.count_on_cpu(Method::Factored, &());
        }
        let found = self.count_on_cpu(Method::Factored, self.count.observer)?;
        // If an adapter is selected, show nothing until it is known to exist.
        if self.count.adapter.is_none() {
            self.count.observer.counted(&found.workload.tally(&found.counts));
        }
        Ok(found)
    }

    /// Counts every boss placement on all threads, turn by turn.
    fn count_on_cpu(&self, method: Method, observer: &dyn Observer) -> Result<Found, RunError> {
        /// Minimum number of boss placements that a thread takes at once: less than a thousandth of the whole count.
        const CHUNK_PLACEMENTS: usize = 16;
        let (began, by) = (Instant::now(), Processor::Cpu(self.pool.number()));
        let (workload, question, limits) =
            (self.count.workload(), self.count.question(method), &self.count.limits);
        observer.begin(&by, method, workload.assignments());
        let count_turn = |turn: &Turn| -> Result<Vec<u64>, RunError> {
            let count = |counter: &mut Counter, placement: &BossPlacement| {
                if let Some(limit) = limits.reached() {
                    return Err(RunError::Limit(limit));
                }
                let count = counter.count(placement);
                observer.advance(turn.assignments(placement.slots()));
                Ok(count)
            };
            let placements = workload.placements.par_iter().with_min_len(CHUNK_PLACEMENTS);
            placements.map_init(|| turn.counter(question), count).collect()
        };
        let by_turn: Vec<Vec<u64>> =
            self.pool.run(|| workload.turns().iter().map(count_turn).collect::<Result<_, _>>())?;
        let counted = Counted { by, method, time: began.elapsed(), device_time: None };
        Ok(Found { workload, counts: by_turn.concat(), counted })
    }

    /// Confirms the count on the CPU, by the exhaustive method.
    fn confirm_by_cpu(&self, found: Found) -> Result<Report, RunError> {
        let second = self.count_on_cpu(Method::Exhaustive, self.count.observer)?;
        let Workload { placements, .. } = &found.workload;
        let counts = found.counts.iter().zip(&second.counts);
        let mut compared = placements.iter().cycle().zip(counts);
        if let Some((placement, (&factored, &exhaustive))) = compared.find(|(_, (a, b))| a != b) {
            return Err(RunError::Contradiction { placement: placement.to_string(), factored, exhaustive });
        }
        let confirmation = Confirmation {
            counted: second.counted,
            doves: self.count.doves.clone(),
            placements: placements.len(),
            assignments: found.workload.assignments(),
            forecast: None,
            failure: None,
        };
        Ok(Report { confirmation: Some(confirmation), ..report(found) })
    }

    /// Confirms the count on the GPU, up to the largest number of doves that it is forecast to finish within
    /// [`Runner::LONGEST_CONFIRMATION`].
    fn confirm_by_gpu(&mut self, found: Found) -> Result<Report, RunError> {
        let limits = &self.count.limits;
        let Gpu { adapter, card, protocol, .. } = self.gpu.as_mut().expect("a GPU is open");
        protocol.ask(found.workload.placements.clone(), Some(found.counts.clone()));
        // A failure is not handled here: `drive_to_the_end` meets the same error at once.
        let sampled = block_on(drive(card.as_mut(), protocol, Phase::All, |_| limits.reached().is_none()));
        if let Some(limit) = limits.reached() {
            return Err(RunError::Limit(limit));
        }
        let time = |most: u32| protocol.forecast(found.workload.up_to(most)).unwrap_or_default();
        let all = sampled.is_ok().then(|| time(*self.count.doves.end()));
        let too_long = all.filter(|&time| time > Runner::LONGEST_CONFIRMATION);
        let mut fewer = self.count.doves.clone().rev();
        let fits = |&most: &u32| too_long.is_none() || time(most) <= Runner::LONGEST_CONFIRMATION;
        let Some(most) = fewer.find(fits) else {
            let no_gpu = too_long.map(|time| NoGpu::TooSlow(Box::new(adapter.clone()), time));
            return Ok(Report { no_gpu, ..self.confirm_by_cpu(found)? });
        };
        let confirmation =
            self.drive_to_the_end(&found.workload, &found.counts, *self.count.doves.start()..=most)?;
        let confirmation = Confirmation { forecast: too_long, ..confirmation };
        Ok(Report { confirmation: Some(confirmation), ..report(found) })
    }

    /// Counts on the GPU; if it fails, the result is the CPU's.
    fn count_on_gpu(&mut self, found: Found) -> Result<Report, RunError> {
        // Enumerate the workload once more, so that the GPU's time includes the enumeration, as the CPU's does.
        let began = Instant::now();
        let workload = self.count.workload();
        let enumerating = began.elapsed();
        let mut by_gpu = self.drive_to_the_end(&workload, &found.counts, self.count.doves.clone())?;
        by_gpu.counted.time += enumerating;
        let mut report = report(found);
        if by_gpu.failure.is_none() {
            // The two counts confirm each other. By this plan, the GPU's is the result.
            std::mem::swap(&mut report.counted, &mut by_gpu.counted);
        }
        Ok(Report { confirmation: Some(by_gpu), ..report })
    }

    /// Counts these numbers of doves on the GPU, and compares every boss placement with the CPU's `counts`.
    fn drive_to_the_end(
        &mut self,
        workload: &Workload,
        counts: &[u64],
        doves: RangeInclusive<u32>,
    ) -> Result<Confirmation, RunError> {
        let Gpu { adapter, card, protocol, .. } = self.gpu.as_mut().expect("a GPU is open");
        let (placements, turn) = (workload.up_to(*doves.end()), &workload.turns()[0]);
        protocol.ask(placements.to_vec(), Some(counts[..placements.len()].to_vec()));
        protocol.skip_sample();
        let (observer, limits, began) = (self.count.observer, &self.count.limits, Instant::now());
        let by = Processor::Gpu(adapter.clone());
        observer.begin(&by, Method::Exhaustive, turn.assignments_on(placements));
        let mut seen = 0;
        let counted = block_on(drive(card.as_mut(), protocol, Phase::Done, |protocol: &Protocol| {
            let confirmed = protocol.confirmed().len();
            observer.advance(turn.assignments_on(&placements[seen..confirmed]));
            seen = confirmed;
            limits.reached().is_none()
        }));
        if let Some(limit) = limits.reached() {
            return Err(RunError::Limit(limit));
        }
        let failure = counted.err();
        if let Some(error) = &failure {
            let message = error.describe(&format!("GPU {adapter}"));
            observer.warn(&format!("{message}; the CPU's result does not depend on it and stands"));
        }
        let confirmed = &placements[..protocol.confirmed().len()];
        let (time, device_time) = (began.elapsed(), protocol.device_time());
        Ok(Confirmation {
            counted: Counted { by, method: Method::Exhaustive, time, device_time },
            doves,
            placements: confirmed.len(),
            assignments: turn.assignments_on(confirmed),
            forecast: None,
            failure,
        })
    }
}

/// The report on an unconfirmed count.
fn report(Found { workload, counts, counted }: Found) -> Report {
    Report {
        tally: workload.tally(&counts),
        by_shape: workload.by_shape(&counts),
        placements: workload.placements.len(),
        counted,
        confirmation: None,
        no_gpu: None,
        start_up: Duration::ZERO,
    }
}
