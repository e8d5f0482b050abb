//! Counting on a GPU as users of the library do, on the first hardware adapter or else a software one. These tests
//! run if `DOVEMATE_TEST_WITH` asks for `gpu`, and then fail without an adapter.

use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use asked::is_asked_for;
use dovemate::gpu::{AdapterDescription, Adapters, Selection};
use dovemate::{Backend, Count, Method};
use log::Log;

#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../src/testing/asked.rs"]
mod asked;
#[path = "../src/testing/log.rs"]
mod log;

/// The adapter under test.
struct Gpu {
    adapters: Adapters,
    description: AdapterDescription,
}

/// Runs a check on the adapter, one at a time. The check panics if it fails.
fn on_gpu(check: fn(&Gpu)) {
    static GPU: LazyLock<Mutex<Option<Gpu>>> = LazyLock::new(|| Mutex::new(Gpu::find()));
    if is_asked_for("gpu") {
        let gpu = GPU.lock().unwrap_or_else(PoisonError::into_inner);
        check(gpu.as_ref().expect("a GPU is asked for, and there is no adapter"));
    }
}

impl Gpu {
    fn find() -> Option<Gpu> {
        let adapters = Adapters::find();
        let description = adapters.hardware().into_iter().chain(adapters.descriptions()).next()?;
        // Not eprintln!, whose output the test harness hides if the test passes.
        let _ = writeln!(std::io::stderr(), "\non {description}, driver {}", description.driver);
        Some(Gpu { adapters, description })
    }

    /// A count of all mates on this adapter.
    fn count(&self) -> Count<'static> {
        Count::mates().adapter(Selection::Index(self.description.index))
    }
}

#[test]
fn self_test() {
    on_gpu(|gpu| {
        let tested = gpu.adapters.test(gpu.description.index);
        tested.unwrap_or_else(|error| panic!("{} fails its self-test: {error}", gpu.description));
    })
}

/// A GPU that was requested has counted everything, and the report says so.
#[test]
fn runs_say_what_was_checked() {
    on_gpu(|gpu| {
        let expected = dovemate::count(Count::mates().doves(2..=7)).expect("the CPU counts");
        let log = Log::default();
        let report =
            gpu.count().doves(2..=7).observer(&log).report().unwrap_or_else(|error| panic!("{error}"));
        log.check();
        assert_eq!((&report.tally, report.counted.method), (&expected, Method::Exhaustive));
        assert_eq!(report.counted.by.adapter(), Some(&gpu.description));
        let confirmation = report.confirmation.expect("the CPU has counted, too");
        assert_eq!((confirmation.placements, &confirmation.failure), (report.placements, &None));
    })
}

/// A run left to choose counts on the CPU and has the named adapter confirm the result.
#[test]
fn a_run_confirms_what_the_cpu_counts() {
    on_gpu(|gpu| {
        let log = Log::default();
        let count = gpu.count().backend(Backend::Auto).doves(2..=6).observer(&log);
        let report = count.report().unwrap_or_else(|error| panic!("{error}"));
        log.check();
        let counted = log.counted.into_inner().expect("no panic while it was held");
        assert_eq!(
            counted,
            std::slice::from_ref(&report.tally),
            "the CPU's result is told once, before the GPU's"
        );
        assert_eq!(
            (report.counted.method, report.no_gpu.is_none()),
            (Method::Factored, true),
            "the CPU has counted"
        );
        let confirmation = report.confirmation.expect("so few doves are counted in time");
        let by = confirmation.counted.by.adapter();
        assert_eq!((by, &confirmation.doves), (Some(&gpu.description), &(2..=6)));
        assert_eq!((confirmation.placements, confirmation.failure), (report.placements, None));
        assert_eq!(confirmation.assignments, report.tally.total().assignments);
    })
}
