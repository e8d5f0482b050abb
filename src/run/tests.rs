//! Counting when a GPU lies or is lost, with a stand-in for the GPU, and with a real one where there is one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::choosing::{Chosen, choose_among, said_when_slow};
use super::count::confirm::confirm;
use super::count::{Job, Report, Runner};
use super::{NoGpu, Observer, RunError};
use crate::count::tally::{Tally, Workload};
use crate::count::{Category, Counter, Method, Question};
use crate::gpu::count::stand_in::{Honest, Liar, Lie};
use crate::gpu::count::{Engine, open_tested};
use crate::gpu::stream::Card;
use crate::gpu::{AdapterDescription, Adapters, Fault, GpuError, testing};
use crate::rules::Rules;
use crate::shapes::{BossPlacement, Shape};

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

fn mates(method: Method) -> Question {
    Question { category: Category::Mates, rules: Rules::default(), method }
}

fn job(method: Method, doves: std::ops::RangeInclusive<u32>) -> Job {
    Job { doves, threads: Some(2), ..Job::new(mates(method)) }
}

fn workload(job: &Job) -> Workload {
    Workload::new(&job.doves, job.question.category)
}

fn right_counts(workload: &Workload) -> Vec<u64> {
    let mut counter = Counter::new(mates(Method::Factored));
    workload.placements.iter().map(|placement| counter.count(placement)).collect()
}

/// A software adapter: beside it the CPU compares only the required minimum, so tests know which placements are
/// compared.
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
    }
}

fn chosen(question: Question, card: Box<dyn Card<BossPlacement>>) -> Chosen<Engine> {
    let engine = Engine::new(card, question, None).expect("slices are not bounded");
    Chosen { gpu: Some((adapter(), engine)), no_gpu: None, start_up: Duration::ZERO }
}

fn liar(question: Question, lies: &[(BossPlacement, Lie)]) -> Box<dyn Card<BossPlacement>> {
    Box::new(Liar::new(Box::new(Honest::new(question)), question, lies.to_vec()))
}

/// Counts with a stand-in that tells these lies; progress must reach its end.
fn count(job: &Job, workload: &Workload, lies: &[(BossPlacement, Lie)]) -> (Report, Vec<String>) {
    let question = job.question;
    let mut runner = Runner::with(job, question.method, chosen(question, liar(question, lies))).expect("threads start");
    let log = Log::default();
    let report = runner.run_on(workload, &log);
    assert_eq!(log.advanced.into_inner(), log.assignments.into_inner(), "{lies:?}: progress reaches its end");
    (report, log.warnings.into_inner().unwrap())
}

/// The counts must be those without a card; returns the share that was compared.
#[test]
fn an_honest_card_is_believed() {
    for method in [Method::Factored, Method::Exhaustive] {
        let job = job(method, 2..=8);
        let workload = workload(&job);
        let (report, warnings) = count(&job, &workload, &[]);
        assert_eq!(report.tally, workload.tally(&right_counts(&workload)), "{method:?}");
        assert_eq!((report.failure, warnings), (None, vec![]), "{method:?}");
        assert_eq!(report.on_gpu, report.placements);
        let all = report.placements;
        assert_eq!(report.compared, if method == Method::Factored { all.div_ceil(64) } else { all }, "{method:?}");
    }
}

/// With the exhaustive method every boss placement is compared: no lie passes, wherever it is told, and nothing is
/// kept.
#[test]
fn a_card_that_miscounts_is_believed_for_nothing() {
    let job = job(Method::Exhaustive, 2..=6);
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
            let (report, warnings) = count(&job, &workload, &[(placement, lie)]);
            let failure = report.failure.unwrap_or_else(|| panic!("{lie:?} about {placement} passed"));
            assert_eq!((report.on_gpu, &report.tally), (0, &right), "{lie:?} about {placement}");
            let fits = match lie {
                // Either check may come first.
                Lie::Wrong => {
                    matches!(failure, GpuError::Differs { .. } | GpuError::Asymmetric { .. } | GpuError::Uneven { .. })
                }
                Lie::Excess => matches!(failure, GpuError::Excess { .. }),
                Lie::Undone => matches!(failure, GpuError::Undecided { .. }),
                Lie::Stale | Lie::Short | Lie::Hangs | Lie::Lost | Lie::Panics => false,
            };
            assert!(fits, "{lie:?} about {placement} is called: {failure}");
            let [warning] = &warnings[..] else { panic!("one warning is due: {warnings:?}") };
            assert!(warning.contains("gave a wrong answer"), "{warning}");
            assert!(warning.contains("nothing it counted is kept"), "{warning}");
        }
    }
}

/// The factored method, too, compares the boss placement at the highest addresses.
#[test]
fn a_lie_at_the_highest_address_is_caught() {
    let job = job(Method::Factored, 2..=8);
    let workload = workload(&job);
    let right = workload.tally(&right_counts(&workload));
    let last = workload.placements[workload.placements.len() - 1];
    let (report, warnings) = count(&job, &workload, &[(last, Lie::Wrong)]);
    assert_eq!((report.tally, report.on_gpu), (right, 0));
    assert!(warnings[0].contains("gave a wrong answer: boss placement"), "{warnings:?}");
}

/// The factored method compares a sample. A lie by one outside of it is still caught by asymmetry; where symmetry does
/// not show it, it passes, and the report says how few boss placements were compared.
#[test]
fn where_no_sample_looks_only_symmetry_tells() {
    let job = job(Method::Factored, 6..=6);
    let workload = workload(&job);
    let right = workload.tally(&right_counts(&workload));
    let shapes = Shape::all();
    let (mut caught, mut passed) = (0, 0);
    for &placement in &workload.placements {
        let (report, _) = count(&job, &workload, &[(placement, Lie::Wrong)]);
        let shape = shapes.iter().find(|shape| shape.cells == placement.cells()).expect("it has a shape");
        match report.failure {
            Some(_) => {
                assert_eq!((report.on_gpu, &report.tally), (0, &right), "{placement}");
                caught += 1;
            }
            None => {
                let [lied, is] = [&report.tally, &right].map(|tally| tally.total().positions);
                let by = shape.positions(8) / 8;
                assert_eq!(lied.abs_diff(is), by, "{placement}: a lie that passes is off by one assignment");
                assert_eq!(report.compared, report.placements.div_ceil(64));
                passed += 1;
            }
        }
    }
    // Of 238 boss placements, four are in the sample.
    assert_eq!((caught, passed), (SEEN, 238 - SEEN), "lies seen, lies not seen");
}

/// The number of 238 lies by one that are caught without comparing all boss placements, as measured.
const SEEN: usize = 90;

/// The CPU counts the rest if the device is lost, its work is ended early, or it hangs; unless the card had lied
/// before.
#[test]
fn a_lost_device_leaves_what_it_has_counted() {
    let methods = [Method::Factored, Method::Exhaustive].into_iter();
    for (method, loss) in methods.flat_map(|method| Lie::LOSSES.map(|loss| (method, loss))) {
        let job = job(method, 2..=7);
        let workload = workload(&job);
        let right = workload.tally(&right_counts(&workload));
        for place in [0, workload.placements.len() / 2, workload.placements.len() - 1] {
            let (report, warnings) = count(&job, &workload, &[(workload.placements[place], loss)]);
            assert_eq!(report.tally, right, "{method:?}, {loss:?}");
            let fits = match &report.failure {
                Some(GpuError::Undone { .. }) => matches!(loss, Lie::Stale | Lie::Short),
                Some(GpuError::Timeout(_)) => loss == Lie::Hangs,
                Some(GpuError::Lost(_)) => matches!(loss, Lie::Lost | Lie::Panics),
                _ => false,
            };
            assert!(fits, "{loss:?} is called: {:?}", report.failure);
            assert!(report.on_gpu <= place && (place == 0 || report.on_gpu > 0), "{} kept", report.on_gpu);
            let shapes = |at: usize| workload.placements[at].cells();
            let is_whole = report.on_gpu == 0 || shapes(report.on_gpu) != shapes(report.on_gpu - 1);
            assert!(is_whole, "{} kept: part of a shape, whose sum was not checked", report.on_gpu);
            let [warning] = &warnings[..] else { panic!("one warning is due: {warnings:?}") };
            let kept = format!("{} of {} boss placements are done and kept", report.on_gpu, report.placements);
            assert!(warning.contains(&kept), "{warning}");
        }
        // It was lost, but had lied before.
        let lies = [(workload.placements[0], Lie::Wrong), (workload.placements[1600], loss)];
        let (report, _) = count(&job, &workload, &lies);
        assert_eq!((report.tally, report.on_gpu), (right, 0), "{method:?}");
        assert!(report.failure.is_some_and(|failure| !failure.is_loss()), "the lie is the worse of the two");
    }
}

/// With the method left to the run, the CPU's result stands whatever the card does.
#[test]
fn a_confirmation_is_no_more_than_that() {
    let mut job = job(Method::Factored, 2..=7);
    job.chooses_method = true;
    let workload = workload(&job);
    let right = workload.tally(&right_counts(&workload));
    let last = workload.placements[workload.placements.len() - 1];
    for lie in [None, Some(Lie::Wrong), Some(Lie::Undone), Some(Lie::Stale), Some(Lie::Hangs), Some(Lie::Lost)] {
        let lies: Vec<(BossPlacement, Lie)> = lie.map(|lie| (last, lie)).into_iter().collect();
        let log = Log::default();
        let choose = |method| Ok(chosen(mates(method), liar(mates(method), &lies)));
        let report = confirm(&job, &log, &choose).expect("threads start");
        assert_eq!(*log.counted.lock().unwrap(), std::slice::from_ref(&right), "{lie:?}: told once");
        assert_eq!((&report.tally, &report.adapter, &report.failure), (&right, &None, &None), "{lie:?}");
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

/// A card that is too slow is not used for an exhaustive count, and the report says so.
#[test]
fn nobody_waits_unasked() {
    let mut job = job(Method::Factored, 2..=9);
    job.chooses_method = true;
    // 0.15 seconds for each batch of four boss placements, of 18,000.
    let slow = |method| {
        let mut card = Box::new(Honest::new(mates(method)));
        card.delay = Duration::from_millis(150);
        Ok(chosen(mates(method), card))
    };
    let report = confirm(&job, &Log::default(), &slow).expect("threads start");
    let Some(NoGpu::TooSlow(_, forecast)) = report.no_gpu else { panic!("{:?}", report.no_gpu) };
    assert!(forecast > Duration::from_secs(30) && report.confirmation.is_none(), "{forecast:?}");

    // If only the exhaustive method is too slow, the card confirms by the factored one.
    let quick = |method| match method {
        Method::Exhaustive => slow(method),
        Method::Factored => Ok(chosen(mates(method), Box::new(Honest::new(mates(method))))),
    };
    let report = confirm(&job, &Log::default(), &quick).expect("threads start");
    let confirmation = report.confirmation.expect("there is time for it");
    assert_eq!((report.no_gpu, confirmation.method), (None, Method::Factored));
    assert_eq!((confirmation.failure, confirmation.placements), (None, report.placements));
}

/// A card that fails its self-test costs nothing that the CPU has counted.
#[test]
fn a_count_stands_without_its_confirmation() {
    let job = job(Method::Factored, 2..=6);
    let fails = |_| {
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
    let job = job(Method::Factored, 2..=7);
    let question = job.question;
    let workload = workload(&job);
    let right = workload.tally(&right_counts(&workload));
    let middle = workload.placements[workload.placements.len() / 2];
    for lie in [Lie::Lost, Lie::Panics, Lie::Hangs, Lie::Stale, Lie::Undone] {
        let is_loss = lie != Lie::Undone;
        let engine = open_tested(&adapters, adapter.index, question).expect("the adapter passes its self-test").engine;
        let engine = engine.through(|card| Box::new(Liar::new(card, question, vec![(middle, lie)])));
        let gpu = Some((adapter.clone(), engine));
        let chosen = Chosen { gpu, no_gpu: None, start_up: Duration::ZERO };
        let mut runner = Runner::with(&job, question.method, chosen).expect("threads start");
        let report = runner.run(&Log::default());
        assert_eq!(report.tally, right, "{lie:?}");
        let failure = report.failure.expect("it was noticed");
        assert_eq!(failure.is_loss(), is_loss, "{lie:?}: {failure}");
        assert_eq!(report.on_gpu > 0, is_loss, "{lie:?}: {} kept", report.on_gpu);
        // The device does not count again.
        let again = runner.run(&Log::default());
        assert_eq!((again.failure, again.on_gpu, again.tally), (Some(failure), 0, right.clone()), "{lie:?}");
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
        let job = job(Method::Factored, 2..=6);
        let log = Log::default();
        let open = |adapters: &Adapters, index| Ok(open_tested(adapters, index, job.question)?.engine);
        // Like a hardware adapter that nobody has named.
        let chosen = choose_among(&adapters, vec![adapter], false, &log, open).expect("the CPU is always there");
        assert!(chosen.gpu.is_none(), "{fault:?}");
        let report = Runner::with(&job, job.question.method, chosen).expect("threads start").run(&log);
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
    let job = job(Method::Factored, 2..=6);
    let workload = workload(&job);
    for has_clock in [true, false] {
        let Some((adapters, adapter)) = testing::adapter("a_device_without_a_clock") else { return };
        let offers = adapters.details(adapter.index).contains(&("timestamps", "yes".to_owned()));
        let (adapters, has_clock) = if has_clock { (adapters, offers) } else { (adapters.with(Fault::NoClock), false) };
        let log = Log::default();
        let open = |adapters: &Adapters, index| Ok(open_tested(adapters, index, job.question)?.engine);
        let chosen = choose_among(&adapters, vec![adapter], true, &log, open).expect("it passes its self-test");
        let report = Runner::with(&job, job.question.method, chosen).expect("threads start").run(&log);
        assert_eq!((&report.tally, report.failure), (&workload.tally(&right_counts(&workload)), None));
        assert_eq!((report.on_gpu, report.device_time.is_some()), (report.placements, has_clock));
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
