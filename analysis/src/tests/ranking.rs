//! Rankings of actions and puzzles, against values from retrograde analysis and against the rules.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::record::{Ending, EndingError, Record};
use crate::search::{Position, Role, Search};
use crate::testing::boards::{random_board, random_numbers};
use crate::testing::literal::{LiteralPosition, LiteralSolution};
use crate::testing::{self, cases, exact, game, solve, solved_ay, worth};
use crate::{Analysis, Draw, Effort, InTurn, Known, Lookup, LookupError, Puzzler, Worth};
use crate::{Value, Wdl};
use dovemate::Limits;
use dovemate::rules::{Action, Board, Color, Game, Outcome, PositionError, Refusal, Rules};
use dovemate_solver::SolvedGame;
use proptest::prelude::RngExt;

const TITLE: &str = Record::TITLE;

/// The positions with red to move, each as a board with its value.
fn positions(solved: &LiteralSolution) -> impl Iterator<Item = (Board, Value)> {
    solved
        .iter()
        .filter(|(position, _)| position.mover() == Color::Red)
        .map(|(position, value)| (position.board(), value))
}

/// Search proves the distance of every win and loss, and of no draw: in positions of small games, in fewer of them
/// under the other rule variants, and in a sample of a larger game.
#[test]
fn distances_by_search_are_those_of_retrograde_analysis() {
    let small = [("A", "H"), ("T", "-"), ("TH", "-"), ("-", "YM"), ("H", "T")];
    let games = Rules::variants().flat_map(|rules| small.map(|(red, green)| game(red, green, rules)));
    let (mut of_small, mut of_large) = (HashSet::new(), HashSet::new());
    for game in games.chain([game("ATH", "-", Rules::default())]) {
        let is_small = game.red.len() + game.green.len() < 3;
        let solved = LiteralSolution::new(game);
        let mut search = Search::new(&game);
        let step = if !is_small {
            cases(87, 29)
        } else if game.rules == Rules::default() {
            cases(3, 1)
        } else {
            cases(30, 10)
        };
        for (board, value) in positions(&solved).step_by(step) {
            let position = Position::of(&board, Color::Red, &game).expect("the game continues");
            let plies = value.plies().unwrap_or(if is_small { 7 } else { 5 });
            let expected = (value != Value::Draw).then_some(value);
            assert_eq!(search.value(&position, plies), Ok(expected), "{board}, {game:?}");
            if is_small { &mut of_small } else { &mut of_large }.insert(value);
        }
    }
    assert!(of_small.iter().any(|value| value.plies() >= Some(7)), "no small game is as long: {of_small:?}");
    assert!(of_large.len() > 5, "{of_large:?}");
}

/// Proofs of a winner at any distance are right, and none is shorter than the distance, with and without a tablebase
/// of positions with few doves.
#[test]
fn winners_are_those_of_retrograde_analysis() {
    let game = game("ATH", "-", Rules::default());
    let solved: &LiteralSolution = Box::leak(Box::new(LiteralSolution::new(game)));
    for known in [None, Some(3)] {
        let mut search = Search::new(&game);
        if let Some(most_doves) = known {
            search.probe_in(solved, most_doves);
        }
        let (mut proved, mut longest) = (0, 0);
        for (board, value) in positions(solved).step_by(29) {
            let position = Position::of(&board, Color::Red, &game).expect("the game continues");
            let mut search = search.within(Limits { positions: Some(500), ..Limits::default() });
            let Ok(Some(role)) = search.prove_winner(&position) else { continue };
            let expected = match role {
                Role::Attacker => Wdl::Win,
                Role::Defender => Wdl::Lose,
            };
            assert_eq!(value.wdl(), expected, "{board}: {value}");
            assert!(search.bound(&position, role) >= value.plies(), "{board}: {value}");
            proved += 1;
            longest = longest.max(value.plies().unwrap_or(0));
        }
        assert!(proved > 50 && longest > 2, "{proved} proved, up to {longest} plies");
    }
}

/// Bounds stay short even where the transposition table has dropped parts of a proof.
#[test]
fn bounds_do_not_grow_where_the_table_is_full() {
    let game = game("ATH", "-", Rules::default());
    let (mut draw, search) = (Draw::new(game, 3..=12, 5), Search::new(&game));
    let mut proved = 0;
    for _ in 0..600 {
        let (board, mover) = draw.position();
        let position = Position::of(&board, mover, &game).expect("the game continues");
        let mut search = search.within(Limits { positions: Some(3_000), ..Limits::default() });
        let Ok(Some(role)) = search.prove_winner(&position) else { continue };
        let bound = search.bound(&position, role).expect("it is proved");
        // The longest loss of this game takes 14 plies.
        assert!(bound < 100, "within {bound} plies: {board}");
        proved += 1;
    }
    assert!(proved > 500, "{proved} proved");
}

#[test]
fn actions_are_ranked_alike_by_values_and_by_search() {
    for (red, green) in [("TH", "A"), ("ATH", "-")].into_iter().take(cases(1, 2)) {
        ranked_alike(game(red, green, Rules::default()));
    }
}

fn ranked_alike(game: Game) {
    let solved = LiteralSolution::new(game);
    let limits = &Effort::plies(12);
    let (mut by_values, mut by_search) = (Analysis::new(&solved), Analysis::by_search(game));
    for (board, value) in positions(&solved).step_by(cases(7_993, 1_999)) {
        let known = by_values.rank(&board, Color::Red, limits).expect("the game continues");
        assert_eq!(known.worth(), Worth::Exact(value), "{board}");
        assert_eq!(known.searched, None);
        let found = by_search.rank(&board, Color::Red, limits).expect("the game continues");
        let of_known: HashMap<&str, Worth> =
            known.actions.iter().map(|r| (r.text.as_str(), r.worth)).collect();
        assert_eq!(known.actions.len(), found.actions.len());
        for ranked in &found.actions {
            let expected = match of_known[ranked.text.as_str()] {
                Worth::Exact(Value::Draw)
                    if game.rules.outcome_of(&ranked.after, Color::Red) == Outcome::Open =>
                {
                    Worth::NoneWithin(12)
                }
                worth if worth.plies().is_some_and(|plies| plies > 12) => Worth::NoneWithin(12),
                worth => worth,
            };
            assert_eq!(ranked.worth, expected, "{} on {board}", ranked.text);
        }
        let order = |a: &crate::Ranked, b: &crate::Ranked| {
            let better = a.worth.cmp(&b.worth);
            // Equal ones are ordered by their estimates, then by the positions that they lead to, then by their texts.
            let rank = |ranked: &crate::Ranked| {
                (Reverse(ranked.estimate), ranked.after.code().canonical(Color::Green), ranked.text.clone())
            };
            better.is_gt() || better.is_eq() && rank(a) < rank(b)
        };
        assert!(found.actions.windows(2).all(|pair| order(&pair[0], &pair[1])), "{board}");
        // The line is as long as the value says, and every ply reduces the distance by one.
        if let Some(plies) = value.plies().filter(|&plies| plies > 0) {
            let line = by_values
                .principal_variation(known.actions.first(), Color::Red, 0, &Effort::plies(0))
                .expect("values can be read");
            assert_eq!(line.len() as u32, plies, "{board}");
            let mut mover = Color::Green;
            for (left, (_, after)) in (0..plies).rev().zip(&line) {
                if left > 0 {
                    assert_eq!(worth(&solved, after, mover).and_then(Worth::plies), Some(left), "{board}");
                }
                mover = mover.opponent();
            }
        }
    }
}

/// A solved game that tells only who wins, and the distance of a win in one.
struct Winners(SolvedGame);

impl Lookup for Winners {
    fn game(&self) -> Game {
        self.0.game()
    }

    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let without_distance = |known: Known| match known.worth {
            Worth::Exact(Value::Win(1)) => known,
            worth => Known { worth: worth.without_distance(), ..known },
        };
        Ok(self.0.probe(board, mover)?.map(without_distance))
    }
}

/// If only the winner is known, every action has a win, draw or loss, with its distance if the search finds it; no line
/// is given for a win or loss without a distance.
#[test]
fn actions_are_ranked_by_the_winner() {
    let game = game("AT", "M", Rules::default());
    let (whole, winners) = (solve(game), Winners(solve(game)));
    let limits = &Effort::plies(3);
    let (mut by_values, mut by_winners) = (Analysis::new(&whole), Analysis::new(&winners));
    let (mut longer, mut step) = (0, 0);
    for (board, mover) in testing::positions(&whole).step_by(997) {
        let known = by_values.rank(&board, mover, limits).expect("the game continues");
        let found = by_winners.rank(&board, mover, limits).expect("the game continues");
        let of_known: HashMap<&str, Worth> =
            known.actions.iter().map(|r| (r.text.as_str(), r.worth)).collect();
        for ranked in &found.actions {
            let expected = match of_known[ranked.text.as_str()] {
                Worth::Exact(Value::Win(plies)) if plies > 3 => Worth::Win,
                Worth::Exact(Value::Lose(plies)) if plies > 3 => Worth::Lose,
                worth => worth,
            };
            assert_eq!(ranked.worth, expected, "{} on {board}", ranked.text);
            longer += usize::from(ranked.worth.plies().is_none() && ranked.worth.wdl() != Some(Wdl::Draw));
        }
        assert!(found.actions.windows(2).all(|pair| pair[0].worth >= pair[1].worth), "{board}");
        if found.worth().plies().is_none() && found.worth().wdl() != Some(Wdl::Draw) {
            let line = by_winners
                .principal_variation(found.actions.first(), mover, 0, &Effort::plies(0))
                .expect("values can be read");
            assert_eq!(line, [], "{board}: a line without a distance");
            step += 1;
        }
    }
    assert!(longer > 100 && step > 10, "{longer} actions, {step} positions");
}

/// Finished boards, and boards with doves that the game lacks, are refused, whether values are known or searched for.
#[test]
fn finished_boards_and_foreign_doves_are_refused() {
    let game = game("AYM", "-", Rules::default());
    let solved = LiteralSolution::new(game);
    let over = |text: &str| (text.parse::<Board>().expect("a board"), PositionError::Over(Color::Green));
    let foreign = |text: &str, letter| {
        (
            text.parse::<Board>().expect("a board"),
            PositionError::NotInGame { letter, red: game.red, green: game.green },
        )
    };
    let refused = [over("-A-;YbM;-B-"), foreign("bA;BT", 'T'), foreign("ba;B", 'a')];
    let limits = &Effort::plies(3);
    let mut analyses = [Analysis::new(&solved), Analysis::by_search(game)];
    for (board, error) in refused {
        for mover in Color::ALL {
            assert_eq!(Position::of(&board, mover, &game), Err(error), "{board}");
            for analysis in &mut analyses {
                let puzzle = analysis.puzzle(&board, mover, 3, false, &Limits::default()).err();
                let errors = [
                    analysis.value(&board, mover, limits).err(),
                    analysis.rank(&board, mover, limits).err(),
                    puzzle,
                ];
                let is_refused = |found: &Option<LookupError>| matches!(found, Some(LookupError::Position(found)) if *found == error);
                assert!(errors.iter().all(is_refused), "{board}: {errors:?}");
            }
        }
    }
}

/// An analysis is about the game of its lookup, and lookups of different games cannot be combined.
#[test]
fn values_are_of_the_game_of_their_source() {
    let game = Game::both("AY").expect("a dove set");
    let without_returns = Game { rules: Rules { returns: false, ..game.rules }, ..game };
    let (solved, without) = (solved_ay(), solve(without_returns));
    let (board, mover) = testing::positions(&without)
        .find(|(board, mover)| exact(solved, board, *mover) != exact(&without, board, *mover))
        .expect("some value depends on returns");
    for (game, solved) in [(game, solved), (without_returns, &without)] {
        let mut analysis = Analysis::new(solved);
        assert_eq!(*analysis.game(), game);
        let ranking = analysis.rank(&board, mover, &Effort::plies(0)).expect("the game continues");
        assert_eq!(Some(ranking.worth()), worth(solved, &board, mover), "{game}");
    }
    let mixed = InTurn::new(game, vec![Box::new(game), Box::new(without_returns)]).err();
    assert!(matches!(mixed, Some(LookupError::OtherGame { found, .. }) if found == without_returns));
    let record = Record::new(without_returns, Board::default(), Color::Red).expect("a start");
    let searched = Analysis::new(solved).search_game(&record, || Effort::plies(1)).err();
    assert!(matches!(searched, Some(LookupError::OtherGame { wanted, .. }) if wanted == without_returns));
}

/// The line belongs to the given action, which need not be the first of equal ones.
#[test]
fn a_line_begins_with_its_action() {
    let game = game("TH", "A", Rules::default());
    let solved = LiteralSolution::new(game);
    let mut analysis = Analysis::new(&solved);
    let limits = &Effort::plies(3);
    for (board, _) in positions(&solved).step_by(3_001) {
        let ranking = analysis.rank(&board, Color::Red, limits).expect("the game continues");
        for ranked in &ranking.actions {
            let line = analysis
                .principal_variation(Some(ranked), Color::Red, 2, &Effort::plies(0))
                .expect("values can be read");
            assert_eq!(line.first(), Some(&(ranked.action, ranked.after.clone())), "{board}");
            match ranked.worth.plies() {
                Some(plies) => assert_eq!(line.len() as u32, plies, "{} on {board}", ranked.text),
                None => assert!((1..=2).contains(&line.len()), "{} on {board}", ranked.text),
            }
        }
    }
}

#[test]
fn an_expired_limit_is_reported() {
    let board = Board::default();
    let now = dovemate::clock::Instant::now();
    let far = Effort { plies: 1, ..Effort::until(now + std::time::Duration::from_secs(1 << 62)) };
    assert!(Analysis::by_search(Game::default()).rank(&board, Color::Red, &far).is_ok());
    let expired = Effort::until(now);
    let ranking = Analysis::by_search(Game::default()).rank(&board, Color::Red, &expired);
    let ranking = ranking.expect("the game continues");
    assert!(ranking.is_out_of_time);
    assert_eq!(ranking.worth(), Worth::NoneWithin(ranking.searched.expect("it searched")));
}

/// A limit of positions ends a search at the same place every time, and a greater limit lets it search deeper.
#[test]
fn an_effort_in_positions_is_the_same_every_time() {
    let ranked = |positions| {
        let limits = Effort {
            limits: Limits { positions: Some(positions), ..Limits::default() },
            ..Effort::plies(Search::LONGEST)
        };
        Analysis::by_search(Game::default())
            .rank(&Board::default(), Color::Red, &limits)
            .expect("the game continues")
    };
    let [few, many] = [20, 20_000].map(ranked);
    assert_eq!(ranked(20), few);
    assert!(few.is_out_of_time && many.is_out_of_time);
    assert!(few.searched < many.searched, "{:?} and {:?}", few.searched, many.searched);
}

/// Every position of a small game is drawn about equally often: the differences are those of chance.
#[test]
fn positions_are_drawn_evenly() {
    let game = game("A", "H", Rules::default());
    let solved = LiteralSolution::new(game);
    let all: Vec<_> = solved.iter().map(|(position, _)| position).collect();
    let mut draw = Draw::new(game, 2..=4, 7);
    let each = 60;
    let mut counts: HashMap<_, u32> = HashMap::new();
    for _ in 0..all.len() as u32 * each {
        let (board, mover) = draw.position();
        *counts.entry(LiteralPosition::of(&game, &board, mover)).or_default() += 1;
    }
    let expected = f64::from(each);
    let square = |count: u32| (f64::from(count) - expected).powi(2) / expected;
    let chi: f64 = all.iter().map(|position| square(counts.get(position).copied().unwrap_or(0))).sum();
    let (freedom, deviation) = (all.len() as f64 - 1.0, (2.0 * (all.len() as f64 - 1.0)).sqrt());
    assert_eq!(counts.len(), all.len(), "positions drawn (left) and positions of the game");
    assert!((chi - freedom).abs() < 5.0 * deviation, "χ² is {chi}, for {freedom} degrees of freedom");
}

/// The puzzles of a small game are exactly those of the definition, by the values of the literal solver.
#[test]
fn puzzles_are_those_of_the_definition() {
    let game = game("TH", "-", Rules::default());
    let solved = LiteralSolution::new(game);
    let value = |board: &Board, mover| exact(&solved, board, mover);
    // The different positions that an action leads to and that have this value for the next player.
    let worth = |board: &Board, mover: Color, wanted: Value| {
        let mut found = HashMap::new();
        for (_, after) in game.legal_actions(board, mover) {
            if game.rules.outcome_of(&after, mover) == Outcome::Open
                && value(&after, mover.opponent()) == Some(wanted)
            {
                found.insert(after.code().canonical(mover.opponent()), after);
            }
        }
        found
    };
    let (mut unique, mut others) = (0, 0);
    for (board, known) in positions(&solved).filter(|(_, value)| matches!(value, Value::Win(3 | 5))) {
        let plies = known.plies().expect("a win has a distance");
        let first = worth(&board, Color::Red, Value::Lose(plies - 1));
        let mut is_unique = first.len() == 1;
        if plies == 5 && is_unique {
            let after = first.values().next().expect("there is one");
            let defences = worth(after, Color::Green, Value::Win(3));
            is_unique = defences.values().all(|board| worth(board, Color::Red, Value::Lose(2)).len() == 1);
        }
        let puzzle = |must_be_unique| {
            let puzzle = Analysis::by_search(game).puzzle(
                &board,
                Color::Red,
                plies,
                must_be_unique,
                &Limits::default(),
            );
            puzzle.expect("the game continues")
        };
        assert_eq!(puzzle(true).is_some(), is_unique, "{board}, {known}");
        let any = puzzle(false).expect("it is won");
        assert_eq!((any.is_unique, any.line.len() as u32), (is_unique, plies), "{board}");
        if is_unique { unique += 1 } else { others += 1 }
    }
    assert!(unique > 10 && others > 10, "{unique} unique, {others} others");
}

#[test]
fn puzzles_come_by_seed_and_only_once() {
    let game = Game::default();
    let puzzler = Puzzler::new(&game, 3, true);
    let drawn = |seed| puzzler.draw(2..=12, seed, 20, 100_000, |_, _| ()).expect("values can be read");
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    let codes: BTreeSet<_> =
        drawn(1).iter().map(|puzzle| puzzle.board.code().canonical(puzzle.mover)).collect();
    assert_eq!(codes.len(), 20);
}

/// A search finds the same values whether its table is empty or has the results of other positions.
#[test]
fn proofs_of_the_whole_game_agree_with_single_searches() {
    let mut rng = random_numbers(5);
    let game = Game::default();
    let mut shared = Search::new(&game);
    let mut won = 0;
    for _ in 0..1_000 {
        let board = random_board(&mut rng, 11);
        if Color::ALL.into_iter().any(|color| board.is_surrounded(color)) {
            continue;
        }
        let position = Position::of(&board, Color::Red, &game).expect("the game continues");
        let alone = Search::new(&game).value(&position, 7).expect("there is no deadline");
        assert_eq!(shared.value(&position, 7), Ok(alone), "{board}");
        won += u32::from(matches!(alone, Some(Value::Win(3..))));
    }
    assert!(won > 10, "only {won} wins in three or more");
}

/// A game file is read with the line ends of any system and in full-width forms; names stay as they are.
#[test]
fn games_of_other_programs_are_read() {
    let text =
        format!("{TITLE}\nred: Ｔａｒｏ － 東京\nred doves: AY\ngreen doves: AY\n\n1. +AS1E1 +aN2E1\n");
    let record: Record = text.parse().expect("a game");
    assert_eq!(record.players()[0], "Ｔａｒｏ － 東京");
    let wide = text
        .replace("doves: AY", "doves：ＡＹ")
        .replace("1. +AS1E1 +aN2E1", "１．　＋ＡＳ１Ｅ１　＋ａＮ２Ｅ１");
    for text in [text.clone(), wide] {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("\u{feff}{}", text.replace('\n', end));
            assert_eq!(text.parse::<Record>().as_ref(), Ok(&record), "{text:?}");
        }
    }
}

/// A game of random actions, to its end or for `plies` plies.
fn random_game(game: Game, rng: &mut impl RngExt, plies: usize) -> Record {
    let mut record = Record::new(game, Board::default(), Color::Red).expect("the start is of every game");
    let players = ["somebody: with a colon".to_owned(), "鳩".to_owned()];
    record.set_players(players).expect("they have no control characters");
    while record.actions().len() < plies && record.ending() == Ending::Unfinished {
        let (board, player) = record.position();
        let mut legal: Vec<_> = game.legal_actions(board, *player).collect();
        let (action, after) = legal.swap_remove(rng.random_range(0..legal.len()));
        assert_eq!(game.after(board, action), Ok(after));
        record.act(action).expect("it is legal");
    }
    record
}

#[test]
fn games_are_written_and_read_back() {
    let mut rng = random_numbers(6);
    let mut finished = 0;
    let variants: Vec<Rules> = Rules::variants().collect();
    for (place, &rules) in variants.iter().cycle().take(60).enumerate() {
        let sets = [("AYMTH", "AYMTH"), ("AY", "MT"), ("T", "-")][place % 3];
        let mut record = random_game(game(sets.0, sets.1, rules), &mut rng, 80);
        finished += u32::from(record.ending() != Ending::Unfinished);
        assert_eq!(record.to_string().parse().as_ref(), Ok(&record), "{record}");
        // As another editor might write it: without the result, and with small letters and no `+` in the actions.
        let text = record.to_string();
        let (header, actions) = text.split_once("\n\n").unwrap_or((&text, ""));
        let header: Vec<&str> = header.lines().filter(|line| !line.starts_with("result")).collect();
        let edited = format!("{}\r\n\r\n{}", header.join("\r\n"), actions.to_lowercase().replace('+', ""));
        assert_eq!(edited.parse().as_ref(), Ok(&record), "{edited}");
        if record.ending() == Ending::Unfinished {
            for ending in [Ending::Resigned(Color::Red), Ending::Resigned(Color::Green), Ending::Agreed] {
                record.end(ending).expect("the game is not over");
                assert_eq!(record.to_string().parse().as_ref(), Ok(&record), "{record}");
            }
        }
    }
    assert!(finished > 10, "only {finished} games came to their end");
}

/// A record accepts only what the rules allow, and a refusal leaves it unchanged.
#[test]
fn records_keep_to_the_rules() {
    let stranger =
        Record::new(game("A", "-", Rules::default()), "ba;B".parse().expect("a board"), Color::Red);
    assert!(matches!(stranger, Err(PositionError::NotInGame { letter: 'a', .. })));
    let mut record: Record = format!("{TITLE}\n1. +AS1\n").parse().expect("a game");
    let action = |text: &str, record: &Record| {
        let (board, player) = record.position();
        Action::from_typed(text, board, *player).expect("it has the form of an action")
    };
    let before = record.clone();
    let (far, put) = (action("+YS9", &record), action("+YN2", &record));
    assert!(record.act(far).is_err());
    assert_eq!(record.end(Ending::Won(Color::Red)), Err(EndingError::Continues(Ending::Won(Color::Red))));
    assert_eq!(record.end(Ending::Repeated), Err(EndingError::Repetitions(1)));
    assert_eq!(record, before);
    record.end(Ending::Agreed).expect("the game is not over");
    assert_eq!(record.act(put), Err(Refusal::Over));
    record.end(Ending::Unfinished).expect("the game is not over");
    record.act(put).expect("it is legal");
    assert_eq!(record.act(put), Err(Refusal::OtherTurn(Color::Red)));
    record.truncate(1);
    assert_eq!(record, before);
    let over: Record = format!("{TITLE}\nstart: -a-;yBb;-m-\n").parse().expect("a game");
    assert_eq!(over.game().legal_actions(&over.position().0, Color::Red).count(), 0);
    let agreed = over.clone().end(Ending::Agreed);
    assert_eq!(agreed, Err(EndingError::ByRules(Ending::Agreed, Ending::Won(Color::Green))));
}

/// The number of a pair of actions may stand only before its first action, and only once; it may be left out.
#[test]
fn numbers_stand_where_they_count() {
    let mut rng = random_numbers(11);
    for plies in 0..8 {
        let record = random_game(Game::default(), &mut rng, plies);
        let text = record.to_string();
        let (header, actions) = text.split_once("\n\n").unwrap_or((text.trim_end(), ""));
        let actions: Vec<&str> = actions.split_whitespace().filter(|word| !word.ends_with('.')).collect();
        for place in 0..=actions.len() {
            for number in ["0.", "1.", "2.", "3.", "4.", "5.", "01.", "+1.", "-1.", "1. 1.", "."] {
                let mut words = actions.clone();
                words.insert(place, number);
                let is_right =
                    place % 2 == 0 && place < actions.len() && number == format!("{}.", place / 2 + 1);
                let edited = format!("{header}\n\n{}\n", words.join(" "));
                assert_eq!(edited.parse::<Record>().is_ok_and(|read| read == record), is_right, "{edited}");
            }
        }
    }
}

/// Names are shown on terminals, so control characters in them are refused.
#[test]
fn names_have_no_control_characters() {
    for character in '\0'..='\u{ff}' {
        for key in ["red", "green"] {
            let text = format!("{TITLE}\n{key}: be{character}fore\n");
            let is_read = text.parse::<Record>().is_ok();
            assert_eq!(is_read, !character.is_control(), "{text:?}");
            let mut record: Record = TITLE.parse().expect("a game");
            let names = ["one".to_owned(), format!("be{character}fore")];
            assert_eq!(record.set_players(names).is_ok(), !character.is_control(), "{character:?}");
        }
    }
}

#[test]
fn texts_that_are_no_game() {
    let cases = [
        ("", 1, "begins with"),
        ("a letter", 1, "begins with"),
        ("TITLE\nkinds: A", 2, "'kinds' is not a key"),
        ("TITLE\nreturns: no\n\nreturns: yes", 4, "already in line 2"),
        ("TITLE\nreturns: maybe", 2, "'yes' or 'no'"),
        ("TITLE\nto move: blue", 2, "red, green"),
        ("TITLE\nstart: b;BX", 2, "row 2, column 2"),
        ("TITLE\nred doves: A\n\nstart: b;BT", 4, "'T' is not among the doves"),
        ("TITLE\nresult: red won", 2, "not a valid result"),
        ("TITLE\nresult: red wins", 2, "continues"),
        ("TITLE\nresult: draw by repetition\n+AS1", 2, "1 of 3 times"),
        ("TITLE\n\n1. +AS1\n2. +YS1", 4, "not the number"),
        ("TITLE\n\n1. +AS1 +aN2\n3. +YE1", 4, "not the number"),
        ("TITLE\n\n1. 1. +AW1", 3, "'1.' is not the number"),
        ("TITLE\n\n01. +AW1", 3, "'01.' is not the number"),
        ("TITLE\n\n+1. +AW1", 3, "'+1.' is not the number"),
        ("TITLE\n\n1. +AS1 +aN2\n2.\n", 4, "no action follows '2.'"),
        ("TITLE\nred: a\u{1b}[2J", 2, "control characters"),
        ("TITLE\n+AS9", 2, "is not a legal action of red"),
        ("TITLE\n# why\n+AS1 -y", 3, "'y' is in hand"),
        ("TITLE\n+AS1\ngreen: me", 3, "after the actions"),
        ("TITLE\nstart: -a-;yBb;-m-\n+AS1", 3, "after the end"),
        ("TITLE\nstart: -a-;yBb;-m-\nresult: unfinished", 3, "by the rules it is 'green wins'"),
        ("TITLE\n\u{1b}[2J", 2, "is not a valid action"),
    ];
    for (text, line, words) in cases {
        let error = text.replace("TITLE", TITLE).parse::<Record>().expect_err(text);
        assert!(error.line == line && error.reason.contains(words), "{text}: {error}");
        assert!(!error.to_string().contains(char::is_control), "{text}: {error:?}");
    }
    // Only the title is required. A position that comes up three times, even turned, may end the game as a draw.
    let start: Record = format!("{TITLE}\n").parse().expect("a game");
    let told = (start.game(), start.actions().len(), start.ending());
    assert_eq!(told, (Game::default(), 0, Ending::Unfinished));
    let fro = "BE1 bN1 BW1 bN1 ";
    let repeated = format!("{TITLE}\nresult: draw by repetition\n\n{}", fro.repeat(2));
    assert_eq!(repeated.parse::<Record>().map(|record| record.ending()), Ok(Ending::Repeated));
}
