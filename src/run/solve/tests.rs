//! Solving when a GPU lies or is lost.

use std::sync::Mutex;

use super::*;
use crate::gpu::solve::Lie;
use crate::gpu::{self, testing};
use crate::rules::Rules;
use crate::run::tests::Log;
use crate::solve;
use crate::solve::space::layout::Layout;

/// With a real adapter, if there is one, that lies or is lost: the CPU starts over or finishes, and every value stays
/// the same.
#[test]
fn a_solve_goes_on_without_its_gpu() {
    let Some((adapters, adapter)) = testing::adapter("a_solve_goes_on_without_its_gpu") else { return };
    let set = |text: &str| text.parse().expect("a dove set");
    let game = Game { red: set("AT"), green: set("H"), rules: Rules::default() };
    let lies = [
        (Lie::Undone, 3),
        (Lie::Wrong, 2),
        (Lie::High, 3),
        (Lie::High, 4),
        (Lie::Killed, 4),
        (Lie::Hangs, 3),
        (Lie::Lost, 5),
    ];
    // Without distances there are no rounds to check or to keep.
    for (distances, lies) in [(true, &lies[..]), (false, &[(Lie::Killed, 3), (Lie::Lost, 2)])] {
        let options = Options { distances };
        let expected = solve::solve(game, options, &|_| ());
        for &(lie, round) in lies {
            let case = format!("{lie:?} in round {round}, distances {distances}");
            let compiled = CompiledGame::shared(game);
            let engine =
                gpu::solve::open_tested(&adapters, adapter.index, &compiled).unwrap_or_else(|error| panic!("{error}"));
            let log = Log::default();
            let rounds = Mutex::new(Vec::new());
            let each = |round: Round| rounds.lock().unwrap().push((round.number, round.losses));
            let report =
                solve_on(&Job::new(game, options), adapter.clone(), engine.lying(round, lie), compiled, &log, &each)
                    .expect("nothing bounds it");
            let on_gpu = report.gpu.expect("an adapter was chosen");
            let warnings = log.warnings.into_inner().unwrap();
            assert_eq!(warnings.len(), 1, "{case}: {warnings:?}");
            match lie {
                Lie::Lost | Lie::Killed | Lie::Hangs => {
                    let fits = match &on_gpu.failure {
                        Some(GpuError::Lost(_)) => lie == Lie::Lost,
                        Some(GpuError::Undone { .. }) => lie == Lie::Killed,
                        Some(GpuError::Timeout(_)) => lie == Lie::Hangs,
                        _ => false,
                    };
                    assert!(fits && warnings[0].contains("failed"), "{case}: {:?}, {warnings:?}", on_gpu.failure);
                    assert_eq!(on_gpu.rounds, if distances { round } else { 0 }, "{case}");
                    let kept = if distances { "checked and kept" } else { "nothing it found is kept" };
                    assert!(warnings[0].contains(kept), "{case}: {warnings:?}");
                }
                Lie::Undone | Lie::Wrong | Lie::High => {
                    assert_eq!((on_gpu.rounds, on_gpu.checked), (0, 0), "{case}");
                    assert!(on_gpu.failure.is_some_and(|failure| !failure.is_loss()), "{case}");
                    assert!(warnings[0].contains("gave a wrong answer"), "{case}: {warnings:?}");
                    assert!(warnings[0].contains("nothing it found is kept"), "{case}: {warnings:?}");
                }
            }
            let rounds = rounds.into_inner().unwrap();
            assert_eq!(rounds.last().map(|round| round.0), Some(expected.rounds()), "{case}");
            assert_eq!(report.solved.solution(), expected.solution(), "{case}");
            assert_eq!(report.solved.rounds(), expected.rounds(), "{case}");
            for place in (0..expected.places()).step_by(11) {
                let (board, mover) = expected.position(place).expect("a place of the game");
                let values = [&report.solved, &expected].map(|solved| solved.value(&board, mover));
                assert_eq!(values[0], values[1], "{case}: {board} with {mover} to move");
            }
        }
    }
}

/// If a GPU's driver takes too much memory, the CPU goes on without it, unless the GPU was requested.
#[test]
fn a_driver_that_takes_too_much_memory() {
    let Some((adapters, adapter)) = testing::adapter("a_driver_that_takes_too_much_memory") else { return };
    let (game, options) = (Game::both("A").expect("kinds"), Options { distances: true });
    let expected = solve::solve(game, options, &|_| ());
    for backend in [Backend::Auto, Backend::Gpu] {
        let mut job = Job::new(game, options);
        job.backend = backend;
        job.bounds = Bounds { bytes: Some(1 << 30), taken: Some(|| 1 << 40), deadline: None };
        let compiled = CompiledGame::shared(game);
        let engine =
            gpu::solve::open_tested(&adapters, adapter.index, &compiled).unwrap_or_else(|error| panic!("{error}"));
        let log = Log::default();
        let report = solve_on(&job, adapter.clone(), engine, compiled, &log, &|_| ());
        if backend == Backend::Gpu {
            let halted = matches!(report.err(), Some(RunError::Halted(halted)) if halted.bound == Bound::Memory);
            assert!(halted, "a GPU was requested");
            continue;
        }
        let report = report.expect("there is enough memory for the CPU");
        assert_eq!(report.solved.solution(), expected.solution());
        assert_eq!(report.gpu.and_then(|gpu| gpu.failure), Some(GpuError::Crowded));
        let warnings = log.warnings.into_inner().unwrap();
        assert!(matches!(&warnings[..], [warning] if warning.contains("the CPU continues")), "{warnings:?}");
    }
}

/// A game that does not fit beside the CPU's part of it is refused where the GPU has no memory of its own.
#[test]
fn shared_memory_is_counted() {
    let Some((adapters, adapter)) = testing::adapter("shared_memory_is_counted") else { return };
    let layout = Layout::new(Game::both("AY").expect("kinds"));
    let shares = adapter.is_software || adapter.kind == "integrated GPU";
    for (room, fits) in [(0, false), (3 * layout.plane_bytes() - 1, false), (64 * layout.plane_bytes(), true)] {
        let checked = gpu::solve::check_shared(&adapters, adapter.index, &layout, room);
        assert_eq!(checked.is_ok(), fits || !shares, "{room} bytes: {checked:?}");
    }
}
