//! The answers to small questions, against the rules.

use std::collections::BTreeSet;

use dovemate::rules::{Board, Cell, Color, Dove, DoveSet, Game, Rules};
use dovemate_analysis::{Draw, built_in};
use dovemate_solver::Lookup;
use dovemate_web::texts::Language;
use dovemate_web::{Asking, Brain};
use serde_json::{Value as Json, json};

fn asked(name: &str, parameters: &[(&str, &str)], language: Language) -> Result<Json, String> {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    let answer = Brain::new(Game::default()).ask(name, &query, &Asking { language, ..Asking::default() });
    let answer = answer.map_err(|refused| refused.sentence().to_owned())?;
    Ok(serde_json::from_str(&answer).expect("JSON"))
}

fn ask(name: &str, parameters: &[(&str, &str)]) -> Json {
    asked(name, parameters, Language::English).expect("an answer")
}

fn refused(name: &str, parameters: &[(&str, &str)]) -> String {
    asked(name, parameters, Language::English).expect_err("no answer")
}

/// Positions of the whole game with any number of doves.
fn positions(count: usize) -> Vec<(Board, Color)> {
    let mut draw = Draw::new(Game::default(), 2..=12, 5);
    (0..count).map(|_| draw.position()).collect()
}

fn moved(at: &Json, shift: &Json) -> Vec<i64> {
    let part = |index: usize| at[index].as_i64().expect("a cell") + shift[index].as_i64().expect("a shift");
    vec![part(0), part(1)]
}

#[test]
fn a_picture_has_all_that_is_drawn() {
    let start = ask("legal", &[("board", "b;B")]);
    assert_eq!(start["doves"], json!({ "B": [1, 0], "b": [0, 0] }));
    assert_eq!(start["closed"], json!({ "green": [null, null, null, "B"], "red": ["b", null, null, null] }));
    assert_eq!(start["hands"]["green"], json!(["a", "y", "m", "t", "h"]));
    assert_eq!((&start["u64"], &start["walls"]), (&json!("0c00_4000_0000_0000"), &json!([false, false])));
    assert_eq!((&start["ending"], &start["result"]), (&json!(null), &json!("unfinished")));
    let over = ask("legal", &[("board", "Bb--;a-my;T---;H---"), ("to_move", "red")]);
    assert_eq!((&over["actions"], &over["walls"]), (&json!([]), &json!([true, true])));
    assert_eq!(over["closed"]["red"], json!(["wall", "wall", "b", "a"]));
    assert_eq!((&over["ending"]["winner"], &over["ending"]["why"]), (&json!("green"), &json!("surrounded")));
    let own = ask("legal", &[("board", "Bb--;a-my;T---;H---"), ("to_move", "green")]);
    let ending = &own["ending"];
    assert_eq!((&ending["winner"], &ending["why"]), (&json!("green"), &json!("own-surrounded")));
}

/// Every action leads to the board that its shift and its cell describe.
#[test]
fn shifts_keep_doves_in_their_places() {
    for (board, mover) in positions(40) {
        let picture = ask("legal", &[("board", &board.to_string()), ("to_move", mover.name())]);
        for action in picture["actions"].as_array().expect("actions") {
            let after = ask("legal", &[("board", action["after"].as_str().expect("a board"))]);
            let mut expected = picture["doves"].clone();
            let letter = action["dove"].as_str().expect("a letter");
            match &action["to"] {
                Json::Null => {
                    expected.as_object_mut().expect("doves").remove(letter);
                }
                to => expected[letter] = to.clone(),
            }
            let doves = after["doves"].as_object().expect("doves");
            assert_eq!(doves.len(), expected.as_object().expect("doves").len());
            for (letter, at) in doves {
                assert_eq!(json!(moved(at, &action["shift"])), expected[letter], "{board}: {action}");
            }
        }
    }
}

/// A dove can go exactly where it goes by a legal action.
#[test]
fn attempts_are_the_legal_actions() {
    for (board, mover) in positions(12) {
        let place = [("board", &board.to_string()[..]), ("to_move", mover.name())];
        let picture = ask("legal", &place);
        let legal = picture["actions"].as_array().expect("actions");
        let mut found = 0;
        for dove in Dove::all() {
            let letter = dove.letter().to_string();
            let cells = (-4..8).flat_map(|row| (-4..8).map(move |column| Cell::new(row, column)));
            let cells = cells.map(|cell| Some(format!("{},{}", cell.row, cell.column))).chain([None]);
            for to in cells {
                let mut query = place.to_vec();
                query.push(("dove", &letter));
                query.extend(to.as_deref().map(|to| ("to", to)));
                let answer = ask("try", &query);
                assert_ne!(answer["action"].is_null(), answer["refused"].is_null());
                if !answer["action"].is_null() {
                    assert!(legal.contains(&answer["action"]), "{board}: {answer}");
                    found += 1;
                }
            }
        }
        assert_eq!(found, legal.len(), "{board}");
    }
}

#[test]
fn an_attempt_names_the_rule_that_it_breaks() {
    let reason = |board: &str, dove: &str, to: Option<&str>| {
        let mut query = vec![("board", board), ("dove", dove)];
        query.extend(to.map(|to| ("to", to)));
        let answer = ask("try", &query);
        answer["reason"].as_str().unwrap_or("none").to_owned()
    };
    assert_eq!(reason("b;B", "A", Some("2,0")), "none");
    assert_eq!(reason("b;B", "a", Some("-1,0")), "not-yours");
    assert_eq!(reason("b;B", "A", Some("0,0")), "occupied");
    assert_eq!(reason("b;B", "A", Some("0,1")), "beside-boss");
    assert_eq!(reason("b;B", "A", Some("5,0")), "touches-none");
    assert_eq!(reason("b;B", "A", None), "in-hand");
    assert_eq!(reason("b;B", "B", None), "boss-stays");
    assert_eq!(reason("b;B", "B", Some("3,0")), "moves");
    assert_eq!(reason("b;B", "B", Some("2,0")), "isolated");
    assert_eq!(reason("bB;-aT", "T", Some("1,0")), "in-the-way");
    assert_eq!(reason("b;B;A;Y", "T", Some("4,0")), "too-large");
    let answer = asked("try", &[("board", "b;B"), ("dove", "B"), ("to", "2,0")], Language::Japanese);
    assert!(answer.expect("an answer")["refused"].as_str().expect("a sentence").contains("孤立"));
}

#[test]
fn arranged_doves_are_a_board_or_wrong() {
    let fine = ask("arrange", &[("doves", "B1,0 b0,0 A-1,1")]);
    assert_eq!((&fine["board"], &fine["shift"]), (&json!("-A--;b---;B---;----"), &json!([-1, 0])));
    assert_eq!((&fine["wrong"], &fine["doves"]["A"]), (&json!(null), &json!([-1, 1])));
    let lonely = ask("arrange", &[("doves", "B1,0 b0,0 A3,3")]);
    assert_eq!((&lonely["board"], &lonely["text"]), (&json!(null), &json!("b---;B---;----;---A")));
    assert!(lonely["wrong"].as_str().expect("a sentence").contains("'A' is isolated"));
    assert!(ask("arrange", &[("text", "b;-;B")])["wrong"].is_string());
    assert!(ask("arrange", &[("text", "b;B;A"), ("kinds", "Y")])["wrong"].is_string());
    assert!(refused("arrange", &[("text", "b;Bx")]).contains("'x' is not a dove"));
    assert!(refused("arrange", &[("doves", "B1,0 q2,2")]).contains("doves is"));
}

#[test]
fn images_are_the_same_position() {
    for (board, mover) in positions(30) {
        let images = ask("images", &[("board", &board.to_string()), ("to_move", mover.name())]);
        let image =
            |key: &str| images[key].as_str().expect("a board").parse::<Board>().expect("a board").code();
        let own = board.code().canonical(mover);
        assert_eq!([image("turned"), image("mirrored")].map(|code| code.canonical(mover)), [own, own]);
        assert_eq!(image("recoloured").canonical(mover.opponent()), own);
    }
}

/// A game is the same whether it is played step by step or read from its text, however that is typed.
#[test]
fn games_are_read_and_written() {
    let (mut board, mut mover) = (Board::default(), Color::Red);
    let mut texts = Vec::new();
    for ply in 0..30 {
        let actions: Vec<_> = Game::default().legal_actions(&board, mover).collect();
        let open = |board: &Board| Color::ALL.into_iter().all(|color| !board.is_surrounded(color));
        let going_on: Vec<_> = actions.iter().filter(|(_, after)| open(after)).collect();
        let (action, after) = going_on[(7 * ply + 3) % going_on.len()];
        texts.push(action.text(&board));
        (board, mover) = (after.clone(), mover.opponent());
    }
    let game = ask("game", &[("actions", &texts.join(" ")), ("red_player", "赤い人")]);
    let steps = game["steps"].as_array().expect("steps");
    assert_eq!((steps.len(), &steps[30]["board"]), (31, &json!(board.to_string())));
    assert_eq!(steps[0]["action"], json!(null));
    let mut read = ask("read", &[("text", game["text"].as_str().expect("a text"))]);
    assert_eq!(read.as_object_mut().expect("keys").remove("kind"), Some(json!("game")));
    assert_eq!(read, game);
    let full_width: String = texts
        .join("\t\u{3000}\r\n")
        .chars()
        .map(|letter| match letter {
            '!'..='~' => char::from_u32(letter as u32 + 0xfee0).expect("a form"),
            other => other,
        })
        .collect();
    for typed in [texts.join("\n").to_lowercase(), full_width, format!("1.\t{}", texts.join(" "))] {
        let read = ask("read", &[("text", &typed)]);
        assert_eq!((&read["kind"], &read["steps"]), (&json!("actions"), &game["steps"]), "{typed}");
    }
    let resigned = ask("game", &[("actions", &texts.join(" ")), ("ending", "red wins, green resigned")]);
    assert_eq!(resigned["result"], json!("red wins, green resigned"));
    assert!(refused("game", &[("ending", "red wins")]).contains("by the rules it is 'unfinished'"));
    assert!(refused("game", &[("actions", "+AS1 +aN9")]).contains("+aN9"));
    let cut = ask("game", &[("actions", "+AS1 +aN9 +YS1"), ("lenient", "yes")]);
    assert_eq!((cut["steps"].as_array().map(Vec::len), &cut["omitted"]), (Some(2), &json!("+aN9")));
}

#[test]
fn texts_are_boards_or_refused() {
    for text in ["b;B", "b\nB\n", "ｂ；Ｂ", "'b;B'", "0c00400000000000", "b---\t\r\nB---", "b/B/"] {
        let read = ask("read", &[("text", text)]);
        assert_eq!(json!([read["kind"], read["board"]]), json!(["board", "b---;B---;----;----"]), "{text:?}");
    }
    assert_eq!(ask("read", &[("text", "b")])["board"], json!(null));
    assert!(refused("read", &[("text", "hello")]).contains("columns"));
    assert!(refused("read", &[("text", "+AS1 +AS1")]).contains("+AS1"));
    assert!(refused("read", &[("text", "Tokyo Doves game, format 2")]).contains("another format"));
}

/// Actions with or without numbers, from the position that is shown or from the start of a game, and several boards.
#[test]
fn what_people_paste_is_read() {
    let after = ask("read", &[("text", "+AE1 bN1E1")])["steps"][2]["board"].clone();
    for text in ["1. +AE1 bN1E1", "1.+AE1 2.bN1E1", "1) +AE1 2) bN1E1", "1 +AE1, bN1E1", "+ae1,bn1e1"] {
        let read = ask("read", &[("text", text)]);
        assert_eq!((&read["kind"], &read["steps"][2]["board"]), (&json!("actions"), &after), "{text}");
        // If the first of them is not legal on the board that is shown, they are a game from the start.
        let elsewhere = [("text", text), ("board", "b---;BA--")];
        let read = ask("read", &elsewhere);
        assert_eq!((&read["kind"], &read["steps"][2]["board"]), (&json!("game"), &after), "{text}");
    }
    assert!(refused("read", &[("text", "1. +AE1 bN9")]).starts_with("bN9: "));
    let boards = json!(["b---;B---;----;----", "bB--;----;----;----", "b---;B---;A---;----"]);
    assert_eq!(ask("read", &[("text", "b;B\nbB")])["boards"].as_array().map(Vec::len), Some(2));
    for text in ["b;B\nbB\n0e00408000000000\n", "1. b;B\n\n2. bB\n3. b;B;A"] {
        let read = ask("read", &[("text", text)]);
        assert_eq!((&read["kind"], &read["boards"]), (&json!("boards"), &boards), "{text}");
    }
}

/// A line from an undecided position is legal, begins with the action that is asked for, and is marked as suggested.
#[test]
fn undecided_positions_have_lines() {
    for (board, mover) in positions(12) {
        let text = board.to_string();
        let place = [("board", &text[..]), ("to_move", mover.name()), ("positions", "600")];
        let ranking = ask("position", &place);
        let actions = ranking["actions"].as_array().expect("actions");
        let open = actions.iter().filter(|action| action["value"] == "none").take(2);
        for action in open.map(|action| action["action"].as_str().expect("a text")) {
            let line = ask("line", &[&place[..], &[("action", action)]].concat());
            let steps: Vec<&str> = line["line"]
                .as_array()
                .expect("a line")
                .iter()
                .filter_map(|step| step["action"].as_str())
                .collect();
            assert_eq!((line["suggested"].as_bool(), steps.first()), (Some(true), Some(&action)), "{text}");
            assert!(steps.len() > 1 || line["result"] != "unfinished", "{text} {action}");
            // It is legal to its end, and ends as it says.
            let played =
                ask("game", &[("start", &text), ("to_move", mover.name()), ("actions", &steps.join(" "))]);
            assert_eq!(played["result"], line["result"], "{text}");
        }
    }
    let won = ask("line", &[("board", "YmaH;MtAT;-yh-;B-b-"), ("depth", "5"), ("positions", "900000")]);
    assert_eq!((&won["suggested"], won["line"].as_array().map(Vec::len)), (&json!(false), Some(5)));
}

/// A line that is asked for an action begins with it and goes on, even once it is proved who wins but not how soon.
#[test]
fn lines_do_not_vanish_when_more_is_known() {
    let query = "board=----;-tb-;-B--;----&to_move=red&red=-&green=YT&returns=no&positions=3000&action=BN1W1";
    let brain = Brain::new(Game::default());
    let mut seen = BTreeSet::new();
    for _ in 0..6 {
        let answer = brain.ask("line", query, &Asking::default()).unwrap_or_else(|_| panic!("no answer"));
        let answer: Json = serde_json::from_str(&answer).expect("JSON");
        let line = answer["line"].as_array().expect("a line");
        assert!(line.len() > 1 && line[0]["action"] == "BN1W1", "{answer}");
        let worth = &answer["worth"];
        let is_exact = worth["value"] == "draw" || worth["value"] != "none" && worth["plies"].is_u64();
        assert_eq!(answer["suggested"], !is_exact, "{answer}");
        seen.insert(worth.to_string());
    }
    assert!(seen.iter().any(|worth| worth.contains("\"within\"")), "a loss without its distance: {seen:?}");
}

/// A game of which only the start is known is not listed as known.
#[test]
fn a_known_start_does_not_make_a_known_game() {
    let game = Game { red: DoveSet::ALL, green: DoveSet::NONE, rules: Rules::default() };
    let handicap = built_in(&game).expect("its start is known");
    for values in [Box::new(Game::default()) as Box<dyn Lookup>, Box::new(handicap)] {
        let brain = Brain::new(values.game());
        brain.know(values);
        let about = brain.ask("about", "", &Asking::default()).unwrap_or_else(|_| panic!("no answer"));
        let about: Json = serde_json::from_str(&about).expect("JSON");
        let is_larger = |known: &Json| known["doves"] != 5;
        assert!(!about["known"].as_array().expect("games").iter().any(is_larger), "{about}");
    }
}

/// A picture has the doves and says who is to move; after an action it shows the board that this leads to.
#[test]
fn pictures_are_drawn() {
    let start = ask("picture", &[("board", "b;B")]);
    let next = ask("picture", &[("board", "b;B"), ("action", "+AE1")]);
    let svg = |picture: &Json| picture["svg"].as_str().expect("a picture").to_owned();
    assert!(svg(&start).starts_with("<svg") && svg(&start).contains("red to move"), "{}", svg(&start));
    assert!(svg(&next).contains("green to move"));
    assert!(refused("picture", &[("board", "b;B"), ("action", "BN9")]).starts_with("action: "));
    let [light, dark] = ["light", "dark"].map(|theme| ask("picture", &[("board", "b;B"), ("theme", theme)]));
    assert!(start == light && light != dark && !svg(&dark).contains("prefers-color-scheme"), "one look each");
    assert!(refused("picture", &[("board", "b;B"), ("theme", "grey")]).starts_with("theme: "));
    // From green's side, the board is turned about its middle, walls and arrows too; doves stay upright.
    let place = [("board", "Ab-M;-aB-;----;----"), ("action", "AW2")];
    let seen = ask("picture", &place);
    let turned = ask("picture", &[&place[..], &[("turned", "yes")]].concat());
    let (seen, turned) = (svg(&seen), svg(&turned));
    let size =
        |svg: &str| svg.split('"').find(|text| text.starts_with("0 0 ")).expect("a view box").to_owned();
    assert_eq!(size(&seen), size(&turned));
    let centres = |svg: &str, what: &str| -> BTreeSet<(i32, i32)> {
        let lines = svg.lines().filter(|line| line.starts_with(what));
        let number = |line: &str, key: &str| -> i32 {
            let (_, rest) = line.split_once(&format!(" {key}=\"")).expect("a place");
            rest.split('"').next().expect("text").parse().expect("a number")
        };
        lines.map(|line| (number(line, "x"), number(line, "y"))).collect()
    };
    let whole = centres(&seen, "<rect class=\"cell");
    assert_eq!(whole, centres(&turned, "<rect class=\"cell"), "the boards cover different places");
    const CELL: i32 = 45;
    let sums = [whole.first(), whole.last()].map(|corner| *corner.expect("cells"));
    let about = (sums[0].0 + sums[1].0 + CELL - 1, sums[0].1 + sums[1].1 + CELL - 1);
    for dove in ["red-boss", "green-boss", "red-aniki", "green-aniki", "red-mamedeppo", "vacated"] {
        let mirrored = |(x, y): (i32, i32)| (about.0 - x, about.1 - y);
        let what = format!("<use href=\"#{dove}\" x");
        let expected: BTreeSet<_> = centres(&seen, &what).into_iter().map(mirrored).collect();
        assert!(expected.len() == 1 && expected == centres(&turned, &what), "{dove}: {expected:?} {turned}");
    }
    let hands = |svg: &str| svg.find("class=\"hand red\"") < svg.find("class=\"hand green\"");
    assert_eq!((hands(&seen), hands(&turned)), (true, false), "red's hand is at the other side");
    let code = ask("qr", &[("text", "http://192.0.2.7:8034/#mode=analyse&board=b;B")]);
    assert!(svg(&code).contains("<svg"), "{}", svg(&code));
    assert_ne!(code, ask("qr", &[("text", "http://192.0.2.7:8034/#mode=analyse&board=b;B;A")]));
    assert_eq!(refused("qr", &[("text", &"x".repeat(3000))]), "the text is too long for a QR code");
}

/// A review by search equals one made from the answers about each position, and its texts are in both languages.
#[test]
fn games_are_reviewed() {
    let boards = [("Yt--;-Bb-;ATa-;-h--", "red"), ("-Yt-;--Bb;HATa;--h-", "green")];
    let answers = boards.map(|(board, mover)| {
        ask("position", &[("board", board), ("to_move", mover), ("positions", "2000")])
    });
    let game = [("start", boards[0].0), ("actions", "+HS1W2 hW1")];
    let by_search = ask("review", &[&game[..], &[("positions", "6000")]].concat());
    let answers = json!([answers[0], answers[1], null]).to_string();
    let given = [&game[..], &[("answers", &answers)]].concat();
    let (review, japanese) = (ask("review", &given), asked("review", &given, Language::Japanese));
    let verdicts = |review: &Json, key: &str| -> Vec<Json> {
        review["steps"].as_array().expect("steps").iter().map(|step| step["verdict"][key].clone()).collect()
    };
    for key in ["kind", "sign", "better", "text"] {
        assert_eq!(verdicts(&by_search, key), verdicts(&review, key), "{key}");
    }
    assert_eq!(verdicts(&review, "sign"), [Json::Null, json!("?"), json!("✓")]);
    assert_eq!(verdicts(&japanese.expect("an answer"), "text")[2], "最善と同じです");
    assert_eq!(review["steps"][2]["worth"], json!({ "value": "lose", "plies": 0 }));
    assert!(refused("review", &[("answers", "[")]).starts_with("answers: "));
    // A loss for which only the bound of two plies was found is a loss in two.
    let bounded =
        json!([{ "worth": { "value": "lose", "plies": null, "within": 2 }, "actions": [] }, null, null]);
    let review = ask("review", &[&game[..], &[("answers", &bounded.to_string())]].concat());
    let step = &review["steps"][1];
    assert_eq!(step["worth"], json!({ "value": "win", "plies": 1 }));
    assert_eq!(step["action_worth"], json!({ "value": "lose", "plies": 2 }));
}

/// With an effort in positions, any two new brains give the same answers.
#[test]
fn efforts_in_positions_are_the_same_everywhere() {
    for (board, mover) in positions(6) {
        let board = board.to_string();
        let query = [("board", &board[..]), ("to_move", mover.name()), ("positions", "500")];
        for name in ["position", "line", "play"] {
            assert_eq!(ask(name, &query), ask(name, &query), "{board}");
        }
    }
    let both = [("board", "b;B"), ("positions", "5"), ("seconds", "1")];
    assert!(refused("position", &both).contains("not both"));
    assert!(refused("position", &[("board", "b;B"), ("positions", "0")]).contains("positions is"));
    let puzzle = [("plies", "3"), ("positions", "20000"), ("kinds", "AY")];
    assert_eq!(ask("puzzle", &puzzle), ask("puzzle", &puzzle));
}

/// A sheet has a picture of each board, then each solution; a text that is not a puzzle is refused.
#[test]
fn a_sheet_has_boards_and_solutions() {
    let [first, second] = ["MTat;-YA-;-hmy;bB-- red YN2W1 -a YN1W1", "b;B green +aN2"];
    let sheet = ask("sheet", &[("puzzles", &format!("{first},{second}")), ("unique", "yes")]);
    let html = sheet["html"].as_str().expect("HTML");
    let (boards, solutions) = html.split_once("<h2>Solutions</h2>").expect("solutions are apart");
    assert!(boards.starts_with("<h1>Tokyo Doves: 2 puzzles to be won in 3 plies</h1>"), "{boards}");
    assert_eq!((boards.matches("<img ").count(), solutions.matches("<li>").count()), (2, 2));
    let solution = "<strong>YN2W1</strong> -a YN1W1 <code>MTat;-YA-;-hmy;bB--</code>";
    assert!(solutions.contains(solution), "{solutions}");
    for (puzzle, why) in [
        ("b;B red <b>", "'<b>' is not a valid action"),
        ("b;B", "player"),
        ("", "boss"),
        ("b;B red +AN9E9", "touches one of its own"),
    ] {
        let sentence = refused("sheet", &[("puzzles", puzzle)]);
        assert!(sentence.starts_with("puzzles: ") && sentence.contains(why), "{sentence}");
    }
}
