//! The openings in the library: against the tables of the same positions in `results/`, and against search.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::Value;
use crate::openings::Openings;
use crate::search::{Position, Search};
use crate::testing::boards::random_numbers;
use crate::testing::{self, cases, exact, positions, solve, solved_ay};
use crate::{Analysis, Effort, InTurn, Known, Lookup, LookupError, Ranked, Source, Worth, built_in};
use dovemate::rules::{Board, BothSurrounded, Code, Color, Game, Rules};
use proptest::prelude::RngExt;

/// The whole game.
fn game(returns: bool) -> Game {
    Game::whole(Rules { returns, ..Rules::default() })
}

fn embedded(game: &Game) -> &'static Openings {
    Openings::of(game).expect("they are in the program")
}

/// The positions of a table with up to four doves, red to move, each with its value.
fn table(file: &str) -> HashMap<Code, (Board, String, Option<u32>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results").join(file);
    let mut positions = HashMap::new();
    for record in csv::Reader::from_path(path).expect("a table").deserialize() {
        let (_, board, name, plies): (u32, String, String, Option<u32>) = record.expect("a record");
        let board: Board = board.parse().expect("a board");
        positions.insert(board.code().canonical(Color::Red), (board, name, plies));
    }
    assert_eq!(positions.len(), 28_802, "positions with up to four doves");
    positions
}

#[test]
fn they_are_those_of_the_tables() {
    for (returns, file) in [(false, "no-returns-opening.csv"), (true, "returns-opening.csv")] {
        let (openings, table) = (embedded(&game(returns)), table(file));
        for (board, name, plies) in table.values() {
            let value = exact(openings, board, Color::Red).expect("it has few doves");
            assert_eq!((value.name(), value.plies()), (name.as_str(), *plies), "{board}");
        }
        // The same positions with green to move, and their images.
        let few = openings.positions().filter(|(board, _)| board.doves().count() <= 4);
        for (board, mover) in few.step_by(cases(4, 1)) {
            for player in Color::ALL {
                let Some((_, name, plies)) = table.get(&board.code().canonical(player)) else {
                    panic!("{board} is not in the table")
                };
                let value = exact(openings, &board, player).expect("it has few doves");
                let found = (value.name(), value.plies());
                assert_eq!(found, (name.as_str(), *plies), "{board}, {player:?} to move, read as {mover:?}");
            }
        }
    }
}

#[test]
fn search_agrees() {
    // No position with up to four doves is decided in fewer plies.
    const PLIES: u32 = 9;
    for game in [false, true].map(game) {
        let openings = embedded(&game);
        let (mut random, mut search) = (random_numbers(23), Search::new(&game));
        let (decided, open): (Vec<_>, Vec<_>) = openings
            .positions()
            .map(|(board, mover)| {
                (exact(openings, &board, mover).expect("it is of the openings"), board, mover)
            })
            .partition(|(value, ..)| value.plies().is_some_and(|plies| plies <= PLIES));
        assert!(!decided.is_empty() && !open.is_empty());
        // Positions without a win or loss within these plies take longer to search.
        for (positions, count) in [(decided, cases(4, 20)), (open, cases(1, 6))] {
            for _ in 0..count {
                let (value, board, mover) = &positions[random.random_range(0..positions.len())];
                let position = Position::of(board, *mover, &game).expect("a position of the game");
                let found = search.value(&position, PLIES).expect("there is no deadline");
                let within = Some(*value).filter(|value| value.plies().is_some_and(|plies| plies <= PLIES));
                assert_eq!(found, within, "{board}, {mover:?} to move: {value} in the openings");
            }
        }
    }
}

#[test]
fn files_are_read_as_written() {
    let small = testing::game("A", "Y", Rules::default());
    let value = |board: &Board, mover: Color| {
        let doves = board.doves().count() as u32;
        Some(match mover {
            Color::Red => Value::Win(3 * doves),
            Color::Green if doves > 2 => Value::Lose(300),
            Color::Green => Value::Draw,
        })
    };
    let file = Openings::write(small, 3, value).expect("it can be written");
    let openings = Openings::read(&file, &small).expect("it can be read");
    let mut values = 0;
    for (board, mover) in openings.positions() {
        assert_eq!(exact(&openings, &board, mover), value(&board, mover), "{board}");
        values += 1;
    }
    assert!(values > 0);
    let full: Board = "bB;aY".parse::<Board>().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(exact(&openings, &full, Color::Red), None, "it has too many doves");
    for most_doves in [0, 1, 5, u32::MAX] {
        let refused =
            Openings::write(small, most_doves, |_, _| None).expect_err("no board has them").to_string();
        assert_eq!(refused, format!("no board of A for red, Y for green has {most_doves} doves"));
    }
    for value in [None, Some(Value::Win(32_767)), Some(Value::Lose(u32::MAX))] {
        let refused =
            Openings::write(small, 3, |_, _| value).expect_err("there is no such value").to_string();
        assert!(refused.ends_with("has no value that openings can have"), "{refused}");
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let small = testing::game("A", "A", Rules::default());
    let file = Openings::write(small, 4, |_, _| Some(Value::Draw)).expect("it can be written");
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 1;
        assert!(Openings::read(&damaged, &small).is_none(), "byte {at} was changed");
        assert!(Openings::read(&file[..at], &small).is_none(), "only {at} bytes are there");
    }
    assert!(Openings::read(&file, &game(true)).is_none(), "it is of another game");
    assert!(Openings::of(&small).is_none());
}

/// The start of every game of `handicaps.csv` is known, and so is that of the same game with the colours exchanged. No
/// other position of these games is known, and no other game. Those against a bare boss have the same values when they
/// are solved again.
#[test]
fn starts_of_handicaps_are_known() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/handicaps.csv");
    let mut games = 0;
    for row in csv::Reader::from_path(path).expect("a table").records() {
        let row = row.expect("a record");
        let rules = Rules { returns: &row[2] == "true", ..Rules::default() };
        let game = testing::game(&row[0], &row[1], rules);
        let swapped = Game { red: game.green, green: game.red, rules };
        for (game, colors) in [(game, Color::ALL), (swapped, [Color::Green, Color::Red])] {
            let known = built_in(&game).expect("it is known");
            for (color, text) in colors.into_iter().zip([&row[4], &row[5]]) {
                for start in ["b;B", "bB", "Bb"] {
                    let start: Board = start.parse().expect("a board");
                    let value = exact(known, &start, color).expect("it is known");
                    assert_eq!(value.to_string(), text);
                }
                assert_eq!(exact(known, &"b-;-B".parse().expect("a board"), color), None);
            }
            let other = Game { rules: Rules { both_surrounded: BothSurrounded::Draw, ..rules }, ..game };
            assert!(built_in(&other).is_none());
        }
        if &row[1] == "B" {
            let solved = solve(game);
            let value = |color| exact(&solved, &Board::default(), color).map(|value| value.to_string());
            assert_eq!(Color::ALL.map(value), [Some(row[4].to_owned()), Some(row[5].to_owned())]);
        }
        games += 1;
    }
    assert!(games >= 40, "{games} games");
}

/// A lookup with the same value for every position.
struct Always(Worth);

impl Lookup for Always {
    fn game(&self) -> Game {
        game(false)
    }
    fn probe(&self, _: &Board, _: Color) -> Result<Option<Known>, LookupError> {
        Ok(Some(Known { worth: self.0, source: Source::Tables }))
    }
}

#[test]
fn an_exact_value_goes_before_one_without_a_distance() {
    let start = Board::default();
    let game = game(false);
    let lookups = InTurn::new(game, vec![Box::new(Always(Worth::Win)), Box::new(embedded(&game))]);
    let lookups = lookups.expect("they are of one game");
    let value = |board| lookups.probe(board, Color::Red).expect("values can be read");
    let known = Known { worth: Worth::Exact(Value::Draw), source: Source::Openings };
    assert_eq!(value(&start), Some(known), "the openings know it exactly");
    let full: Board = "YmaH;MtAT;-yh-;B-b-".parse().expect("a board");
    let known = Known { worth: Worth::Win, source: Source::Tables };
    assert_eq!(value(&full), Some(known), "the openings do not know it");
}

/// As far as positions are known, `may_have` says exactly which values occur; the search for puzzles depends on it.
#[test]
fn values_know_which_ones_occur() {
    fn compare(lookup: &dyn Lookup, positions: impl Iterator<Item = (Board, Color)>) {
        let (mut found, mut max_plies, mut max_doves) = (HashSet::new(), 0, 0);
        for (board, mover) in positions {
            let doves = board.doves().count() as u32;
            let Some(value) = exact(lookup, &board, mover) else { continue };
            found.insert((value, doves));
            (max_plies, max_doves) = (value.plies().unwrap_or(0).max(max_plies), doves.max(max_doves));
        }
        assert!(max_plies > 3);
        for plies in 0..max_plies + 3 {
            for value in [Value::Draw, Value::Win(plies), Value::Lose(plies)] {
                for doves in
                    (2..=max_doves).flat_map(|least| (least..=max_doves).map(move |most| least..=most))
                {
                    let occurs = doves.clone().any(|doves| found.contains(&(value, doves)));
                    assert_eq!(lookup.may_have(value, doves.clone()), occurs, "{value} with {doves:?} doves");
                }
            }
        }
    }
    let openings = embedded(&game(true));
    compare(openings, openings.positions());
    assert!(openings.may_have(Value::Win(32_000), 2..=6), "unknown positions with six doves are excluded");
    let solved = solved_ay();
    let positions: Vec<(Board, Color)> = positions(solved).collect();
    let game = solved.game();
    compare(solved, positions.into_iter().filter(|(board, _)| game.check(board).is_ok()));
}

/// With the most doves that openings have, puts lead to positions of unknown value. The value of such a position is
/// then its own in the openings, not that of its best known action.
#[test]
fn the_edge_of_the_openings_is_known() {
    for game in [false, true].map(game) {
        let openings = embedded(&game);
        let edge = openings.positions().filter(|(board, _)| board.doves().count() == 5);
        let mut analysis = Analysis::new(openings);
        let mut open = 0;
        for (board, mover) in edge.step_by(cases(9_001, 3_001)) {
            let value = exact(openings, &board, mover).expect("it is of the openings");
            let ranking = analysis.rank(&board, mover, &Effort::plies(2)).expect("a position of the game");
            assert_eq!(ranking.worth(), Worth::Exact(value), "{board}");
            // No estimate is above what the position is worth.
            let most = match value {
                Value::Win(_) => 990,
                Value::Draw => 500,
                Value::Lose(_) => 490,
            };
            let mut points = ranking.actions.iter().filter_map(Ranked::points);
            assert!(points.all(|points| (10..=most).contains(&points)), "{board}");
            let (first, chosen) = (&ranking.actions[0], ranking.choice().expect("there are actions"));
            let is_exact = matches!(chosen.worth, Worth::Exact(_));
            // An action that may have the value comes first. A win, however long, is still chosen before a guess.
            let is_open = ranking.candidates().is_some();
            assert!(first.worth == Worth::Exact(value) || is_open && !first.worth.is_exact(), "{board}");
            let has = |worth: Worth| ranking.actions.iter().any(|ranked| ranked.worth == worth);
            let quickest = (1..400).map(|plies| Worth::Exact(Value::Win(plies))).find(|&win| has(win));
            let best = if has(Worth::Exact(value)) { Some(Worth::Exact(value)) } else { quickest };
            assert!(!is_exact || Some(chosen.worth) == best, "{board}: {} {}", chosen.text, chosen.worth);
            open += u32::from(!is_exact);
        }
        assert!(open > 0, "no value comes from beyond the openings");
    }
}
