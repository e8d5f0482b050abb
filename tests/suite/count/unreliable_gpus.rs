//! Counting when a GPU lies or is lost, with cards that count on the CPU, and cards that falsify what others
//! return.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::common::log::Log;
use dovemate::internals::count::tally::Workload;
use dovemate::internals::count::{Category, Counter, Method, Question};
use dovemate::internals::gpu::count::{BatchCard, Count, Engine, Slice};
use dovemate::internals::gpu::{AdapterDescription, Adapters, GpuError, Selection};
use dovemate::internals::run::{Chosen, PATIENCE, Runner, choose_among, count_and_confirm_on};
use dovemate::internals::shapes::BossPlacement;
use dovemate::report::{Confirmation, NoGpu, Report};
use dovemate::rules::Rules;
use dovemate::{Backend, RunError};

/// Counts on the CPU, always by the factored method. The count of a boss placement is attributed to its first
/// slice.
struct Honest {
    counter: Counter,
    /// An extra delay for the first batch.
    delay: Duration,
    flights: VecDeque<Vec<Count>>,
}

impl Honest {
    fn new(question: Question) -> Honest {
        let counter = Counter::new(Question { method: Method::Factored, ..question });
        Honest { counter, delay: Duration::ZERO, flights: VecDeque::new() }
    }
}

impl BatchCard for Honest {
    fn submit(&mut self, placements: &[BossPlacement], slices: &[Slice], serial: u32) {
        let counts: Vec<u64> = placements.iter().map(|placement| self.counter.count(placement)).collect();
        let count = |slice: &Slice| {
            let found = if slice.first_item == 0 { counts[slice.unit as usize] as u32 } else { 0 };
            Count { found, decided: slice.items, serial }
        };
        self.flights.push_back(slices.iter().map(count).collect());
    }

    fn collect(&mut self) -> Result<Vec<Count>, GpuError> {
        std::thread::sleep(std::mem::take(&mut self.delay));
        Ok(self.flights.pop_front().expect("a batch is under way"))
    }

    fn device_time(&self) -> Option<Duration> {
        None
    }
}

/// A fault injected for a boss placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// The count is one too high.
    Wrong,
    /// The count is as high as a number can be.
    Excess,
    /// One item has not been decided.
    Undone,
    /// Not a lie: the work was killed, and the mark is that of the batch before.
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
    card: Box<dyn BatchCard>,
    lies: Vec<(BossPlacement, Lie)>,
    flights: VecDeque<Vec<(usize, Lie)>>,
}

impl Liar {
    fn new(card: Box<dyn BatchCard>, lies: Vec<(BossPlacement, Lie)>) -> Liar {
        Liar { card, lies, flights: VecDeque::new() }
    }
}

impl BatchCard for Liar {
    fn submit(&mut self, placements: &[BossPlacement], slices: &[Slice], serial: u32) {
        let lies = slices.iter().enumerate().flat_map(|(place, slice)| {
            let placement = placements[slice.unit as usize];
            let about_it =
                self.lies.iter().filter(move |(about, _)| *about == placement && slice.first_item == 0);
            about_it.map(move |&(_, lie)| (place, lie))
        });
        self.flights.push_back(lies.collect());
        self.card.submit(placements, slices, serial);
    }

    fn collect(&mut self) -> Result<Vec<Count>, GpuError> {
        let lies = self.flights.pop_front().expect("a batch is under way");
        let mut counts = self.card.collect()?;
        for (place, lie) in lies {
            match lie {
                Lie::Wrong => counts[place].found += 1,
                Lie::Excess => counts[place].found = u32::MAX,
                Lie::Undone => counts[place].decided -= 1,
                Lie::Stale => counts[place].serial = counts[place].serial.wrapping_sub(1),
                Lie::Short => counts.truncate(place),
                Lie::Hangs => return Err(GpuError::Timeout(120)),
                Lie::Lost => return Err(GpuError::Lost("by a test".to_owned())),
            }
        }
        Ok(counts)
    }

    fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }
}

fn mates() -> Question {
    Question { category: Category::Mates, rules: Rules::default(), method: Method::Exhaustive }
}

fn job(doves: RangeInclusive<u32>) -> dovemate::Count<'static> {
    dovemate::Count::mates().method(Method::Exhaustive).doves(doves).threads(2).backend(Backend::Auto)
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
        kind: "software",
        driver: String::new(),
        is_certified: true,
    }
}

fn chosen(card: Box<dyn BatchCard>) -> Chosen {
    Chosen { gpu: Some((adapter(), Engine::new(card))), no_gpu: None, start_up: Duration::ZERO }
}

fn liar(lies: &[(BossPlacement, Lie)]) -> Box<dyn BatchCard> {
    Box::new(Liar::new(Box::new(Honest::new(mates())), lies.to_vec()))
}

/// Counts on a stand-in that tells these lies.
fn count(job: &dovemate::Count<'static>, lies: &[(BossPlacement, Lie)]) -> (Report, Vec<String>) {
    let log = Log::default();
    let mut runner = Runner::with(&job.clone().observer(&log), chosen(liar(lies))).expect("threads start");
    let report = runner.run().expect("nothing stops it");
    (report, log.warnings.into_inner().unwrap())
}

/// The counts must be those without a card, and progress reaches its end.
#[test]
fn an_honest_card_is_believed() {
    let job = job(2..=8);
    let workload = workload(2..=8);
    let log = Log::default();
    let mut runner = Runner::with(&job.observer(&log), chosen(liar(&[]))).expect("threads start");
    let report = runner.run().expect("nothing stops it");
    log.check();
    assert_eq!(report.tally, workload.tally(&right_counts(&workload)));
    let counted = report.on_gpu().expect("the GPU has counted");
    assert_eq!((&counted.failure, counted.placements), (&None, report.placements));
    assert_eq!(counted.assignments, report.tally.total().assignments);
}

/// Every boss placement is compared: no lie passes, wherever it is told, and nothing is kept.
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
            let (report, warnings) = count(&job, &[(placement, lie)]);
            assert!(report.on_gpu().is_none(), "{lie:?} about {placement} passed");
            assert_eq!(
                (report.method, &report.tally),
                (Method::Factored, &right),
                "{lie:?} about {placement}"
            );
            let Confirmation { failure, placements, assignments, .. } =
                report.confirmation.expect("it has counted");
            assert_eq!((placements, assignments), (0, 0), "{lie:?} about {placement}");
            let failure = failure.expect("it is not believed");
            let told = if lie == Lie::Undone { "is marked as done with" } else { ", the CPU " };
            let fits = !failure.is_loss() && failure.to_string().contains(told);
            assert!(fits, "{lie:?} about {placement} is called: {failure}");
            let [warning] = &warnings[..] else { panic!("one warning is due: {warnings:?}") };
            assert!(
                warning.contains("gave a wrong answer") && warning.contains("the CPU's result"),
                "{warning}"
            );
        }
    }
}

/// A device that is lost, whose work is ended early, or that hangs has agreed as far as it came; unless it
/// had lied before.
#[test]
fn a_lost_device_costs_no_result() {
    for loss in Lie::LOSSES {
        let job = job(2..=7);
        let workload = workload(2..=7);
        let right = workload.tally(&right_counts(&workload));
        for place in [0, workload.placements.len() / 2, workload.placements.len() - 1] {
            let (report, warnings) = count(&job, &[(workload.placements[place], loss)]);
            assert_eq!((report.method, report.tally), (Method::Factored, right.clone()), "{loss:?}");
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
        assert!(
            confirmation.failure.is_some_and(|failure| !failure.is_loss()),
            "the lie is the worse of the two"
        );
    }
}

/// With the method left to the run, the CPU's result is told before the card has counted, and stands whatever
/// it does.
#[test]
fn the_result_does_not_depend_on_its_confirmation() {
    let job = job(2..=7);
    let workload = workload(2..=7);
    let right = workload.tally(&right_counts(&workload));
    let last = workload.placements[workload.placements.len() - 1];
    for lie in
        [None, Some(Lie::Wrong), Some(Lie::Undone), Some(Lie::Stale), Some(Lie::Hangs), Some(Lie::Lost)]
    {
        let lies: Vec<(BossPlacement, Lie)> = lie.map(|lie| (last, lie)).into_iter().collect();
        let log = Log::default();
        let choose = || Ok(chosen(liar(&lies)));
        let report =
            count_and_confirm_on(&job.clone().observer(&log), Duration::MAX, &choose).expect("threads start");
        assert_eq!(*log.counted.lock().unwrap(), std::slice::from_ref(&right), "{lie:?}: told once");
        assert_eq!((&report.tally, report.method), (&right, Method::Factored), "{lie:?}");
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

/// A card that is too slow confirms as many numbers of doves as it is forecast to count in half a minute; or
/// none, if even the fewest take longer.
#[test]
fn slow_confirmations_are_skipped() {
    let slow = |doves| {
        let job = job(doves);
        let choose = || {
            let mut card = Box::new(Honest::new(mates()));
            // In the batch that is measured.
            card.delay = Duration::from_millis(150);
            Ok(chosen(card))
        };
        count_and_confirm_on(&job, PATIENCE, &choose).expect("threads start")
    };
    let report = slow(2..=9);
    let confirmation = report.confirmation.expect("small numbers of doves are done soon");
    let counted = workload(confirmation.doves.clone()).placements.len();
    assert_eq!((confirmation.failure, confirmation.placements), (None, counted));
    let forecast = confirmation.forecast.expect("all of them are not");
    assert!(forecast > PATIENCE, "{forecast:?}");
    let part = |most| workload(2..=most).assignments() as f64 / workload(2..=9).assignments() as f64;
    let most = (2..=9).rev().find(|&most| forecast.mul_f64(part(most)) <= PATIENCE);
    assert_eq!(Some(confirmation.doves), most.map(|most| 2..=most), "{forecast:?}");
    let report = slow(9..=9);
    assert!(matches!(report.no_gpu, Some(NoGpu::TooSlow(_, forecast)) if forecast > PATIENCE));
    assert!(report.confirmation.is_none());
}

/// A card that fails its self-test costs nothing that the CPU has counted.
#[test]
fn a_count_stands_without_its_confirmation() {
    let job = job(2..=6);
    let fails =
        || Err(RunError::NoGpu(NoGpu::Failed(vec![(adapter(), GpuError::Lost("it is gone".to_owned()))])));
    let log = Log::default();
    let report =
        count_and_confirm_on(&job.observer(&log), Duration::MAX, &fails).expect("the CPU has counted");
    let workload = workload(2..=6);
    assert_eq!(report.tally, workload.tally(&right_counts(&workload)));
    assert!(
        matches!(&report.no_gpu, Some(NoGpu::Failed(failures)) if failures.len() == 1),
        "{:?}",
        report.no_gpu
    );
    let warnings = log.warnings.into_inner().unwrap();
    assert!(matches!(&warnings[..], [warning] if warning.contains("it is gone")), "{warnings:?}");
}

/// No GPU counts by the factored method.
#[test]
fn the_factored_method_is_the_cpu_s() {
    let factored = || dovemate::Count::mates().method(Method::Factored);
    for count in
        [factored().backend(Backend::Gpu), factored().adapter(Selection::Index(0)).backend(Backend::Auto)]
    {
        assert!(matches!(count.report(), Err(RunError::FactoredOnGpu)));
    }
}

/// If the first card cannot be used, the second one is, even if a GPU was requested; if none can be, both
/// failures are the error.
#[test]
fn the_next_adapter_is_tried() {
    let adapters = Adapters::find();
    let cards = || (0..2).map(|index| AdapterDescription { index, ..adapter() }).collect::<Vec<_>>();
    let failing = |failing: usize| {
        move |index: usize| match index < failing {
            true => Err(GpuError::Lost(format!("number {index}"))),
            false => Ok(Engine::new(liar(&[]))),
        }
    };
    for must in [false, true] {
        let log = Log::default();
        let chosen = choose_among(&adapters, cards(), must, &log, failing(1)).expect("the second one works");
        assert_eq!(chosen.gpu.map(|(adapter, _)| adapter.index), Some(1));
        let warnings = log.warnings.into_inner().unwrap();
        assert!(matches!(&warnings[..], [warning] if warning.contains("number 0")), "{warnings:?}");
    }
    let log = Log::default();
    let error = choose_among(&adapters, cards(), true, &log, failing(2)).err().expect("none works");
    let RunError::NoGpu(NoGpu::Failed(failures)) = error else { panic!("{error}") };
    let failed: Vec<usize> = failures.iter().map(|(adapter, _)| adapter.index).collect();
    assert_eq!(failed, [0, 1]);
    assert_eq!(*log.warnings.lock().unwrap(), [""; 0]);
}
