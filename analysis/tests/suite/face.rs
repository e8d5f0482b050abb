//! The libraries of the solver and the analysis as their users see them: only the roots of the crates are used.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dovemate::clock::Instant;
use dovemate::{Action, Board, Color, DoveSet, Game, Limit, Limits, Rules, decide};
use dovemate_analysis::{
    Analysis, Draw, Effort, Known, Lookup, LookupError, Ranked, Source, Value, Wdl, Worth, rank, rank_within,
    texts,
};
use dovemate_solver::{Round, Solve, SolveError, SolvedGame, solve};

fn board(text: &str) -> Board {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A player without an action has lost, although no boss is surrounded.
#[test]
fn a_player_without_an_action_has_lost() {
    let game = Game { red: DoveSet::NONE, green: DoveSet::ALL, rules: Rules::default() };
    let mut draw = Draw::new(game, 2..=7, 1);
    let mut lost = 0;
    for _ in 0..20_000 {
        let (board, mover) = draw.position();
        let has_action = game.legal_actions(&board, mover).next().is_some();
        let outcome = game.outcome(&board, mover.opponent());
        assert_eq!(Wdl::of(outcome), if has_action { None } else { Some(Wdl::Win) }, "{board}");
        lost += u32::from(!has_action);
    }
    assert!(lost > 0, "every position has an action");
}

#[test]
fn solves_are_stopped() {
    let rounds_until = |most: u32| {
        let (limits, last) = (Limits::default(), AtomicU32::new(0));
        let on_round = |round: Round| {
            last.fetch_max(round.number, Ordering::Relaxed);
            if round.number >= most {
                limits.stop.stop();
            }
        };
        let job = Solve::new(Game::both("AY").unwrap()).limits(limits.clone()).on_round(&on_round);
        (solve(job).err(), last.into_inner())
    };
    let (error, rounds) = rounds_until(u32::MAX);
    assert!(error.is_none() && rounds > 3, "{error:?}, or too few rounds: {rounds}");
    let (error, rounds) = rounds_until(2);
    let Some(SolveError::Halted(halted)) = error else { panic!("{error:?}") };
    assert_eq!((halted.limit, halted.round, rounds), (Limit::Stop, 2, 2));
}

/// A thousand drawn positions, counted by value.
#[test]
fn values_make_a_histogram() {
    let game = Game::both("AT").unwrap();
    let solved = solve(game).unwrap();
    let mut draw = Draw::new(game, 2..=6, 2022);
    let mut histogram: BTreeMap<Worth, u32> = BTreeMap::new();
    for _ in 0..1_000 {
        let (board, mover) = draw.position();
        let known = solved.probe(&board, mover).unwrap().expect("it is a position of the game");
        *histogram.entry(known.worth).or_default() += 1;
    }
    assert_eq!(histogram.values().sum::<u32>(), 1_000);
    let [best, worst] =
        [histogram.last_key_value(), histogram.first_key_value()].map(|entry| *entry.unwrap().0);
    assert_eq!(best, Worth::Exact(Value::Win(1)));
    assert!(worst < best && histogram.contains_key(&Worth::Exact(Value::Draw)), "{histogram:?}");
}

/// A search with a deadline gives its results so far, and a line that follows from them.
#[test]
fn the_best_action_within_a_time_is_given_with_its_line() {
    let game = Game::default();
    let board = board("YmaH;MtAT;-yh-;B-b-");
    let mut analysis = Analysis::new(&game);
    let limits = Effort { plies: 5, ..Effort::until(Instant::now() + Duration::from_secs(1)) };
    let ranking = analysis.rank(&board, Color::Red, &limits).unwrap();
    let line =
        analysis.principal_variation(ranking.best(), Color::Red, Analysis::MAX_DRAWN, &limits).unwrap();
    assert_eq!(texts(&board, &line).len(), line.len());
    let legal: Vec<Action> = game.legal_actions(&board, Color::Red).map(|(action, _)| action).collect();
    assert!(legal.contains(&ranking.actions[0].action) && ranking.actions.len() == legal.len());
}

/// A limit of positions, or 65,536 if that is more, also applies to each action of the line once the line leaves the
/// known values.
#[test]
fn a_line_visits_no_more_positions_than_it_may() {
    let known = dovemate_analysis::built_in(&Game::default()).unwrap();
    let board = board("bB--;-AM-");
    for positions in [1, 1_000] {
        let mut analysis = Analysis::new(known);
        let limits = Effort {
            limits: Limits { positions: Some(positions), ..Limits::default() },
            ..Effort::plies(Effort::LONGEST)
        };
        let ranking = analysis.rank(&board, Color::Green, &limits).unwrap();
        let before = analysis.visited();
        let line =
            analysis.principal_variation(ranking.best(), Color::Green, Analysis::MAX_DRAWN, &limits).unwrap();
        assert!(!line.is_empty());
        let (visited, most) = (analysis.visited() - before, (positions.max(1 << 16) + 1) * line.len() as u64);
        assert!(visited <= most, "{visited} of {most}");
    }
}

/// A solved game lists exactly the positions that it counts, each once and with its value, in memory and in tables.
#[test]
fn positions_of_a_solved_game_are_listed_by_value() {
    let uneven = Game { red: "AT".parse().unwrap(), green: "H".parse().unwrap(), rules: Rules::default() };
    for game in [Game::both("AY").unwrap(), uneven] {
        let solved = solve(game).unwrap();
        let mut counted = BTreeMap::new();
        let mut seen = HashSet::new();
        let mut listed = Vec::new();
        for position in solved.positions(|_| true) {
            let ((board, mover), value) = position.unwrap();
            assert!(seen.insert((board.code().canonical(mover), mover)), "{board} {mover} is listed twice");
            assert_eq!(solved.probe(&board, mover).unwrap().and_then(Known::exact), Some(value));
            let mover_of_row = (!game.is_even()).then_some(mover);
            *counted.entry((mover_of_row, board.doves().count() as u32, Worth::Exact(value))).or_insert(0) +=
                1;
            listed.push((board, mover, value));
        }
        let rows =
            solved.solution().rows().iter().map(|row| ((row.mover, row.doves, row.worth), row.positions));
        assert_eq!(counted, rows.collect());
        let is_long = |value: Value| value.plies().is_some_and(|plies| plies > 1);
        let some: Vec<_> = solved.positions(is_long).doves(5..=6).map(|position| position.unwrap()).collect();
        listed.retain(|(board, _, value)| is_long(*value) && (5..=6).contains(&board.doves().count()));
        let expected = listed.iter().map(|(board, mover, value)| ((board.clone(), *mover), *value));
        assert!(!some.is_empty() && some.iter().cloned().eq(expected), "{game}");
        {
            let folder = tempfile::tempdir().unwrap();
            solved.write(folder.path()).unwrap();
            let tables = dovemate_solver::Tablebase::open(folder.path(), game).unwrap();
            let tables = SolvedGame::from(tables);
            let stored = tables.positions(is_long).doves(5..=6).map(|position| position.unwrap());
            assert!(stored.eq(some), "{game}");
        }
    }
}

/// Results can be displayed, and values are parsed from the text that they display.
#[test]
fn results_are_displayed() {
    let solved = solve(Game::both("AY").unwrap()).unwrap();
    let longest = solved.longest().unwrap();
    let text = format!("{}, {} to move: {}", longest.board, longest.mover, longest.value);
    assert_eq!(longest.to_string(), text);
    assert_eq!(solved.solution().rows()[0].to_string(), "2 doves, draw: 2 positions");
    assert_eq!(decide(&Board::default(), Color::Red, Rules::default()).to_string(), "neither");
    let ranked = rank(&solved, &Board::default(), Color::Red).unwrap().swap_remove(0);
    assert_eq!(ranked.to_string(), format!("{}: draw", ranked.text));
    for worth in [Worth::Win, Worth::Lose, Worth::Exact(Value::Draw), Worth::Exact(Value::Lose(32))] {
        assert_eq!(worth.to_string().parse(), Ok(worth));
    }
    assert!("none within 3 plies".parse::<Worth>().is_err() && "draw in 3".parse::<Worth>().is_err());
}

/// A lookup of the user's own that knows who wins, or fails.
struct Elsewhere {
    game: Game,
    is_broken: bool,
}

impl Lookup for Elsewhere {
    fn game(&self) -> Game {
        self.game
    }
    fn probe(&self, _: &Board, _: Color) -> Result<Option<Known>, LookupError> {
        match self.is_broken {
            true => Err(LookupError::Other("the network is down".into())),
            false => Ok(Some(Known { worth: Worth::Lose, source: Source::Other })),
        }
    }
}

/// Values from a user's own lookup are ranked like the library's, and its failures are reported.
#[test]
fn a_source_of_values_may_be_anywhere() {
    let game = Game::both("A").unwrap();
    let ranked = |is_broken| rank(&Elsewhere { game, is_broken }, &Board::default(), Color::Red);
    let actions = ranked(false).unwrap();
    assert!(actions.iter().all(|ranked| (ranked.worth, ranked.source) == (Worth::Win, Source::Other)));
    assert_eq!(ranked(true).unwrap_err().to_string(), "the network is down");
    let exact = rank(&solve(game).unwrap(), &Board::default(), Color::Red).unwrap();
    assert!(exact.iter().all(|ranked| ranked.source == Source::Solved || ranked.worth.plies() == Some(1)));
}

/// Values of positions and actions are serialized as JSON, under the keys of `dovemate best --json`.
#[test]
fn answers_are_serialized() {
    use serde_json::{json, to_value};

    let game = Game::both("A").unwrap();
    let action = Action::from_text("+AS1", &Board::default()).unwrap();
    let keys = json!({ "kind": "put", "dove": "A", "to": { "row": 2, "column": 0 } });
    assert_eq!(to_value(action).unwrap(), keys);
    let keys = json!({ "red": "A", "green": "A", "returns": true, "both_surrounded": "mover-loses" });
    assert_eq!(to_value(game).unwrap(), keys);
    assert_eq!(to_value(Board::default()).unwrap(), json!("b---;B---;----;----"));
    assert_eq!(to_value(Value::Win(3)).unwrap(), json!({ "value": "win", "plies": 3 }));
    assert_eq!(to_value(Worth::NoneWithin(9)).unwrap(), json!({ "value": "none", "plies": 9 }));
    let known = Known { worth: Worth::Exact(Value::Draw), source: Source::Tables };
    let keys = json!({ "value": "draw", "plies": null, "source": "tables" });
    assert_eq!(to_value(known).unwrap(), keys);
    let solved = solve(game).unwrap();
    let ranked = &rank(&solved, &Board::default(), Color::Red).unwrap()[0];
    let written = to_value(ranked).unwrap();
    assert_eq!((&written["action"], &written["source"]), (&json!(ranked.text), &json!("solved")));
    assert_eq!((&written["after"], &written["value"]), (&json!(ranked.after), &json!(ranked.worth.name())));
    assert!(format!("{solved:?}").contains(&format!("{game:?}")));
}

/// The best action has the value of the position, whoever is to move.
#[test]
fn actions_of_a_solved_game_are_ranked() {
    let game = Game { red: "AY".parse().unwrap(), green: DoveSet::NONE, rules: Rules::default() };
    let solved = solve(game).unwrap();
    let longest = solved.longest().expect("not all positions are drawn");
    for (board, mover) in
        [(longest.board, longest.mover), (Board::default(), Color::Red), (board("b;B"), Color::Green)]
    {
        let known = solved.probe(&board, mover).unwrap().expect("it is a position of the game");
        let ranked = rank(&solved, &board, mover).unwrap();
        assert_eq!(ranked[0].worth, known.worth, "{board}");
        let searched = rank_within(&game, &board, mover, 3).unwrap();
        for found in searched.iter().filter(|ranked| matches!(ranked.worth, Worth::Exact(_))) {
            let is_same = |ranked: &Ranked| (&ranked.text, ranked.worth) == (&found.text, found.worth);
            assert!(ranked.iter().any(is_same), "{board}: {found:?}");
        }
    }
    let stranger = board("b-a;-BA");
    assert_eq!(solved.probe(&stranger, Color::Red).unwrap(), None, "green has no Aniki in this game");
    assert!(matches!(rank(&solved, &stranger, Color::Red), Err(LookupError::Position(_))));
}

#[test]
fn a_solver_without_enough_memory_is_an_error() {
    let job =
        Solve::new(Game::both("AYM").unwrap()).limits(Limits { memory: Some(1 << 20), ..Limits::default() });
    assert!(job.least_memory() > 1 << 20);
    assert!(matches!(solve(job), Err(SolveError::TooLittleMemory { allowed: 0x10_0000, .. })));
    // Refused before anything is allocated.
    assert!(matches!(
        solve(Solve::new(Game::default()).limits(Limits { memory: Some(1 << 30), ..Limits::default() })),
        Err(SolveError::TooLittleMemory { .. })
    ));
}

/// Written tables give the same values.
#[test]
fn tables_are_written_and_asked() {
    use dovemate_solver::{TableError, Tablebase};

    let folder = tempfile::tempdir().unwrap();
    let game = Game::both("AY").unwrap();
    assert!(matches!(Tablebase::open(folder.path(), game), Err(TableError::Missing(_))));
    let exact = solve(game).unwrap();
    exact.write(folder.path()).unwrap();
    let tables = Tablebase::open(folder.path(), game).unwrap();
    assert!(tables.knows_all());
    assert_eq!(tables.solution(), exact.solution());
    // Two threads ask at once.
    std::thread::scope(|scope| {
        for player in Color::ALL {
            let (tables, exact) = (&tables, &exact);
            scope.spawn(move || {
                for ranked in rank(exact, &Board::default(), player).unwrap() {
                    let worth = |lookup: &dyn Lookup| {
                        let known = lookup.probe(&ranked.after, player.opponent()).unwrap();
                        known.map(|known| known.worth)
                    };
                    assert_eq!(worth(tables), worth(exact), "{}", ranked.after);
                }
            });
        }
    });
}

/// A file that is damaged after the tables are opened makes probes and rankings fail.
#[test]
fn damaged_tables_are_an_error() {
    use dovemate_solver::{TableError, Tablebase};

    let folder = tempfile::tempdir().unwrap();
    let game = Game::both("AY").unwrap();
    solve(game).unwrap().write(folder.path()).unwrap();
    let tables = Tablebase::open(folder.path(), game).unwrap();
    for file in std::fs::read_dir(tables.folder()).unwrap() {
        let path = file.unwrap().path();
        let content: Vec<u8> = std::fs::read(&path).unwrap().into_iter().map(|byte| !byte).collect();
        std::fs::write(&path, content).unwrap();
    }
    let start = Board::default();
    let error = tables.probe(&start, Color::Red);
    assert!(matches!(error, Err(LookupError::Tables(TableError::Checksum(..) | TableError::Damaged(..)))));
    assert!(matches!(rank(&tables, &start, Color::Red), Err(LookupError::Tables(_))));
    assert!(Tablebase::open(folder.path(), game).is_err());
}
