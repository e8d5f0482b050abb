//! Tokyo Doves with fewer doves, solved by the literal rules.

use crate::solved::SolutionRow;
use crate::testing::literal::{LiteralPosition, LiteralSolution};
use crate::testing::{cases, game};
use crate::{Value, Worth};
use dovemate::rules::{Board, Color, Game, Rules};

fn solved(game: Game) -> LiteralSolution {
    let solved = LiteralSolution::new(game);
    solved.validate().unwrap_or_else(|error| panic!("{game:?}: {error}"));
    solved
}

#[test]
fn two_kinds_each() {
    let game = game("AY", "AY", Rules::default());
    let solved = solved(game);
    assert_eq!(solved.iter().len(), 291_614);
    assert_eq!(solved.value(LiteralPosition::of(&game, &Board::default(), Color::Red)), Some(Value::Draw));
    let with_value = |value| solved.table().count(|row: &SolutionRow| row.worth == Worth::Exact(value));
    assert_eq!(with_value(Value::Lose(0)) + with_value(Value::Lose(1)), 0);
}

/// A player with a bare boss may be left without an action.
#[test]
fn a_bare_boss_can_be_without_an_action() {
    for (red, without_action) in [("A", 1), ("AYM", 96)].into_iter().take(cases(1, 2)) {
        let table = solved(game(red, "-", Rules::default())).table();
        assert_eq!(table.count(|row| row.worth == Worth::Exact(Value::Lose(0))), without_action, "{red}");
        let of_green = |row: &SolutionRow| row.mover == Some(Color::Green);
        let lost = table.count(|row| row.worth == Worth::Exact(Value::Lose(0)) && of_green(row));
        assert_eq!(lost, without_action, "{red}");
    }
}

/// Exchanging the players' dove sets only exchanges the players in the table.
#[test]
fn exchanging_the_players() {
    let variants = [Rules::default(), Rules { returns: false, ..Rules::default() }];
    let several = cases("A", "AT");
    for rules in variants {
        let [one, other] =
            [(several, "H"), ("H", several)].map(|(red, green)| solved(game(red, green, rules)).table());
        let exchanged =
            other.rows().iter().map(|row| SolutionRow { mover: row.mover.map(Color::opponent), ..*row });
        assert_eq!(one, crate::solved::Solution::new(exchanged), "{rules:?}");
    }
}
