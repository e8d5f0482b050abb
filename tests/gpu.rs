//! The GPU against the CPU, on the first hardware adapter or else a software one.
//!
//! A test target with its own `main`: libtest hides the output of passing tests, but skipped tests must be visible on a
//! machine without an adapter. With `DOVEMATE_REQUIRE_GPU=1` the lack of an adapter is a failure. Of libtest's
//! arguments, those that `cargo test` passes on are understood: a part of a name, `--exact`, `--skip`, `--list`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use dovemate::internals::count::tally::Workload;
use dovemate::internals::count::{Category, Counter, Method, Question};
use dovemate::internals::gpu::count::{Engine, needs, open_tested};
use dovemate::internals::gpu::device::Device;
use dovemate::internals::gpu::solve::{self as card, Plane};
use dovemate::internals::gpu::{AdapterDescription, Adapters, GpuError, Module, Selection};
use dovemate::internals::shapes::BossPlacement;
use dovemate::internals::solve::actions::block_actions::CompiledGame;
use dovemate::internals::solve::in_memory::driver::RoundsInMemory;
use dovemate::internals::solve::space::layout::Layout;
use dovemate::internals::solve::space::win_bits::WinBits;
use dovemate::internals::solve::{self, Bounds, CpuEngine, Options, Solved};
use dovemate::rules::{BothSurrounded, DoveSet, Game, Rules};
use dovemate::{Backend, Count, Solve};
use log::Log;
use rayon::prelude::*;
use unwatched::Unwatched;

#[path = "gpu/filled.rs"]
mod filled;
#[path = "suite/common/log.rs"]
mod log;
#[path = "gpu/self_test.rs"]
mod self_test;
#[path = "gpu/tables.rs"]
mod tables;
#[path = "suite/common/unwatched.rs"]
mod unwatched;
#[path = "gpu/workgroup_memory.rs"]
mod workgroup_memory;

/// The adapter under test.
struct Gpu {
    adapters: Adapters,
    description: AdapterDescription,
}

/// A check. It panics if it fails, and returns details to print.
type Check = fn(&Gpu) -> String;

const CHECKS: [(&str, Check); 20] = [
    ("memory_is_filled", workgroup_memory::memory_is_filled),
    ("counting_relies_on_no_zeros", workgroup_memory::counting_relies_on_no_zeros),
    ("solving_relies_on_no_zeros", workgroup_memory::solving_relies_on_no_zeros),
    ("lost_turns_and_barriers_are_found_out", self_test::lost_turns_and_barriers_are_found_out),
    ("addresses_that_are_cut_off_are_found_out", self_test::addresses_that_are_cut_off_are_found_out),
    ("tables_are_those_of_the_cpu", tables::tables_are_those_of_the_cpu),
    ("self_test", self_test),
    ("counts_equal_cpu", counts_equal_cpu),
    ("rule_variants_equal_cpu", rule_variants_equal_cpu),
    ("wins_and_stuck_positions_equal_cpu", wins_and_stuck_positions_equal_cpu),
    ("all_with_up_to_eight_doves", all_with_up_to_eight_doves),
    ("runs_say_what_was_checked", runs_say_what_was_checked),
    ("a_run_confirms_what_the_cpu_counts", a_run_confirms_what_the_cpu_counts),
    ("no_boss_placements", no_boss_placements),
    ("solver_rounds_equal_cpu", solver_rounds_equal_cpu),
    ("solver_rounds_in_shards_equal_cpu", solver_rounds_in_shards_equal_cpu),
    ("solver_with_wide_rows_equals_cpu", solver_with_wide_rows_equals_cpu),
    ("solved_games_equal_cpu", solved_games_equal_cpu),
    ("what_does_not_fit_is_said_before", what_does_not_fit_is_said_before),
    ("shared_memory_is_counted", shared_memory_is_counted),
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
        let matches = |wanted: &String| if self.exact { name == wanted } else { name.contains(wanted.as_str()) };
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
        self.adapters.open(self.description.index, &needs()).expect("the device opens")
    }

    /// An engine on an adapter that has passed its self-test.
    fn engine(&self, question: Question) -> Engine {
        open_tested(&self.adapters, self.description.index, question)
            .unwrap_or_else(|error| panic!("{} fails its self-test, {question:?}: {error}", self.description))
    }

    /// A count of all mates on this adapter.
    fn count(&self) -> Count<'static> {
        Count::mates().adapter(Selection::Index(self.description.index))
    }
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

/// The counts that the GPU reports, checked to be in order and without gaps, and its result.
fn count_on_gpu(engine: &mut Engine, placements: &[BossPlacement]) -> (Vec<u64>, Result<(), GpuError>) {
    let mut counts = Vec::new();
    let result = engine.count(placements, |place, count| {
        assert_eq!(place, counts.len(), "boss placements are reported in order");
        counts.push(count);
        Ok(())
    });
    (counts, result)
}

/// Compares the counts on each boss placement; returns their raw sum.
fn compare(gpu: &Gpu, placements: &[BossPlacement], question: Question) -> u64 {
    let (found, result) = count_on_gpu(&mut gpu.engine(question), placements);
    if let Err(error) = result {
        panic!("{question:?}: {error} after {} of {} boss placements", found.len(), placements.len());
    }
    let expected = count_on_cpu(placements, question);
    assert_eq!(found.len(), expected.len(), "{question:?}: boss placements counted");
    for ((placement, found), expected) in placements.iter().zip(&found).zip(&expected) {
        assert_eq!(found, expected, "{placement}, {question:?}: on the GPU (left) and on the CPU");
    }
    let sum = expected.iter().sum();
    // No position is stuck; see tests/suite/count/methods.rs.
    assert_eq!(
        sum > 0,
        question.category != Category::Stuck,
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
    gpu.engine(mates());
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
    let mut engine = gpu.engine(mates());
    let began = Instant::now();
    let (counts, result) = count_on_gpu(&mut engine, &workload.placements);
    let elapsed = began.elapsed();
    result.unwrap_or_else(|error| panic!("{error} after {} boss placements", counts.len()));
    let expected = count_on_cpu(&workload.placements, mates());
    for ((placement, found), expected) in workload.placements.iter().zip(&counts).zip(&expected) {
        assert_eq!(found, expected, "{placement}: on the GPU (left) and on the CPU");
    }
    let total = workload.tally(&counts).total();
    format!(", {} assignments, {} mates, counted in {:.2} s", total.assignments, total.positions, elapsed.as_secs_f64())
}

/// A GPU that was asked for has counted all, and the report says so.
fn runs_say_what_was_checked(gpu: &Gpu) -> String {
    let expected = dovemate::count(&Count::mates().doves(2..=7)).expect("the CPU counts");
    let log = Log::default();
    let report = gpu.count().doves(2..=7).observer(&log).report().unwrap_or_else(|error| panic!("{error}"));
    log.check();
    assert_eq!((&report.tally, report.method), (&expected, Method::Exhaustive));
    let counted = report.on_gpu().expect("the GPU has counted");
    assert_eq!((&counted.adapter, &counted.failure), (&gpu.description, &None));
    assert_eq!(counted.placements, report.placements, "all is done on the GPU");
    format!(", {} compared", counted.placements)
}

/// A run that may choose counts on the CPU and has the named adapter confirm the result.
fn a_run_confirms_what_the_cpu_counts(gpu: &Gpu) -> String {
    let log = Log::default();
    let count = gpu.count().backend(Backend::Auto).doves(2..=6).observer(&log);
    let report = count.report().unwrap_or_else(|error| panic!("{error}"));
    log.check();
    let counted = log.counted.into_inner().expect("no panic while it was held");
    assert_eq!(counted, std::slice::from_ref(&report.tally), "the CPU's result is told once, before the GPU's");
    assert_eq!((report.method, report.no_gpu.is_none()), (Method::Factored, true), "the CPU has counted");
    let confirmation = report.confirmation.expect("so few doves are counted in time");
    assert_eq!((&confirmation.adapter, &confirmation.doves), (&gpu.description, &(2..=6)));
    assert_eq!((confirmation.placements, confirmation.failure), (report.placements, None));
    assert_eq!(confirmation.assignments, report.tally.total().assignments);
    format!(", {} assignments tested", confirmation.assignments)
}

/// An empty list of boss placements gives no counts.
fn no_boss_placements(gpu: &Gpu) -> String {
    let (found, result) = count_on_gpu(&mut gpu.engine(mates()), &[]);
    assert_eq!((found, result), (vec![], Ok(())));
    String::new()
}

fn game(red: &str, green: &str, rules: Rules) -> Game {
    let set = |text: &str| text.parse().expect("a dove set");
    Game { red: set(red), green: set(green), rules }
}

/// Solves a game round by round and compares every round with the CPU's; after the first rounds and the last, compares
/// both planes with what the CPU has found so far. Returns the number of the last round.
fn compare_rounds(engine: &mut card::SolveEngine, compiled: &Arc<CompiledGame>) -> u32 {
    let layout = &compiled.index.layout;
    let game = layout.game;
    let begun = || RoundsInMemory::new(compiled.clone(), Options { distances: true }, Bounds::default());
    let (mut rounds, mut expected_rounds, mut cpu) = (begun(), begun(), CpuEngine::default());
    let mut losses = WinBits::empty(layout, layout.ids());
    while !expected_rounds.is_over() {
        let number = rounds.number();
        let expected = expected_rounds.find(&mut cpu).expect("the CPU does not fail");
        let found = rounds.find(engine).unwrap_or_else(|error| panic!("{game}, round {number}: {error}"));
        assert!(found.losses == expected.losses, "{game}, round {number}: losses");
        assert!(found.wins == expected.wins, "{game}, round {number}: wins");
        losses.add(layout, &expected.losses);
        rounds.enter(found).unwrap_or_else(|error| panic!("{game}, round {number}: {error}"));
        expected_rounds.enter(expected).expect("the CPU counts whole positions");
        if number == 0 {
            continue;
        }
        assert!(rounds.wins() == expected_rounds.wins(), "{game}, round {number}: all wins");
        // Fetching planes is slow, so not after every round.
        if number < 4 || expected_rounds.is_over() {
            for (plane, expected) in [(Plane::Wins, expected_rounds.wins()), (Plane::Losses, &losses)] {
                for class in layout.ids() {
                    let found = engine.plane(plane, class).unwrap_or_else(|error| panic!("{game}: {error}"));
                    let is_equal = found == expected.blocks(class);
                    assert!(is_equal, "{game}, {plane:?} of {class:?} after round {number}");
                }
            }
        }
    }
    rounds.number() - 1
}

/// All games with up to four doves and some with five, each under one rule variant; one under all variants; and one
/// with six doves.
fn solver_rounds_equal_cpu(gpu: &Gpu) -> String {
    let sets = DoveSet::all();
    let pairs = sets.iter().flat_map(|&red| sets.iter().map(move |&green| (red, green)));
    let of_doves =
        |doves: u32| pairs.clone().filter(move |(red, green)| red <= green && red.len() + green.len() == doves);
    let small: Vec<(DoveSet, DoveSet)> = (0..=2).flat_map(&of_doves).chain(of_doves(3).step_by(6)).collect();
    let variants: Vec<Rules> = Rules::variants().collect();
    let of_variant = |number: usize| variants[number % variants.len()];
    let mut games: Vec<Game> = small
        .into_iter()
        .enumerate()
        .map(|(number, (red, green))| Game { red, green, rules: of_variant(number) })
        .collect();
    games.extend(variants.iter().map(|&rules| game("AH", "T", rules)));
    games.push(game("T", "AYM", Rules::default()));
    let (mut rounds, mut engine) = (0, None::<card::SolveEngine>);
    for &game in &games {
        let compiled = CompiledGame::shared(game);
        let mut ready = match engine.take() {
            // The first game prepares the adapter for all.
            None => card::open_tested(&gpu.adapters, gpu.description.index, &compiled),
            Some(engine) => engine.another(&compiled),
        };
        let ready_engine = ready.as_mut().unwrap_or_else(|error| panic!("{game}: {error}"));
        rounds += compare_rounds(ready_engine, &compiled);
        engine = ready.ok();
    }
    format!(", {} games, {rounds} rounds", games.len())
}

/// Planes cut into small buffers, some in the middle of a class.
fn solver_rounds_in_shards_equal_cpu(gpu: &Gpu) -> String {
    let compiled = CompiledGame::shared(game("MT", "MT", Rules::default()));
    // The smallest shards of which the adapter can bind enough.
    let engine =
        (12..).map(|power| card::open_tested_in_shards(&gpu.adapters, gpu.description.index, &compiled, 1 << power));
    let mut refused = 0;
    let mut engine = engine
        .take(10)
        .find_map(|engine| match engine {
            Err(GpuError::Room { .. }) => {
                refused += 1;
                None
            }
            engine => Some(engine),
        })
        .expect("some are few enough")
        .unwrap_or_else(|error| panic!("{error}"));
    let buffers = engine.buffers();
    if buffers < 2 {
        return ", SKIPPED: it cannot bind more than one buffer a plane".to_owned();
    }
    let rounds = compare_rounds(&mut engine, &compiled);
    format!(", {rounds} rounds, {buffers} buffers a plane, {refused} too small sizes refused")
}

/// Rows of 120 bits: the self-test compares blocks of a game with five kinds, and a small game takes the same stages.
fn solver_with_wide_rows_equals_cpu(gpu: &Gpu) -> String {
    let compiled = CompiledGame::shared(game("AYMTH", "-", Rules::default()));
    let engine =
        card::open_tested(&gpu.adapters, gpu.description.index, &compiled).unwrap_or_else(|error| panic!("{error}"));
    let compiled = CompiledGame::shared(game("AY", "T", Rules::default()));
    let mut engine = engine.another(&compiled).unwrap_or_else(|error| panic!("{error}"));
    format!(", {} rounds", compare_rounds(&mut engine, &compiled))
}

/// End to end: the same solution, rounds and longest game, and the same values as bytes, with and without distances.
fn solved_games_equal_cpu(gpu: &Gpu) -> String {
    let mut told = String::new();
    let draw = Rules { returns: true, both_surrounded: BothSurrounded::Draw };
    for (game, distances) in [(game("AT", "H", draw), true), (game("MT", "MT", draw), false)] {
        let options = Options { distances };
        let on_gpu = Solve::new(game).adapter(Selection::Index(gpu.description.index)).observer(&Unwatched);
        let solve = if distances { on_gpu } else { on_gpu.winner_only() };
        let report = solve.report(&|_| ()).unwrap_or_else(|error| panic!("{error}"));
        let on_gpu = report.gpu.expect("the adapter is named");
        assert_eq!((&on_gpu.adapter, &on_gpu.failure), (&gpu.description, &None));
        assert_eq!(on_gpu.checked > 0, distances, "places checked by the literal rules");
        let (found, expected) = (report.solved, solve::solve(game, options, &|_| ()));
        assert_eq!(found.solution(), expected.solution());
        assert_eq!(found.rounds(), expected.rounds());
        let longest = |solved: &dyn Solved| solved.longest().map(|it| (it.board.to_string(), it.mover, it.value));
        assert_eq!(longest(&*found), longest(&*expected));
        for group in expected.layout().all_groups() {
            let [found, expected] =
                [&found, &expected].map(|solved| solved.group(group).expect("it is in memory").encode());
            assert!(found == expected, "{game}: {group:?}, distances {distances}");
        }
        told += &format!(", {} rounds and {} places checked", on_gpu.rounds, on_gpu.checked);
    }
    told
}

/// A game that does not fit is refused up front, with the bytes it needs.
fn what_does_not_fit_is_said_before(gpu: &Gpu) -> String {
    let compiled = CompiledGame::shared(game("AYM", "AY", Rules::default()));
    match card::open_tested_in_shards(&gpu.adapters, gpu.description.index, &compiled, 1 << 10) {
        Err(error @ GpuError::Room { .. }) => format!(", {error}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("so many buffers cannot be had"),
    }
}

/// A game that does not fit beside the CPU's part of it is refused where the GPU has no memory of its own.
fn shared_memory_is_counted(gpu: &Gpu) -> String {
    let layout = Layout::new(Game::both("AY").expect("kinds"));
    let shares = ["software", "integrated GPU"].contains(&gpu.description.kind);
    for (room, fits) in [(0, false), (3 * layout.plane_bytes() - 1, false), (1 << 28, true)] {
        let checked = card::check_shared(&gpu.adapters, gpu.description.index, &layout, room);
        assert_eq!(checked.is_ok(), fits || !shares, "{room} bytes: {checked:?}");
    }
    String::new()
}
