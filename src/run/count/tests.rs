//! Counting when a GPU lies or is lost, with cards that count on the CPU, and cards that falsify the results of
//! others.

use std::collections::VecDeque;
use std::future::ready;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pollster::block_on;

use crate::count::{Category, Counter, Method, Question, Workload};
use crate::gpu::NoGpu;
use crate::gpu::count::driver::Collecting;
use crate::gpu::count::protocol::Returned;
use crate::gpu::count::{Card, Phase, Protocol, drive};
use crate::gpu::opening::{Gpu, Opened, open_first};
use crate::report::{AdapterDescription, Confirmation, GpuError, Processor, Report, Selection};
use crate::rules::Rules;
use crate::run::count::run::{Opener, Runner};
use crate::shapes::BossPlacement;
use crate::testing::calculator::{Calculator, word};
use crate::testing::log::Log;
use crate::{Backend, Limit, Limits, Observer, RunError, Stop};

/// The words of a boss placement's result.
const FOUND: usize = 0;
const DECIDED: usize = 1;
const SERIAL: usize = 2;
const WORDS: u32 = 3;

/// How much longer a boss placement takes on a slow card.
const DELAY: Duration = Duration::from_millis(20);

/// A card that counts on the CPU.
struct Honest {
    calculator: Calculator,
    flights: VecDeque<Vec<u32>>,
    /// Whether each boss placement takes longer.
    is_slow: Arc<AtomicBool>,
}

impl Honest {
    fn new(question: Question) -> Honest {
        Honest { calculator: Calculator::new(question), flights: VecDeque::new(), is_slow: Arc::default() }
    }
}

impl Card for Honest {
    fn submit(&mut self, batch: &[u32]) {
        self.flights.push_back(self.calculator.results(batch));
    }

    fn collect(&mut self) -> Collecting<'_> {
        let results = self.flights.pop_front().expect("a batch is under way");
        if self.is_slow.load(Ordering::Relaxed) {
            std::thread::sleep(DELAY * results.len() as u32 / WORDS);
        }
        Box::pin(ready(Ok(Returned { results, stamps: None })))
    }
}

/// A fault injected for a boss placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// The count is one too high.
    Wrong,
    /// The count is as high as a number can be.
    Excess,
    /// One block has not been decided.
    Undone,
    /// Not a lie: the work was killed, and the serial number is that of the previous batch.
    Stale,
    /// Not a lie: the work was killed, and results are missing at the end of the batch.
    Short,
    /// Not a lie: the work times out.
    Hangs,
    /// Not a lie: the device is lost.
    Lost,
}

impl Lie {
    const MISCOUNTS: [Lie; 3] = [Lie::Wrong, Lie::Excess, Lie::Undone];
    const LOSSES: [Lie; 4] = [Lie::Stale, Lie::Short, Lie::Hangs, Lie::Lost];
}

/// Forwards batches to another card and falsifies the results of some boss placements.
struct Liar {
    card: Box<dyn Card + Send>,
    lies: Vec<(BossPlacement, Lie)>,
    flights: VecDeque<Vec<(usize, Lie)>>,
}

impl Card for Liar {
    fn submit(&mut self, batch: &[u32]) {
        let lies = batch[2..].iter().enumerate().flat_map(|(place, about)| {
            let about_it = self.lies.iter().filter(move |(placement, _)| word(placement) == *about);
            about_it.map(move |&(_, lie)| (place, lie))
        });
        self.flights.push_back(lies.collect());
        self.card.submit(batch);
    }

    fn collect(&mut self) -> Collecting<'_> {
        let lies = self.flights.pop_front().expect("a batch is under way");
        Box::pin(async move {
            let mut returned = self.card.collect().await?;
            let results = &mut returned.results;
            for (place, lie) in lies {
                let first = 3 * place;
                match lie {
                    Lie::Wrong => results[first + FOUND] += 1,
                    Lie::Excess => results[first + FOUND] = u32::MAX,
                    Lie::Undone => results[first + DECIDED] -= 1,
                    Lie::Stale => results[first + SERIAL] = results[first + SERIAL].wrapping_sub(1),
                    Lie::Short => results.truncate(first),
                    Lie::Hangs => return Err(GpuError::Timeout(120)),
                    Lie::Lost => return Err(GpuError::Lost("by a test".to_owned())),
                }
            }
            Ok(returned)
        })
    }
}

fn mates() -> Question {
    Question { category: Category::Mates, rules: Rules::default(), method: Method::Exhaustive }
}

fn job(doves: RangeInclusive<u32>) -> crate::Count<'static> {
    crate::Count::mates().method(Method::Exhaustive).doves(doves).threads(2).backend(Backend::Auto)
}

fn workload(doves: RangeInclusive<u32>) -> Workload {
    Workload::new(&doves, Category::Mates)
}

fn right_counts(workload: &Workload) -> Vec<u64> {
    let mut counter = Counter::new(Question { method: Method::Factored, ..mates() });
    workload.placements.iter().map(|placement| counter.count(placement)).collect()
}

fn adapter() -> AdapterDescription {
    AdapterDescription {
        index: 0,
        largest_buffer: 1 << 27,
        memory: None,
        name: "a stand-in".to_owned(),
        backend: "Vulkan".to_owned(),
        kind: "software".into(),
        driver: String::new(),
        is_certified: true,
    }
}

/// A card that has passed the self-test, and lies from then on.
fn opened(mut card: Honest, lies: &[(BossPlacement, Lie)]) -> Opened {
    let mut protocol = Protocol::new(mates());
    block_on(drive(&mut card, &mut protocol, Phase::Sample, |_| true)).expect("it is honest so far");
    let card = Box::new(Liar { card: Box::new(card), lies: lies.to_vec(), flights: VecDeque::new() });
    Ok(Gpu { adapter: adapter(), card, protocol, failed: Vec::new() })
}

/// Counts on a card that tells these lies.
fn count(job: &crate::Count<'static>, lies: &[(BossPlacement, Lie)]) -> (Report, Log) {
    let log = Log::default();
    let opener =
        |_: Question, _: Option<&Selection>, _: &(dyn Fn() + Sync)| Ok(opened(Honest::new(mates()), lies));
    (run(job, &log, &opener), log)
}

fn run(job: &crate::Count<'static>, log: &Log, opener: &Opener) -> Report {
    let job = job.clone().observer(log);
    let mut runner = Runner::with(&job, opener).expect("threads start");
    runner.run().expect("nothing stops it")
}

fn warnings(log: Log) -> Vec<String> {
    log.warnings.into_inner().unwrap()
}

/// The counts must be those without a card, and progress reaches its end.
#[test]
fn an_honest_card_is_believed() {
    let job = job(2..=8);
    let workload = workload(2..=8);
    let (report, log) = count(&job, &[]);
    log.check();
    assert_eq!(report.tally, workload.tally(&right_counts(&workload)));
    assert_eq!((report.counted.by.adapter(), report.counted.method), (Some(&adapter()), Method::Exhaustive));
    let confirmed = report.confirmation.expect("the CPU has counted, too");
    assert_eq!((confirmed.counted.by.adapter(), confirmed.counted.method), (None, Method::Factored));
    assert_eq!((&confirmed.failure, confirmed.placements), (&None, report.placements));
    assert_eq!(confirmed.assignments, report.tally.total().assignments);
}

/// Every boss placement is compared, so no lie passes, wherever it is told, and nothing is kept.
#[test]
fn a_card_that_miscounts_confirms_nothing() {
    let job = job(2..=6);
    let workload = workload(2..=6);
    let right = workload.tally(&right_counts(&workload));
    let last = workload.placements.len() - 1;
    for place in (0..last).step_by(3).chain([last]) {
        let placement = workload.placements[place];
        for lie in Lie::MISCOUNTS {
            // Every lie at the ends, and the subtlest one on every third boss placement.
            if lie != Lie::Wrong && place > 0 && place < last {
                continue;
            }
            let (report, log) = count(&job, &[(placement, lie)]);
            let warnings = warnings(log);
            assert!(report.counted.by.adapter().is_none(), "{lie:?} about {placement} passed");
            let told = (report.counted.method, &report.tally);
            assert_eq!(told, (Method::Factored, &right), "{lie:?} about {placement}");
            let Confirmation { failure, placements, assignments, .. } =
                report.confirmation.expect("it has counted");
            assert_eq!((placements, assignments), (0, 0), "{lie:?} about {placement}");
            let failure = failure.expect("it is not believed");
            let told = if lie == Lie::Undone { "is marked as done, but only" } else { ", the CPU " };
            let fits = !failure.is_loss() && failure.to_string().contains(told);
            assert!(fits, "{lie:?} about {placement} is called: {failure}");
            let [warning] = &warnings[..] else { panic!("one warning is due: {warnings:?}") };
            let is_said = |words: &str| warning.contains(words);
            assert!(is_said("gave a wrong answer") && is_said("the CPU's result"), "{warning}");
        }
    }
}

/// If a device is lost, hangs, or has its work ended early, the counts until then stay confirmed, unless it had
/// lied before.
#[test]
fn a_lost_device_costs_no_result() {
    for loss in Lie::LOSSES {
        let job = job(2..=7);
        let workload = workload(2..=7);
        let right = workload.tally(&right_counts(&workload));
        for place in [0, workload.placements.len() / 2, workload.placements.len() - 1] {
            let (report, log) = count(&job, &[(workload.placements[place], loss)]);
            let warnings = warnings(log);
            assert_eq!((report.counted.method, report.tally), (Method::Factored, right.clone()), "{loss:?}");
            let Confirmation { failure, placements, .. } = report.confirmation.expect("it has counted");
            let fits = match &failure {
                Some(GpuError::Undone { .. }) => matches!(loss, Lie::Stale | Lie::Short),
                Some(GpuError::Timeout(_)) => loss == Lie::Hangs,
                Some(GpuError::Lost(_)) => loss == Lie::Lost,
                _ => false,
            };
            assert!(fits, "{loss:?} is called: {failure:?}");
            assert!(placements <= place && (place == 0 || placements > 0), "{placements} agree");
            assert!(matches!(&warnings[..], [warning] if warning.contains("failed: ")), "{warnings:?}");
        }
        let lies = [(workload.placements[0], Lie::Wrong), (workload.placements[1600], loss)];
        let confirmation = count(&job, &lies).0.confirmation.expect("it has counted");
        assert_eq!(confirmation.placements, 0, "{loss:?}");
        let failure = confirmation.failure.expect("it has failed");
        assert!(!failure.is_loss(), "the lie is the worse of the two");
    }
}

/// With the method left to the run, the CPU's result is reported before the card has counted, and stands whatever
/// the card does.
#[test]
fn the_result_does_not_depend_on_its_confirmation() {
    let job = crate::Count::mates().doves(2..=7).threads(2).backend(Backend::Auto);
    let workload = workload(2..=7);
    let right = workload.tally(&right_counts(&workload));
    let last = workload.placements[workload.placements.len() - 1];
    for lie in
        [None, Some(Lie::Wrong), Some(Lie::Undone), Some(Lie::Stale), Some(Lie::Hangs), Some(Lie::Lost)]
    {
        let lies: Vec<(BossPlacement, Lie)> = lie.map(|lie| (last, lie)).into_iter().collect();
        let (report, log) = count(&job, &lies);
        assert_eq!(*log.counted.lock().unwrap(), std::slice::from_ref(&right), "{lie:?}: told once");
        assert_eq!((&report.tally, report.counted.method), (&right, Method::Factored), "{lie:?}");
        let confirmation = report.confirmation.unwrap_or_else(|| panic!("{lie:?}: no confirmation"));
        let warnings = log.warnings.into_inner().unwrap();
        assert_eq!(warnings.len(), usize::from(lie.is_some()), "{warnings:?}");
        match lie {
            None => {
                assert_eq!((confirmation.failure, confirmation.placements), (None, report.placements));
                assert_eq!(confirmation.assignments, right.total().assignments);
            }
            Some(Lie::Stale | Lie::Hangs | Lie::Lost) => {
                assert!(confirmation.failure.is_some_and(|failure| failure.is_loss()), "{lie:?}");
                assert!(confirmation.placements < report.placements);
            }
            Some(_) => {
                assert!(confirmation.failure.is_some_and(|failure| !failure.is_loss()), "{lie:?}");
                assert_eq!((confirmation.placements, confirmation.assignments), (0, 0), "{lie:?}");
            }
        }
    }
}

/// A card that is too slow confirms the counts up to the largest number of doves that it is forecast to reach in half
/// a minute, or none if even the fewest doves take longer.
#[test]
fn slow_confirmations_are_skipped() {
    /// Makes a card fast once the confirmation itself begins.
    #[derive(Default)]
    struct Sampled {
        is_slow: Arc<AtomicBool>,
    }
    impl Observer for Sampled {
        fn begin(&self, by: &Processor, _: Method, _: u64) {
            self.is_slow.fetch_and(by.adapter().is_none(), Ordering::Relaxed);
        }
    }
    let slow = |doves| {
        let sampled = Sampled::default();
        let opener = |_: Question, _: Option<&Selection>, _: &(dyn Fn() + Sync)| {
            let card = Honest { is_slow: sampled.is_slow.clone(), ..Honest::new(mates()) };
            let opened = opened(card, &[]);
            // Slow during the sample, which is measured.
            sampled.is_slow.store(true, Ordering::Relaxed);
            Ok(opened)
        };
        let job = crate::Count::mates().doves(doves).threads(2).backend(Backend::Auto).observer(&sampled);
        Runner::with(&job, &opener).expect("threads start").run().expect("nothing stops it")
    };
    let report = slow(2..=8);
    let confirmation = report.confirmation.expect("small numbers of doves are done soon");
    let counted = workload(confirmation.doves.clone()).placements.len();
    assert_eq!((confirmation.failure, confirmation.placements), (None, counted));
    let forecast = confirmation.forecast.expect("all of them are not");
    assert!(forecast > Runner::LONGEST_CONFIRMATION && *confirmation.doves.end() < 8, "{forecast:?}");
    let report = slow(8..=8);
    assert!(
        matches!(report.no_gpu, Some(NoGpu::TooSlow(_, forecast)) if forecast > Runner::LONGEST_CONFIRMATION)
    );
    let by_cpu = report.confirmation.expect("the CPU counts once more");
    assert_eq!((by_cpu.counted.by.adapter(), by_cpu.placements), (None, report.placements));
}

/// If a card fails its self-test, the CPU's count stands, and the CPU counts once more to confirm it.
#[test]
fn a_count_stands_without_its_confirmation() {
    let job = crate::Count::mates().doves(2..=6).on(Backend::Auto, Some(Selection::Index(0)));
    let opener = |_: Question, _: Option<&Selection>, _: &(dyn Fn() + Sync)| {
        let failed = vec![(adapter(), GpuError::Lost("it is gone".to_owned()))];
        Ok(Err(NoGpu::Failed(failed)))
    };
    let log = Log::default();
    let report = run(&job, &log, &opener);
    let workload = workload(2..=6);
    assert_eq!(report.tally, workload.tally(&right_counts(&workload)));
    assert!(matches!(&report.no_gpu, Some(NoGpu::Failed(failures)) if failures.len() == 1));
    let by_cpu = report.confirmation.expect("the CPU counts once more");
    assert_eq!((by_cpu.counted.method, by_cpu.placements), (Method::Exhaustive, report.placements));
    assert_eq!(log.counted.lock().unwrap().len(), 1, "the CPU's result is told once");
    let warnings = warnings(log);
    assert!(matches!(&warnings[..], [warning] if warning.contains("it is gone")), "{warnings:?}");
    let required = job.backend(Backend::Gpu);
    let error = Runner::with(&required, &opener).expect("threads start").run().expect_err("none works");
    assert!(matches!(error, RunError::NoGpu(NoGpu::Failed(_))), "{error}");
}

/// Stops a run once a GPU has confirmed something.
#[derive(Default)]
struct Impatient {
    is_gpu: AtomicBool,
    stop: Stop,
}

impl Observer for Impatient {
    fn begin(&self, by: &Processor, _: Method, _: u64) {
        self.is_gpu.store(by.adapter().is_some(), Ordering::Relaxed);
    }

    fn advance(&self, _: u64) {
        if self.is_gpu.load(Ordering::Relaxed) {
            self.stop.stop();
        }
    }
}

/// A stopped count leaves no batch in flight that the next count would take for its own.
#[test]
fn a_stopped_gpu_counts_again() {
    let opener =
        |_: Question, _: Option<&Selection>, _: &(dyn Fn() + Sync)| Ok(opened(Honest::new(mates()), &[]));
    let impatient = Impatient::default();
    let limits = Limits { stop: impatient.stop.clone(), ..Limits::default() };
    let job = job(2..=8).limits(limits).observer(&impatient);
    let mut runner = Runner::with(&job, &opener).expect("threads start");
    for _ in 0..2 {
        assert!(matches!(runner.run(), Err(RunError::Limit(Limit::Stop))));
        impatient.stop.reset();
        impatient.is_gpu.store(false, Ordering::Relaxed);
    }
    runner.set_doves(2..=5);
    assert!(matches!(runner.run(), Err(RunError::Limit(Limit::Stop))), "it goes on as before");
}

/// No GPU counts by the factored method.
#[test]
fn the_factored_method_is_the_cpu_s() {
    let factored = || crate::Count::mates().method(Method::Factored);
    for count in
        [factored().backend(Backend::Gpu), factored().adapter(Selection::Index(0)).backend(Backend::Auto)]
    {
        assert!(matches!(count.report(), Err(RunError::FactoredOnGpu)));
    }
}

/// If the first card cannot be used, the second one is; if neither can be, both failures are reported.
#[test]
fn the_next_adapter_is_tried() {
    let cards: Vec<_> = (0..2).map(|index| AdapterDescription { index, ..adapter() }).collect();
    let failing = |failing: usize| {
        move |index: usize| match index < failing {
            true => Err(GpuError::Lost(format!("number {index}"))),
            false => {
                let card: Box<dyn Card + Send> = Box::new(Honest::new(mates()));
                Ok((card, Protocol::new(mates())))
            }
        }
    };
    let opened = open_first(cards.clone(), cards.clone(), failing(1));
    let gpu = opened.unwrap_or_else(|no_gpu| panic!("{no_gpu}"));
    assert_eq!(gpu.adapter.index, 1);
    assert!(matches!(&gpu.failed[..], [(AdapterDescription { index: 0, .. }, GpuError::Lost(_))]));
    let Err(NoGpu::Failed(failures)) = open_first(cards.clone(), cards, failing(2)) else { panic!() };
    assert_eq!(failures.iter().map(|(adapter, _)| adapter.index).collect::<Vec<_>>(), [0, 1]);
}
