//! The library as its users see it: nothing but the crate's root, with whatever features are on.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dovemate::ask::{Asker, Draw, Limits, texts};
use dovemate::clock::Instant;
use dovemate::random::Random;
use dovemate::report::NoGpu;
use dovemate::rules::{Outcome, Refusal};
use dovemate::{
    Action, Backend, Board, Category, Color, Count, DoveSet, Game, Known, Listing, Lookup, LookupError,
    Method, Observer, Ranked, Round, Rules, RunError, Solve, Source, Value, Verdict, Wdl, Worth, count,
    decide, rank, rank_within, solve,
};

fn board(text: &str) -> Board {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn boards_are_decided() {
    let rules = Rules::default();
    assert_eq!(decide(&board("-Y-B;--ay;H---;b---"), Color::Red, rules), Verdict::Mate);
    assert_eq!(decide(&Board::default(), Color::Green, rules), Verdict::Escape);
}

/// Counts what its watched run decides.
#[derive(Default)]
struct Decided(AtomicU64);

impl Observer for Decided {
    fn advance(&self, assignments: u64) {
        self.0.fetch_add(assignments, Ordering::Relaxed);
    }
}

/// A game of random actions ends as the rules say, or goes on.
#[test]
fn a_random_game_is_played() {
    let game = Game::default();
    let mut random = Random::new(7);
    let mut ended = 0;
    for _ in 0..40 {
        let (mut board, mut player, mut outcome) = (Board::default(), Color::Red, Outcome::Open);
        for _ in 0..200 {
            let legal: Vec<(Action, Board)> = game.legal_actions(&board, player).collect();
            let (action, after) = &legal[random.below(legal.len() as u64) as usize];
            assert_eq!(game.after(&board, *action).as_ref(), Ok(after));
            assert_eq!(board.after(*action, game.rules).as_ref(), Ok(after));
            (board, outcome, player) = (after.clone(), game.outcome(after, player), player.opponent());
            if outcome != Outcome::Open {
                break;
            }
        }
        let is_over = Color::ALL.into_iter().any(|color| board.is_surrounded(color));
        assert_eq!(outcome != Outcome::Open, is_over, "{board}");
        assert_eq!(game.legal_actions(&board, player).next().is_none(), is_over, "{board}");
        ended += u32::from(is_over);
    }
    assert!(ended > 0, "no game has ended");
    let over = board("-a-;yBm;-tb");
    assert_eq!(Color::ALL.map(|player| over.legal_actions(player, game.rules).count()), [0, 0]);
    let action = Action::from_text("+AS1", &over).unwrap();
    assert_eq!(over.after(action, game.rules), Err(Refusal::Over));
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
        assert_eq!(outcome.wdl(), if has_action { None } else { Some(Wdl::Win) }, "{board}");
        lost += u32::from(!has_action);
    }
    assert!(lost > 0, "every position has an action");
}

/// Stops a run when so much is done.
struct Stopping {
    done: AtomicU64,
    most: u64,
}

impl Observer for Stopping {
    fn is_stopped(&self) -> bool {
        self.done.load(Ordering::Relaxed) >= self.most
    }
    fn advance(&self, assignments: u64) {
        self.done.fetch_add(assignments, Ordering::Relaxed);
    }
    fn round(&self, round: &Round) {
        self.done.fetch_max(u64::from(round.number), Ordering::Relaxed);
    }
}

#[test]
fn counts_and_solves_are_stopped() {
    let game = Game::both("AYM").unwrap();
    let stopping = |most| Stopping { done: AtomicU64::new(0), most };
    let watch = stopping(u64::MAX);
    let all = count(Count::mates().game(game).observer(&watch)).unwrap().total().assignments;
    assert_eq!(watch.done.into_inner(), 2 * all, "once by each method");
    for method in [Method::Factored, Method::Exhaustive] {
        let watch = stopping(all / 2);
        let counted = count(Count::mates().game(game).method(method).observer(&watch));
        assert!(matches!(counted, Err(RunError::Stopped)), "{counted:?}");
        assert!(watch.done.into_inner() < all);
    }
    let game = Game::both("AY").unwrap();
    let watch = stopping(u64::MAX);
    solve(Solve::new(game).observer(&watch)).unwrap();
    assert!(watch.done.into_inner() > 3, "rounds are reported");
    let watch = stopping(2);
    let solved = solve(Solve::new(game).observer(&watch));
    assert!(matches!(solved.unwrap_err(), RunError::Stopped));
    assert_eq!(watch.done.into_inner(), 2);
}

/// Numbers of doves that no board of the game has are an error, not an empty table.
#[test]
fn numbers_of_doves_that_no_board_has_are_refused() {
    let none = |game: &str, doves| {
        let counted = count(Count::wins().game(Game::both(game).unwrap()).doves(doves));
        matches!(counted, Err(RunError::NoBoard { .. }))
    };
    let (more, fewer) = (7, 3);
    assert!(none("AY", more..=fewer) && none("AY", 0..=1) && none("AY", 7..=12) && none("AYMTH", 13..=20));
    assert!(!none("AY", 0..=2) && !none("AY", 6..=12));
}

/// The first positions come before the others are found, and each only once.
#[test]
fn positions_are_listed_as_they_are_needed() {
    let mates = Listing::new(Category::Mates, 2..=12, Rules::default());
    let mut positions = mates.iter();
    let first: HashSet<Board> = positions.by_ref().take(500).map(|code| code.board()).collect();
    assert_eq!(first.len(), 500);
    assert!(first.iter().all(|board| decide(board, Color::Red, Rules::default()) == Verdict::Mate));
    assert!(positions.examined() < mates.assignments() / 1_000);
}

/// A thousand drawn positions by value, best first.
#[test]
fn values_make_a_histogram() {
    let game = Game::both("AT").unwrap();
    let solved = solve(game).unwrap();
    let mut draw = Draw::new(game, 2..=6, 2022);
    let mut histogram: BTreeMap<Worth, u32> = BTreeMap::new();
    for _ in 0..1_000 {
        let (board, mover) = draw.position();
        let known = solved.value(&board, mover).unwrap().expect("it is a position of the game");
        *histogram.entry(known.worth).or_default() += 1;
    }
    assert_eq!(histogram.values().sum::<u32>(), 1_000);
    let [best, worst] =
        [histogram.last_key_value(), histogram.first_key_value()].map(|entry| *entry.unwrap().0);
    assert_eq!(best, Worth::Exact(Value::Win(1)));
    assert!(worst < best && histogram.contains_key(&Worth::Exact(Value::Draw)), "{histogram:?}");
}

/// A search with a deadline gives what it has by then, and a line from there.
#[test]
fn the_best_action_within_a_time_is_given_with_its_line() {
    let game = Game::default();
    let board = board("YmaH;MtAT;-yh-;B-b-");
    let mut asker = Asker::new(&game);
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_secs(1)), ..Limits::plies(5) };
    let ranking = asker.rank(&board, Color::Red, limits).unwrap();
    let line = asker.line(ranking.best(), Color::Red, Asker::MAX_DRAWN, limits).unwrap();
    assert_eq!(texts(&board, &line).len(), line.len());
    let legal: Vec<Action> = game.legal_actions(&board, Color::Red).map(|(action, _)| action).collect();
    assert!(legal.contains(&ranking.actions[0].action) && ranking.actions.len() == legal.len());
}

/// A limit of positions holds for the line, too, where it leaves what is known.
#[test]
#[cfg(feature = "openings")]
fn a_line_visits_no_more_positions_than_it_may() {
    let known = dovemate::ask::built_in(&Game::default()).unwrap();
    let board = board("bB--;-AM-");
    for positions in [1, 1_000] {
        let mut asker = Asker::new(known);
        let limits = Limits { positions: Some(positions), ..Limits::plies(Limits::LONGEST) };
        let ranking = asker.rank(&board, Color::Green, limits).unwrap();
        let before = asker.visited();
        let line = asker.line(ranking.best(), Color::Green, Asker::MAX_DRAWN, limits).unwrap();
        assert!(!line.is_empty());
        let visited = asker.visited() - before;
        assert!(visited <= positions + 1, "{visited} of {positions}");
    }
}

/// The positions of a solved game are those that it counts, each once and with its value, in memory and in tables.
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
            assert_eq!(solved.value(&board, mover).unwrap().and_then(Known::exact), Some(value));
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
        #[cfg(feature = "tables")]
        {
            let folder = tempfile::tempdir().unwrap();
            solved.write(folder.path()).unwrap();
            let tables = dovemate::Tablebase::open(folder.path(), game).unwrap();
            let stored = tables.positions(is_long).doves(5..=6).map(|position| position.unwrap());
            assert!(stored.eq(some), "{game}");
        }
    }
}

/// What one prints is displayed, and values are read as they are displayed.
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

/// Knows who wins from elsewhere, or fails.
struct Elsewhere {
    game: Game,
    is_broken: bool,
}

impl Lookup for Elsewhere {
    fn game(&self) -> Game {
        self.game
    }
    fn value(&self, _: &Board, _: Color) -> Result<Option<Known>, LookupError> {
        match self.is_broken {
            true => Err(LookupError::Other("the network is down".into())),
            false => Ok(Some(Known { worth: Worth::Lose, source: Source::Other })),
        }
    }
}

/// Values of one's own are ranked like the library's, and so are their failures.
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

/// What is known of positions and actions goes into JSON, under the keys of `dovemate best --json`.
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

#[test]
fn mates_are_counted_by_both_methods() {
    for method in [Method::Factored, Method::Exhaustive] {
        let decided = Decided::default();
        let tally = count(Count::mates().doves(2..=6).method(method).threads(1).observer(&decided)).unwrap();
        assert_eq!(tally.total().positions, 14_310, "{method:?}");
        assert_eq!(decided.0.into_inner(), tally.total().assignments, "{method:?}");
    }
}

/// A game in which the players have different doves is counted with either of them to move.
#[test]
fn small_games_are_counted() {
    let game = |red: &str, green: &str| Game {
        red: red.parse().unwrap(),
        green: green.parse().unwrap(),
        rules: Rules::default(),
    };
    let (game, exchanged) = (game("AY", "M"), game("M", "AY"));
    let decided = Decided::default();
    let tally = count(Count::wins().game(game).observer(&decided)).unwrap();
    assert_eq!(tally.rows.len(), 2 * 4, "with 2 to 5 doves on the board");
    assert_eq!(decided.0.into_inner(), 2 * tally.total().assignments, "once by each method");
    assert_eq!(tally, count(Count::wins().game(game).method(Method::Exhaustive)).unwrap());
    let exchanged = count(Count::wins().game(exchanged)).unwrap();
    for (row, other) in tally.rows.iter().zip(exchanged.rows[4..].iter().chain(&exchanged.rows[..4])) {
        assert_eq!(row.mover.map(Color::opponent), other.mover);
        assert_eq!((row.doves, row.positions), (other.doves, other.positions));
    }
    assert!(tally.total().positions > 0);
    let mut csv = Vec::new();
    tally.write_csv(&mut csv).unwrap();
    assert!(csv.starts_with(b"mover,doves,shapes,boss_placements,assignments,wins\nred,2,"));

    let on_gpu = count(Count::wins().game(game).backend(Backend::Gpu));
    assert!(matches!(&on_gpu, Err(RunError::NoGpu(NoGpu::FewerDoves))), "{on_gpu:?}");
    let report = Count::wins().game(game).backend(Backend::Auto).report().unwrap();
    assert_eq!((report.no_gpu, report.tally), (Some(NoGpu::FewerDoves), tally));
}

/// Requesting a GPU that is not there is an error that says so, with the feature and without.
#[test]
fn a_missing_gpu_is_an_error() {
    let selection = "there is no adapter of this name".parse().unwrap();
    let error = count(Count::mates().doves(2..=3).adapter(selection)).unwrap_err();
    assert!(matches!(error, RunError::Selection(_) | RunError::NoGpu(_)), "{error}");
    if cfg!(not(feature = "gpu")) {
        let error = count(Count::mates().backend(Backend::Gpu)).unwrap_err();
        assert!(error.to_string().contains("its feature `gpu` is switched off"), "{error}");
    }
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
        let known = solved.value(&board, mover).unwrap().expect("it is a position of the game");
        let ranked = rank(&solved, &board, mover).unwrap();
        assert_eq!(ranked[0].worth, known.worth, "{board}");
        let searched = rank_within(&game, &board, mover, 3).unwrap();
        for found in searched.iter().filter(|ranked| matches!(ranked.worth, Worth::Exact(_))) {
            let is_same = |ranked: &Ranked| (&ranked.text, ranked.worth) == (&found.text, found.worth);
            assert!(ranked.iter().any(is_same), "{board}: {found:?}");
        }
    }
    let stranger = board("b-a;-BA");
    assert_eq!(solved.value(&stranger, Color::Red).unwrap(), None, "green has no Aniki in this game");
    assert!(matches!(rank(&solved, &stranger, Color::Red), Err(LookupError::Position(_))));
}

#[test]
fn a_solver_without_enough_memory_is_an_error() {
    let job = Solve::new(Game::both("AYM").unwrap()).memory(1 << 20);
    assert!(job.least_memory() > 1 << 20);
    assert!(matches!(solve(job), Err(RunError::TooLittleMemory { allowed: 0x10_0000, .. })));
    // Refused before anything is allocated.
    assert!(matches!(
        solve(Solve::new(Game::default()).memory(1 << 30)),
        Err(RunError::TooLittleMemory { .. })
    ));
}

/// Written tables give the same values.
#[cfg(feature = "tables")]
#[test]
fn tables_are_written_and_asked() {
    use dovemate::{TableError, Tablebase};

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
                        let known = lookup.value(&ranked.after, player.opponent()).unwrap();
                        known.map(|known| known.worth)
                    };
                    assert_eq!(worth(tables), worth(exact), "{}", ranked.after);
                }
            });
        }
    });
}

/// A file that is damaged after the tables are opened is an error of the look-up, and of the ranking.
#[cfg(feature = "tables")]
#[test]
fn damaged_tables_are_an_error() {
    use dovemate::{TableError, Tablebase};

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
    let error = tables.value(&start, Color::Red);
    assert!(matches!(error, Err(LookupError::Tables(TableError::Checksum(..) | TableError::Damaged(..)))));
    assert!(matches!(rank(&tables, &start, Color::Red), Err(LookupError::Tables(_))));
    assert!(Tablebase::open(folder.path(), game).is_err());
}
