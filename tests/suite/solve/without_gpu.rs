//! Solving goes on when a GPU reports a wrong result, is lost, or its driver takes too much memory. In place of the GPU
//! stands the CPU with a fault.

use std::sync::Mutex;

use dovemate::Solve;
use dovemate::internals::gpu::{AdapterDescription, GpuError};
use dovemate::internals::run::solve::finish;
use dovemate::internals::run::{Backend, Observer, RunError};
use dovemate::internals::solve::actions::block_actions::CompiledGame;
use dovemate::internals::solve::in_memory::driver::{Found, RoundEngine, RoundsInMemory, Stop};
use dovemate::internals::solve::space::changes::{Changes, SparseBits};
use dovemate::internals::solve::space::layout::{GroupId, Layout};
use dovemate::internals::solve::{Bound, Bounds, CpuEngine, Options, Round, solve};
use dovemate::rules::{Game, Rules};

/// What goes wrong in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The device is lost.
    Lost,
    /// Work is ended early.
    Killed,
    /// Work times out.
    Hangs,
    /// A workgroup has not decided all its items.
    Undecided,
    /// A position is reported whose bit is the last of the last class.
    High,
    /// In every block with losses, all positions of the first row are reported.
    Wrong,
}

/// Finds rounds on the CPU, with a fault in one of them.
struct Faulty {
    cpu: CpuEngine,
    round: u32,
    fault: Fault,
}

impl RoundEngine for Faulty {
    type Error = GpuError;
    const IS_CHECKED: bool = true;

    fn round(&mut self, rounds: &mut RoundsInMemory) -> Result<Found, GpuError> {
        let number = rounds.number();
        if number == self.round {
            match self.fault {
                Fault::Lost => return Err(GpuError::Lost("a fault".to_owned())),
                Fault::Killed => return Err(GpuError::Undone { undone: 1, slices: 2 }),
                Fault::Hangs => return Err(GpuError::Timeout(1)),
                Fault::Undecided => return Err(GpuError::Wrong("1 of 2 items is decided".to_owned())),
                Fault::High | Fault::Wrong => {}
            }
        }
        let mut found = self.cpu.round(rounds)?;
        let layout = Layout::new(rounds.game());
        match self.fault {
            _ if number != self.round => {}
            Fault::Wrong => {
                let changed = found.losses.iter().filter(|(_, found)| !found.is_empty()).map(|(group, _)| group);
                for group in changed.collect::<Vec<GroupId>>() {
                    change(&layout, &mut found.losses, group, |rows, size| {
                        let width = layout[group.class].width.min(8);
                        let blocks = rows.chunks_exact_mut(size).filter(|block| block.iter().any(|&byte| byte != 0));
                        blocks.for_each(|block| block[0] = u8::MAX >> (8 - width));
                    });
                }
            }
            _ => {
                let last = *layout.all_groups().last().expect("a game has positions");
                let changes = if number.is_multiple_of(2) { &mut found.wins } else { &mut found.losses };
                change(&layout, changes, last, |rows, _| {
                    *rows.last_mut().expect("a group has rows") |= 1 << ((layout[last.class].width - 1) % 8);
                });
            }
        }
        Ok(found)
    }
}

/// Changes the rows of a group; `change` is also told the bytes of a block.
fn change(layout: &Layout, changes: &mut Changes, group: GroupId, change: impl Fn(&mut [u8], usize)) {
    let (class, of_group) = (&layout[group.class], &mut changes[group]);
    let size = class.block_bytes();
    let mut rows = vec![0; class.group_blocks(group) * size];
    for (number, changed) in of_group.blocks() {
        rows[number * size..][..size].copy_from_slice(&changed.whole());
    }
    change(&mut rows, size);
    *of_group = SparseBits::packed(&rows, class, group);
}

/// Keeps the warnings.
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Observer for Log {
    fn warn(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

fn adapter() -> AdapterDescription {
    AdapterDescription {
        index: 0,
        name: "the CPU".to_owned(),
        backend: "Vulkan".to_owned(),
        kind: "discrete GPU",
        driver: String::new(),
        is_certified: true,
        largest_buffer: 0,
        memory: None,
    }
}

fn game(red: &str, green: &str) -> Game {
    let set = |text: &str| text.parse().expect("a dove set");
    Game { red: set(red), green: set(green), rules: Rules::default() }
}

/// The CPU starts over or finishes, and every value stays the same.
#[test]
fn a_solve_goes_on_without_its_gpu() {
    let game = game("AT", "H");
    let faults = [
        (Fault::Undecided, 3),
        (Fault::Wrong, 2),
        (Fault::High, 3),
        (Fault::High, 4),
        (Fault::Killed, 4),
        (Fault::Hangs, 3),
        (Fault::Lost, 5),
    ];
    // Without distances there are no rounds to check or to keep.
    for (distances, faults) in [(true, &faults[..]), (false, &[(Fault::Killed, 3), (Fault::Lost, 2)])] {
        let options = Options { distances };
        let expected = solve(game, options, &|_| ());
        for &(fault, round) in faults {
            let case = format!("{fault:?} in round {round}, distances {distances}");
            let (log, told) = (Log::default(), Mutex::new(Vec::new()));
            let each = |round: Round| told.lock().unwrap().push(round.number);
            let mut rounds = RoundsInMemory::new(CompiledGame::shared(game), options, Bounds::default());
            let end = rounds.run(&mut Faulty { cpu: CpuEngine::default(), round, fault }, &each);
            let done = rounds.number();
            let job = Solve::new(game).backend(Backend::Auto).observer(&log);
            let job = if distances { job } else { job.winner_only() };
            let (solved, failure) = finish(&job, rounds, end, &adapter(), &each).expect("no bounds");
            let warnings = log.0.lock().unwrap();
            let [warning] = &warnings[..] else { panic!("{case}: {warnings:?}") };
            let is_lost = matches!(fault, Fault::Lost | Fault::Killed | Fault::Hangs);
            let is_kept = is_lost && distances;
            assert!(failure.is_some_and(|failure| failure.is_loss() == is_lost), "{case}");
            assert!(warning.contains(if is_lost { "failed" } else { "gave a wrong answer" }), "{case}: {warning}");
            let kept = if is_kept { "checked and kept" } else { "nothing it found is kept" };
            assert!(warning.contains(kept), "{case}: {warning}");
            assert!(!is_kept || done == round, "{case}");
            assert_eq!(told.into_inner().unwrap().last(), Some(&expected.rounds()), "{case}");
            assert_eq!(solved.solution(), expected.solution(), "{case}");
            assert_eq!(solved.rounds(), expected.rounds(), "{case}");
            for place in (0..expected.places()).step_by(11) {
                let (board, mover) = expected.position(place).expect("a place of the game");
                let values = [&solved, &expected].map(|solved| solved.value(&board, mover).expect("it is in memory"));
                assert_eq!(values[0], values[1], "{case}: {board} with {mover} to move");
            }
        }
    }
}

/// If a GPU's driver takes too much memory, the CPU goes on without it, unless the GPU was requested.
#[test]
fn a_driver_that_takes_too_much_memory() {
    let (game, options) = (game("A", "A"), Options { distances: true });
    let expected = solve(game, options, &|_| ());
    for backend in [Backend::Auto, Backend::Gpu] {
        let bounds = Bounds { bytes: Some(1 << 30), taken: Some(|| 1 << 40), deadline: None };
        let mut rounds = RoundsInMemory::new(CompiledGame::shared(game), options, bounds);
        let end = rounds.run(&mut Faulty { cpu: CpuEngine::default(), round: u32::MAX, fault: Fault::Lost }, &|_| ());
        assert!(matches!(end, Err(Stop::Bound(Bound::Memory))), "{backend:?}");
        let log = Log::default();
        let job = Solve::new(game).backend(backend).within(bounds).observer(&log);
        let finished = finish(&job, rounds, end, &adapter(), &|_| ());
        if backend == Backend::Gpu {
            let halted = matches!(finished.err(), Some(RunError::Halted(halted)) if halted.bound == Bound::Memory);
            assert!(halted, "a GPU was requested");
            continue;
        }
        let (solved, failure) = finished.expect("there is enough memory for the CPU");
        assert_eq!(solved.solution(), expected.solution());
        assert_eq!(failure, Some(GpuError::Crowded));
        let warnings = log.0.lock().unwrap();
        assert!(matches!(&warnings[..], [warning] if warning.contains("the CPU continues")), "{warnings:?}");
    }
}
