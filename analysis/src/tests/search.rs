//! The search: its positions against the rules, and its proofs within three plies against a search by the rules alone.

use std::collections::{BTreeSet, HashMap};

use crate::Value;
use crate::search::{Position, Search};
use crate::testing::boards::{random_board, random_board_in, random_numbers};
use crate::testing::cases;
use dovemate::Verdict;
use dovemate::count::reference::verdict;
use dovemate::rules::{Board, Color, DoveSet, Game, Outcome, Rules};
use proptest::prelude::RngExt;

fn is_finished(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| board.is_surrounded(color))
}

/// A random unfinished board on which both players have only doves of the game.
fn board_of(game: &Game, rng: &mut impl RngExt) -> Board {
    loop {
        let doves = rng.random_range(2..=game.most_doves() as usize);
        let board = random_board_in(game, rng, doves);
        if !is_finished(&board) {
            return board;
        }
    }
}

fn games() -> Vec<Game> {
    let sets = |red: &str, green: &str| (red.parse::<DoveSet>().unwrap(), green.parse::<DoveSet>().unwrap());
    let pairs = [sets("AYMTH", "AYMTH"), sets("AYMT", "MTH"), sets("TH", "TH"), sets("AYMTH", "-")];
    let all = pairs
        .into_iter()
        .flat_map(|(red, green)| Rules::variants().map(move |rules| Game { red, green, rules }));
    all.collect()
}

#[test]
fn actions_are_those_of_the_rules() {
    let mut rng = random_numbers(1);
    for game in games() {
        for _ in 0..cases(100, 300) {
            let board = board_of(&game, &mut rng);
            for mover in Color::ALL {
                let mut expected = BTreeSet::new();
                for (_, after) in game.legal_actions(&board, mover) {
                    let outcome = format!("{:?}", game.rules.outcome_of(&after, mover));
                    expected.insert((after.to_string(), outcome));
                }
                let position = Position::of(&board, mover, &game).expect("the game continues");
                assert_eq!((position.board(), position.mover()), (board.clone(), mover));
                let mut found = BTreeSet::new();
                position.any_step(game.rules, |step| {
                    let after = position.after(step);
                    if step.outcome == Outcome::Open {
                        let read = Position::of(&after.board(), mover.opponent(), &game);
                        assert_eq!(Ok(after), read, "{board}");
                    }
                    let is_new = found.insert((after.board().to_string(), format!("{:?}", step.outcome)));
                    assert!(is_new, "{board}: one action twice");
                    false
                });
                assert_eq!(found, expected, "{board}, {mover:?} to move, {game:?}");
            }
        }
    }
}

#[test]
fn wins_in_one_are_those_of_the_rules() {
    let mut rng = random_numbers(2);
    let (mut wins, mut free) = (0, 0);
    for game in games() {
        for _ in 0..cases(300, 1_000) {
            let board = board_of(&game, &mut rng);
            let position = Position::of(&board, Color::Red, &game).expect("the game continues");
            let mut actions = game.legal_actions(&board, Color::Red);
            let expected =
                actions.any(|(_, after)| game.rules.outcome_of(&after, Color::Red) == Outcome::Won);
            assert_eq!(position.surrounds_in_one(game.rules), expected, "{board}, {game:?}");
            wins += u32::from(expected);
            if position.boss_is_free() {
                free += 1;
                assert_ne!(verdict(&board, Color::Red, game.rules), Verdict::Mate, "{board}");
            }
        }
    }
    assert!(wins > 150 && free > 300, "{wins} wins, {free} free bosses: too few to tell");
}

#[test]
fn keys_tell_positions_apart() {
    let mut rng = random_numbers(3);
    let game = Game::default();
    let mut seen: HashMap<u64, Position> = HashMap::new();
    for _ in 0..20_000 {
        let doves = rng.random_range(2..=4);
        let board = random_board(&mut rng, doves);
        for mover in Color::ALL {
            let position =
                Position::of(&board, mover, &game).expect("no boss is surrounded with so few doves");
            assert_eq!(*seen.entry(position.key()).or_insert(position), position);
            assert!(position.key() >> 61 == 0 && position.key() != 0);
        }
    }
    assert!(seen.len() > 1_000);
}

/// Whether the mover wins or loses within `plies` plies, by trying everything by the rules alone; `None` if
/// neither.
fn forced(game: &Game, board: &Board, mover: Color, plies: u32) -> Option<bool> {
    if plies == 0 {
        return game.legal_actions(board, mover).next().is_none().then_some(false);
    }
    let mut all_lose = true;
    for (_, after) in game.legal_actions(board, mover) {
        let wins = match game.rules.outcome_of(&after, mover) {
            Outcome::Won => Some(true),
            Outcome::Lost => Some(false),
            Outcome::Drawn => None,
            Outcome::Open => forced(game, &after, mover.opponent(), plies - 1).map(|opponent| !opponent),
        };
        if wins == Some(true) {
            return Some(true);
        }
        all_lose &= wins == Some(false);
    }
    all_lose.then_some(false)
}

#[test]
fn three_plies_are_those_of_the_rules() {
    let mut rng = random_numbers(4);
    let mut tally: HashMap<Option<Value>, u32> = HashMap::new();
    for game in games() {
        let mut search = Search::new(&game);
        for round in 0..10 {
            let mover = Color::ALL[round % 2];
            // The bosses have few open sides, so that there are wins and losses; the first board of a game is lost in
            // 2, which is rare. In games with fewer than 8 doves, any board will do.
            let board = std::iter::repeat_with(|| board_of(&game, &mut rng)).find(|board| {
                let degrees = Color::ALL.map(|color| board.enclosure_degree(board.boss(color)));
                let position = Position::of(board, mover, &game).expect("the game continues");
                let mut is_lost = || search.value(&position, 2) == Ok(Some(Value::Lose(2)));
                let is_wanted = degrees[0] + degrees[1] >= 6 && (round > 0 || is_lost());
                is_wanted || game.most_doves() < 8
            });
            let board = board.expect("there are many");
            let position = Position::of(&board, mover, &game).expect("the game continues");
            let found = search.value(&position, 3).expect("there is no deadline");
            let expected = (0..=3).find_map(|plies| {
                let value = |wins| if wins { Value::Win(plies) } else { Value::Lose(plies) };
                forced(&game, &board, mover, plies).map(value)
            });
            assert_eq!(found, expected, "{board}, {mover:?} to move, {game:?}");
            *tally.entry(found).or_default() += 1;
        }
    }
    for value in [Value::Win(1), Value::Lose(2), Value::Win(3)] {
        assert!(tally.get(&Some(value)).is_some_and(|&positions| positions >= 3), "{value}: {tally:?}");
    }
}
