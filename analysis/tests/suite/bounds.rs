//! Bounds of wins and losses whose distances are not known.

use dovemate::rules::{Board, Color, Game};
use dovemate_analysis::{Analysis, Effort, Ranking, Worth};
use dovemate_solver::Value;

/// A position is won within the least bound of its winning actions, and lost within the largest bound of all actions.
#[test]
fn a_position_has_the_bound_of_its_best_action() {
    let limits = &Effort::plies(1);
    let game = Game::both("A").expect("a dove set");
    let ranking =
        Analysis::by_search(game).rank(&Board::default(), Color::Red, limits).expect("the game continues");
    let (win, lose) = (|plies| Worth::Exact(Value::Win(plies)), |plies| Worth::Exact(Value::Lose(plies)));
    let none = (Worth::NoneWithin(3), None);
    for (known, order, within) in [
        (vec![(Worth::Win, Some(9)), (Worth::Win, Some(7)), none], vec![1, 0, 2], Some(7)),
        (vec![(Worth::Win, None), (win(9), None), (Worth::Win, Some(7))], vec![1, 2, 0], Some(7)),
        (vec![(Worth::Lose, Some(6)), (lose(4), None), (Worth::Lose, Some(8))], vec![2, 0, 1], Some(8)),
        (vec![(Worth::Lose, Some(6)), (Worth::Lose, None)], vec![1, 0], None),
        (vec![(Worth::Lose, Some(6)), none], vec![1, 0], None),
        (vec![(win(3), None), (Worth::Win, Some(7))], vec![0, 1], None),
    ] {
        let mut actions = ranking.actions[..known.len()].to_vec();
        for (number, (ranked, (worth, within))) in actions.iter_mut().zip(&known).enumerate() {
            (ranked.worth, ranked.within, ranked.text) = (*worth, *within, number.to_string());
        }
        let mut ranking = Ranking { actions, searched: Some(3), ..ranking.clone() };
        ranking.sort();
        let found: Vec<usize> =
            ranking.actions.iter().map(|ranked| ranked.text.parse().expect("a number")).collect();
        assert_eq!((found, ranking.within()), (order, within), "{known:?}");
    }
}
