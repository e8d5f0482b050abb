//! Tests of the workers.

use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::*;
use dovemate::rules::{Board, BothSurrounded, Color, Game, Rules};
use dovemate_analysis::{Effort, Known, Lookup, LookupError};
use dovemate_web::{Allowance, Place, Work};

/// Far longer than an answer takes, because the machine may be busy.
const LONG: Duration = Duration::from_secs(120);

fn question(query: &str) -> Question {
    Question::read("position", query, Game::default(), Language::English).unwrap().unwrap()
}

/// A question that takes an hour if nothing ends it: no openings are known under this ruling.
fn long_question() -> Question {
    let rules = Rules { both_surrounded: BothSurrounded::Draw, ..Rules::default() };
    let place = Place { game: Game::whole(rules), board: Board::default(), mover: Color::Red };
    Question::Position(
        place,
        Allowance { plies: Effort::LONGEST, work: Work::Time(Duration::from_secs(3600)) },
    )
}

/// The only worker is free again once the clients of its search and of the question that waits are gone.
#[test]
fn a_search_ends_when_its_client_is_gone() {
    const A_WHILE: Duration = Duration::from_millis(200);
    let brain: &Brain = Box::leak(Box::new(Brain::new(Game::default())));
    let turns: &Semaphore = Box::leak(Box::new(for_long_questions(1)));
    let ask = |question| answer(brain, question, Language::English, turns);
    let runtime = runtime(1).expect("a runtime");
    let answered = runtime.block_on(async {
        let tasks = [long_question(), long_question()].map(|question| tokio::spawn(ask(question)));
        tokio::time::sleep(A_WHILE).await;
        assert!(tasks.iter().all(|task| !task.is_finished()), "it takes an hour");
        tasks.iter().for_each(JoinHandle::abort);
        timeout(LONG, ask(question("board=b;B"))).await
    });
    runtime.shutdown_background();
    assert!(answered.is_ok_and(|answer| answer.is_ok()));
}

/// A player gets an action even if more strangers than there are workers have asked for an hour's search each.
#[test]
fn a_player_does_not_wait_for_strangers() {
    let brain: &Brain = Box::leak(Box::new(Brain::new(Game::default())));
    let turns: &Semaphore = Box::leak(Box::new(for_long_questions(2)));
    let ask = |question| answer(brain, question, Language::English, turns);
    let runtime = runtime(2).expect("a runtime");
    let played = runtime.block_on(async {
        let strangers = [(); 8].map(|()| tokio::spawn(ask(long_question())));
        tokio::task::yield_now().await;
        let play = Question::read("play", "board=b;B&level=beginner", Game::default(), Language::English);
        let played = timeout(LONG, ask(play.unwrap().unwrap())).await;
        strangers.iter().for_each(JoinHandle::abort);
        played
    });
    runtime.shutdown_background();
    assert!(played.is_ok_and(|answer| answer.is_ok_and(|answer| answer.is_ok())));
}

/// Panics at every probe.
struct Faulty;

impl Lookup for Faulty {
    fn game(&self) -> Game {
        Game::default()
    }
    fn probe(&self, _: &Board, _: Color) -> Result<Option<Known>, LookupError> {
        panic!("a fault, injected by a test")
    }
}

/// The only worker panics twice: each time there is no answer, but the worker answers the next question.
#[test]
fn a_fault_takes_one_answer_with_it() {
    let brain: &Brain = Box::leak(Box::new(Brain::new(Game::default())));
    brain.know(Box::new(Faulty));
    let runtime = runtime(1).expect("a runtime");
    let turns = for_long_questions(1);
    let answer = |query| runtime.block_on(answer(brain, question(query), Language::English, &turns));
    for _ in 0..2 {
        assert!(answer("board=b;B").is_err());
        assert!(answer("board=b;B&kinds=A&depth=2").is_ok());
    }
}
