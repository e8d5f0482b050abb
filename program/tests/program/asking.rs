//! The commands that ask for values, as a user runs them: answers, bad input, files, and games from standard
//! input.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::folders::Folder;
use crate::common::program::{
    died_by, dovemate, dovemate_in, dovemate_reading, end_of, has, interruptible, send,
};
use crate::common::{WIN_IN_5, cases};
use dovemate::rules::{Board, Color, Game};

#[test]
fn the_best_action_is_printed_with_its_line() {
    let ran = dovemate(&format!("best {WIN_IN_5}")).succeeds();
    let answer: Vec<&str> =
        ran.out.lines().filter(|line| line.starts_with("win") || line.starts_with("line")).collect();
    let [verdict, line, best] = answer[..] else { panic!("{}", ran.out) };
    assert_eq!(verdict, "win in 5: red plays TE3; each of green's 9 answers loses");
    assert!(line.starts_with("line: TE3 ") && line.ends_with("(red wins)"), "{line}");
    assert_eq!(line.split(' ').count(), 1 + 5 + 2, "five actions: {line}");
    assert_eq!(best, "win in 5             TE3");
    // The best come first.
    let place = |label: &str| {
        ran.out.find(&format!("\n{label}  ")).unwrap_or_else(|| panic!("{label} in {}", ran.out))
    };
    let places = ["win in 5", "none within 9 plies", "lose in 6", "lose in 4", "lose in 2"].map(place);
    assert!(places.is_sorted(), "{}", ran.out);
}

#[test]
fn unproved_values_are_not_claimed() {
    let ran = dovemate(&format!("best {WIN_IN_5} --depth 3"));
    assert!(ran.out.contains("none within 3 plies: "), "{}", ran.out);
    assert!(!ran.out.contains("draw") && !ran.out.contains("win in"), "{}", ran.out);
}

/// What orders equal actions stands beside them: the answers that keep a draw, the points expected.
#[test]
fn the_order_is_explained() {
    let start = dovemate("best b;B --depth 3").out;
    assert!(start.contains("\ndraw  +TS1E1 4/29  +TS1W1 4/29  +MS1E1 9/29  "), "{start}");
    assert!(start.contains("\n4/29: of the opponent's 29 answers, 4 keep the value\n"), "{start}");
    assert!(start.ends_with("play +TS1E1 (proved: draw; 4 of 29 answers hold the draw)\n"), "{start}");
    let open = dovemate(&format!("best {WIN_IN_5} --depth 3")).out;
    let percent = |line: &str| line.starts_with("none within 3 plies  ") && line.contains("% ");
    assert!(open.lines().any(percent) && open.contains("\n%: points expected, "), "{open}");
    dovemate_reading("play --lang ja --depth 3", "hint\nquit\n")
        .says("引き分け、29通りの応手のうち、引き分けを保てるのは4通り");
}

/// Every answer ends with an action to play, and says on what ground.
#[test]
fn an_answer_ends_with_an_action_and_its_ground() {
    let last = |arguments: &str| dovemate(arguments).out.lines().last().unwrap_or_default().to_owned();
    assert_eq!(last(&format!("best {WIN_IN_5}")), "play TE3 (proved: win in 5)");
    // The openings call it a win in 21 but do not say by which action, so an action that is known to win is
    // played.
    assert_eq!(last("best -Yy-;M-b-;B--- --depth 3"), "play BW1 (proved: win in 35)");
    let out = dovemate("best -Yy-;M-b-;B--- --depth 3").out;
    assert!(out.contains("\nwin in 21: one of ") && !out.contains("line: "), "{out}");
    let open = last(&format!("best {WIN_IN_5} --depth 3"));
    assert!(open.starts_with("play ") && open.ends_with(" (suggested, not proved)"), "{open}");
    assert!(last("best b;B --kinds A").contains(" (proved: draw; "));
    let json = |options: &str| dovemate(&format!("best {WIN_IN_5} --json {options}")).json();
    assert_eq!(json("")["choice"], json!({ "action": "TE3", "ground": "proved" }));
    let json = json("--depth 3");
    assert_eq!(json["choice"]["ground"], "suggested");
    assert_eq!(json["choice"]["action"], json["actions"][0]["action"]);
    assert_eq!(json["actions"][0]["value"], "none", "an estimate is no value");
    assert!(json["actions"][0]["estimate"]["per_mille"].is_u64(), "{json}");
}

/// The same seed plays the same game; other seeds do not all play that one.
#[test]
fn a_seed_determines_the_game() {
    let play = |level: &str, seed: &str| {
        let options = format!("--kinds AY --you green --level {level} --seed {seed}");
        played(&options, "bs1\nbe1\nbn1\nbw1\nmoves\n")
    };
    for level in ["beginner", "novice", "club", "strongest"] {
        let games: Vec<String> = (0..6).map(|seed| play(level, &seed.to_string())).collect();
        assert_eq!(games[0], play(level, "0"));
        assert!(games.iter().any(|game| *game != games[0]), "{level} always plays {}", games[0]);
    }
}

#[test]
fn json_has_every_action() {
    let json = dovemate(&format!("best {WIN_IN_5} --json")).json();
    assert_eq!(json["worth"], json!({"value": "win", "plies": 5}));
    assert_eq!(json["actions"][0]["action"], "TE3");
    assert_eq!(json["actions"][1]["value"], "none");
    assert_eq!(json["line"].as_array().map(Vec::len), Some(5));
    let board: Board = WIN_IN_5.parse().expect("a board");
    let game = Game::default();
    let code = |after: Board| after.code().canonical(Color::Green).to_string();
    let legal = game.legal_actions(&board, Color::Red);
    let legal: BTreeSet<_> = legal.map(|(action, after)| [action.text(&board), code(after)]).collect();
    let actions = json["actions"].as_array().expect("a list").iter();
    let told = actions.map(|action| ["action", "code"].map(|key| action[key].as_str().unwrap().to_owned()));
    assert_eq!(told.collect::<BTreeSet<_>>(), legal);
    // A code has the player to move as red; the position after an action is worth the same as its code.
    let [after, code] = ["after", "code"].map(|key| json["actions"][0][key].as_str().expect("text"));
    let worth = |place: &str| dovemate(&format!("best {place} --depth 5 --json")).json()["worth"].clone();
    assert_eq!(worth(&format!("{after} --to-move green")), worth(code));
}

#[test]
fn small_games_are_solved_at_once() {
    let draw = dovemate("best b;B --kinds A").out;
    assert!(draw.contains("draw: red plays "), "{draw}");
    let handicap = dovemate("best b;B --red T --green -").out;
    has(&handicap, "in hand: red T, green – … win in 7: red plays ");
    let other = dovemate("best b;B --red T --green - --to-move green").out;
    assert!(other.contains("lose in 8: green plays "), "{other}");
}

#[test]
fn puzzles_are_written_with_their_solutions() {
    let folder = Folder::new();
    let puzzles = "puzzles --plies 3 --unique --count 4 --seed 9 --quiet";
    let ran = folder.dovemate(&format!("{puzzles} --csv puzzles.csv -o puzzles.html")).succeeds();
    assert_eq!(ran.out, "");
    let mut csv = csv::Reader::from_path(folder.join("puzzles.csv")).expect("it is there");
    assert_eq!(csv.headers().expect("a header"), vec!["board", "to_move", "plies", "unique", "solution"]);
    let rows: Vec<csv::StringRecord> = csv.records().map(|row| row.expect("it is CSV")).collect();
    assert_eq!(rows.len(), 4);
    let page = folder.read("puzzles.html");
    let (boards, solutions) = page.split_once("<h2>Solutions</h2>").expect("solutions are apart");
    assert_eq!(boards.matches("<img ").count(), 4);
    for row in &rows {
        assert_eq!((&row[2], &row[3]), ("3", "yes"));
        let (key, rest) = row[4].split_once(' ').expect("a line of actions");
        assert!(boards.contains(&row[0]) && !boards.contains(&row[4]), "no solution beside the board");
        let written = format!("<strong>{key}</strong> {rest} ");
        assert!(solutions.contains(&written), "{written} in {solutions}");
        // `best` says the same.
        let best = dovemate(&format!("best {} --depth 3", &row[0])).out;
        assert!(best.contains(&format!("line: {} (red wins)", &row[4])), "{best}");
    }
    let text = dovemate(puzzles).out;
    assert!(rows.iter().all(|row| text.contains(&row[4])), "{text}");
    // Rules other than the default ones are stated.
    let others = "puzzles --plies 1 --no-return --both-surrounded draw --quiet -o other.html";
    folder.dovemate(others).succeeds();
    let other = folder.read("other.html");
    let variant = "Under these rules, no dove goes back to the hand, and an action that surrounds both bosses is a draw.";
    assert!(other.contains(variant) && !other.contains("-t returns"), "{other}");
    assert!(!page.contains("Under these rules") && page.contains("-t returns"), "{page}");
}

#[test]
fn one_is_singular() {
    let folder = Folder::new();
    let puzzle = "puzzles --plies 1 --quiet";
    assert!(dovemate(puzzle).out.contains("1. red to move wins in 1 ply\n"));
    folder.dovemate(&format!("{puzzle} -o puzzle.html")).succeeds();
    let page = folder.read("puzzle.html");
    assert!(page.contains("<h1>Tokyo Doves: a puzzle to be won in 1 ply</h1>"), "{page}");
}

#[test]
fn a_game_is_played_to_its_end() {
    // The line of `best` wins.
    let json = dovemate(&format!("best {WIN_IN_5} --json")).json();
    let mut typed = String::new();
    for ply in [0, 2, 4] {
        typed += json["line"][ply].as_str().expect("a text");
        typed.push('\n');
    }
    // There are several longest defences, and to some the line has no answer.
    let out = played(&format!("--board {WIN_IN_5} --depth 6 --seed 1"), &typed);
    assert_eq!(out.matches("green plays ").count(), 2, "{out}");
    assert!(out.ends_with("red wins – well played\n"), "{out}");
}

#[test]
fn nothing_that_is_typed_ends_a_game() {
    let long = "\0".repeat(10_000);
    let typed = "foo\n\n+AS9\n-A\nxE1\n\u{7f}\nundo\nhint\nhelp\nactions\n+AS1\nundo\n+YE1\n";
    let out = played("--depth 3", &format!("{long}\n{typed}"));
    has(
        &out,
        "that line is too long … 'foo' is not a valid action \
         … +AS9 is not legal; the legal actions with 'A' are … 'A' is in hand … nothing to undo \
         …  (draw; 4 of 29 answers hold the draw):  … take your last action back \
         … the game is left as it stands",
    );
    assert_eq!(out.matches("green plays ").count(), 2, "{out}");
}

/// Ctrl-C at the prompt: one line, death by the signal, and no colour left switched on in the output.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_game_in_order() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let mut child = interruptible(Path::new("."))
        .arg("play")
        .env("CLICOLOR_FORCE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Kept open, because the end of the input ends the game, too.
    let _input = child.stdin.take();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    // The board's text is the last output before the program waits.
    while !text.contains("b---;B---") {
        assert_ne!(out.read_line(&mut text).expect("UTF-8"), 0, "it ended by itself: {text}");
    }
    send("-INT", &child);
    died_by("-INT", end_of(&mut child));
    out.read_to_string(&mut text).expect("UTF-8");
    let mut complaint = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut complaint).expect("UTF-8");
    assert_eq!(complaint, "interrupted\n");
    let last_escape = text.rfind('\u{1b}').expect("there are colours");
    assert!(text[last_escape..].starts_with("\u{1b}[0m"), "{text}");
}

/// What `play` prints with this standard input.
fn played(options: &str, typed: &str) -> String {
    played_in(Path::new("."), options, typed)
}

fn played_in(folder: &Path, options: &str, typed: &str) -> String {
    dovemate_in(folder, &format!("play {options}"), typed).succeeds().out
}

/// Many actions are equally good, and the program does not choose among them alphabetically.
#[test]
fn a_hint_shows_the_line_of_its_action() {
    let typed = "hint\n+AS1\nhint\nAE1\nhint\n-A\nhint\n";
    let mut hints = 0;
    for (kind, options) in [("A", "--kinds A"), ("A", "--kinds AT"), ("T", "--kinds TH --depth 3")] {
        let out = played(options, &typed.replace('A', kind));
        for hint in out.lines().filter(|line| line.contains("): ")) {
            let (action, rest) = hint.split_once(" (").expect("what it is worth");
            let (_, line) = rest.split_once("): ").expect("a line");
            assert_eq!(line.split(' ').next(), Some(action), "{hint}");
            hints += 1;
        }
    }
    assert!(hints >= 6, "only {hints} hints");
}

#[test]
fn actions_are_understood_as_they_are_typed() {
    let out = played("--depth 1", "as1\nmoves\n");
    assert!(out.contains("1. +AS1 "), "{out}");
    let out = played("--depth 1 --board b;BA", " - a \nmoves\n");
    assert!(out.contains("1. -A "), "{out}");
    let green = played("--depth 1 --you green --to-move green", "AN1\nA n2\nmoves\n");
    has(&green, "+aN1 is not legal; the legal actions with 'a' are … 1. +aN2 ");
    let out = played("--kinds T", "as1\n");
    assert!(out.contains("'A' is not in this game"), "{out}");
    let svg = |action| dovemate(&["svg", "b;B", "--action", action]).out;
    assert_eq!(svg("a S1"), svg("+AS1"));
    dovemate("svg b;B --action bN1").fails(2, "it is red's turn");
}

#[test]
fn long_lines_are_wrapped_at_words() {
    let out = played("--depth 1", "+AS9\nfoo\n");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let one_line = out.replace('\n', " ");
    has(
        &one_line,
        "+AS9 is not legal; the legal actions with 'A' are +A \
         … (N S E W from the red boss); help says more",
    );
}

/// Only the beginning of a line that is longer than any action is read, and the rest is not a line of its
/// own.
#[test]
fn a_line_has_a_greatest_length() {
    let out = played("--depth 1", &format!("{}resign\nmoves\n", "x".repeat(4096)));
    assert!(!out.contains("resigns"), "{out}");
    let out = played("--depth 1", &format!("{}\nresign\n", "x".repeat(4096)));
    assert!(out.contains("red resigns: green wins\n"), "{out}");
}

/// Bosses move to and fro until the position comes up for the third time, or the program has known for ten plies that
/// the game is a draw.
#[test]
fn draws_are_known_and_claimed() {
    let early =
        "no position has occurred three times, and green has not known for 10 plies that the game is a draw";
    let knows = "green knows that this is a draw: draw ends the game\n";
    // With bare bosses, positions come back soon.
    let out = played("--kinds - --seed 2", "BE1\nBW1\ndraw\nmoves\n");
    assert!(out.contains("this position has occurred three times: draw claims a draw"), "{out}");
    assert!(out.contains("a draw by repetition: the position has occurred three times\n1. "), "{out}");
    // The program says once that it knows a draw, with its sixth action.
    let typed = ["+AS1", "BW1", "AS1", "AS1W1", "AW1", "AS1W1"];
    let play = |actions: &[&str], last: &str| {
        played("--kinds A --seed 1", &format!("{}\n{last}\n", actions.join("\n")))
    };
    let out = play(&typed[..5], "draw").replace('\n', " ");
    assert!(out.contains(early) && out.ends_with("the game is left as it stands "), "{out}");
    let out = play(&typed, "draw");
    assert!(out.contains(knows) && out.ends_with("a draw by agreement\n"), "{out}");
    let out = play(&typed, "-A\ndraw");
    assert!(out.matches(knows).count() == 1 && out.ends_with("a draw by agreement\n"), "{out}");
    // A player who wins knows no draw.
    let lost = played("--red - --green T", "draw\nhint\n").replace('\n', " ");
    assert!(lost.contains(early) && lost.contains("(lose in 8; 9 of 9 answers keep the win)"), "{lost}");
}

#[test]
fn a_game_is_given_up_and_taken_back() {
    let out = played("--depth 1", "resign\nhint\n+AS1\nundo\n+AS1\nmoves\n");
    assert!(out.contains("red resigns: green wins\n"), "{out}");
    assert_eq!(out.matches("the game is over: undo, moves, save FILE or quit").count(), 2, "{out}");
    assert!(out.contains("1. +AS1 ") && out.ends_with("the game is left as it stands\n"), "{out}");
}

#[test]
fn a_game_is_saved() {
    let folder = Folder::new();
    let sets = "--red AY --green T --no-return --you green";
    let out = played_in(&folder, sets, "+tN2\nsave game.txt\n");
    assert!(out.contains("the game is in game.txt"), "{out}");
    let saved = folder.read("game.txt");
    let header = concat!(
        "Tokyo Doves game, format 1\nred: dovemate ",
        env!("CARGO_PKG_VERSION"),
        "\ngreen: you\nred doves: AY\ngreen doves: T\nreturns: no\nboth surrounded: mover-loses\n\
         start: b---;B---;----;----\nto move: red\nresult: unfinished\n\n1. "
    );
    assert!(saved.starts_with(header) && saved.contains(" +tN2\n2. "), "{saved}");

    // The file of a game that has ended has the result.
    let out = played_in(&folder, &format!("{sets} --seed 1"), "+tN2\nresign\nsave end.txt\n");
    assert!(out.starts_with("you are green;") && out.contains("green resigns: red wins"), "{out}");
    assert!(folder.read("end.txt").contains("\nresult: red wins, green resigned\n"), "{out}");

    // A byte order mark is no part of the game. Spaces before a board might be empty cells.
    let write = |text: &str| folder.write("marked.txt", text);
    let show = || folder.dovemate("show --game marked.txt");
    write("\u{feff}Tokyo Doves game, format 1\nstart: b;B\n");
    assert!(show().out.contains("b---;B---;----;----"), "{}", show().err);
    write("Tokyo Doves game, format 1\nstart:  b;B\n");
    show().fails(1, "line 2: there are spaces");

    let out = played_in(&folder, "", "save game.txt\nsave missing/game.txt\nsave\n").replace('\n', " ");
    has(
        &out,
        "game.txt exists; it is not replaced … the folder missing does not exist \
         … save needs the name of a file",
    );
    assert_eq!(folder.read("game.txt"), saved);
    folder.dovemate("show --game game.txt --no-return").fails(2, "--game");
}

/// The boards of the help and the README, in the forms that shells and files give them.
#[test]
fn boards_are_read_as_they_are_typed() {
    let expected = dovemate("show -b-B;--Ma;A---;Y---").out;
    for text in [
        "-b-B/--Ma/A/Y",
        "-b-B\n--Ma\nA---\nY---\n",
        "'-b-B;--Ma;A---;Y---'",
        "\"-b-B;--Ma;A;Y\"",
        "'0dc23c0617000080'",
    ] {
        let ran = dovemate(&["show", text]).ends(0);
        assert_eq!(ran.out == expected, !text.contains("0dc2"), "{text}: {}", ran.out);
    }
    dovemate("show YmaX/MtAT").fails(2, "board of rows 'YmaX', 'MtAT': row 1, column 4: 'X' is not a dove");
    dovemate(&["show", "b---\nB----"]).fails(2, "board of rows 'b---', 'B----': row 2 has 5 columns");
    dovemate("show b---B---").fails(2, "board 'b---B---': row 1 has 8 columns … separated by ';' or '/'");
}

/// Cells of a spreadsheet, joined by tabs: as an argument, and on standard input, a board in several lines.
#[test]
fn boards_come_from_spreadsheets() {
    let expected = dovemate("show -b-B;--Ma;A---;Y---").succeeds().out;
    for rows in ["\tb\t\tB\r\n\t\tM\ta\r\nA\t\t\t\r\nY\t\t\t\r\n", "-\tb\t-\tB\n-\t-\tM\ta\nA\nY"] {
        assert_eq!(dovemate(&["show", rows]).succeeds().out, expected, "{rows:?}");
    }
    let rows = "\tb\t\tB\n\t\tM\ta\nA\t\t\t\nY\t\t\t\n";
    assert_eq!(dovemate_reading("show -", rows).succeeds().out, expected);
    let best = |board: &str| dovemate(&["best", board, "--depth", "3"]).succeeds().out;
    assert_eq!(best(rows), best("-b-B;--Ma;A---;Y---"));
    // A blank line separates two boards, and a row with separators is a board of its own.
    let two = dovemate_reading("show", &format!("{rows}\nb\t;B\n")).succeeds().out;
    assert_eq!(two, expected + "\n" + &dovemate("show b;B").succeeds().out);
    dovemate_reading("show", "\nb\t\nx\tB\n").fails(2, "line 2: board of rows 'b ', 'xB': row 2, column 1");
}

/// The commands for players draw boards without their u64s; `show` prints them.
#[test]
fn boards_for_players_have_no_numbers() {
    for arguments in [&format!("best {WIN_IN_5}"), "puzzles --plies 1 --quiet", "play"] {
        let out = dovemate(arguments).out;
        assert!(out.contains("enclosure degree: ") && !out.contains("u64") && !out.contains("code"), "{out}");
    }
    assert!(dovemate(&format!("show {WIN_IN_5}")).out.contains("   u64 0"));
}

/// A game is solved on the spot if that takes about a second, which does not depend only on its number of
/// doves. A game that is not solved in half of the time is searched.
#[test]
fn games_are_solved_on_the_spot_by_their_positions() {
    let worth = |options: &str| {
        let ran = dovemate(&format!("best ----;-Bb-;----;---- --json {options}")).succeeds();
        ran.json()["worth"]["value"].as_str().expect("a value").to_owned()
    };
    assert_eq!(worth("--kinds AY"), "draw");
    assert_eq!(worth("--red AYM --green AY"), "draw");
    // As many doves as three kinds each, but ten times the work.
    assert_eq!(worth("--red AYMTH --green A --both-surrounded draw --depth 1"), "none");
    // No machine solves it in this time.
    assert_eq!(worth("--kinds AYM --seconds 0.000001"), "none");
}

#[test]
fn the_start_is_answered_without_tables() {
    let ran = dovemate("best ----;-Bb-;----;---- --no-return --depth 1").succeeds();
    assert!(ran.out.contains("\ndraw: red plays "), "{}", ran.out);
    assert!(ran.out.contains("from the openings of the solved game"), "{}", ran.out);
    assert!(!ran.out.contains("none within"), "every action has its value: {}", ran.out);
    let ran = dovemate("best ----;-Bb-;----;---- --no-return --depth 1 --json");
    let json = ran.json();
    assert_eq!((&json["worth"]["value"], &json["source"]), (&"draw".into(), &"openings".into()));
    let actions = json["actions"].as_array().expect("a list");
    let lost: Vec<_> = actions.iter().filter(|action| action["value"] == "lose").collect();
    assert_eq!((actions.len(), lost.len()), (29, 3), "{}", ran.out);
    assert!(lost.iter().all(|action| action["plies"] == 30), "{}", ran.out);
}

/// Where puts lead out of the openings, the program prints what is known.
#[test]
fn best_actions_at_the_edge_of_the_openings() {
    let ran = dovemate("best --M-;--HB;b---;a--- --no-return --depth 3");
    has(&ran.out, "\nwin in 65: one of 15 actions of red has this value; it is not known which\n");
    assert!(ran.out.ends_with(" (suggested, not proved)\n"), "{}", ran.out);
    // The line is given up where it would have to be searched 26 plies deep.
    let ran = dovemate("best M;Bb --to-move green --no-return --depth 3");
    assert!(ran.out.contains("\nwin in 29: green plays "), "{}", ran.out);
}

/// Actions are played from the start, or from any board, before a question is answered.
#[test]
fn a_question_may_begin_with_actions() {
    const AFTER: &str = "tb--;-B--;--M-;----";
    const PLAYED: &str = "--action +MS1E1 --action +tN1W1";
    for (command, options) in
        [("best", "--depth 3"), ("best", "--json --depth 3"), ("show", ""), ("explain", "")]
    {
        let from = |board: &str| dovemate(&format!("{command} {board} {options}")).succeeds().out;
        let expected = from(AFTER);
        assert!(expected.contains(AFTER), "{expected}");
        assert_eq!(from(PLAYED), expected, "{command} from the start");
        assert_eq!(from(&format!("b;B {PLAYED}")), expected, "{command} from a board");
        let one = from("b---;B---;-M-- --to-move=green --action +tN1W1");
        assert_eq!(one, expected, "{command} after one action");
        dovemate(&format!("{command} --action BW1 --action AE1"))
            .fails(2, "--action AE1: green has no such legal action on");
        dovemate(&format!("{command} --action bN2W1")).fails(2, "it is red's turn on b---;B---;----;----");
        // The text of a return begins like an option.
        let red = from("bA;B- --action=-A");
        assert!(red.contains("b---;B---;----;----"), "{red}");
    }
    // Every board of a stream is played on.
    let stream = dovemate_reading("show - --action BW1 --json", "b;B\n-b;-B\n");
    assert_eq!(stream.succeeds().out.matches("\"to_move\":\"green\"").count(), 2);
}

/// Where a value comes from is said once, below it, if all actions share a source.
#[test]
fn the_source_of_values_is_said_once() {
    for (arguments, source) in [
        ("best --depth 1", "from the openings of the solved game"),
        ("best --kinds A", "from the solved game"),
        (&format!("best {WIN_IN_5}"), "proved by search"),
        ("best -Yy-;M-b-;B--- --depth 3", "from the openings of the solved game"),
        ("best YTAh;-tMH;Bb-m;a--- --depth 1", ""),
    ] {
        let out = dovemate(arguments).succeeds().out;
        let said: Vec<&str> =
            out.lines().filter(|line| line.starts_with("from the ") || *line == "proved by search").collect();
        let expected: Vec<&str> = Some(source).filter(|source| !source.is_empty()).into_iter().collect();
        assert_eq!(said, expected, "{arguments:?}: {out}");
    }
}

/// The tree of openings has every action once, in families, with the values and the answers that `best` has.
#[test]
fn openings_are_what_best_says_of_every_position() {
    let best = |line: &[&str]| -> Vec<Value> {
        let played: String = line.iter().map(|action| format!(" --action={action}")).collect();
        let answer = dovemate(&format!("best --json --depth 1{played}")).succeeds().json();
        answer["actions"].as_array().expect("a list").clone()
    };
    let csv = dovemate("openings --depth 3 --csv").succeeds().out;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let lines: BTreeSet<&str> = rows.iter().map(|row| &row[1]).collect();
    assert!(rows.len() > 10_000 && lines.len() > 300, "{} rows, {} lines", rows.len(), lines.len());
    let followed = rows.iter().filter(|row| &row[0] == "1").count();
    assert_eq!(lines.iter().filter(|line| !line.is_empty() && !line.contains(' ')).count(), followed);
    for line in lines.iter().step_by(cases(164, 41)) {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let actions = best(&words);
        let mut listed = 0;
        for row in rows.iter().filter(|row| row[1] == **line) {
            let family: Vec<&str> = row[2].split(' ').collect();
            let of_code: Vec<&Value> = actions.iter().filter(|action| action["code"] == row[7]).collect();
            let is_same = of_code.iter().all(|action| {
                let plies = action["plies"].as_u64().map(|plies| plies.to_string()).unwrap_or_default();
                family.contains(&action["action"].as_str().expect("a text"))
                    && (action["value"] == row[3] && plies == row[4])
            });
            assert!(is_same && family.len() == of_code.len(), "{row:?}: {of_code:?}");
            listed += family.len();
        }
        assert_eq!(listed, actions.len(), "each action after '{line}' is listed once");
        let row = rows.iter().find(|row| row[1] == **line).expect("a row");
        let answers = best(&[&words[..], &[row[2].split(' ').next().expect("an action")]].concat());
        let kept = match &row[3] {
            "win" => "lose",
            "lose" => "win",
            other => other,
        };
        let kept = answers.iter().filter(|answer| answer["value"] == kept).count();
        assert!(
            row[5].is_empty() || row[5] == kept.to_string() && row[6] == answers.len().to_string(),
            "{row:?}"
        );
    }
    // With `--value`, only the rows with this value are listed.
    for (value, is_it) in [("lose", "lose,"), ("lose in 30", "lose,30,")] {
        let some = dovemate(&["openings", "--depth", "3", "--csv", "--value", value]).succeeds().out;
        let expected: Vec<&str> = csv.lines().filter(|row| row.contains(&format!(",{is_it}"))).collect();
        assert!(!expected.is_empty() && some.lines().skip(1).eq(expected), "{value}");
    }
    dovemate(&["openings", "--value", "win in five"]).fails(2, "'win in five' is not a value");
    let out = dovemate("openings --depth 4 --red AYMTH --green AYM").ends(0);
    assert!(out.err.ends_with("left out: the value is not known without a search\n"), "{}", out.err);
}
