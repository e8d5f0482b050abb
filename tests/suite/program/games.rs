//! `dovemate games` as a process.

use assert_cmd::Command;

/// Runs the program, asserts its exit status, and returns standard output and standard error.
fn dovemate(arguments: &[&str], status: i32) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_dovemate")).arg("games").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{out}\n{error}");
    assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    (out, error)
}

#[test]
fn waribashi() {
    let (out, error) = dovemate(&["waribashi"], 0);
    assert!(error.is_empty(), "{error}");
    for line in [
        "165 states and 273 edges; the first player has won in 8 of them, the second in 8",
        "play always ends",
        "the second player wins in 8 plies",
    ] {
        assert!(out.lines().any(|found| found == line), "no '{line}' in\n{out}");
    }
    let (out, _) = dovemate(&["waribashi", "--rule", "mod", "--rule", "self-attack"], 0);
    assert!(out.contains("play can go in circles") && out.contains("the start is a draw"), "{out}");
    assert!(out.contains("dead hand too: 420 states, 1360 edges"), "{out}");
    let (out, _) = dovemate(&["waribashi", "--fingers", "4", "--pruned"], 0);
    assert!(out.contains("the first player wins in 7 plies") && out.contains("the proof has "), "{out}");
}

#[test]
fn files_of_waribashi() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let files = ["graph.dot", "graph.svg", "table.csv", "all.json"].map(at);
    let options = ["--dot", "--svg", "--csv", "--json"];
    let named: Vec<&str> = options.iter().zip(&files).flat_map(|(option, file)| [*option, file]).collect();
    dovemate(&[&["waribashi", "--pruned"], &named[..]].concat(), 0);
    let [dot, svg, csv, json] = files.map(|file| std::fs::read_to_string(file).unwrap());
    assert!(dot.starts_with("digraph {") && svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(csv.lines().next(), Some("to_move,first,second,value,plies"));
    assert_eq!(csv.lines().nth(1), Some("first,\"[1,1]\",\"[1,1]\",lose,8"));
    assert_eq!(csv.lines().count(), 1 + 41);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["positions"], &json["edges"]), (&165.into(), &273.into()));
    assert_eq!(json["edges_shown"].as_array().unwrap().len(), 50);
}

/// The result of the article's programs for N = 5, in their order.
#[test]
fn nim() {
    let (out, _) = dovemate(&["nim", "--piles", "3", "--max", "5", "--misere"], 0);
    let lost: Vec<&str> = out.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(lost[..7], ["1 0 0", "0 1 0", "2 2 0", "3 3 0", "4 4 0", "5 5 0", "0 0 1"]);
    assert_eq!(lost.len(), 28);
    assert!(out.contains("28 of 216 positions are lost in misère play"), "{out}");
    assert!(out.ends_with("Bouton's rule names: holds\n"), "{out}");
    let (out, _) = dovemate(&["nim", "--piles", "3", "--max", "200"], 0);
    assert!(out.contains("of 8,120,601 positions are lost in normal play") && out.ends_with("holds\n"));
}

#[test]
fn wythoff() {
    let (out, _) = dovemate(&["wythoff", "--max", "7"], 0);
    assert!(out.starts_with("0 0\n2 1\n1 2\n5 3\n7 4\n3 5\n4 7\n\n7 of 64 positions are lost"), "{out}");
    let (out, _) = dovemate(&["wythoff", "--max", "1000", "--misere"], 0);
    assert!(out.starts_with("1 0\n0 1\n2 2\n5 3\n") && out.ends_with("holds\n"));
}

#[test]
fn hoshigaki() {
    let (out, _) = dovemate(&["hoshigaki", "24A"], 0);
    assert!(out.starts_with("24A: Grundy number 7, win in 4\n"), "{out}");
    assert_eq!(out.lines().skip(3).map(|line| line.split_whitespace().next().unwrap()).collect::<Vec<_>>(), ["2A"]);
    assert!(dovemate(&["hoshigaki", "0L"], 0).0.contains("the game is over: the other player has acted last and lost"));
    assert!(dovemate(&["hoshigaki", "13A"], 0).0.contains("no action wins"));
    let (out, _) = dovemate(&["hoshigaki", "--table", "l", "--max", "3"], 0);
    assert_eq!(out, "L 0 1 2 3\n0 1 0 2 3\n1 0 1 3 2\n2 2 3 0 1\n3 3 2 1 0\n");
    let (out, _) = dovemate(&["hoshigaki", "--strategy", "--piles", "3", "--max", "6"], 0);
    for found in ["first in 22L, which is lost", "first in 24A, where 2A wins", "first in 44A, where 44W or 44L wins"] {
        assert!(out.contains(found), "no '{found}' in\n{out}");
    }
    assert_eq!(out.matches("FAILS").count(), 3, "{out}");
}

#[test]
fn doves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.csv").into_os_string().into_string().unwrap();
    let (out, _) = dovemate(&["doves", "--red", "A", "--green", "-", "--csv", &file], 0);
    assert!(out.contains("lose in 0"), "{out}");
    let csv = std::fs::read_to_string(&file).unwrap();
    assert_eq!(csv.lines().next(), Some("mover,doves,value,plies,positions"));
    assert!(csv.lines().any(|line| line == "green,3,lose,0,1"), "{csv}");
    let json = folder.path().join("values.json").into_os_string().into_string().unwrap();
    let (out, _) = dovemate(&["doves", "--kinds", "-", "--json", &json], 0);
    assert!(out.contains("2 positions, each value derived twice"), "{out}");
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!((&json["positions"], &json["longest"]), (&2.into(), &serde_json::Value::Null));
}

#[test]
fn bad_input_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let same = folder.path().join("same").into_os_string().into_string().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["chess"], "unrecognized subcommand 'chess'"),
        (&["waribashi", "--rule", "loose"], "invalid value 'loose'"),
        (&["waribashi", "--rule", "mod", "--rule", "mod"], "given twice"),
        (&["waribashi", "--fingers", "1"], "from 2 to 9"),
        (&["waribashi", "--rule", "mod", "--pruned"], "the start is a draw"),
        (&["waribashi", "--dot", &same, "--svg", &same], "--dot and --svg name the same file"),
        (&["nim", "--piles", "three", "--max", "5"], "invalid value 'three'"),
        (&["nim", "--piles", "0", "--max", "5"], "from 1 to 64"),
        (&["nim", "--piles", "10", "--max", "1000"], "of memory"),
        (&["nim", "--piles", "64", "--max", "1000000000"], "more than 16 EiB of memory"),
        (&["nim", "--piles", "3"], "--max"),
        (&["wythoff", "--max", "10000000"], "TiB of memory"),
        (&["wythoff", "--max", "-1"], "'-1'"),
        (&["hoshigaki"], "POSITION"),
        (&["hoshigaki", "12"], "the winning condition is missing"),
        (&["hoshigaki", "1x2A"], "'x' is no number of persimmons"),
        (&["hoshigaki", "60000,60000,60000A"], "of memory"),
        (&["hoshigaki", "--table", "Q", "--max", "3"], "invalid value 'Q'"),
        (&["hoshigaki", "--table", "W"], "--max"),
        (&["hoshigaki", "--strategy", "--max", "3"], "--piles"),
        (&["hoshigaki", "--strategy", "--piles", "32", "--max", "1000"], "of memory"),
        (&["hoshigaki", "123A", "--max", "3"], "cannot be used with"),
        (&["doves", "--kinds", "AYMTH"], "of memory"),
        (&["doves", "--kinds", "AZ"], "'Z' is no kind"),
        (&["doves", "--red", "A"], "--green"),
    ];
    for (arguments, reason) in cases {
        let (out, error) = dovemate(arguments, 2);
        assert!(out.is_empty(), "{arguments:?}: {out}");
        let ours: Vec<&str> = error.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(ours.len() == 1 && error.contains(reason), "{arguments:?}: {error}");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "something is left");
    let missing = folder.path().join("missing/lost.csv").into_os_string().into_string().unwrap();
    assert!(dovemate(&["wythoff", "--max", "3", "--csv", &missing], 1).1.contains("there is no folder"));
}
