//! Running a solver: rounds come from a GPU or the CPU, and the CPU finishes what a GPU leaves.
//!
//! The [driver](crate::solve::in_memory::driver) checks every round of a GPU when it is finished. Nothing of a GPU that is caught
//! in a contradiction is believed, and the CPU starts over. A GPU that is lost, or whose work is ended early or never
//! ends, has not lied: the CPU continues after the last round that was checked.

#[cfg(feature = "gpu")]
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

#[cfg(feature = "gpu")]
use super::choosing::{Chosen, choose};
use super::{Backend, NoGpu, Observer, RunError};
#[cfg(feature = "gpu")]
use crate::gpu::solve::{SolveEngine, TestTimes, check_shared, open_tested};
use crate::gpu::{AdapterDescription, GpuError, Selection};
use crate::rules::Game;
#[cfg(feature = "gpu")]
use crate::solve::Bound;
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::in_memory::driver::RoundsInMemory;
#[cfg(feature = "gpu")]
use crate::solve::in_memory::driver::Stop;
use crate::solve::in_memory::solver::finish_on_cpu;
#[cfg(feature = "gpu")]
use crate::solve::in_memory::solver::solved;
#[cfg(feature = "gpu")]
use crate::solve::space::layout::Layout;
use crate::solve::{Bounds, Options, Round, Solved, memory};

/// A game that the CPU is forecast to solve in less is solved there: a GPU's start and self-test take a second or two.
#[cfg(feature = "gpu")]
const SOON: Duration = Duration::from_secs(10);
/// The places of a game that one thread decides in a second: A Y M and A Y M T for both, on two threads of a Xeon.
#[cfg(feature = "gpu")]
const PLACES_A_SECOND: f64 = 6e7;

/// What to solve, how, and where: by default with exact distances, on all cores of the CPU.
///
/// ```
/// use dovemate::{Game, Solve, solve};
///
/// let job = Solve::new(Game::both("A")?).memory(1 << 30).winner_only();
/// assert!(!solve(job)?.solution().has_distances);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solve<'a> {
    game: Game,
    options: Options,
    backend: Backend,
    adapter: Option<Selection>,
    pub(crate) bounds: Bounds,
    #[cfg_attr(not(feature = "gpu"), allow(dead_code))]
    measures: bool,
    #[cfg_attr(not(feature = "gpu"), allow(dead_code))]
    observer: &'a dyn Observer,
}

impl<'a> Solve<'a> {
    /// Solves a game.
    pub fn new(game: Game) -> Solve<'a> {
        let (options, bounds) = (Options { distances: true }, Bounds::default());
        Solve { game, options, backend: Backend::Cpu, adapter: None, bounds, measures: false, observer: &() }
    }

    /// Finds only who wins, with less memory and in less time.
    #[must_use]
    pub fn winner_only(self) -> Solve<'a> {
        Solve { options: Options { distances: false }, ..self }
    }

    /// The most memory to take, in bytes; without it there is no limit.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Solve<'a> {
        let bounds = Bounds { bytes: Some(bytes), ..self.bounds };
        self.within(bounds)
    }

    /// The memory and the time available.
    #[doc(hidden)]
    #[must_use]
    pub fn within(self, bounds: Bounds) -> Solve<'a> {
        Solve { bounds, ..self }
    }

    /// Uses a GPU even where the CPU seems as fast, so that it is measured.
    #[doc(hidden)]
    #[must_use]
    pub fn measured(self) -> Solve<'a> {
        Solve { measures: true, ..self }
    }

    /// Where to solve.
    #[must_use]
    pub fn backend(self, backend: Backend) -> Solve<'a> {
        Solve { backend, ..self }
    }

    /// The GPU to solve on: a software driver is used only if it is selected.
    #[must_use]
    pub fn adapter(self, adapter: Selection) -> Solve<'a> {
        self.on(Backend::Gpu, Some(adapter))
    }

    /// Where to solve, and which GPU, if one is selected.
    #[doc(hidden)]
    #[must_use]
    pub fn on(self, backend: Backend, adapter: Option<Selection>) -> Solve<'a> {
        Solve { backend, adapter, ..self }
    }

    /// The observer that is told what a GPU does.
    #[must_use]
    pub fn observer(self, observer: &'a dyn Observer) -> Solve<'a> {
        Solve { observer, ..self }
    }

    /// The least memory that it takes, in bytes.
    pub fn least_memory(&self) -> u64 {
        memory(&self.game, self.options)
    }

    /// Whether the rounds of a GPU that has failed so are believed. Without distances, nothing has been checked.
    #[cfg(feature = "gpu")]
    fn keeps_rounds(&self, failure: &GpuError) -> bool {
        failure.is_loss() && self.options.distances
    }

    /// Solves the game, and also reports what ran where. `each` is called after every round.
    ///
    /// # Errors
    /// If it cannot be solved as requested, or not within its bounds. A GPU that fails halfway is not an error: the CPU
    /// finishes, and the report says so.
    #[doc(hidden)]
    pub fn report(&self, each: &(dyn Fn(Round) + Sync)) -> Result<SolveReport, RunError> {
        let compile = || CompiledGame::shared(self.game);
        #[cfg(feature = "gpu")]
        let (compiled, no_gpu, start_up) = {
            let compiled = OnceLock::new();
            let open = |adapters: &_, index| {
                let compiled = compiled.get_or_init(compile);
                if let Some(bytes) = self.bounds.bytes {
                    let room = bytes.saturating_sub(self.least_memory());
                    check_shared(adapters, index, &compiled.index.layout, room)?;
                }
                open_tested(adapters, index, compiled)
            };
            let is_open = self.backend == Backend::Auto && self.adapter.is_none() && !self.measures;
            let forecast = is_open.then(|| forecast(&Layout::new(self.game), rayon::current_num_threads()));
            let soon = forecast.filter(|&forecast| !is_worth_it(forecast, None));
            let chosen = match soon {
                Some(forecast) => Chosen { gpu: None, no_gpu: Some(NoGpu::Soon(forecast)), start_up: Duration::ZERO },
                None => choose(None, self.backend, self.adapter.as_ref(), self.observer, open)?,
            };
            let Chosen { gpu, no_gpu, start_up } = match forecast {
                Some(forecast) => unless_slower(chosen, forecast, self.observer),
                None => chosen,
            };
            if let Some((adapter, engine)) = gpu {
                let report = solve_on(self, adapter, engine, compiled.into_inner().unwrap_or_else(compile), each)?;
                return Ok(SolveReport { start_up, ..report });
            }
            (compiled.into_inner(), no_gpu, start_up)
        };
        #[cfg(not(feature = "gpu"))]
        let (compiled, no_gpu, start_up) = (None, super::no_gpu(self.backend, self.adapter.as_ref())?, Duration::ZERO);
        let began = Instant::now();
        let rounds = RoundsInMemory::since(began, compiled.unwrap_or_else(compile), self.options, self.bounds);
        let solved = finish_on_cpu(rounds, each).map_err(RunError::Halted)?;
        Ok(SolveReport { solved, gpu: None, no_gpu, start_up, solving: began.elapsed() })
    }
}

impl From<Game> for Solve<'_> {
    fn from(game: Game) -> Self {
        Solve::new(game)
    }
}

/// The result, and what ran where.
pub struct SolveReport {
    /// The solved game.
    pub solved: Box<dyn Solved>,
    /// What a GPU did, if one was used.
    pub gpu: Option<OnGpu>,
    /// Why no GPU was used, if one might have been.
    pub no_gpu: Option<NoGpu>,
    /// The time for finding, opening and testing adapters, and preparing the game for one.
    pub start_up: Duration,
    /// The time for solving.
    pub solving: Duration,
}

/// What a GPU did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OnGpu {
    /// The adapter.
    pub adapter: AdapterDescription,
    /// Why it did not finish or is not believed, if that happened.
    pub failure: Option<GpuError>,
    /// Rounds of the GPU that are believed, including the last one, which finds nothing, and round 0; the CPU solved
    /// the others.
    pub rounds: u32,
    /// Places that were checked by the literal rules.
    pub checked: u64,
    /// Bytes used of its memory.
    pub bytes: u64,
    /// The time that it worked, if it can tell.
    pub device_time: Option<Duration>,
}

/// The time that the CPU needs for a game, within a factor of two.
#[cfg(feature = "gpu")]
pub fn forecast(layout: &Layout, threads: usize) -> Duration {
    Duration::from_secs_f64(layout.places() as f64 / (PLACES_A_SECOND * threads as f64))
}

/// Whether a GPU that nobody asked for is opened, or used if these are the times of its self-test.
#[cfg(feature = "gpu")]
pub fn is_worth_it(forecast: Duration, times: Option<TestTimes>) -> bool {
    forecast >= SOON && times.is_none_or(|times| times.gpu < times.cpu)
}

/// Leaves out a GPU that was slower than the CPU in its self-test, and says which one solves.
#[cfg(feature = "gpu")]
fn unless_slower(mut chosen: Chosen<SolveEngine>, forecast: Duration, observer: &dyn Observer) -> Chosen<SolveEngine> {
    if let Some((adapter, engine)) = &chosen.gpu {
        let times = engine.times;
        let ratio = times.gpu.as_secs_f64() / times.cpu.as_secs_f64();
        if is_worth_it(forecast, Some(times)) {
            observer
                .say(&format!("{adapter} solves: in its self-test it was {:.1} times as fast as the CPU", 1.0 / ratio));
        } else {
            chosen.no_gpu = Some(NoGpu::Slower(Box::new(adapter.clone()), ratio));
            chosen.gpu = None;
        }
    }
    chosen
}

/// Solves on a GPU, as far as it goes.
#[cfg(feature = "gpu")]
fn solve_on(
    job: &Solve,
    adapter: AdapterDescription,
    mut engine: SolveEngine,
    compiled: Arc<CompiledGame>,
    each: &(dyn Fn(Round) + Sync),
) -> Result<SolveReport, RunError> {
    let (began, before) = (Instant::now(), engine.device_time());
    let mut rounds = RoundsInMemory::new(compiled.clone(), job.options, job.bounds);
    let mut end = rounds.run(&mut engine, each);
    if end.is_ok() && !job.options.distances {
        end = engine.confirm(&rounds).map_err(Stop::Failed);
    }
    let mut solving = began.elapsed();
    let mut on_gpu = OnGpu {
        adapter,
        failure: None,
        rounds: rounds.number(),
        checked: rounds.checked,
        bytes: engine.bytes(),
        device_time: engine.device_time().zip(before).map(|(after, before)| after - before),
    };
    // The CPU may need the memory of its driver.
    drop(engine);
    let (solved, failure) = finish(job, rounds, end, &on_gpu.adapter, each)?;
    if let Some(failure) = &failure {
        solving = began.elapsed();
        if !job.keeps_rounds(failure) {
            (on_gpu.rounds, on_gpu.checked) = (0, 0);
        }
    }
    on_gpu.failure = failure;
    Ok(SolveReport { solved, gpu: Some(on_gpu), no_gpu: None, start_up: Duration::ZERO, solving })
}

/// Finishes the rounds of a GPU, however they have ended: the CPU continues or starts over if need be. Also returns why
/// the GPU did not finish or is not believed, if that happened.
///
/// # Errors
/// If a bound is met.
#[cfg(feature = "gpu")]
pub fn finish(
    job: &Solve,
    mut rounds: RoundsInMemory,
    end: Result<(), Stop<GpuError>>,
    adapter: &AdapterDescription,
    each: &(dyn Fn(Round) + Sync),
) -> Result<(Box<dyn Solved>, Option<GpuError>), RunError> {
    // A GPU that nobody asked for must not cost the solution: without its driver, there may be memory enough.
    let is_optional = job.backend == Backend::Auto && job.adapter.is_none() && job.bounds.taken.is_some();
    let failure = match end {
        Ok(()) => return Ok((solved(rounds), None)),
        Err(Stop::Bound(Bound::Memory)) if is_optional => GpuError::Crowded,
        Err(Stop::Bound(bound)) => return Err(RunError::Halted(rounds.halted(bound))),
        Err(Stop::Failed(error)) => error,
    };
    let told = failure.told_of(&format!("GPU {adapter}"));
    if job.keeps_rounds(&failure) {
        let number = rounds.number();
        let kept = format!("its first {number} rounds are checked and kept, the CPU continues from there");
        job.observer.warn(&format!("{told}; {kept}"));
        rounds.bound_again(job.bounds);
    } else {
        job.observer.warn(&format!("{told}; nothing it found is kept, the CPU starts over"));
        let compiled = rounds.compiled.clone();
        drop(rounds);
        rounds = RoundsInMemory::new(compiled, job.options, job.bounds);
    }
    Ok((finish_on_cpu(rounds, each).map_err(RunError::Halted)?, Some(failure)))
}
