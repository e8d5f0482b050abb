//! Properties of the values of a solved game, of its rankings and of every level's choice. Faults of other programs
//! for board games suggested each of these checks.

use crate::cases;
use dovemate::rules::{Board, Color, Game, Outcome, Rules};
use dovemate_analysis::level::{Chooser, Level};
use dovemate_analysis::{Analysis, Draw, Effort, Worth};
use dovemate_solver::{Lookup, SolvedGame, Value, solve};

/// The games: equal and unequal players, under every rule variant.
fn games() -> impl Iterator<Item = Game> {
    let pairs = [("AY", "AY"), ("YH", "AT"), ("M", "AYT")];
    pairs.into_iter().flat_map(|(red, green)| {
        let [red, green] = [red, green].map(|kinds| kinds.parse().expect("kinds"));
        Rules::variants().map(move |rules| Game { red, green, rules })
    })
}

/// The value of an action for its player, from the rules and the value of the position after it.
fn value_of(solved: &SolvedGame, after: &Board, mover: Color) -> Value {
    match solved.game().outcome(after, mover) {
        Outcome::Won => Value::Win(1),
        Outcome::Lost => Value::Lose(1),
        Outcome::Drawn => Value::Draw,
        Outcome::Open => {
            let known = solved.probe(after, mover.opponent()).expect("it can be read").expect("a position");
            match known.exact().expect("an exact value") {
                Value::Win(plies) => Value::Lose(plies + 1),
                Value::Lose(plies) => Value::Win(plies + 1),
                Value::Draw => Value::Draw,
            }
        }
    }
}

/// A position has the value of its best action, and an action that of the position after it, seen by the other player
/// and one ply further away. Every ranking lists all actions from the best to the worst, with draws between wins and
/// losses. Every level chooses an action if there is one, and the strongest level keeps a win or draw.
#[test]
fn values_follow_from_those_after_them() {
    let mut seen = [0; 3];
    for game in games().step_by(cases(4, 1)) {
        let solved = solve(game).expect("nothing bounds it");
        let mut draw = Draw::new(game, 2..=game.most_doves(), 74);
        for (board, mover) in (0..cases(100, 250)).map(|_| draw.position()) {
            let said = format!("{game}: {board}, {mover} to move");
            let value = solved.probe(&board, mover).expect("it can be read").expect("a position").exact();
            let value = value.expect("an exact value");
            let after: Vec<Value> = game
                .legal_actions(&board, mover)
                .map(|(_, after)| value_of(&solved, &after, mover))
                .collect();
            let best = after.iter().copied().max_by_key(|&value| key(value));
            assert_eq!(value, best.unwrap_or(Value::Lose(0)), "{said}");
            seen[value.wdl() as usize] += 1;

            let mut analysis = Analysis::new(&solved);
            let ranking = analysis.rank(&board, mover, &Effort::plies(1)).expect("the game continues");
            let listed: Vec<Value> = ranking.actions.iter().map(|ranked| exact(ranked.worth)).collect();
            assert!(listed.is_sorted_by_key(|&value| std::cmp::Reverse(key(value))), "{said}: {listed:?}");
            assert_eq!(listed.len(), after.len(), "{said}");
            if !seen.iter().sum::<usize>().is_multiple_of(16) {
                continue;
            }
            for level in Level::ALL {
                let mut bot = Chooser::new(level, 2022);
                let ranking =
                    bot.rank(&mut analysis, &board, mover, &[], &Effort::plies(3)).expect("as before");
                let chosen = bot.choose(&ranking).map(|ranked| &ranked.after);
                assert_eq!(chosen.is_none(), after.is_empty(), "{said}, {level}");
                if level == Level::Strongest
                    && let Some(chosen) = chosen
                {
                    let played = value_of(&solved, chosen, mover);
                    assert_eq!(played.wdl(), value.wdl(), "{said}: it plays to {chosen}");
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// The order of values, the best last: quick losses, slow ones, draws, slow wins, quick ones.
fn key(value: Value) -> (i32, i64) {
    match value {
        Value::Lose(plies) => (0, i64::from(plies)),
        Value::Draw => (1, 0),
        Value::Win(plies) => (2, -i64::from(plies)),
    }
}

fn exact(worth: Worth) -> Value {
    match worth {
        Worth::Exact(value) => value,
        other => panic!("{other} in a solved game"),
    }
}
