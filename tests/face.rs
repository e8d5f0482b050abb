//! The library as its users see it: nothing but the crate's root, with whatever features are on.

use std::sync::atomic::{AtomicU64, Ordering};

use dovemate::report::NoGpu;
use dovemate::{
    Backend, Board, Color, Count, DoveSet, Game, Lookup, LookupError, Method, Observer, Ranked, Rules,
    RunError, Solve, Verdict, Worth, count, decide, rank, rank_within, solve,
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

#[test]
fn mates_are_counted_by_both_methods() {
    for method in [Method::Factored, Method::Exhaustive] {
        let decided = Decided::default();
        let tally = count(&Count::mates().doves(2..=6).method(method).threads(1).observer(&decided)).unwrap();
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
    let tally = count(&Count::wins().game(game).observer(&decided)).unwrap();
    assert_eq!(tally.rows.len(), 2 * 4, "with 2 to 5 doves on the board");
    assert_eq!(decided.0.into_inner(), tally.total().assignments);
    assert_eq!(tally, count(&Count::wins().game(game).method(Method::Exhaustive)).unwrap());
    let exchanged = count(&Count::wins().game(exchanged)).unwrap();
    for (row, other) in tally.rows.iter().zip(exchanged.rows[4..].iter().chain(&exchanged.rows[..4])) {
        assert_eq!(row.mover.map(Color::opponent), other.mover);
        assert_eq!((row.doves, row.positions), (other.doves, other.positions));
    }
    assert!(tally.total().positions > 0);
    let mut csv = Vec::new();
    tally.write_csv(&mut csv).unwrap();
    assert!(csv.starts_with(b"mover,doves,shapes,boss_placements,assignments,wins\nred,2,"));

    let on_gpu = count(&Count::wins().game(game).backend(Backend::Gpu));
    assert!(matches!(&on_gpu, Err(RunError::NoGpu(NoGpu::FewerDoves))), "{on_gpu:?}");
    let report = Count::wins().game(game).backend(Backend::Auto).report().unwrap();
    assert_eq!((report.no_gpu, report.tally), (Some(NoGpu::FewerDoves), tally));
}

/// Requesting a GPU that is not there is an error that says so, with the feature and without.
#[test]
fn a_missing_gpu_is_an_error() {
    let selection = "there is no adapter of this name".parse().unwrap();
    let error = count(&Count::mates().doves(2..=3).adapter(selection)).unwrap_err();
    assert!(matches!(error, RunError::Selection(_) | RunError::NoGpu(_)), "{error}");
    if cfg!(not(feature = "gpu")) {
        let error = count(&Count::mates().backend(Backend::Gpu)).unwrap_err();
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
    let start = Board::default();
    exact.write(folder.path()).unwrap();
    let tables = Tablebase::open(folder.path(), game).unwrap();
    assert!(tables.knows_all());
    assert_eq!(tables.solution(), exact.solution());
    for ranked in rank(&exact, &start, Color::Red).unwrap() {
        let worth =
            |lookup: &dyn Lookup| lookup.value(&ranked.after, Color::Green).unwrap().map(|known| known.worth);
        assert_eq!(worth(&tables), worth(&exact), "{}", ranked.after);
    }
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
