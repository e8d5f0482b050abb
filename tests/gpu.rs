//! Counting on a GPU as users of the library do, on the first hardware adapter or else a software one.
//!
//! A test target with its own `main`: libtest hides the output of passing tests, but skipped tests must be
//! visible on a machine without an adapter. With `DOVEMATE_REQUIRE_GPU=1` the lack of an adapter is a
//! failure. Of libtest's arguments, those that `cargo test` passes on are understood: a part of a name,
//! `--exact`, `--skip`, `--list`.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use dovemate::gpu::{AdapterDescription, Adapters, Selection};
use dovemate::{Backend, Count, Method};
use log::Log;

#[path = "../src/testing/log.rs"]
mod log;

/// The adapter under test.
struct Gpu {
    adapters: Adapters,
    description: AdapterDescription,
}

/// A check. It panics if it fails, and returns details to print.
type Check = fn(&Gpu) -> String;

const CHECKS: [(&str, Check); 3] = [
    ("self_test", self_test),
    ("runs_say_what_was_checked", runs_say_what_was_checked),
    ("a_run_confirms_what_the_cpu_counts", a_run_confirms_what_the_cpu_counts),
];

fn main() -> ExitCode {
    let arguments = Arguments::read(std::env::args().skip(1));
    let chosen: Vec<&(&str, Check)> = CHECKS.iter().filter(|(name, _)| arguments.choose(name)).collect();
    if arguments.list {
        for (name, _) in &chosen {
            println!("{name}: test");
        }
        println!("\n{} tests, 0 benchmarks", chosen.len());
        return ExitCode::SUCCESS;
    }

    let gpu = if chosen.is_empty() { None } else { Gpu::find() };
    match &gpu {
        Some(gpu) => println!("\nadapter {}, driver {}", gpu.description, gpu.description.driver),
        None => println!("\nno adapter"),
    }
    let is_required = std::env::var("DOVEMATE_REQUIRE_GPU").is_ok_and(|value| value == "1");
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, check) in &chosen {
        let Some(gpu) = &gpu else {
            if is_required {
                println!("gpu {name} ... FAILED: no adapter, and DOVEMATE_REQUIRE_GPU=1 asks for one");
                failed += 1;
            } else {
                println!("gpu {name} ... SKIPPED: no adapter");
                note_skipped("no adapter for the tests of a GPU");
                skipped += 1;
            }
            continue;
        };
        let began = Instant::now();
        // The panic hook prints the message.
        match catch_unwind(AssertUnwindSafe(|| check(gpu))) {
            Ok(told) => {
                println!("gpu {name} ... ok ({:.1} s{told})", began.elapsed().as_secs_f64());
                passed += 1;
            }
            Err(_) => {
                println!("gpu {name} ... FAILED");
                failed += 1;
            }
        }
    }
    println!("\ngpu: {passed} passed, {failed} failed, {skipped} skipped\n");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Notes why a test is skipped, for the target `what_was_skipped`, which says it at the end.
fn note_skipped(reason: &str) {
    #[cfg(unix)]
    let run = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let run = 0;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("skipped-{run}"));
    let file = std::fs::File::options().create(true).append(true).open(path);
    // A run from elsewhere has no such folder.
    let _ = file.and_then(|mut file| file.write_all(format!("{reason}\n").as_bytes()));
}

/// The arguments on the command line.
#[derive(Default)]
struct Arguments {
    names: Vec<String>,
    skipped: Vec<String>,
    exact: bool,
    list: bool,
    /// Whether only ignored tests are wanted; there are none.
    ignored: bool,
}

impl Arguments {
    fn read(mut arguments: impl Iterator<Item = String>) -> Arguments {
        let mut read = Arguments::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--list" => read.list = true,
                "--exact" => read.exact = true,
                "--ignored" => read.ignored = true,
                "--skip" => read.skipped.extend(arguments.next()),
                // Options of libtest that take a value and have no effect here.
                "--test-threads" | "--color" | "--format" | "--logfile" | "--shuffle-seed" | "-Z" => {
                    arguments.next();
                }
                option if option.starts_with('-') => {}
                name => read.names.push(name.to_owned()),
            }
        }
        read
    }

    fn choose(&self, name: &str) -> bool {
        let matches =
            |wanted: &String| if self.exact { name == wanted } else { name.contains(wanted.as_str()) };
        let is_wanted = self.names.is_empty() || self.names.iter().any(matches);
        is_wanted && !self.ignored && !self.skipped.iter().any(matches)
    }
}

impl Gpu {
    fn find() -> Option<Gpu> {
        let adapters = Adapters::find();
        let description = adapters.hardware().into_iter().chain(adapters.descriptions()).next()?;
        Some(Gpu { adapters, description })
    }

    /// A count of all mates on this adapter.
    fn count(&self) -> Count<'static> {
        Count::mates().adapter(Selection::Index(self.description.index))
    }
}

fn self_test(gpu: &Gpu) -> String {
    let tested = gpu.adapters.test(gpu.description.index);
    tested.unwrap_or_else(|error| panic!("{} fails its self-test: {error}", gpu.description));
    String::new()
}

/// A GPU that was asked for has counted all, and the report says so.
fn runs_say_what_was_checked(gpu: &Gpu) -> String {
    let expected = dovemate::count(Count::mates().doves(2..=7)).expect("the CPU counts");
    let log = Log::default();
    let report = gpu.count().doves(2..=7).observer(&log).report().unwrap_or_else(|error| panic!("{error}"));
    log.check();
    assert_eq!((&report.tally, report.counted.method), (&expected, Method::Exhaustive));
    assert_eq!(report.counted.by.adapter(), Some(&gpu.description));
    let confirmation = report.confirmation.expect("the CPU has counted, too");
    assert_eq!((confirmation.placements, &confirmation.failure), (report.placements, &None));
    format!(", {} compared", confirmation.placements)
}

/// A run that may choose counts on the CPU and has the named adapter confirm the result.
fn a_run_confirms_what_the_cpu_counts(gpu: &Gpu) -> String {
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
    format!(", {} assignments tested", confirmation.assignments)
}
