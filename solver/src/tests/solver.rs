//! The solver against the literal rules: every position of small games, its places and the layers of values.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::check::{Checked, check};
use crate::solved::SolutionRow;
use crate::space::layout::Layout;
use crate::testing::images::images;
use crate::testing::literal::{self, LiteralPosition};
use crate::testing::{cases, exact, game, solve};
use crate::{Value, Worth, in_memory, memory};
use dovemate::count::Category;
use dovemate::rules::{BothSurrounded, Color, DoveSet, Game, Rules};
use dovemate::threads::Threads;
use dovemate::{Count, Limit, Limits};
use rayon::prelude::*;

/// Solves a game in both ways and compares all positions and the totals.
fn compare(game: Game) {
    let fast = solve(game, &|_| {});
    let literal = literal::LiteralSolution::new(game);
    assert_eq!(*fast.solution(), literal.table(), "{game}");
    for (position, value) in literal.iter() {
        let board = position.board();
        // The literal solver's boards have the mover red; those with green to move in a handicap game are
        // recoloured.
        let is_red = game.is_even() || position.mover() == Color::Red;
        let (board, mover) =
            images(&board, Color::Red).nth(if is_red { 0 } else { 8 }).expect("there are sixteen");
        assert_eq!(exact(&*fast, &board, mover), Some(value), "{game}: {board} with {mover} to move");
    }
}

/// All games with this many doves besides the bosses, each pair of sets in one order.
fn games(doves: u32) -> Vec<(DoveSet, DoveSet)> {
    let sets = DoveSet::all();
    let pairs = sets.iter().flat_map(|&red| sets.iter().map(move |&green| (red, green)));
    pairs.filter(|(red, green)| red <= green && red.len() + green.len() == doves).collect()
}

#[test]
fn every_position_of_all_games_with_up_to_4_doves_under_all_rules() {
    for doves in 0..=2 {
        games(doves).into_par_iter().for_each(|(red, green)| {
            for rules in Rules::variants() {
                compare(Game { red, green, rules });
            }
        });
    }
}

/// Some games, because the literal solver takes half a second for each.
#[test]
fn every_position_of_some_games_with_5_doves_each_under_one_variant() {
    let variants: Vec<Rules> = Rules::variants().collect();
    let some: Vec<_> = games(3).into_iter().step_by(cases(18, 6)).collect();
    some.into_par_iter().enumerate().for_each(|(number, (red, green))| {
        compare(Game { red, green, rules: variants[number % variants.len()] });
    });
}

#[test]
fn every_position_of_a_game_with_6_doves() {
    compare(game("AT", "AT", Rules { returns: false, both_surrounded: BothSurrounded::Draw }));
}

/// The layers up to distance two, against the methods that count mates, which share little but shapes and moves with
/// the solver.
#[test]
fn layers_are_what_count_finds() {
    let large = [("AYM", "TH", 1), ("AYMTH", "-", 1)];
    let small = [("AY", "AY", 6), ("A", "TH", 6), ("T", "-", 6)];
    for (red, green, variants) in small.into_iter().chain(large) {
        for rules in Rules::variants().take(variants) {
            let game = game(red, green, rules);
            let solved = solve(game, &|_| {});
            let layer = |mover, doves, values: &[Value]| {
                let wanted = |row: &SolutionRow| {
                    (row.mover, row.doves) == (mover, doves)
                        && values.iter().any(|&value| row.worth == Worth::Exact(value))
                };
                solved.solution().count(wanted)
            };
            let lose_in_0 = solved.solution().count(|row| row.worth == Worth::Exact(Value::Lose(0)));
            let layers: [(Category, &[Value]); 3] = [
                (Category::Wins, &[Value::Win(1)]),
                (Category::Mates, &[Value::Lose(2)]),
                (Category::Stuck, &[Value::Lose(0), Value::Lose(1)]),
            ];
            for (what, values) in layers {
                // Leaving the opponent without an action is a win in one for the solver, but not for `count`.
                if lose_in_0 > 0 && what != Category::Stuck {
                    continue;
                }
                for row in &dovemate::count(Count::new(what).game(game)).expect("threads start").rows {
                    let found = layer(row.mover, row.doves, values);
                    assert_eq!(found, row.positions, "{game}: {what}, {:?}, {} doves", row.mover, row.doves);
                }
            }
        }
    }
}

#[test]
fn every_place_is_a_position_and_every_position_has_a_place() {
    for (red, green) in [("-", "-"), ("A", "A"), ("AY", "A"), ("-", "TH"), ("MH", "MH")] {
        let game = game(red, green, Rules::default());
        let solved = solve(game, &|_| {});
        let found: HashSet<LiteralPosition> = (0..solved.places())
            .map(|place| {
                let (board, mover) = solved.position(place).expect("a number below that of places");
                LiteralPosition::of(&game, &board, mover)
            })
            .collect();
        let all: HashSet<LiteralPosition> = literal::positions(&game).into_iter().collect();
        assert_eq!(found, all, "{game}");
        assert!(solved.position(solved.places()).is_none());
    }
}

/// A choice of numbers of doves holds for the group that has been read as well.
#[test]
fn positions_are_chosen_by_doves_at_any_time() {
    let solved = crate::solve(game("A", "Y", Rules::default())).unwrap();
    let mut positions = solved.positions(|_| true);
    assert!(positions.next().is_some());
    let left = positions.doves(3..=3).map(|position| position.unwrap().0.0.doves().count());
    let left: Vec<usize> = left.collect();
    assert!(!left.is_empty() && left.iter().all(|&doves| doves == 3), "{left:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = game("AYM", "TH", Rules::default());
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let solved = pool.install(|| solve(game, &|_| {}));
        (
            solved.solution().clone(),
            solved.rounds(),
            solved.longest().map(|longest| longest.board.to_string()),
        )
    };
    assert_eq!(with(1), with(3));
}

/// The check goes through all places. The test `wrong_values_are_counted` shows that it finds wrong values.
#[test]
fn every_value_is_checked() {
    let solved = solve(game("A", "Y", Rules::default()), &|_| {});
    let (places, seen) = (solved.places(), AtomicU64::new(0));
    let count = || {
        seen.fetch_add(1, Ordering::Relaxed);
    };
    let checked = check(&*solved, 1, &count).unwrap();
    assert_eq!((checked, seen.into_inner()), (Checked { places, all: true, placements: None }, places));
}

/// All images of a position have the same value, even at different addresses: on a shape that a symmetry maps onto
/// itself, a position has several.
#[test]
fn images_of_a_position_have_its_value() {
    let solved = solve(game("MH", "AY", Rules::default()), &|_| {});
    let others = AtomicU64::new(0);
    (0..solved.places() / 61).into_par_iter().map(|number| 61 * number).for_each(|place| {
        let (board, mover) = solved.position(place).expect("a number below that of places");
        let (address, value) = (solved.index().address(&board, mover), exact(&*solved, &board, mover));
        for (image, mover) in images(&board, mover).take(8) {
            assert_eq!(exact(&*solved, &image, mover), value, "{image} for {board}, {mover} to move");
            others.fetch_add((solved.index().address(&image, mover) != address).into(), Ordering::Relaxed);
        }
    });
    let others = others.into_inner();
    assert!(others > 1_000, "{others} images have other addresses");
}

/// The solver stops soon after it exceeds its memory limit, and reports what its finished rounds have found.
#[test]
fn a_solver_stops_at_its_bound() {
    let game = game("AYM", "-", Rules::default());
    // Less than the minimum for the game.
    let from = memory::memory(&game) - Layout::new(game).win_bytes() * 3 / 20;
    let whole = solve(game, &|_| ());
    let mut rounds = Vec::new();
    for more in [0, 20_000, 40_000, 60_000, 1 << 30] {
        let limits = Limits { memory: Some(from + more), ..Limits::default() };
        match in_memory::solve(game, limits, &Threads::here(), &|_| ()) {
            Ok(solved) => {
                assert_eq!(solved.solution(), whole.solution());
                rounds.push(u32::MAX);
            }
            Err(halted) => {
                assert_eq!(halted.limit, Limit::Memory);
                assert!(halted.bytes > from + more, "{} bytes of {}", halted.bytes, from + more);
                assert!(halted.bytes < from + more + 40_000, "{} bytes of {}", halted.bytes, from + more);
                let is_found = |worth: Worth| worth.plies().is_some_and(|n| n <= halted.round);
                let found: u64 = halted.rows.iter().map(|row| row.positions).sum();
                let expected =
                    if halted.round == 0 { 0 } else { whole.solution().count(|row| is_found(row.worth)) };
                assert_eq!(found, expected, "round {}", halted.round);
                rounds.push(halted.round);
            }
        }
    }
    assert!(rounds.is_sorted() && rounds[0] < rounds[3] && rounds[4] == u32::MAX, "{rounds:?}");
    let limits = Limits::until(dovemate::clock::Instant::now());
    let halted = in_memory::solve(game, limits, &Threads::here(), &|_| ()).expect_err("time is up");
    assert_eq!((halted.limit, halted.round), (Limit::Time, 0));
}
