//! The solver against the literal rules: every position of small games, places, layers.

use std::collections::HashSet;

use crate::ask::{Known, Lookup, LookupError, Worth};
use crate::count::Category;
use crate::literal::{self, LiteralPosition};
use crate::rules::{Board, BothSurrounded, Color, DoveSet, Game, Rules};
use crate::solve::check::{Checked, check};
use crate::solve::solved::SolutionRow;
use crate::solve::solved::Solved;
use crate::solve::space::layout::{ClassId, GroupId, Layout};
use crate::solve::space::sets::GroupValues;
use crate::solve::{Bound, Bounds, in_memory, memory};
use crate::testing::exact;
use crate::testing::images::compare_images;
use crate::testing::solve;
use crate::{Count, Value};
use rayon::prelude::*;

fn game(red: &str, green: &str, rules: Rules) -> Game {
    Game { red: red.parse().unwrap(), green: green.parse().unwrap(), rules }
}

/// Solves a game in both ways and compares all positions and the totals.
fn compare(game: Game) {
    let fast = solve(game, &|_| {});
    let literal = literal::LiteralSolution::new(game);
    assert_eq!(*fast.solution(), literal.table(), "{game}");
    for (position, value) in literal.iter() {
        let board = position.board();
        // The literal solver's boards have the mover red; those with green to move in a handicap game are
        // recoloured.
        let (board, mover) = match game.is_even() || position.mover() == Color::Red {
            true => (board, Color::Red),
            false => (recoloured(&board), Color::Green),
        };
        assert_eq!(exact(&*fast, &board, mover), Some(value), "{game}: {board} with {mover} to move");
    }
}

/// The board with the players exchanged.
fn recoloured(board: &Board) -> Board {
    let exchange = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    board.to_string().chars().map(exchange).collect::<String>().parse().unwrap()
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

/// Every sixth game, as the literal solver takes half a second for each.
#[test]
fn every_position_of_some_games_with_5_doves_each_under_one_variant() {
    let variants: Vec<Rules> = Rules::variants().collect();
    let some: Vec<_> = games(3).into_iter().step_by(6).collect();
    some.into_par_iter().enumerate().for_each(|(number, (red, green))| {
        compare(Game { red, green, rules: variants[number % variants.len()] });
    });
}

#[test]
fn every_position_of_a_game_with_6_doves() {
    compare(game("AT", "AT", Rules { returns: false, both_surrounded: BothSurrounded::Draw }));
}

/// The layers up to distance two, against the methods that count mates, which share no code with the solver.
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
                for row in &crate::count(Count::new(what).game(game)).expect("threads start").rows {
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

/// A solution with one wrong value, of a position or of only one of its boards.
struct Lying {
    honest: Box<dyn Solved>,
    place: u64,
    one_board: bool,
}

impl Lookup for Lying {
    fn game(&self) -> Game {
        self.honest.game()
    }
    fn value(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let (wrong, wrong_mover) = self.honest.position(self.place).unwrap();
        let game = self.game();
        let is_wrong = match self.one_board {
            true => (board, mover) == (&wrong, wrong_mover),
            false => {
                LiteralPosition::of(&game, board, mover) == LiteralPosition::of(&game, &wrong, wrong_mover)
            }
        };
        let told =
            |known| if is_wrong { Known { worth: Worth::Exact(Value::Win(7)), ..known } } else { known };
        Ok(self.honest.value(board, mover)?.map(told))
    }
}

impl Solved for Lying {
    fn solution(&self) -> &crate::solve::solved::Solution {
        self.honest.solution()
    }
    fn rounds(&self) -> u32 {
        self.honest.rounds()
    }
    fn longest(&self) -> Option<crate::solve::Longest> {
        self.honest.longest()
    }
    fn bytes(&self) -> u64 {
        self.honest.bytes()
    }
    fn index(&self) -> &crate::solve::space::index::Index {
        self.honest.index()
    }
    fn group(&self, group: GroupId) -> Result<GroupValues, LookupError> {
        self.honest.group(group)
    }
}

#[test]
fn a_wrong_value_is_found() {
    let game = game("A", "Y", Rules::default());
    let honest = solve(game, &|_| {});
    let places = honest.places();
    assert_eq!(check(&*honest, 1, &|| {}).unwrap(), Checked { places, all: true, placements: None });
    for place in [0, places / 2, places - 1] {
        let lying = Lying { honest: solve(game, &|_| {}), place, one_board: false };
        let wrong = check(&lying, 1, &|| {}).expect_err("a win in 7 that no action leads to");
        assert!(wrong.to_string().contains("its successors make it"), "{wrong}");
    }
}

/// All images of a position on its boss placements have the same value.
#[test]
fn images_of_a_position_have_its_value() {
    let solved = solve(game("MH", "AY", Rules::default()), &|_| {});
    let layout = solved.layout();
    let placements = layout.ids().flat_map(|class| (0..layout[class].placements).map(move |at| (class, at)));
    let images = |solved: &dyn Solved, (class, placement)| compare_images(solved, class, placement, 20, 1);
    let compared: u64 = placements.map(|placement| images(&*solved, placement).unwrap()).sum();
    assert!(compared > 10_000, "{compared} images");

    // Two bosses side by side: each of the eight symmetries fixes or exchanges them.
    let lying = Lying { place: 0, honest: solve(game("-", "-", Rules::default()), &|_| {}), one_board: true };
    let different = images(&lying, (ClassId(0), 0)).expect_err("a value of one board alone");
    assert!(different.contains("are one position"), "{different}");
}

/// The solver stops soon after it exceeds its limit, and knows what its finished rounds have found.
#[test]
fn a_solver_stops_at_its_bound() {
    let game = Game { red: "AYM".parse().expect("kinds"), green: DoveSet::NONE, rules: Rules::default() };
    // Less than the least that it certainly takes.
    let from = memory::memory(&game) - Layout::new(game).win_bytes() * 3 / 20;
    let whole = solve(game, &|_| ());
    let mut rounds = Vec::new();
    for more in [0, 20_000, 40_000, 60_000, 1 << 30] {
        let bounds = Bounds { bytes: Some(from + more), ..Bounds::default() };
        match in_memory::solve_within(game, bounds, &|_| ()) {
            Ok(solved) => {
                assert_eq!(solved.solution(), whole.solution());
                rounds.push(u32::MAX);
            }
            Err(halted) => {
                assert_eq!(halted.bound, Bound::Memory);
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
    let bounds = Bounds { deadline: Some(crate::clock::Instant::now()), ..Bounds::default() };
    let halted = in_memory::solve_within(game, bounds, &|_| ()).expect_err("time is up");
    assert_eq!((halted.bound, halted.round), (Bound::Time, 0));
}
