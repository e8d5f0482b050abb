//! Counting when a GPU lies or is lost, with a stand-in for the GPU, and with a real one where there is one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::choosing::{Chosen, choose_among, said_when_slow};
use super::count::confirm::confirm;
use super::count::{Confirmation, Job, Report, Runner};
use super::{Backend, NoGpu, Observer, RunError};
use crate::count::tally::{Tally, Workload};
use crate::count::{Category, Counter, Method, Question};
use crate::gpu::count::stand_in::{Honest, Liar, Lie};
use crate::gpu::count::{Engine, open_tested};
use crate::gpu::stream::Card;
use crate::gpu::{AdapterDescription, Adapters, Fault, GpuError, Selection, testing};
use crate::rules::Rules;
use crate::shapes::BossPlacement;

/// Records what an observer is told.
#[derive(Default)]
pub(super) struct Log {
    assignments: AtomicU64,
    advanced: AtomicU64,
    counted: Mutex<Vec<Tally>>,
    pub(super) warnings: Mutex<Vec<String>>,
    notes: Mutex<Vec<String>>,
}

impl Observer for Log {
    fn begin(&self, assignments: u64) {
        self.assignments.store(assignments, Ordering::Relaxed);
        self.advanced.store(0, Ordering::Relaxed);
    }

    fn advance(&self, assignments: u64) {
        self.advanced.fetch_add(assignments, Ordering::Relaxed);
    }

    fn counted(&self, tally: &Tally) {
        self.counted.lock().unwrap().push(tally.clone());
    }

    fn say(&self, message: &str) {
        self.notes.lock().unwrap().push(message.to_owned());
    }

    fn warn(&self, message: &str) {
        self.warnings.lock().unwrap().push(message.to_owned());
    }
}

fn mates() -> Question {
    Question { category: Category::Mates, rules: Rules::default(), method: Method::Exhaustive }
}

fn job(doves: std::ops::RangeInclusive<u32>) -> Job {
    Job { doves, threads: Some(2), ..Job::new(mates()) }
}

fn workload(job: &Job) -> Workload {
    Workload::new(&job.doves, job.question.category)
}

fn right_counts(workload: &Workload) -> Vec<u64> {
    let mut counter = Counter::new(Question { method: Method::Factored, ..mates() });
    workload.placements.iter().map(|placement| counter.count(placement)).collect()
}

fn adapter() -> AdapterDescription {
    AdapterDescription {
        index: 0,
        card: 0,
        largest_buffer: 1 << 27,
        memory: None,
        name: "a stand-in".to_owned(),
        backend: "Vulkan".to_owned(),
        kind: "software",
        driver: String::new(),
        is_software: true,
        is_certified: true,
    }
}

fn chosen(card: Box<dyn Card<BossPlacement>>) -> Chosen<Engine> {
    Chosen { gpu: Some((adapter(), Engine::new(card))), no_gpu: None, start_up: Duration::ZERO }
}

fn liar(lies: &[(BossPlacement, Lie)]) -> Box<dyn Card<BossPlacement>> {
    Box::new(Liar::new(Box::new(Honest::new(mates())), lies.to_vec()))
}

/// Counts on a stand-in that tells these lies.
fn count(job: &Job, lies: &[(BossPlacement, Lie)]) -> (Report, Vec<String>) {
    let log = Log::default();
    let report = Runner::with(job, chosen(liar(lies))).expect("threads start").run(&log);
    (report, log.warnings.into_inner().unwrap())
}

/// The counts must be those without a card, and progress reaches its end.
#[test]
fn an_honest_card_is_believed() {
    let job = job(2..=8);
    let workload = workload(&job);
    let log = Log::default();
    let report = Runner::with(&job, chosen(liar(&[]))).expect("threads start").run(&log);
    assert_eq!(log.advanced.into_inner(), log.assignments.into_inner(), "progress reaches its end");
    assert_eq!(report.tally, workload.tally(&right_counts(&workload)));
    let counted = report.on_gpu().expect("the GPU has counted");
    assert_eq!((&counted.failure, counted.placements), (&None, report.placements));
    assert_eq!(counted.assignments, report.tally.total().assignments);
    assert_eq!(*log.warnings.lock().unwrap(), [""; 0]);
}

/// Every boss placement is compared: no lie passes, wherever it is told, and nothing is kept.
#[test]
fn a_card_that_miscounts_is_believed_for_nothing() {
    let job = job(2..=6);
    let workload = workload(&job);
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
            assert_eq!((report.method, &report.tally), (Method::Factored, &right), "{lie:?} about {placement}");
            let Confirmation { failure, placements, assignments, .. } = report.confirmation.expect("it has counted");
            assert_eq!((placements, assignments), (0, 0), "{lie:?} about {placement}");
            let failure = failure.expect("it is not believed");
            let fits = match lie {
                Lie::Wrong => matches!(failure, GpuError::Differs { .. }),
                Lie::Excess => matches!(failure, GpuError::Excess { .. }),
                Lie::Undone => matches!(failure, GpuError::Undecided { .. }),
                Lie::Stale | Lie::Short | Lie::Hangs | Lie::Lost | Lie::Panics => false,
            };
            assert!(fits, "{lie:?} about {placement} is called: {failure}");
            let [warning] = &warnings[..] else { panic!("one warning is due: {warnings:?}") };
            assert!(warning.contains("gave a wrong answer") && warning.contains("the CPU's result"), "{warning}");
        }
    }
}

/// A device that is lost, whose work is ended early, or that hangs has agreed as far as it came; unless it had lied
/// before.
#[test]
fn a_lost_device_costs_no_result() {
    for loss in Lie::LOSSES {
        let job = job(2..=7);
        let workload = workload(&job);
        let right = workload.tally(&right_counts(&workload));
        for place in [0, workload.placements.len() / 2, workload.placements.len() - 1] {
            let (report, warnings) = count(&job, &[(workload.placements[place], loss)]);
            assert_eq!((report.method, report.tally), (Method::Factored, right.clone()), "{loss:?}");
            let Confirmation { failure, placements, .. } = report.confirmation.expect("it has counted");
            let fits = match &failure {
                Some(GpuError::Undone { .. }) => matches!(loss, Lie::Stale | Lie::Short),
                Some(GpuError::Timeout(_)) => loss == Lie::Hangs,
                Some(GpuError::Lost(_)) => matches!(loss, Lie::Lost | Lie::Panics),
                _ => false,
            };
            assert!(fits, "{loss:?} is called: {failure:?}");
            assert!(placements <= place && (place == 0 || placements > 0), "{placements} agree");
            assert!(matches!(&warnings[..], [warning] if warning.contains("failed: ")), "{warnings:?}");
        }
        let lies = [(workload.placements[0], Lie::Wrong), (workload.placements[1600], loss)];
        let confirmation = count(&job, &lies).0.confirmation.expect("it has counted");
        assert_eq!(confirmation.placements, 0, "{loss:?}");
        assert!(confirmation.failure.is_some_and(|failure| !failure.is_loss()), "the lie is the worse of the two");
    }
}

/// With the method left to the run, the CPU's result is told before the card has counted, and stands whatever it does.
#[test]
fn a_confirmation_is_no_more_than_that() {
    let job = job(2..=7);
    let workload = workload(&job);
    let right = workload.tally(&right_counts(&workload));
    let last = workload.placements[workload.placements.len() - 1];
    for lie in [None, Some(Lie::Wrong), Some(Lie::Undone), Some(Lie::Stale), Some(Lie::Hangs), Some(Lie::Lost)] {
        let lies: Vec<(BossPlacement, Lie)> = lie.map(|lie| (last, lie)).into_iter().collect();
        let log = Log::default();
        let report = confirm(&job, &log, &|| Ok(chosen(liar(&lies)))).expect("threads start");
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

/// A card that is too slow confirms as many numbers of doves as it is forecast to count in half a minute; or none, if
/// even the fewest take longer.
#[test]
fn nobody_waits_unasked() {
    let slow = |doves| {
        let job = job(doves);
        // 0.15 seconds for each batch.
        let choose = || {
            let mut card = Box::new(Honest::new(mates()));
            card.delay = Duration::from_millis(150);
            Ok(chosen(card))
        };
        confirm(&job, &Log::default(), &choose).expect("threads start")
    };
    let report = slow(2..=9);
    let confirmation = report.confirmation.expect("small numbers of doves are done soon");
    let counted = workload(&job(confirmation.doves.clone())).placements.len();
    assert_eq!((confirmation.failure, confirmation.placements), (None, counted));
    assert!(confirmation.forecast.is_some_and(|forecast| forecast > Duration::from_secs(30)));
    assert!((4..9).contains(confirmation.doves.end()) && *confirmation.doves.start() == 2, "{:?}", confirmation.doves);
    let report = slow(9..=9);
    assert!(matches!(report.no_gpu, Some(NoGpu::TooSlow(_, forecast)) if forecast > Duration::from_secs(30)));
    assert!(report.confirmation.is_none());
}

/// A card that fails its self-test costs nothing that the CPU has counted.
#[test]
fn a_count_stands_without_its_confirmation() {
    let job = job(2..=6);
    let fails = || {
        let (adapter, error) = (Box::new(adapter()), GpuError::Lost("it is gone".to_owned()));
        Err(RunError::SelfTest { adapter, error })
    };
    let log = Log::default();
    let report = confirm(&job, &log, &fails).expect("the CPU has counted");
    let workload = workload(&job);
    assert_eq!(report.tally, workload.tally(&right_counts(&workload)));
    assert!(matches!(&report.no_gpu, Some(NoGpu::Failed(failures)) if failures.len() == 1), "{:?}", report.no_gpu);
    let warnings = log.warnings.into_inner().unwrap();
    assert!(matches!(&warnings[..], [warning] if warning.contains("it is gone")), "{warnings:?}");
}

/// No GPU counts by the factored method.
#[test]
fn the_factored_method_is_the_cpu_s() {
    let mut job = job(2..=6);
    job.question.method = Method::Factored;
    for (backend, adapter) in [(Backend::Gpu, None), (Backend::Auto, Some(Selection::Index(0)))] {
        (job.backend, job.adapter) = (backend, adapter);
        assert!(matches!(Runner::new(&job, &()), Err(RunError::FactoredOnGpu)), "{backend:?}");
    }
}

/// If the first card cannot be used, the second one is, even if a GPU was requested; if none can be, the first one's
/// failure is the error.
#[test]
fn the_next_adapter_is_tried() {
    let adapters = Adapters::find();
    let cards = || (0..2).map(|index| AdapterDescription { index, ..adapter() }).collect::<Vec<_>>();
    let failing = |failing: usize| {
        move |_: &Adapters, index: usize| match index < failing {
            true => Err(GpuError::Lost(format!("number {index}"))),
            false => Ok(index),
        }
    };
    for must in [false, true] {
        let log = Log::default();
        let chosen = choose_among(&adapters, cards(), must, &log, failing(1)).expect("the second one works");
        assert_eq!(chosen.gpu.map(|(adapter, engine)| (adapter.index, engine)), Some((1, 1)));
        let warnings = log.warnings.into_inner().unwrap();
        assert!(matches!(&warnings[..], [warning] if warning.contains("number 0")), "{warnings:?}");
    }
    let log = Log::default();
    let error = choose_among(&adapters, cards(), true, &log, failing(2)).err().expect("none works");
    assert!(matches!(&error, RunError::SelfTest { adapter, .. } if adapter.index == 0), "{error}");
    assert_eq!(*log.warnings.lock().unwrap(), [""; 0]);
}

/// A device of this machine. Where there is none the test is skipped, and says so past libtest's capture.
#[test]
fn a_device_that_lies_or_is_lost() {
    let Some((adapters, adapter)) = testing::adapter("a_device_that_lies_or_is_lost") else { return };
    let job = job(2..=7);
    let workload = workload(&job);
    let right = workload.tally(&right_counts(&workload));
    let middle = workload.placements[workload.placements.len() / 2];
    for lie in [Lie::Lost, Lie::Panics, Lie::Hangs, Lie::Stale, Lie::Undone] {
        let is_loss = lie != Lie::Undone;
        let engine = open_tested(&adapters, adapter.index, mates()).expect("the adapter passes its self-test");
        let engine = engine.through(|card| Box::new(Liar::new(card, vec![(middle, lie)])));
        let chosen = Chosen { gpu: Some((adapter.clone(), engine)), no_gpu: None, start_up: Duration::ZERO };
        let mut runner = Runner::with(&job, chosen).expect("threads start");
        let report = runner.run(&Log::default());
        assert_eq!(report.tally, right, "{lie:?}");
        let confirmation = report.confirmation.expect("it has counted");
        let failure = confirmation.failure.expect("it was noticed");
        assert_eq!(failure.is_loss(), is_loss, "{lie:?}: {failure}");
        assert_eq!(confirmation.placements > 0, is_loss, "{lie:?}: {} agree", confirmation.placements);
        // The device does not count again.
        let again = runner.run(&Log::default());
        let confirmation = again.confirmation.expect("it was to count");
        assert_eq!((confirmation.failure, confirmation.placements, again.tally), (Some(failure), 0, right.clone()));
    }
}

/// A device that is lost while its shaders are compiled, or whose compiler hangs, is not used; the CPU counts, and says
/// why.
#[test]
fn a_device_that_cannot_compile() {
    for (fault, told) in
        [(Fault::Lost, "the device was lost"), (Fault::Slow, "its shaders were not compiled within 0 s")]
    {
        let Some((adapters, adapter)) = testing::adapter("a_device_that_cannot_compile") else { return };
        let adapters = adapters.with(fault);
        let job = job(2..=6);
        let log = Log::default();
        let open = |adapters: &Adapters, index| open_tested(adapters, index, job.question);
        // Like a hardware adapter that nobody has named.
        let chosen = choose_among(&adapters, vec![adapter], false, &log, open).expect("the CPU is always there");
        assert!(chosen.gpu.is_none(), "{fault:?}");
        let report = Runner::with(&job, chosen).expect("threads start").run(&log);
        let workload = workload(&job);
        assert_eq!(report.tally, workload.tally(&right_counts(&workload)), "{fault:?}");
        let warnings = log.warnings.into_inner().unwrap();
        let [warning] = &warnings[..] else { panic!("one warning is due: {warnings:?}") };
        assert!(warning.contains("failed its self-test") && warning.contains(told), "{fault:?}: {warning}");
        let reason = report.no_gpu.expect("no GPU was used").to_string();
        assert!(reason.contains(told), "{fault:?}: {reason}");
    }
}

/// A device whose timestamps are zero counts like any other; its working time is unknown, and none is made up.
#[test]
fn a_device_without_a_clock() {
    let job = job(2..=6);
    let workload = workload(&job);
    for has_clock in [true, false] {
        let Some((adapters, adapter)) = testing::adapter("a_device_without_a_clock") else { return };
        let offers = adapters.details(adapter.index).contains(&("timestamps", "yes".to_owned()));
        let (adapters, has_clock) = if has_clock { (adapters, offers) } else { (adapters.with(Fault::NoClock), false) };
        let log = Log::default();
        let open = |adapters: &Adapters, index| open_tested(adapters, index, job.question);
        let chosen = choose_among(&adapters, vec![adapter], true, &log, open).expect("it passes its self-test");
        let report = Runner::with(&job, chosen).expect("threads start").run(&log);
        assert_eq!(report.tally, workload.tally(&right_counts(&workload)));
        let counted = report.on_gpu().expect("the GPU has counted");
        assert_eq!((counted.placements, counted.device_time.is_some()), (report.placements, has_clock));
        assert_eq!(*log.warnings.lock().unwrap(), [""; 0]);
    }
}

/// Compiling is reported when it takes long, once, and otherwise not at all.
#[test]
fn slow_compiling_is_said() {
    let adapters = Adapters::find();
    for (lasts, notes) in [(Duration::ZERO, &[][..]), (Duration::from_millis(1_400), &["compiling shaders"][..])] {
        let log = Log::default();
        said_when_slow(&adapters, &log, || adapters.compiler().during(|| std::thread::sleep(lasts)));
        assert_eq!(*log.notes.lock().unwrap(), notes, "{lasts:?}");
    }
}
