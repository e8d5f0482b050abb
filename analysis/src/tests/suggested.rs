//! Suggestions, which are not proved: estimates, traps, levels, and the model behind them.

use std::collections::HashMap;

use crate::level::{Chooser, Level};
use crate::openings::Openings;
use crate::search::estimate::Model;
use crate::search::{Position, Search};
use crate::testing::images::images;
use crate::testing::{cases, exact, positions, solve, solved_ay, worth};
use crate::{Analysis, Draw, Effort, Estimate, Lookup, Order, Ranked, Ranking, Ways, Worth, built_in};
use crate::{Value, Wdl};
use dovemate::Limits;
use dovemate::clock::Instant;
use dovemate::rules::{Board, Color, Game, Outcome, Rules};

fn game(kinds: &str) -> Game {
    Game::both(kinds).expect("kinds")
}

/// Suggestions change no values and come after them, and the chosen action tells whether it is proved.
#[test]
fn estimates_never_outrank_proofs() {
    let game = Game::whole(Rules::default());
    let mut suggested = 0;
    for seed in 0..6 {
        let mut draw = Draw::new(game, 4..=12, seed);
        for plies in [1, 2, 3, 4] {
            let (board, mover) = draw.position();
            let limits = &Effort::plies(plies);
            let ranking = Analysis::by_search(game).rank(&board, mover, limits).expect("the game continues");
            let proved =
                Analysis::by_search(game).rank_proved(&board, mover, limits).expect("the game continues");
            let values: HashMap<&str, Worth> =
                proved.actions.iter().map(|r| (r.text.as_str(), r.worth)).collect();
            assert_eq!(ranking.worth(), proved.worth(), "{board}");
            assert!(ranking.actions.iter().all(|r| values[r.text.as_str()] == r.worth), "{board}");
            assert!(ranking.actions.windows(2).all(|pair| pair[0].worth >= pair[1].worth), "{board}");
            let mut wins = ranking.actions.iter().filter(|ranked| ranked.worth.wdl() == Some(Wdl::Win));
            assert!(wins.all(|ranked| ranked.estimate.is_none()), "{board}");
            for ranked in &ranking.actions {
                let Some(Order::Points(percent)) = ranked.order() else { continue };
                let per_mille = ranked.exact_estimate().expect("points are estimated").per_mille();
                assert!((10 * percent).abs_diff(per_mille) <= 5, "{percent} % are {per_mille} ‰: {board}");
            }
            let chosen = ranking.actions.first().expect("the whole game always has an action");
            let is_open = matches!(chosen.worth, Worth::NoneWithin(_));
            assert_eq!(chosen.is_proved(), !is_open, "{board}");
            assert!(!is_open || chosen.estimate.is_some(), "{board}");
            suggested += u32::from(is_open);
        }
    }
    assert!(suggested > 0, "nothing was suggested");
}

/// Actions with the same draw or loss are ordered by the number of the opponent's ways to keep it, counted here one by
/// one.
#[test]
fn traps_come_first_among_equals() {
    let game = game("AT");
    let solved = solve(game);
    let limits = &Effort::plies(1);
    let mut differ = 0;
    for (board, mover) in positions(&solved).step_by(1_499) {
        let ranking = Analysis::new(&solved).rank(&board, mover, limits).expect("the game continues");
        let Some(best) = ranking.actions.first().filter(|best| best.worth.wdl() != Some(Wdl::Win)) else {
            continue;
        };
        let equal: Vec<_> = ranking.actions.iter().take_while(|ranked| ranked.worth == best.worth).collect();
        for ranked in &equal {
            let kept = ranked.worth.before().wdl();
            let values = game.legal_actions(&ranked.after, mover.opponent()).map(|(_, board)| {
                match game.rules.outcome_of(&board, mover.opponent()) {
                    Outcome::Open => worth(&solved, &board, mover).expect("it is solved").before().wdl(),
                    outcome => Wdl::of(outcome),
                }
            });
            let is_over = game.rules.outcome_of(&ranked.after, mover) != Outcome::Open;
            let values: Vec<Option<Wdl>> = if is_over { Vec::new() } else { values.collect() };
            let kept = values.iter().filter(|&&value| value == kept).count() as u32;
            let ways = Ways { kept, answers: values.len() as u32 };
            assert_eq!(ranked.ways, Some(ways), "{} on {board}", ranked.text);
        }
        let kept = |ranked: &Ranked| ranked.ways.map(|ways| ways.kept);
        assert!(equal.windows(2).all(|pair| kept(pair[0]) <= kept(pair[1])), "{board}");
        differ += u32::from(equal.windows(2).any(|pair| kept(pair[0]) != kept(pair[1])));
    }
    assert!(differ > 10, "only {differ} positions have traps");
}

/// Turned, reflected or with the colours exchanged, a board has the same answer: the same actions in the
/// same order, with the same values and percentages, whether they are known, searched or estimated.
#[test]
fn images_of_a_position_have_one_ranking() {
    let (game, limits) = (Game::default(), &Effort::plies(2));
    let openings = Openings::of(&game).expect("they are there");
    let mut draw = Draw::new(game, 2..=12, 13);
    for number in 0..cases(100, 2_000) {
        let (board, mover) = draw.position();
        let rankings = images(&board, mover).map(|(board, mover)| {
            let ranking = Analysis::new(openings).rank(&board, mover, limits).expect("the game continues");
            let of = |ranked: &Ranked| {
                let estimate = ranked.estimate.map(Estimate::per_mille);
                (ranked.after.code().canonical(mover.opponent()), ranked.worth, ranked.ways, estimate)
            };
            (ranking.worth(), ranking.actions.iter().map(of).collect::<Vec<_>>())
        });
        // All sixteen images of some boards; the first image and one more of the others.
        let others = if number % 50 == 0 { 1..16 } else { 1 + number % 15..2 + number % 15 };
        let rankings: Vec<_> =
            rankings.enumerate().filter(|(image, _)| *image == 0 || others.contains(image)).collect();
        assert!(rankings.iter().all(|(_, ranking)| *ranking == rankings[0].1), "{board}");
    }
}

/// However small the effort, the first suggestion has an exact estimate of the greatest depth, if any action has one,
/// and an image of the board has the same order.
#[test]
fn a_lookahead_that_stops_suggests_what_it_has_seen() {
    let game = Game::default();
    let openings = Openings::of(&game).expect("they are there");
    let mut draw = Draw::new(game, 2..=12, 61);
    let (mut suggested, mut bounds) = (0, 0);
    let all = cases(200, 2_000);
    for number in 0..all {
        let (board, mover) = draw.position();
        // From 1 position to 2,003.
        let positions = Some((number * number) % 2_003 + 1);
        let limits =
            Effort { limits: Limits { positions, ..Limits::default() }, ..Effort::plies(Search::LONGEST) };
        let rank = |board: &Board, mover| {
            Analysis::new(openings).rank(board, mover, &limits).expect("the game continues")
        };
        let ranking = rank(&board, mover);
        let best = &ranking.actions[0];
        if let (None, Some(first)) = (best.ways, best.estimate) {
            // Bounds on the distance, where there are any, come before estimates.
            let value = |ranked: &Ranked| (ranked.worth, ranked.within);
            let equal = ranking.actions.iter().filter(|ranked| value(ranked) == value(best));
            let exact = |ranked: &Ranked| ranked.exact_estimate().map(|estimate| estimate.plies);
            let deepest = equal.clone().filter_map(exact).max();
            assert_eq!(exact(best), deepest, "{} on {board}", best.text);
            suggested += 1;
            let is_higher = |ranked: &Ranked| {
                ranked.estimate.is_some_and(|other| !other.is_exact && other.score > first.score)
            };
            bounds += u32::from(equal.clone().any(is_higher));
        }
        let order = |ranking: &Ranking, mover: Color| -> Vec<_> {
            let image = |ranked: &Ranked| ranked.after.code().canonical(mover.opponent());
            ranking.actions.iter().map(image).collect()
        };
        let (image, other) = images(&board, mover).nth(1 + number as usize % 15).expect("there are sixteen");
        assert_eq!(order(&ranking, mover), order(&rank(&image, other), other), "{board}");
    }
    assert!(suggested > all / 4, "only {suggested} first actions were suggested");
    assert!(bounds > 0, "no bound was higher than the first score");
}

/// A win too far away to be searched to the end is proved along threats, however the positions after the actions lie.
#[test]
fn far_wins_are_proved_along_threats() {
    let limits = Effort {
        limits: Limits { positions: Some(400_000), ..Limits::default() },
        ..Effort::plies(Effort::LONGEST)
    };
    let openings = built_in(&Game::default()).expect("the openings are in the library");
    let board = "y-M-;T--B;h---;b---".parse().expect("a board");
    let ranking = Analysis::new(openings).rank_proved(&board, Color::Red, &limits);
    assert_eq!(ranking.expect("the game continues").worth(), Worth::Win);
}

/// A ranking in which most actions are open.
fn open_ranking() -> Ranking {
    let board = "--t-;-bA-;-B-y;--h-".parse().expect("a board");
    let mut analysis = Analysis::by_search(Game::default());
    analysis.rank(&board, Color::Red, &Effort::plies(2)).expect("the game continues")
}

/// An undecided position that has come up counts as a draw: a player who does better elsewhere avoids it, and one who
/// does worse seeks it. Proved values do not change.
#[test]
fn what_has_come_up_counts_as_a_draw() {
    let game = Game::default();
    let limits =
        Effort { limits: Limits { positions: Some(2_000), ..Limits::default() }, ..Effort::plies(4) };
    let (mut avoided, mut sought) = (0, 0);
    let mut draw = Draw::new(game, 4..=12, 7);
    for _ in 0..40 {
        let (board, mover) = draw.position();
        let rank = |seen: &[Board]| {
            let ranking = Analysis::by_search(game).rank_in_game(&board, mover, seen, &limits);
            ranking.expect("the game continues")
        };
        let before = rank(&[]);
        let is_open = |ranked: &&Ranked| !ranked.is_proved() && ranked.estimate.is_some();
        let open = || before.actions.iter().filter(is_open);
        let score = |ranked: &Ranked| ranked.estimate.map(|estimate| estimate.score);
        let (Some(best), Some(worst)) = (open().next(), open().next_back()) else { continue };
        for again in [best, worst] {
            let ranking = rank(std::slice::from_ref(&again.after));
            let now = ranking.actions.iter().find(|ranked| ranked.text == again.text).expect("it is legal");
            assert_eq!((now.worth, now.seen), (again.worth, 1), "{}\n{board:#}", again.text);
            assert_eq!(score(now), Some(0), "{}\n{board:#}", again.text);
        }
        let first = |seen: &Ranked| rank(std::slice::from_ref(&seen.after)).actions[0].text.clone();
        avoided += usize::from(score(best) > Some(0) && first(best) != best.text);
        sought += usize::from(score(best) < Some(0) && first(worst) == worst.text);
    }
    assert!(avoided > 0 && sought > 0, "{avoided} avoided, {sought} sought");
}

/// Of known draws, one that has come up least often is played.
#[test]
fn known_draws_do_not_go_in_circles() {
    let solved = solved_ay();
    let positions = positions(solved).step_by(997);
    let mut varied = 0;
    for (board, mover) in positions {
        let choose = |seen: &[Board]| {
            let mut chooser = Chooser::new(Level::Strongest, 3);
            let limits = &Effort::plies(3);
            let ranking = chooser.rank(&mut Analysis::new(solved), &board, mover, seen, limits);
            chooser.choose(&ranking.expect("the game continues")).cloned()
        };
        let Some(first) = choose(&[]).filter(|first| first.worth == Worth::Exact(Value::Draw)) else {
            continue;
        };
        let second = choose(std::slice::from_ref(&first.after)).expect("there is an action");
        assert_eq!(second.worth, first.worth, "{board}");
        varied += u32::from(second.seen == 0);
    }
    assert!(varied > 10, "{varied} varied");
}

/// The weaker a level is, the worse its choices are by the estimate.
#[test]
fn weak_levels_leave_more_to_chance() {
    const TURNS: u64 = 200;
    let ranking = open_ranking();
    let scores: Vec<i32> = ranking.actions.iter().filter_map(|r| Some(r.estimate?.score)).collect();
    let best = *scores.iter().max().expect("not everything is proved");
    let given = |level| {
        let lost = (0..TURNS).map(|seed| {
            let mut chooser = Chooser::new(level, seed);
            let choice = chooser.choose(&ranking).expect("there is an action");
            best - choice.estimate.expect("it is not proved").score
        });
        i64::from(lost.sum::<i32>()) / TURNS as i64
    };
    let lost = Level::ALL.map(given);
    assert!(lost.windows(2).all(|pair| pair[0] >= pair[1]), "{lost:?}");
    assert!(lost[0] > 4 * lost[1], "a beginner plays as a novice does: {lost:?}");
}

/// A stop ends proofs and lookahead, and the count of ways, as a deadline does; what is known without them is given.
#[test]
fn a_stopped_search_claims_only_what_it_knows() {
    let game = game("A");
    let solved = solve(game);
    let (board, usual) = (Board::default(), Effort::plies(30));
    let mut analysis = Analysis::new(&solved);
    let stopped = Limits::default();
    stopped.stop.stop();
    let stopped = Effort { limits: stopped, ..usual.clone() };
    let late = Effort { limits: Limits::until(Instant::now()), ..usual.clone() };
    for effort in [&stopped, &late] {
        let ranking = analysis.rank(&board, Color::Red, effort).expect("the game continues");
        assert_eq!(ranking.worth(), Worth::Exact(Value::Draw));
        assert!(ranking.actions.iter().all(|ranked| ranked.ways.is_none()), "ways were counted");
    }
    assert!(analysis.rank(&board, Color::Red, &usual).expect("the game continues").actions[0].ways.is_some());
    // Without values nothing is found.
    let mut analysis = analysis.without_values();
    assert_eq!(analysis.value(&board, Color::Red, &stopped).expect("the game continues"), None);
    let ranking = analysis.rank(&board, Color::Red, &stopped).expect("the game continues");
    assert!(ranking.is_out_of_time && ranking.searched == Some(0), "{ranking:?}");
}

#[test]
fn a_damaged_model_is_refused() {
    let bytes = std::fs::read("src/search/estimate/model.bin").expect("the model's file");
    assert!(bytes.len() <= 300_000, "{} bytes", bytes.len());
    assert_eq!(Model::read(&bytes).as_ref(), Some(Model::embedded()));
    for place in (0..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(Model::read(&damaged).is_none(), "changed byte {place} is not noticed");
    }
    for length in [0, 15, 16, 20, 24, 100, bytes.len() - 1] {
        assert!(Model::read(&bytes[..length]).is_none(), "{length} bytes are read as a model");
    }
    assert_eq!(Model::read(&[&bytes[..], &[0]].concat()), None);
    let mut newer = bytes;
    newer[16] += 1;
    assert_eq!(Model::read(&newer), None);
}

/// A turned, reflected or recoloured board looks the same.
#[test]
fn estimates_do_not_depend_on_how_a_board_lies() {
    let game = Game::whole(Rules::default());
    let mut draw = Draw::new(game, 2..=12, 7);
    let estimate = |board: &Board, mover| {
        Model::embedded().estimate(&Position::of(board, mover, &game).expect("a game"), game.rules)
    };
    let mut estimates = Vec::new();
    for _ in 0..500 {
        let (board, mover) = draw.position();
        let turned = board.code().canonical(mover).board();
        estimates.push(estimate(&board, mover));
        assert_eq!(estimates.last(), Some(&estimate(&turned, Color::Red)), "{board}");
    }
    estimates.sort_unstable();
    estimates.dedup();
    assert!(estimates.len() > 250, "{} different estimates", estimates.len());
}

/// The points of the first of two levels, 2 for a win and 1 for a draw, in games from random positions, each played
/// from both sides.
fn points(game: Game, values: &dyn Lookup, levels: [Level; 2], games: u64) -> u32 {
    let mut points = 0;
    let mut draw = Draw::new(game, 2..=game.most_doves(), 11);
    for seed in 0..games {
        // One side has a win that takes some finding.
        let is_long = |worth| matches!(worth, Some(Worth::Exact(Value::Win(7..))));
        let (start, mover) = std::iter::repeat_with(|| draw.position())
            .find(|(board, mover)| is_long(worth(values, board, *mover)))
            .expect("some position is won in 7 or more");
        for first in [mover, mover.opponent()] {
            points += match winner(game, values, levels, first, (&start, mover), seed) {
                Some(color) => 2 * u32::from(color == first),
                None => 1,
            };
        }
    }
    points
}

/// The winner of a game of at most 40 plies, if there is one. The first level plays the first colour.
fn winner(
    game: Game,
    values: &dyn Lookup,
    levels: [Level; 2],
    first: Color,
    start: (&Board, Color),
    seed: u64,
) -> Option<Color> {
    let mut choosers = levels.map(|level| Chooser::new(level, seed));
    let mut analyses = levels.map(|_| Analysis::new(values));
    let (mut board, mut player) = (start.0.clone(), start.1);
    for _ in 0..40 {
        let side = usize::from(player != first);
        let limits = &Effort::plies(1);
        let ranking = choosers[side]
            .rank(&mut analyses[side], &board, player, &[], limits)
            .expect("the game continues");
        let Some(chosen) = choosers[side].choose(&ranking) else { return Some(player.opponent()) };
        assert!(game.legal_actions(&board, player).any(|(action, _)| action == chosen.action), "{board}");
        match game.rules.outcome_of(&chosen.after, player) {
            Outcome::Won => return Some(player),
            Outcome::Lost => return Some(player.opponent()),
            Outcome::Drawn => return None,
            Outcome::Open => {}
        }
        (board, player) = (chosen.after.clone(), player.opponent());
    }
    None
}

/// The stronger of two levels makes more than half of the points; the strongest, in a solved game, at least half,
/// because it wins every won position.
#[test]
fn levels_are_ordered_by_strength() {
    let game = game("AYT");
    let solved = solve(game);
    let games = cases(4, 8);
    for levels in Level::ALL.windows(2).map(|pair| [pair[1], pair[0]]) {
        let points = points(game, &solved, levels, games);
        let least = 2 * games as u32 + u32::from(levels[0] != Level::Strongest);
        assert!(points >= least, "{levels:?}: {points} of {}", 4 * games);
    }
}

/// A beginner overlooks some wins in one and some threats; stronger levels overlook neither.
#[test]
fn only_a_beginner_overlooks_what_is_next() {
    let (game, solved) = (game("AY"), solved_ay());
    let positions = || positions(solved);
    let value = |board: &Board, mover| exact(solved, board, mover);
    let (won, mover) = positions()
        .find(|(board, mover)| value(board, *mover) == Some(Value::Win(1)))
        .expect("some position is won in one");
    // In the other position, some actions let the opponent win at once.
    let after = |ranked: &Ranked, mover: Color| value(&ranked.after, mover.opponent()) == Some(Value::Win(1));
    let threats = |board: &Board, mover: Color| {
        let loses = |after: &Board| {
            game.rules.outcome_of(after, mover) == Outcome::Open
                && value(after, mover.opponent()) == Some(Value::Win(1))
        };
        game.legal_actions(board, mover).filter(|(_, after)| loses(after)).count()
    };
    let (threatened, defender) = positions()
        .find(|(board, mover)| value(board, *mover) == Some(Value::Draw) && threats(board, *mover) > 5)
        .expect("some draw is threatened");
    for level in Level::ALL {
        let turns = if level == Level::Beginner { 40 } else { cases(4, 40) };
        let (mut wins, mut threats) = (0, 0);
        for seed in 0..turns {
            let mut chooser = Chooser::new(level, seed);
            let mut choose = |board: &Board, mover| {
                let ranking =
                    chooser.rank(&mut Analysis::new(solved), board, mover, &[], &Effort::plies(3)).unwrap();
                chooser.choose(&ranking).expect("there is an action").clone()
            };
            wins += u64::from(choose(&won, mover).worth == Worth::Exact(Value::Win(1)));
            threats += u64::from(after(&choose(&threatened, defender), defender));
        }
        match level {
            Level::Beginner => assert!(
                (turns / 2..turns).contains(&wins) && (1..turns * 2 / 3).contains(&threats),
                "{wins} wins taken and {threats} threats overlooked in {turns} turns"
            ),
            _ => assert_eq!((wins, threats), (turns, 0), "{level}"),
        }
    }
}
