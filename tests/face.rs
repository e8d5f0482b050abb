//! The library as its users see it, through its public items alone, with whatever features are on.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use dovemate::clock::Instant;
use dovemate::random::Random;
use dovemate::report::NoGpu;
use dovemate::rules::{Outcome, Refusal};
use dovemate::{
    Action, Backend, Board, Category, Color, Count, Game, Limit, Limits, Listing, Method, Observer, Rules,
    RunError, Stop, Verdict, count, decide,
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

/// Counts the assignments that the watched run decides.
#[derive(Default)]
struct Decided(AtomicU64);

impl Observer for Decided {
    fn advance(&self, assignments: u64) {
        self.0.fetch_add(assignments, Ordering::Relaxed);
    }
}

/// A game of random actions ends as the rules say, or continues.
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

/// Stops a count when this many assignments are decided.
struct Stopping {
    done: AtomicU64,
    most: u64,
    stop: Stop,
}

impl Observer for Stopping {
    fn advance(&self, assignments: u64) {
        if self.done.fetch_add(assignments, Ordering::Relaxed) + assignments >= self.most {
            self.stop.stop();
        }
    }
}

#[test]
fn counts_are_stopped() {
    let game = Game::both("AYM").unwrap();
    let stopping = |most| Stopping { done: AtomicU64::new(0), most, stop: Stop::default() };
    let watch = stopping(u64::MAX);
    let all = count(Count::mates().game(game).observer(&watch)).unwrap().total().assignments;
    assert_eq!(watch.done.into_inner(), 2 * all, "once by each method");
    for method in [Method::Factored, Method::Exhaustive] {
        let watch = stopping(all / 2);
        let limits = Limits { stop: watch.stop.clone(), ..Limits::default() };
        let counted = count(Count::mates().game(game).method(method).limits(limits).observer(&watch));
        assert!(matches!(counted, Err(RunError::Limit(Limit::Stop))), "{counted:?}");
        assert!(watch.done.into_inner() < all);
    }
    let late = Count::mates().game(game).limits(Limits::until(Instant::now()));
    assert!(matches!(count(late), Err(RunError::Limit(Limit::Time))));
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

/// The first positions of a listing come before the others are found, and each comes only once.
#[test]
fn positions_are_listed_as_they_are_needed() {
    let mates = Listing::new(Category::Mates, 2..=12, Rules::default());
    let mut positions = mates.iter();
    let first: HashSet<Board> = positions.by_ref().take(500).map(|code| code.board()).collect();
    assert_eq!(first.len(), 500);
    assert!(first.iter().all(|board| decide(board, Color::Red, Rules::default()) == Verdict::Mate));
    assert!(positions.examined() < mates.assignments() / 1_000);
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

/// A game in which the players have different doves is counted with each of them to move.
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
