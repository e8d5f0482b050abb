//! The answers that take long: counts, in shares too, and solved games.

use std::cell::RefCell;

use dovemate::count::read_doves;
use dovemate::rules::{Board, Color, Game};
use dovemate::{Category, Count, Method};
use dovemate_analysis::Draw;
use dovemate_solver::{Known, Lookup};
use dovemate_web::count::sum;
use dovemate_web::texts::Language;
use dovemate_web::{Asking, Brain};
use serde_json::{Value as Json, json};

thread_local! {
    /// The progress told on the way to an answer.
    static TOLD: RefCell<Vec<Json>> = const { RefCell::new(Vec::new()) };
}

/// An answer, and the progress told on the way.
fn ask(brain: &Brain, name: &str, query: &str) -> (Json, Vec<Json>) {
    let progress =
        |told: &str| TOLD.with_borrow_mut(|all| all.push(serde_json::from_str(told).expect("JSON")));
    let answer = brain.ask(name, query, &Asking { progress, ..Asking::default() });
    (serde_json::from_str(&answer.expect("an answer")).expect("JSON"), TOLD.take())
}

fn game(query: &str) -> Game {
    Brain::of_query(query, Language::English).expect("a game").game
}

fn list(json: &Json) -> &[Json] {
    json.as_array().expect("a list")
}

#[test]
fn counts_are_those_of_the_library() {
    let brain = Brain::new(Game::default());
    for query in
        ["", "returns=no", "kinds=AYM&both_surrounded=mover-wins", "red=AYMT&green=H&both_surrounded=draw"]
    {
        for category in Category::ALL {
            let expected =
                dovemate::count(Count::new(category).game(game(query)).doves(2..=7)).expect("a count");
            for method in Method::ALL {
                let asked = format!("{query}&doves=2..7&category={category}&method={method}");
                let (answer, told) = ask(&brain, "count", &asked);
                assert_eq!(answer["rows"], json!(expected.rows), "{asked}");
                assert_eq!((list(&answer["rows"]), &answer["published"]), (&told[..], &Json::Null));
            }
        }
    }
}

/// The rows and shapes of shares add up to those of the whole count, and all mates to the published figure.
#[test]
fn shares_of_a_count_add_up() {
    let brain = Brain::new(Game::default());
    for (query, parts) in [("", 8), ("red=AYM&green=TH&doves=3..8&category=wins", 3), ("doves=2..3", 64)] {
        let (whole, _) = ask(&brain, "count", &format!("{query}&shapes=12"));
        let share = |part| ask(&brain, "count", &format!("{query}&shapes=12&parts={parts}&part={part}")).0;
        let shares: Vec<Json> = (1..=parts).map(share).collect();
        let all =
            |key: &str| shares.iter().flat_map(|share| list(&share[key]).to_vec()).collect::<Vec<Json>>();
        let category = whole["category"].as_str().expect("a category");
        let sum = sum(category, &json!(all("rows")).to_string()).expect("rows");
        let sum: Json = serde_json::from_str(&sum).expect("JSON");
        assert_eq!(sum["rows"], whole["rows"], "{query}");
        let mut shapes = all("shapes");
        shapes.sort_by_key(|shape| std::cmp::Reverse(shape["positions"].as_u64()));
        let positions =
            |shapes: &[Json]| shapes.iter().map(|shape| shape["positions"].clone()).collect::<Vec<Json>>();
        let most = list(&whole["shapes"]);
        assert_eq!(positions(most), positions(&shapes[..most.len()]), "{query}");
        assert!(most.iter().all(|shape| shapes.contains(shape)));
        assert!(shares.iter().all(|share| share["published"] == whole["published"]));
        let total = sum["total"]["positions"].clone();
        assert_eq!(whole["published"], if query.is_empty() { total } else { Json::Null });
        let count = Count::new(category.parse().expect("a category")).game(game(query));
        let doves = query.split('&').find_map(|part| part.strip_prefix("doves="));
        let doves = doves.map_or(2..=12, |doves| read_doves(doves).expect("numbers of doves"));
        let mut csv = Vec::new();
        dovemate::count(count.doves(doves)).expect("a count").write_csv(&mut csv).expect("memory takes it");
        assert_eq!(sum["csv"], json!(String::from_utf8_lossy(&csv)), "{query}");
    }
}

/// A solved game has the library's numbers, and every value of it is known from then on.
#[test]
fn solved_games_are_known() {
    for query in ["kinds=AY", "red=AT&green=M&returns=no&both_surrounded=draw"] {
        let brain = Brain::new(Game::default());
        let (answer, told) = ask(&brain, "solve", query);
        let game = game(query);
        let solved = dovemate_solver::solve(game).expect("a solved game");
        assert_eq!(answer["rows"], json!(solved.solution().rows()), "{query}");
        assert_eq!(answer["positions"], json!(solved.solution().count(|_| true)));
        let worth = |known: Known| (json!(known.worth.name()), json!(known.worth.plies()));
        for start in list(&answer["start"]) {
            let mover = start["to_move"].as_str().expect("a player").parse().expect("a player");
            let known = solved.probe(&Board::default(), mover).expect("a value").expect("a position");
            assert_eq!((start["value"].clone(), start["plies"].clone()), worth(known));
        }
        let longest = solved.longest().expect("a win");
        assert_eq!(answer["longest"]["board"], json!(longest.board.to_string()));
        assert_eq!(answer["longest"]["plies"], json!(longest.value.plies()));
        let rounds: Vec<u64> = told.iter().map(|round| round["round"].as_u64().expect("a number")).collect();
        assert_eq!(rounds, (1..=rounds.len() as u64).collect::<Vec<_>>());
        assert!(rounds.len() as u64 >= answer["longest"]["plies"].as_u64().expect("plies"));

        let (about, _) = ask(&brain, "about", "");
        let is_known = |known: &Json| known["red"] == answer["red"] && known["doves"].is_u64();
        assert!(list(&about["known"]).iter().any(is_known));
        let mut draw = Draw::new(game, 2..=game.most_doves(), 3);
        for _ in 0..50 {
            let (board, mover): (Board, Color) = draw.position();
            let board_text = board.to_string().replace(';', "%3B");
            let place = format!("{query}&positions=1&to_move={mover}&board={board_text}");
            let (position, _) = ask(&brain, "position", &place);
            let known = solved.probe(&board, mover).expect("a value").expect("a position");
            let told = &position["worth"];
            assert_eq!((told["value"].clone(), told["plies"].clone()), worth(known), "{board}");
            assert!(list(&position["actions"]).iter().all(|action| action["value"] != "none"), "{board}");
        }
    }
    let refused =
        Brain::new(Game::default()).ask("solve", "", &Asking::default()).expect_err("too large a game");
    assert!(refused.sentence().contains('3'), "{refused:?}");
}
