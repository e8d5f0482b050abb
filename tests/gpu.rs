//! The GPU against the CPU, on the first hardware adapter or else a software one.
//!
//! A test target with its own `main`: libtest hides the output of passing tests, but skipped tests must be
//! visible on a machine without an adapter. With `DOVEMATE_REQUIRE_GPU=1` the lack of an adapter is a
//! failure. Of libtest's arguments, those that `cargo test` passes on are understood: a part of a name,
//! `--exact`, `--skip`, `--list`.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use dovemate::internals::count::tally::Workload;
use dovemate::internals::count::{Category, Counter, Method, Question};
use dovemate::internals::gpu::count::{Card, Phase, Protocol, drive, open};
use dovemate::internals::gpu::{AdapterDescription, Adapters, Device, Module, Selection};
use dovemate::internals::shapes::BossPlacement;
use dovemate::rules::{BothSurrounded, Rules};
use dovemate::{Backend, Count};
use log::Log;
use rayon::prelude::*;

#[path = "gpu/blocks.rs"]
mod blocks;
#[path = "gpu/filled.rs"]
mod filled;
#[path = "suite/common/log.rs"]
mod log;
#[path = "gpu/self_test.rs"]
mod self_test;
#[path = "gpu/tables.rs"]
mod tables;
#[path = "gpu/workgroup_memory.rs"]
mod workgroup_memory;

/// The adapter under test.
struct Gpu {
    adapters: Adapters,
    description: AdapterDescription,
}

/// A check. It panics if it fails, and returns details to print.
type Check = fn(&Gpu) -> String;

const CHECKS: [(&str, Check); 14] = [
    ("memory_is_filled", workgroup_memory::memory_is_filled),
    ("counting_relies_on_no_zeros", workgroup_memory::counting_relies_on_no_zeros),
    ("lost_turns_and_barriers_are_found_out", self_test::lost_turns_and_barriers_are_found_out),
    ("addresses_that_are_cut_off_are_found_out", self_test::addresses_that_are_cut_off_are_found_out),
    ("tables_are_those_of_the_cpu", tables::tables_are_those_of_the_cpu),
    ("blocks_are_those_of_the_cpu", blocks::blocks_are_those_of_the_cpu),
    ("self_test", self_test),
    ("counts_equal_cpu", counts_equal_cpu),
    ("rule_variants_equal_cpu", rule_variants_equal_cpu),
    ("wins_and_stuck_positions_equal_cpu", wins_and_stuck_positions_equal_cpu),
    ("all_with_up_to_eight_doves", all_with_up_to_eight_doves),
    ("runs_say_what_was_checked", runs_say_what_was_checked),
    ("a_run_confirms_what_the_cpu_counts", a_run_confirms_what_the_cpu_counts),
    ("no_boss_placements", no_boss_placements),
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

    /// The same adapter, for which every module is changed.
    fn rewriting(&self, rewrite: impl Fn(Module) -> Module + Send + Sync + 'static) -> Gpu {
        Gpu { adapters: self.adapters.rewriting(rewrite), description: self.description.clone() }
    }

    /// A device with nothing on it.
    fn device(&self) -> Device {
        self.adapters.open(self.description.index).expect("the device opens")
    }

    /// An adapter that has passed its self-test, and what it is asked.
    fn opened(&self, question: Question) -> (Box<dyn Card>, Protocol) {
        open(&self.adapters, self.description.index, question)
            .unwrap_or_else(|error| panic!("{} fails its self-test, {question:?}: {error}", self.description))
    }

    /// A count of all mates on this adapter.
    fn count(&self) -> Count<'static> {
        Count::mates().adapter(Selection::Index(self.description.index))
    }
}

/// A boss placement as a word of a batch.
fn word(placement: &BossPlacement) -> u32 {
    u32::from(placement.cells().0) | placement.own_boss() << 16 | placement.opposing_boss() << 20
}

/// A buffer with these words.
fn uploaded(device: &Device, label: &str, words: &[u32], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let buffer = device.buffer(label, 4 * words.len() as u64, usage | wgpu::BufferUsages::COPY_DST);
    device.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
    buffer
}

/// Mates under the default rules.
fn mates() -> Question {
    Question { category: Category::Mates, rules: Rules::default(), method: Method::Exhaustive }
}

/// The unpruned boss placements with this many doves: all, or about `sample`, evenly spread.
fn placements(doves: u32, sample: Option<usize>) -> Vec<BossPlacement> {
    placements_for(Category::Mates, doves, sample)
}

/// The same for any category; the prune applies only to mates.
fn placements_for(category: Category, doves: u32, sample: Option<usize>) -> Vec<BossPlacement> {
    let all = Workload::new(&(doves..=doves), category).placements;
    let step = sample.map_or(1, |sample| all.len().div_ceil(sample));
    all.into_iter().step_by(step.max(1)).collect()
}

/// The counts by the CPU, always with the factored method.
fn count_on_cpu(placements: &[BossPlacement], question: Question) -> Vec<u64> {
    let counter = || Counter::new(Question { method: Method::Factored, ..question });
    placements.par_iter().map_init(counter, |counter, placement| counter.count(placement)).collect()
}

/// Has the GPU count on these boss placements, each of which is compared with the CPU's count; returns their raw sum.
fn compare(gpu: &Gpu, placements: &[BossPlacement], question: Question) -> u64 {
    let (mut card, mut protocol) = gpu.opened(question);
    let expected = count_on_cpu(placements, question);
    protocol.ask(placements.to_vec(), Some(expected.clone()));
    protocol.skip_sample();
    let result = drive(card.as_mut(), &mut protocol, Phase::Done, |_| true);
    if let Err(error) = result {
        let confirmed = protocol.confirmed().len();
        panic!("{question:?}: {error} after {confirmed} of {} boss placements", placements.len());
    }
    assert_eq!(protocol.confirmed(), expected, "{question:?}");
    let sum = expected.iter().sum();
    // No position is stuck; see tests/suite/count/methods.rs.
    assert_eq!(
        sum > 0,
        question.category != Category::Stuck && !placements.is_empty(),
        "{question:?}: only zeros were compared, or positions are stuck"
    );
    sum
}

/// All boss placements for the numbers of doves in `all`, and samples of the given sizes for others.
fn mixture(all: std::ops::RangeInclusive<u32>, samples: &[(u32, usize)]) -> Vec<BossPlacement> {
    let whole = all.flat_map(|doves| placements(doves, None));
    whole.chain(samples.iter().flat_map(|&(doves, sample)| placements(doves, Some(sample)))).collect()
}

fn self_test(gpu: &Gpu) -> String {
    gpu.opened(mates());
    String::new()
}

/// A part of the full count, small enough for slow drivers.
fn counts_equal_cpu(gpu: &Gpu) -> String {
    let placements = mixture(2..=7, &[(8, 40), (9, 20), (10, 6), (11, 3), (12, 3)]);
    assert!(placements.iter().any(|placement| placement.slots() == 10), "no boss placement with 12 doves");
    let found = compare(gpu, &placements, mates());
    format!(", {} boss placements, {found} mates", placements.len())
}

fn rule_variants_equal_cpu(gpu: &Gpu) -> String {
    let placements = mixture(2..=6, &[(7, 200), (8, 20), (9, 4)]);
    for rules in Rules::variants() {
        compare(gpu, &placements, Question { rules, ..mates() });
    }
    format!(", {} boss placements, six times", placements.len())
}

fn wins_and_stuck_positions_equal_cpu(gpu: &Gpu) -> String {
    let sizes = [(2, 100), (3, 100), (4, 300), (5, 300), (6, 300), (7, 100), (8, 10), (9, 2)];
    let sample = |(doves, size)| placements_for(Category::Wins, doves, Some(size));
    let placements: Vec<BossPlacement> = sizes.into_iter().flat_map(sample).collect();
    let mut wins = 0;
    for both_surrounded in BothSurrounded::ALL {
        for category in [Category::Wins, Category::Stuck] {
            let rules = Rules { both_surrounded, ..Rules::default() };
            wins += compare(gpu, &placements, Question { category, rules, ..mates() });
        }
    }
    format!(", {} boss placements, three times; {wins} wins", placements.len())
}

/// The whole count up to eight doves, boss placement by boss placement.
fn all_with_up_to_eight_doves(gpu: &Gpu) -> String {
    let workload = Workload::new(&(2..=8), Category::Mates);
    let began = Instant::now();
    let found = compare(gpu, &workload.placements, mates());
    let elapsed = began.elapsed();
    format!(
        ", {} assignments, {found} mates, raw, counted in {:.2} s",
        workload.assignments(),
        elapsed.as_secs_f64()
    )
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

/// An empty list of boss placements gives no counts.
fn no_boss_placements(gpu: &Gpu) -> String {
    assert_eq!(compare(gpu, &[], mates()), 0);
    String::new()
}
