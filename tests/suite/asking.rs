//! The commands that ask for values, as a user runs them: answers, bad input, files, and games from standard input.

use std::path::Path;

use crate::common::program::{Ran, dovemate, dovemate_in};

/// It fails with this status, without a result, and says all these words in an error.
fn complains(ran: &Ran, status: i32, words: &[&str]) {
    assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{}", ran.err);
    assert!(ran.err.starts_with("error: ") && !ran.err.contains("panicked"), "{}", ran.err);
    assert!(ran.err.lines().count() == 1 || ran.err.contains("--help"), "{}", ran.err);
    assert!(words.iter().all(|word| ran.err.contains(word)), "{words:?} in: {}", ran.err);
}

/// A win in 5 with all twelve doves on the board.
const WIN_IN_5: &str = "YmaH;MtAT;-yh-;B-b-";

#[test]
fn the_best_action_is_said_with_its_line() {
    let ran = dovemate(&["best", WIN_IN_5]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let answer: Vec<&str> =
        ran.out.lines().filter(|line| line.starts_with("win") || line.starts_with("line")).collect();
    let [verdict, line, best] = answer[..] else { panic!("{}", ran.out) };
    assert_eq!(verdict, "win in 5: red plays TE3; each of green's 9 answers loses");
    assert!(line.starts_with("line: TE3 ") && line.ends_with("(red wins)"), "{line}");
    assert_eq!(line.split(' ').count(), 1 + 5 + 2, "five actions: {line}");
    assert_eq!(best, "win in 5             TE3");
    // Best first.
    let place = |label: &str| ran.out.find(&format!("\n{label}  ")).unwrap_or_else(|| panic!("{label} in {}", ran.out));
    let places = ["win in 5", "none within 9 plies", "lose in 6", "lose in 4", "lose in 2"].map(place);
    assert!(places.is_sorted(), "{}", ran.out);
}

#[test]
fn what_is_not_proved_is_not_said() {
    let ran = dovemate(&["best", WIN_IN_5, "--depth", "3"]);
    assert!(ran.out.contains("none within 3 plies: "), "{}", ran.out);
    assert!(!ran.out.contains("draw") && !ran.out.contains("win in"), "{}", ran.out);
}

#[test]
fn a_line_is_drawn_on_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = dovemate_in(folder.path(), &["best", WIN_IN_5, "--page", "line.html"], "");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, dovemate(&["best", WIN_IN_5]).out, "the answer is said all the same");
    let page = std::fs::read_to_string(folder.path().join("line.html")).expect("it is there");
    assert_eq!(page.matches("<img ").count(), 1 + 5, "the board, and five actions");
    assert!(page.contains("<h1>Tokyo Doves: win in 5 for red</h1>") && page.contains("1. red TE3"), "{page}");
    assert!(page.contains("<code>dovemate best 'YmaH;MtAT;-yh-;B-b-' --page line.html</code>"), "{page}");
    complains(&dovemate_in(folder.path(), &["best", WIN_IN_5, "--page", "missing/line.html"], ""), 1, &["no folder"]);
}

#[test]
fn json_has_every_action() {
    let ran = dovemate(&["best", WIN_IN_5, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(json["worth"], serde_json::json!({"value": "win", "plies": 5}));
    assert_eq!(json["actions"][0]["action"], "TE3");
    assert_eq!(json["actions"][1]["value"], "none");
    assert_eq!(json["line"].as_array().map(Vec::len), Some(5));
    let count =
        dovemate(&["explain", WIN_IN_5, "--brief", "--all"]).out.lines().filter(|l| l.starts_with("  ")).count();
    assert!(json["actions"].as_array().is_some_and(|actions| actions.len() <= count), "no more than explain has");
}

#[test]
fn small_games_are_solved_at_once() {
    let draw = dovemate(&["best", "b;B", "--kinds", "A"]).out;
    assert!(draw.contains("draw: red plays "), "{draw}");
    let handicap = dovemate(&["best", "b;B", "--red", "T", "--green", "-"]).out;
    assert!(handicap.contains("win in 7: red plays ") && handicap.contains("in hand: red T, green –"), "{handicap}");
    let other = dovemate(&["best", "b;B", "--red", "T", "--green", "-", "--to-move", "green"]).out;
    assert!(other.contains("lose in 8: green plays "), "{other}");
}

#[test]
fn bad_boards_and_bounds_are_refused() {
    complains(&dovemate(&["best", "b-;--;-B"]), 2, &["isolated"]);
    complains(&dovemate(&["best", "-a-;YBy;-Mb"]), 2, &["red boss is surrounded", "over"]);
    complains(&dovemate(&["best", "bA;B-", "--kinds", "T"]), 2, &["'A' is not in this game"]);
    complains(&dovemate(&["best", "b;B", "--depth", "0"]), 2, &["--depth"]);
    complains(&dovemate(&["best", "b;B", "--depth", "1000"]), 2, &["200"]);
    complains(&dovemate(&["best", "b;B", "--seconds", "-1"]), 2, &["--seconds"]);
    complains(&dovemate(&["best", "b;B", "--seconds", "soon"]), 2, &["number above 0"]);
    complains(&dovemate(&["best", "b;B", "--red", "A"]), 2, &["--green"]);
    complains(&dovemate(&["puzzles", "--plies", "4"]), 2, &["odd"]);
    complains(&dovemate(&["puzzles", "--plies", "3", "--kinds", "A", "--doves", "7"]), 2, &["at most 4 doves"]);
    complains(&dovemate(&["play", "--board", "-a-;YBy;-Mb"]), 2, &["over"]);
}

#[test]
fn puzzles_are_written_with_their_solutions() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let arguments = ["puzzles", "--plies", "3", "--unique", "--count", "4", "--seed", "9", "--quiet"];
    let files = ["--csv", "puzzles.csv", "-o", "puzzles.html"];
    let ran = dovemate_in(folder.path(), &[&arguments[..], &files].concat(), "");
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let mut csv = csv::Reader::from_path(folder.path().join("puzzles.csv")).expect("it is there");
    let rows: Vec<csv::StringRecord> = csv.records().map(|row| row.expect("it is CSV")).collect();
    assert_eq!(rows.len(), 4);
    let page = std::fs::read_to_string(folder.path().join("puzzles.html")).expect("it is there");
    let (boards, solutions) = page.split_once("<h2>Solutions</h2>").expect("solutions are apart");
    assert_eq!(boards.matches("<img ").count(), 4);
    for row in &rows {
        assert_eq!((&row[2], &row[3]), ("3", "yes"));
        let (key, rest) = row[4].split_once(' ').expect("a line of actions");
        assert!(boards.contains(&row[0]) && !boards.contains(&row[4]), "no solution beside the board");
        let written = format!("<strong>{key}</strong> {rest} ");
        assert!(solutions.contains(&written), "{written} in {solutions}");
        // `best` says the same.
        let best = dovemate(&["best", &row[0], "--depth", "3"]).out;
        assert!(best.contains(&format!("line: {} (red wins)", &row[4])), "{best}");
    }
    let text = dovemate(&arguments).out;
    assert!(rows.iter().all(|row| text.contains(&row[4])), "{text}");
}

#[test]
fn puzzles_that_do_not_exist_are_not_waited_for() {
    complains(&dovemate(&["puzzles", "--plies", "3", "--kinds", "-", "--quiet"]), 1, &["no win in 3 plies"]);
}

#[test]
fn a_game_is_played_to_its_end() {
    // The line that `best` names wins.
    let best = dovemate(&["best", WIN_IN_5, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&best.out).expect("it is JSON");
    let mut typed = String::new();
    for ply in [0, 2, 4] {
        typed += json["line"][ply].as_str().expect("a text");
        typed.push('\n');
    }
    let ran = dovemate_in(Path::new("."), &["play", "--board", WIN_IN_5, "--depth", "6"], &typed);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.matches("green plays ").count(), 2, "{}", ran.out);
    assert!(ran.out.ends_with("red wins – well played\n"), "{}", ran.out);
}

#[test]
fn nothing_that_is_typed_ends_a_game() {
    let long = "\0".repeat(10_000);
    let typed = "foo\n\n+AS9\n-A\nyE1\n\u{7f}\nundo\nhint\nhelp\nactions\n+AS1\nundo\n+YE1\n";
    let ran = dovemate_in(Path::new("."), &["play", "--depth", "3"], &format!("{long}\n{typed}"));
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    for words in [
        "that is too long",
        "'foo' is no action",
        "+AS9 is not legal; with 'A' there are",
        "'A' is in hand",
        "nothing to undo",
        "none within 3 plies",
        "take your last action back",
        "the game is left as it stands",
    ] {
        assert!(ran.out.contains(words), "{words} in {}", ran.out);
    }
    assert_eq!(ran.out.matches("green plays ").count(), 2, "{}", ran.out);
    let other = dovemate_in(Path::new("."), &["play", "--you", "green", "--kinds", "A"], "+AS1\nquit\n").out;
    assert!(
        other.contains("'A' is not yours; your dove of that kind is 'a'") || other.contains("is on the board"),
        "{other}"
    );
}

/// Ctrl-C at the prompt: one line, the status of an interrupt, and nothing left in the output that colours what follows.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_game_in_order() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_dovemate"))
        .arg("play")
        .env("CLICOLOR_FORCE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Held to the end: waiting for a child closes its input if it still has it, and the end of the input ends the game too.
    let _input = child.stdin.take();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    // The code of the board is the last thing before it waits.
    while !text.contains("u64") {
        assert_ne!(out.read_line(&mut text).expect("UTF-8"), 0, "it ended by itself: {text}");
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is kill");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    out.read_to_string(&mut text).expect("UTF-8");
    let mut complaint = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut complaint).expect("UTF-8");
    assert_eq!(complaint, "interrupted\n");
    let last_escape = text.rfind('\u{1b}').expect("there are colours");
    assert!(text[last_escape..].starts_with("\u{1b}[0m"), "{text}");
}
