//! The solver for any finite game, against a naive fixed point on random graphs with cycles and on tic-tac-toe; and
//! the errors that the validator must find.

use asked::cases;
use dovemate_solver::Value;
use dovemate_solver::retrograde::{After, End, Game, Graph, validate};
use proptest::prelude::*;

#[path = "../../src/testing/asked.rs"]
mod asked;

/// A game that is only a graph, with a given result for each position without actions.
#[derive(Clone, Debug)]
struct Drawn {
    actions: Vec<Vec<After<usize>>>,
    without_action: Vec<End>,
}

impl Game for Drawn {
    type Position = usize;

    fn actions(&self, &position: &usize) -> Vec<After<usize>> {
        self.actions[position].clone()
    }

    fn without_action(&self, &position: &usize) -> End {
        self.without_action[position]
    }
}

/// The value of every position if play is cut off after `plies` plies: a draw if nothing is decided by then.
fn within(game: &Drawn, plies: u32) -> Vec<Value> {
    let end = |end, plies| match end {
        End::Won => Value::Win(plies),
        End::Drawn => Value::Draw,
        End::Lost => Value::Lose(plies),
    };
    let positions = game.actions.len();
    let mut values = vec![Value::Draw; positions];
    for left in 0..=plies {
        let shorter = values;
        let value = |position: usize| {
            let worth = |&after: &After<usize>| match after {
                After::Position(next) => shorter[next].before(),
                After::End(how) => end(how, 1),
            };
            let actions = &game.actions[position];
            match actions.iter().map(worth).max() {
                None => end(game.without_action[position], 0),
                Some(best) if left > 0 => best,
                Some(_) => Value::Draw,
            }
        };
        values = (0..positions).map(value).collect();
    }
    values
}

fn graphs() -> impl Strategy<Value = Drawn> {
    let end = || prop_oneof![Just(End::Won), Just(End::Drawn), Just(End::Lost)];
    (1_usize..24).prop_flat_map(move |positions| {
        let after =
            prop_oneof![12 => (0..positions).prop_map(After::Position), 1 => end().prop_map(After::End)];
        let actions = prop::collection::vec(prop::collection::vec(after, 0..5), positions);
        let without_action = prop::collection::vec(prop_oneof![3 => Just(End::Lost), 1 => end()], positions);
        (actions, without_action).prop_map(|(actions, without_action)| Drawn { actions, without_action })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(500, 4_000)))]

    #[test]
    fn random_graphs_against_a_naive_fixed_point(game in graphs()) {
        let positions = game.actions.len();
        let graph = Graph::of(&game, (0..positions).collect()).unwrap();
        let values = graph.values();
        // A decided position is decided within as many plies as there are positions.
        prop_assert_eq!(&values, &within(&game, positions as u32));
        prop_assert_eq!(validate(&game, &graph, &values), Ok(()));
    }

    /// A game has Grundy numbers unless play can go in circles or end drawn; they agree with the definition, and are
    /// 0 where the player to move has lost.
    #[test]
    fn grundy_numbers_by_definition(mut game in graphs(), is_forward in any::<bool>(), is_decided in any::<bool>()) {
        let goes_on = |position: usize, after: &After<usize>| match after {
            After::Position(next) => !is_forward || *next > position,
            After::End(end) => !is_decided || *end != End::Drawn,
        };
        for (position, actions) in game.actions.iter_mut().enumerate() {
            actions.retain(|after| goes_on(position, after));
        }
        if is_decided {
            game.without_action.iter_mut().filter(|end| **end == End::Drawn).for_each(|end| *end = End::Lost);
        }
        let graph = Graph::of(&game, (0..game.actions.len()).collect()).unwrap();
        let Some(numbers) = graph.grundy_numbers() else {
            let is_drawn = |number| graph.can_end(number, End::Drawn) || graph.without_action(number) == Some(End::Drawn);
            prop_assert!(!is_forward || (0..graph.len()).any(is_drawn));
            prop_assert!(!is_decided || graph.successors_first().is_none());
            return Ok(());
        };
        for (position, actions) in game.actions.iter().enumerate() {
            let number = |after: &After<usize>| match after {
                After::Position(next) => numbers[*next],
                After::End(end) => u32::from(*end == End::Lost),
            };
            let below: Vec<u32> = actions.iter().map(number).collect();
            let is_over_and_won = actions.is_empty() && game.without_action[position] == End::Won;
            let least = (0..).find(|number| !below.contains(number)).unwrap();
            prop_assert_eq!(numbers[position], if is_over_and_won { 1 } else { least });
            prop_assert_eq!(numbers[position] == 0, matches!(graph.values()[position], Value::Lose(_)));
        }
    }

    #[test]
    fn the_validator_catches_every_planted_value(game in graphs(), place in any::<prop::sample::Index>(), planted in values()) {
        let positions = game.actions.len();
        let graph = Graph::of(&game, (0..positions).collect()).unwrap();
        let mut values = graph.values();
        let place = place.index(positions);
        prop_assume!(values[place] != planted);
        values[place] = planted;
        prop_assert!(validate(&game, &graph, &values).is_err());
    }
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![(0_u32..9).prop_map(Value::Win), Just(Value::Draw), (0_u32..9).prop_map(Value::Lose)]
}

#[test]
fn positions_that_actions_lead_out_of_are_refused() {
    let game = Drawn { actions: vec![vec![After::Position(1)], vec![]], without_action: vec![End::Lost; 2] };
    let error = Graph::of(&game, vec![0]).unwrap_err();
    assert_eq!((error.from, error.to), (0, 1));
    assert_eq!(Graph::reachable(&game, [0]).positions(), [0, 1]);
}

/// Tic-tac-toe: nine cells; a player with three in a row wins.
struct TicTacToe;

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Game for TicTacToe {
    /// The mover's marks are 1, the opponent's 2.
    type Position = [u8; 9];

    fn actions(&self, cells: &[u8; 9]) -> Vec<After<[u8; 9]>> {
        let play = |cell: usize| {
            let mut cells = *cells;
            cells[cell] = 1;
            if LINES.iter().any(|line| line.iter().all(|&cell| cells[cell] == 1)) {
                return After::End(End::Won);
            }
            if !cells.contains(&0) {
                return After::End(End::Drawn);
            }
            After::Position(cells.map(|mark| [0, 2, 1][mark as usize]))
        };
        (0..9).filter(|&cell| cells[cell] == 0).map(play).collect()
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let graph = Graph::reachable(&TicTacToe, [[0; 9]]);
    let values = graph.values();
    validate(&TicTacToe, &graph, &values).unwrap();
    // In 958 of the 5,478 reachable positions the game is over: 626 + 316 + 16.
    assert_eq!(graph.len(), 5_478 - 958);
    assert_eq!(values[0], Value::Draw);
    // After a first move in a corner, any answer but the middle loses.
    let answered = |cell: usize| {
        let mut cells = [0; 9];
        (cells[0], cells[cell]) = (1, 2);
        values[graph.number(&cells).unwrap()]
    };
    assert_eq!(answered(4), Value::Draw);
    assert!([1, 2, 3, 5, 6, 7, 8].into_iter().all(|cell| matches!(answered(cell), Value::Win(_))));
}
